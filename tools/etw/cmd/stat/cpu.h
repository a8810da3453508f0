/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What threads did when: running, ready to run, waiting. */
#ifndef ETW_STAT_CPU_H
#define ETW_STAT_CPU_H

#include "filter_inference.h"
#include "quantiles.h"
#include "report.h"

/* KWAIT_REASON, and two that are none */
#define WAIT_REASONS		64
#define WAIT_OTHER		62
#define WAIT_NOT_STARTED	63

/* Instead of the index of the thread that readied another one */
#define BY_INTERRUPT		0xFFFFFFFFu
#define BY_UNKNOWN		0xFFFFFFFEu

/**
 * struct unseen - times in which a thread may have run without a trace
 * @spans: @count of them, room for @room; after unseen_seal() disjoint and ascending
 */
struct unseen {
	struct unseen_span {
		int64_t from;
		int64_t to;
	} *spans;
	size_t count;
	size_t room;
};

/* Return: 0, or -1: no memory */
int unseen_add(struct unseen *unseen, int64_t from, int64_t to);
void unseen_seal(struct unseen *unseen);
bool unseen_overlaps(const struct unseen *unseen, int64_t from, int64_t to);
void unseen_free(struct unseen *unseen);

enum life_state { LIFE_NONE, LIFE_RUNNING, LIFE_READY, LIFE_WAITING, LIFE_UNSURE, LIFE_DEAD };

/**
 * struct life - a thread in the trace
 * @thread: the thread
 * @state: since @since
 * @cpu: where it runs
 * @reason: why it waits
 * @readied: the wait was ended at @readied_at, in the session clock @readied_time
 * @since: ns
 * @readied_at: ns
 * @first: when it was seen first, or again after its end
 * @length: of all its lives that ended, in the range of the filter, as all times
 * @running: ns, as @ready, @waiting
 * @ready: ready to run
 * @waiting: for something
 * @wait_ns: the same by reason
 * @unknown: nothing says what it did
 * @elsewhere: the time ends on a processor that the filter does not want
 * @switches: to it
 * @wait_count: waits by reason; the last one may not have ended
 * @unreadied: waits that ended without a ReadyThread
 * @longest: the longest time for which it was ready; began at @longest_at
 * @ready_times: the times for which it was ready
 */
struct life {
	const struct thread *thread;
	enum life_state state;
	uint16_t cpu;
	uint8_t reason;
	bool readied;
	int64_t since;
	int64_t readied_at;
	uint64_t readied_time;
	int64_t first;
	uint64_t length;
	uint64_t running;
	uint64_t ready;
	uint64_t waiting;
	uint64_t unknown;
	uint64_t elsewhere;
	uint64_t switches;
	uint64_t unreadied;
	uint64_t longest;
	int64_t longest_at;
	struct quantiles ready_times;
	uint64_t wait_ns[WAIT_REASONS];
	uint64_t wait_count[WAIT_REASONS];
};

/**
 * struct cpu_life - a processor
 * @seen: it had a context swap
 * @first: ns of the first one; @last: of the last
 * @switches: how many
 * @busy: ns
 * @idle: ns
 * @unattributed: by reason: unattributed time in ns
 * @pending: threads that the running one readied, @nr_pending, room for @room
 */
struct cpu_life {
	bool seen;
	int64_t first;
	int64_t last;
	uint64_t switches;
	uint64_t busy;
	uint64_t idle;
	uint64_t unattributed[CHAIN_BREAKS];
	struct pending_ready {
		uint32_t thread;
		uint64_t time;
	} *pending;
	size_t nr_pending;
	size_t room;
};

/**
 * struct cpu_observer - what follows single times of threads; each may be NULL, and returns 0 or -1
 * @sleeps: a thread begins to wait, and the processor switches to @next
 * @idles: a processor was idle from @from to @to in ns, seen whole
 * @readied: it is known now which thread ended a wait, at @time in the session clock; @by: index
 *	of a thread, or BY_*
 * @ends: a wait ends, and the thread runs on @cpu; its @since, @readied_at and @reason are valid.
 *	Before or after @readied for the same wait
 * @spends: a thread was in a state from @from to @to in ns, not cut off at the ends of the range:
 *	LIFE_RUNNING, LIFE_READY, LIFE_WAITING for its @reason, or LIFE_UNSURE
 */
