/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Each wait of a thread: when, how long, for what, and what ended it. */
#ifndef ETW_STAT_WAITS_H
#define ETW_STAT_WAITS_H

#include "libetl/event_stacks.h"
#include "symbols/symbols.h"
#include "call_tree.h"
#include "cpu.h"
#include "keyed.h"
#include "report.h"

#define WAIT_NONE	UINT32_MAX

/**
 * struct wait_stack - a stack of a wait
 * @node: of the tree; 0: there is no stack
 * @kernel: frames that are the kernel's
 */
struct wait_stack {
	uint32_t node;
	uint32_t kernel;
};

/**
 * struct wait - of a thread, until it ran again
 * @thread: index of the thread
 * @by: index of the thread that readied it, or BY_*
 * @from: ns, the switch away from the thread
 * @until: ns, the ReadyThread record, or @to without one
 * @to: ns, the switch to the thread
 * @ready_time: of the ReadyThread record, session clock; 0: there is none
 * @before: index of the readying thread's last wait before @until, or WAIT_NONE
 * @previous: index of the wait of the same thread before, or WAIT_NONE
 * @previous_readied: the same, of those with a ReadyThread record
 * @cpu: processor that the thread ran on again
 * @recorded: KWAIT_REASON
 * @listed: it is long enough, and the filter wants it; others only explain idle time, by a stack
 * @stack: of the thread
 * @waker: stack of the ReadyThread record
 * @reason: in words
 */
struct wait {
	uint32_t thread;
	uint32_t by;
	int64_t from;
	int64_t until;
	int64_t to;
	uint64_t ready_time;
	uint32_t before;
	uint32_t previous;
	uint32_t previous_readied;
	uint16_t cpu;
	uint8_t recorded;
	bool listed;
	struct wait_stack stack;
	struct wait_stack waker;
	const char *reason;
};

/**
 * struct wait_idle - time in which a processor was idle; without stacks, all of one recorded reason
 * @thread: index of the thread that had begun to wait; WAIT_NONE: none had
 * @cpu: which
 * @recorded: the reason of its wait, which may not have ended
 * @since: ns, begin of its wait
 * @ns: how long; with stacks only
 * @times: without stacks: how often and how long
 */
struct wait_idle {
	uint32_t thread;
	uint16_t cpu;
	uint8_t recorded;
	int64_t since;
	uint64_t ns;
	struct spans *times;
};

/**
 * struct wait_thread - what is known of a thread while the trace is read
 * @last: its last wait, index + 1
 * @last_readied: its last wait with a ReadyThread record, index + 1
 * @ready_time: of the last ReadyThread record for it that is attributed
 * @by: as struct wait
 * @before: as struct wait
 * @idle: its wait made a processor idle
 */
struct wait_thread {
	uint32_t last;
	uint32_t last_readied;
	uint64_t ready_time;
	uint32_t by;
	uint32_t before;
	bool idle;
};

/**
 * struct wait_keys - leads from the records of the trace to waits
 * @key: @count of them, room for @room; after wait_keys_seal() by time, thread and wait
 * @at: behind the key that was found last: the records come mostly in the order of the keys, so
 *	that the next one is close
 */
struct wait_keys {
	struct wait_key {
		uint64_t time;
		uint32_t tid;
		uint32_t wait;
	} *key;
	size_t count;
	size_t room;
	size_t at;
};

/**
 * struct wait_sum - waits that only groups by reason count
 * @waiting: their times
 * @ready: how long their threads were then ready
 */
struct wait_sum {
	struct spans waiting;
	struct spans ready;
};

/* Recorded reasons have one byte */
#define RECORDED_REASONS	256

/**
 * struct waits - all of them
 * @least: ns, shorter ones are not listed
 * @bounded: the list has few rows, and the groups are by recorded reason: the longest waits are
 *	kept, and all others are in @left_out, so the memory does not grow with the trace
 * @least_kept: ns, @bounded: shorter ones are left out at once
 * @left_out: by recorded reason
 * @wait: @nr_waits of them, room for @room, in the order of their ends
 * @idle: @nr_idle of them
 * @idles: without stacks: keys of @idle, by processor and recorded reason
 * @thread: by index of the thread
 * @has_stacks: the trace has stacks; otherwise @ends and @readies stay empty
 * @causes: by processor: the thread that waits while the processor is idle; NULL at first
 * @ends: of the switches that end waits
 * @readies: of the ReadyThread records
 * @tree: all stacks
 */
struct waits {
	const struct trace *trace;
	const struct statistics *statistics;
	const struct event_filter *filter;
	uint64_t least;
	bool bounded;
	int64_t least_kept;
	struct wait_sum left_out[RECORDED_REASONS];
	struct cpu_work work;
	struct gaps gaps;
	struct wait *wait;
	size_t nr_waits;
	size_t room;
	struct wait_idle *idle;
	struct map idles;
	size_t nr_idle;
	size_t idle_room;
	struct wait_thread *thread;
	size_t thread_room;
	bool has_stacks;
	struct wait_idle *causes;
	struct wait_keys ends;
	struct wait_keys readies;
	struct symbols *symbols;
	struct stacks stacks;
	struct call_tree tree;
};

/* waits_keys.c: the wait of a record of a thread. Return: 0, or -1: no memory */
int wait_keys_add(struct wait_keys *keys, uint64_t time, uint32_t tid, uint32_t wait);
/* When all are there */
void wait_keys_seal(struct wait_keys *keys);
/* Return: the last wait with this time and thread, or WAIT_NONE */
uint32_t wait_keys_find(struct wait_keys *keys, uint64_t time, uint32_t tid);
void wait_keys_free(struct wait_keys *keys);
/* waits_stacks.c: images, keys of stacks, and whether there are any. Return: as the following */
int waits_survey(struct waits *waits, const struct symbol_options *where);
/* waits_find.c: the waits, without their stacks. Return: 0, or -1 after a message */
int waits_find(struct waits *waits);
/* waits_stacks.c: their stacks and reasons. Return: 0, or -1 after a message */
int waits_add_stacks(struct waits *waits);
const char *wait_recorded_reason(unsigned int recorded);
/* The thread that held a contended lock, as its wakeup shows; WAIT_NONE: it does not */
uint32_t wait_holder(const struct waits *waits, const struct wait *wait);
/* waits.c */
void waits_free(struct waits *waits);
/* waits_bound.c: room for a wait; of @bounded ones, short ones are left out. Return: 0 or -1 */
int waits_make_room(struct waits *waits);
/* Counts a wait that is not kept */
void waits_leave_out(struct waits *waits, const struct wait *wait);
/* waits_report.c: indexes of the listed ones, the longest first. Return: NULL: no memory */
uint32_t *waits_order(const struct waits *waits, size_t *count);
/* Return: the exit code */
int waits_report(struct waits *waits, const struct stat_options *options);

#endif /* ETW_STAT_WAITS_H */
