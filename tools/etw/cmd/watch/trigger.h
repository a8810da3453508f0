/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Which conditions hold, by the records of a real-time stream. */
#ifndef ETW_WATCH_TRIGGER_H
#define ETW_WATCH_TRIGGER_H

#include "condition.h"
#include "live/live_threads.h"

/* Bits of trigger_thread.fired */
#define TRIGGER_CONDITIONS	32
#define TRIGGER_NAMES		64
#define TRIGGER_TEXT		512

/**
 * struct trigger - conditions, and what they are about
 * @condition: @nr_conditions of them
 * @pids: only threads of these processes, for wait, ready, run and signal
 * @names: or of processes with these names
 * @threads: what runs, waits and is ready
 * @log: of the stream
 * @blind: records were lost: conditions on time do not hold now
 * @fire: a condition holds; @text: what happened; @time: when it began to hold, session clock
 */
struct trigger {
	struct condition condition[TRIGGER_CONDITIONS];
	unsigned int nr_conditions;
	uint32_t pids[TRIGGER_NAMES];
	unsigned int nr_pids;
	const char *names[TRIGGER_NAMES];
	unsigned int nr_names;
	struct live_threads threads;
	const struct etl_logfile *log;
	bool blind;
	void (*fire)(void *context, const struct condition *condition, uint64_t time,
		     const char *text);
	void *context;
};

/* @self: process whose threads and descendants do not count; 0: none. Return: 0 or -1 */
int trigger_begin(struct trigger *trigger, uint32_t self);
bool trigger_has(const struct trigger *trigger, enum condition_kind kind);
/* Each record in the order of time. Return: 0, or -1 after a message */
int trigger_note(struct trigger *trigger, const struct etl_buffer *buffer,
		 const struct etl_record *record);
/* All records up to @time were noted: looks at what still waits, is ready or runs. */
void trigger_tick(struct trigger *trigger, uint64_t time);
/* Records were lost up to here. @blind: and more may be missing until the next call */
void trigger_lost(struct trigger *trigger, bool blind);
void trigger_end(struct trigger *trigger);

#endif /* ETW_WATCH_TRIGGER_H */
