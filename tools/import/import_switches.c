// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Context switches, ready threads and migrations of an imported trace. */
#include <stdlib.h>
#include "import.h"
#include "libetl/messages.h"
#include "nt_thread.h"

/* prev_state of sched_switch: bits that 'perf script' prints as S D T t X Z P I R+ */
#define STATE_D		0x02
#define STATE_STOPPED	(0x04 | 0x08 | 0x40)
#define STATE_DEAD	(0x10 | 0x20)
#define STATE_IDLE	0x80
#define STATE_PREEMPTED	0x100
#define STATES		0xFF

#define NORMAL_PRIO	120

enum { PREV_PID, PREV_PRIO, PREV_STATE, NEXT_PID, NEXT_PRIO, PREV_COMM, NEXT_COMM };
enum { READY_PID, READY_FLAGS };

/* Bits of common_flags: the tracepoint ran in an interrupt, or in a softirq */
#define FLAG_HARDIRQ	0x08
#define FLAG_SOFTIRQ	0x10
enum { MOVED_PID, MOVED_PRIO, MOVED_FROM, MOVED_TO };

static uint32_t priority(int64_t prio, uint32_t tid)
{
	return etw_nt_priority(prio, 0, !tid);
}

static uint32_t wait_of(struct importing *importing, uint32_t state, uint32_t tid)
{
	uint32_t kernel = ETW_TASK_INTERRUPTIBLE;

	if (state & STATE_DEAD)
		kernel = ETW_TASK_DEAD;
	else if (state & STATE_STOPPED)
		kernel = ETW_TASK_SUSPENDED;
	else if (state & STATE_IDLE)
		kernel = ETW_TASK_UNINTERRUPTIBLE | ETW_TASK_NOLOAD;
	else if (state & STATE_D)
		kernel = ETW_TASK_UNINTERRUPTIBLE;
	return etw_wait_state(state & STATES ? kernel : 0, state >= STATE_PREEMPTED, !tid, false,
			      false, import_pid_of_thread(importing, tid) == 4, false);
}

static int write_switch(struct importing *importing, struct wmi_contextswap *swap, uint32_t wait)
{
	swap->old_thread_wait_reason = wait;
	swap->thread_flags = wait >> 8;
	swap->old_thread_state = wait >> 16;
	swap->old_thread_ideal_processor = importing->cpu;
	importing->counts.switches++;
	import_perfinfo(importing, PERFINFO_LOG_TYPE_CONTEXTSWAP, WMI_CONTEXTSWAP_VERSION);
	import_bytes(importing, swap, sizeof(*swap));
	return import_write(importing);
}

/* The place where the thread leaves the CPU becomes the stack of its next switch to the CPU. */
static int keep_stack(struct importing *importing, uint32_t tid, const struct perf_record *record)
{
	struct import_thread *thread;

	if (!tid || !record->frames)
		return 0;
	thread = import_thread_of(importing, tid);
	if (!thread)
		return no_memory();
	free(thread->chain);
	thread->frames = 0;
	thread->chain = malloc(8 * record->frames);
	if (!thread->chain)
		return no_memory();
	memcpy(thread->chain, record->chain, 8 * record->frames);
	thread->frames = record->frames;
	return 0;
}

static int write_kept_stack(struct importing *importing, uint32_t tid)
{
	size_t i = map_find(&importing->tids, tid);
	struct import_thread *thread = i < importing->threads_known ? &importing->threads[i] : NULL;
	int err;

	if (!tid || !thread || !thread->frames)
		return 0;
	err = import_stack(importing, import_pid_of_thread(importing, tid), tid, thread->chain,
			   thread->frames);
	thread->frames = 0;
	return err;
}

/* A thread that runs, but did not begin in the recording */
static int see_task(struct importing *importing, uint32_t tid, const struct perf_record *record,
		    const struct trace_field *comm)
{
	size_t i = map_find(&importing->tids, tid);
	char name[IMPORT_COMM];

	if (!tid || (i < importing->threads_known && importing->threads[i].alive))
		return 0;
	import_word(record, comm, name, sizeof(name));
	return import_name_task(importing, tid, tid, name);
}

