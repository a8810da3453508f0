// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --perfetto: context switches and wakeups, as ftrace has them. */
#include <stddef.h>
#include <stdlib.h>
#include "libetl/messages.h"
#include "etw_hooks.h"
#include "perfetto.h"
#include "perfetto_fields.h"

/* Events of one processor are written together */
#define BUNDLE_BYTES	0x8000

/* States of a task, as sched_switch has them in each version of Linux */
enum {
	TASK_RUNNABLE = 0,
	TASK_SLEEPS = 1,
	TASK_UNINTERRUPTIBLE = 2,
	TASK_IS_STOPPED = 4,
	TASK_EXIT_DEAD = 0x10,
};

/* KTHREAD_STATE and KWAIT_REASON, as events.rst has them */
enum { STATE_TERMINATED = 4, STATE_WAITING = 5 };
enum {
	REASON_EXECUTIVE = 0,
	REASON_SUSPENDED = 5,
	REASON_WR_EXECUTIVE = 7,
	REASON_WR_RESOURCE = 27,
};

/* The process of all threads of the kernel, as events.rst has it */
#define SYSTEM_PROCESS	4

/* common_flags of a wakeup that an interrupt causes: TRACE_FLAG_HARDIRQ */
#define FLAG_HARDIRQ	0x08

static void flush(struct perfetto *perfetto, uint32_t cpu)
{
	struct protobuf *bundle = perfetto->bundles[cpu], *packet;

	if (!bundle || !bundle->used)
		return;
	packet = perfetto_packet(perfetto, PERFETTO_SEQUENCE);
	packet->no_memory |= bundle->no_memory;
	protobuf_bytes(packet, PACKET_FTRACE_EVENTS, bundle->bytes, bundle->used);
	perfetto_end_packet(perfetto);
	bundle->used = 0;
}

void perfetto_flush(struct perfetto *perfetto)
{
	uint32_t cpu;

	for (cpu = 0; cpu < ETL_PROCESSORS; cpu++)
		flush(perfetto, cpu);
}

/* Return: NULL: no memory, after a message */
static struct protobuf *bundle_of(struct perfetto *perfetto, uint32_t cpu)
{
	struct protobuf **bundle = &perfetto->bundles[cpu];

	if (!*bundle)
		*bundle = calloc(1, sizeof(**bundle));
	if (!*bundle) {
		perfetto->failed = true;
		no_memory();
		return NULL;
	}
	if ((*bundle)->used > BUNDLE_BYTES || perfetto->lost[cpu])
		flush(perfetto, cpu);
	if (!(*bundle)->used) {
		protobuf_number(*bundle, BUNDLE_CPU, cpu);
		if (perfetto->lost[cpu])
			protobuf_number(*bundle, BUNDLE_LOST_EVENTS, 1);
		perfetto->lost[cpu] = false;
	}
	return *bundle;
}

/* An event up to its own fields; @tid: the thread that was running */
static struct protobuf *begin_event(struct perfetto *perfetto, const struct etl_record *record,
				    uint32_t cpu, uint32_t tid, unsigned int field)
{
	struct protobuf *bundle = bundle_of(perfetto, cpu);

	if (!bundle)
		return NULL;
	protobuf_begin(bundle, BUNDLE_EVENT);
	protobuf_number(bundle, FTRACE_TIMESTAMP, perfetto_time(perfetto, record->time));
	protobuf_number(bundle, FTRACE_PID, tid);
	protobuf_begin(bundle, field);
	return bundle;
}

static void end_event(struct protobuf *bundle)
{
	protobuf_end(bundle);
	protobuf_end(bundle);
}

static const char *name_of(struct perfetto *perfetto, uint32_t tid)
{
	struct export_thread *thread;

	if (!tid)
		return "swapper";
	thread = export_thread_of(&perfetto->export, tid);
	if (!thread)
		perfetto->failed = true;
	return thread && thread->name ? thread->name : "";
}

/* The inverse of what events.rst has: 120 for nice 0, 99 to 1 for real time, -1 for deadline */
static int priority_of(int priority)
{
	if (priority >= 31)
		return -1;
	if (priority >= 16)
		return 99 - (priority - 16) * 98 / 14;
	if (priority >= 1)
		return 139 - (priority - 1) * 39 / 14;
	return 120;
}