struct cpu_observer {
	void *context;
	int (*sleeps)(void *context, const struct life *life, uint16_t cpu, uint32_t next);
	int (*idles)(void *context, uint16_t cpu, int64_t from, int64_t to);
	int (*readied)(void *context, uint32_t thread, uint64_t time, uint32_t by);
	int (*ends)(void *context, const struct life *life, uint16_t cpu, uint64_t time);
	void (*spends)(void *context, const struct life *life, enum life_state state, int64_t from,
		       int64_t to);
};

/**
 * struct cpu_spent - gets what each processor did between two context swaps
 * @take: @why is CHAIN_WHOLE: @thread ran, NULL: the processor was idle; otherwise nothing is
 *	known of the time, and @thread is NULL. From @from to @to in ns, not cut off at the ends
 *	of the range. Return: 0 or -1
 * @end: the whole trace was read. Return: 0 or -1
 */
struct cpu_spent {
	void *context;
	int (*take)(void *context, uint16_t cpu, enum chain_break why,
		    const struct thread *thread, int64_t from, int64_t to);
	int (*end)(void *context, const struct cpu_life *cpu);
};

/**
 * struct cpu_work - the work of the verb
 * @filter: which times and threads are wanted
 * @observer: NULL: there is none
 * @spent: NULL: there is none
 * @inference: what the session's filter left in
 * @chains: intervals of the processors
 * @unseen: unattributed times of all processors
 * @hidden: times of which only threads know that are not seen whole
 * @map: indexes of threads; @lives by its index
 * @readies: index of a thread << 32 | that of the thread that readied it, or BY_*;
 *	@ready_count by its index
 * @cpu: ETL_PROCESSORS of them
 * @whole: the interval that the present swap ends is the old thread's, from @from
 * @time: of the record, session clock
 * @now: ns, the time of the record
 * @here: the filter wants its processor
 * @end: ns, the last context swap of the trace
 * @nr_ready: ReadyThread records
 */
struct cpu_work {
	const struct statistics *statistics;
	const struct event_filter *filter;
	const struct cpu_observer *observer;
	const struct cpu_spent *spent;
	struct filter_inference inference;
	struct chains chains;
	struct unseen unseen;
	struct unseen hidden;
	struct map map;
	struct life *lives;
	struct map readies;
	uint64_t *ready_count;
	struct cpu_life *cpu;
	bool whole;
	int64_t from;
	uint64_t time;
	int64_t now;
	bool here;
	int64_t end;
	uint64_t nr_ready;
};

/* cpu_life.c. The callbacks of the walk; then the end of it. Return: 0 or -1 */
int cpu_work_take(void *context, const struct interval *interval);
int cpu_work_see(void *context, const struct etl_buffer *buffer,
		 const struct etl_record *record);
int cpu_work_end(struct cpu_work *work);
/*
 * Whether the thread that had an id at a time may have run unseen while it was off the
 * processors, from @from to @to in ns
 */
bool cpu_work_clouded(struct cpu_work *work, uint32_t tid, uint64_t time, int64_t from,
		      int64_t to);

/**
 * struct cpu_sight - where context switches are missing
 * @work: knows it
 */
struct cpu_sight {
	struct gaps gaps;
	struct cpu_work work;
};

/* cpu.c. Return: 0, or -1 after a message */
int cpu_sight_begin(struct cpu_sight *sight, const struct trace *trace,
		    const struct statistics *statistics);
void cpu_sight_end(struct cpu_sight *sight);

/* cpu_life.c: ns between two times that are in the range of the filter */
uint64_t cpu_work_clip(const struct cpu_work *work, int64_t from, int64_t to);
/*
 * cpu.c: goes through the trace; afterwards, and after an error, cpu_work_free().
 * Return: 0, or -1 after a message
 */
int cpu_work_follow(struct cpu_work *work, const struct trace *trace, struct gaps *gaps,
		    bool filtered);
void cpu_work_free(struct cpu_work *work);
void cpu_work_warn(const struct cpu_work *work);

/* cpu_report.c. Return: the exit code */
int cpu_work_report(const struct cpu_work *work, const struct stat_options *options);

#endif /* ETW_STAT_CPU_H */