int import_switch(struct importing *importing, const struct perf_record *record,
		  const struct import_kind *kind)
{
	uint32_t old = import_number(record, kind->field[PREV_PID]);
	uint32_t next = import_number(record, kind->field[NEXT_PID]);
	struct wmi_contextswap swap = {
		.new_thread_id = next, .old_thread_id = old,
		.new_thread_priority = priority(import_number(record, kind->field[NEXT_PRIO]), next),
		.old_thread_priority = priority(import_number(record, kind->field[PREV_PRIO]), old),
	};
	uint32_t state = import_number(record, kind->field[PREV_STATE]);

	if (import_follow(importing, record, &swap))
		return -1;
	if (importing->tasks_by_events &&
	    (see_task(importing, old, record, kind->field[PREV_COMM]) ||
	     see_task(importing, next, record, kind->field[NEXT_COMM])))
		return -1;
	if (write_switch(importing, &swap, wait_of(importing, state, old)) ||
	    write_kept_stack(importing, next))
		return -1;
	return keep_stack(importing, old, record);
}

int import_ready(struct importing *importing, const struct perf_record *record,
		 const struct import_kind *kind)
{
	const struct trace_field *field = kind->field[READY_FLAGS];
	int64_t flags = field ? import_number(record, field) : 0;
	const struct wmi_ready_thread ready = {
		.thread_id = import_number(record, kind->field[READY_PID]),
		.adjust_reason = kind->action != IMPORT_READY_NEW,
		/* otherwise the waker would be the thread that was interrupted */
		.flag = !!(flags & (FLAG_HARDIRQ | FLAG_SOFTIRQ)),
	};

	importing->counts.ready++;
	import_perfinfo(importing, PERFINFO_LOG_TYPE_READYTHREAD, WMI_READY_THREAD_VERSION);
	import_bytes(importing, &ready, sizeof(ready));
	return import_write(importing);
}

int import_migration(struct importing *importing, const struct perf_record *record,
		     const struct import_kind *kind)
{
	uint32_t tid = import_number(record, kind->field[MOVED_PID]);
	const struct wmi_thread_migration migration = {
		.thread_id = tid,
		.source_processor = import_number(record, kind->field[MOVED_FROM]),
		.target_processor = import_number(record, kind->field[MOVED_TO]),
		.priority = priority(import_number(record, kind->field[MOVED_PRIO]), tid),
	};

	importing->counts.tracepoints++;
	import_perfinfo(importing, PERFINFO_LOG_TYPE_THREAD_MIGRATION, WMI_THREAD_MIGRATION_VERSION);
	import_bytes(importing, &migration, sizeof(migration));
	return import_write(importing);
}

/*
 * A switch has two of these records: one of the thread that leaves, one of the thread that comes.
 * Of a recording of whole processors, the first contains both threads, and the second is left
 * out. Of a recording of one process, the other thread is unknown, and is 0.
 */
int import_switch_record(struct importing *importing, const struct perf_record *record)
{
	bool out = record->misc & PERF_RECORD_MISC_SWITCH_OUT, known = false;
	bool preempted = record->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	struct import_cpu *cpu = &importing->cpus[importing->cpu];
	struct piece piece = perf_record_payload(record);
	bool wide = record->type == PERF_RECORD_SWITCH_CPU_WIDE;
	struct wmi_contextswap swap = { };
	uint32_t other = 0, old;

	if (importing->traced_switches)
		return 0;
	if (wide) {
		piece_u32(&piece);
		other = piece_u32(&piece);
		known = !out && cpu->left && cpu->next == record->tid;
	}
	cpu->left = out;
	cpu->next = other;
	if (known)
		return 0;
	/* a thread that has exited has no id any more */
	old = !out ? other : record->tid == UINT32_MAX ? cpu->running : record->tid;
	swap.old_thread_id = old;
	swap.new_thread_id = out ? other : record->tid;
	swap.new_thread_priority = priority(NORMAL_PRIO, swap.new_thread_id);
	swap.old_thread_priority = priority(NORMAL_PRIO, old);
	if (wide && import_follow(importing, record, &swap))
		return -1;
	cpu->running = swap.new_thread_id;
	return write_switch(importing, &swap,
			    wait_of(importing, preempted ? STATE_PREEMPTED : 1, old));
}