static int state_of(struct perfetto *perfetto, uint32_t tid, const uint8_t *payload)
{
	uint8_t reason = payload[offsetof(struct wmi_contextswap, old_thread_wait_reason)];
	uint8_t state = payload[offsetof(struct wmi_contextswap, old_thread_state)];
	const struct export_thread *thread;

	if (!tid || (state != STATE_WAITING && state != STATE_TERMINATED))
		return TASK_RUNNABLE;
	if (state == STATE_TERMINATED)
		return TASK_EXIT_DEAD;
	if (reason == REASON_SUSPENDED)
		return TASK_IS_STOPPED;
	if (reason == REASON_WR_EXECUTIVE || reason == REASON_WR_RESOURCE)
		return TASK_UNINTERRUPTIBLE;
	if (reason != REASON_EXECUTIVE)
		return TASK_SLEEPS;
	/* a thread of the kernel that sleeps has the same reason as I/O of a program */
	thread = export_thread_of(&perfetto->export, tid);
	return thread && thread->has_pid && thread->pid == SYSTEM_PROCESS ? TASK_SLEEPS :
									    TASK_UNINTERRUPTIBLE;
}

void perfetto_free_thread(struct perfetto *perfetto, const struct etl_record *record,
			  uint32_t cpu, uint32_t tid)
{
	struct export_thread *thread = export_thread_of(&perfetto->export, tid);
	struct protobuf *to = begin_event(perfetto, record, cpu, tid, FTRACE_PROCESS_FREE);

	perfetto->failed |= !thread;
	if (!to || !thread)
		return;
	thread->ended = false;
	protobuf_string(to, FREE_COMM, name_of(perfetto, tid));
	protobuf_number(to, FREE_PID, tid);
	end_event(to);
}

int perfetto_switch(struct perfetto *perfetto, const struct etl_record *record, uint32_t cpu)
{
	const uint8_t *payload = record->payload;
	uint32_t new = get32(payload), old = get32(payload + 4);
	struct protobuf *to = begin_event(perfetto, record, cpu, old, FTRACE_SCHED_SWITCH);

	if (!to)
		return -1;
	protobuf_string(to, SWITCH_PREV_COMM, name_of(perfetto, old));
	protobuf_number(to, SWITCH_PREV_PID, old);
	protobuf_signed(to, SWITCH_PREV_PRIO, priority_of((int8_t)payload[9]));
	protobuf_signed(to, SWITCH_PREV_STATE, state_of(perfetto, old, payload));
	protobuf_string(to, SWITCH_NEXT_COMM, name_of(perfetto, new));
	protobuf_number(to, SWITCH_NEXT_PID, new);
	protobuf_signed(to, SWITCH_NEXT_PRIO, priority_of((int8_t)payload[8]));
	end_event(to);
	if (payload[offsetof(struct wmi_contextswap, old_thread_state)] == STATE_TERMINATED)
		perfetto_free_thread(perfetto, record, cpu, old);
	return perfetto->failed ? -1 : 0;
}

int perfetto_waking(struct perfetto *perfetto, const struct etl_record *record, uint32_t cpu)
{
	const struct chain_cpu *running = &perfetto->export.chains.cpu[cpu];
	uint32_t tid = get32(record->payload);
	struct protobuf *to = begin_event(perfetto, record, cpu,
					  running->seen ? running->running : 0,
					  FTRACE_SCHED_WAKING);

	if (!to)
		return -1;
	protobuf_string(to, WAKING_COMM, name_of(perfetto, tid));
	protobuf_number(to, WAKING_PID, tid);
	protobuf_number(to, WAKING_SUCCESS, 1);
	protobuf_number(to, WAKING_TARGET_CPU, cpu);
	protobuf_end(to);
	if (record->payload_size >= sizeof(struct wmi_ready_thread) &&
	    record->payload[offsetof(struct wmi_ready_thread, flag)] & 1)
		protobuf_number(to, FTRACE_COMMON_FLAGS, FLAG_HARDIRQ);
	protobuf_end(to);
	return perfetto->failed ? -1 : 0;
}
