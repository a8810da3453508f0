// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export: what processors and threads do, as slices; wakeups, as arrows. */
#include <inttypes.h>
#include <string.h>
#include "libetl/event_names.h"
#include "etw_hooks.h"
#include "export.h"

/*
 * A slice is written when it ends: the trace contains both ends, and reports no loss between
 * them. The format requires no order. The end of an arrow is bound to the slice that begins
 * there, and is written after that slice.
 */

enum {
	STATE_READY = 1,
	STATE_RUNNING = 2,
	STATE_STANDBY = 3,
	STATE_TERMINATED = 4,
	STATE_DEFERRED_READY = 7,
};

/* Up to where "args":{ stands; the length is the difference of ends, not rounded itself */
static void begin_slice(struct export *export, const char *name, uint32_t pid, uint32_t tid,
			uint64_t from, uint64_t to)
{
	int64_t begin = etl_nanoseconds(&export->trace->log, from);
	int64_t end = etl_nanoseconds(&export->trace->log, to);
	int64_t since = begin - export_ns(export, from);

	event_filter_clip(export->filter, &begin, &end);
	export_event(export, "X", name, pid, tid, begin - since);
	fputs(",\"dur\":", export->to);
	export_microseconds(export->to, end > begin ? end - begin : 0);
	fputs(",\"args\":{", export->to);
}

static void end_slice(struct export *export)
{
	putc('}', export->to);
	export_end_event(export);
}

static void put_counters(struct export *export, const struct interval *interval)
{
	unsigned int i;

	fputs(",\"counters\":{", export->to);
	for (i = 0; i < export->chains.columns; i++) {
		if (i)
			putc(',', export->to);
		export_string(export->to, export->column[i]);
		fprintf(export->to, ":%" PRIu64, interval->delta[i]);
	}
	putc('}', export->to);
}

/* What was counted, as events a microsecond, from the begin of the interval on */
static void put_rates(struct export *export, const struct interval *interval)
{
	uint32_t pid, tid;
	char name[COUNTER_NAME + 16];
	unsigned int i;

	export_track_of_cpu(export, interval->processor, &pid, &tid);
	for (i = 0; i < export->chains.counters && interval->ns; i++) {
		snprintf(name, sizeof(name), "CPU %u %s", interval->processor, export->column[i]);
		export_event(export, "C", name, pid, tid, export_ns(export, interval->from));
		fprintf(export->to, ",\"args\":{\"per us\":%" PRIu64 ".%03" PRIu64 "}",
			(uint64_t)((__int128)interval->delta[i] * 1000 / interval->ns),
			(uint64_t)((__int128)interval->delta[i] * 1000000 / interval->ns % 1000));
		export_end_event(export);
	}
}

static void put_arrow_end(struct export *export, const char *phase, uint32_t pid, uint32_t tid,
			  uint64_t time)
{
	export_event(export, phase, "ready", pid, tid, export_ns(export, time));
	fprintf(export->to, ",\"cat\":\"ready\",\"id\":%" PRIu64 "%s", export->flows,
		phase[0] == 'f' ? ",\"bp\":\"e\"" : "");
	export_end_event(export);
}

static void put_arrow(struct export *export, struct export_wakeup *wakeup, uint32_t pid,
		      uint32_t tid, uint64_t to)
{
	if (!wakeup->valid)
		return;
	wakeup->valid = false;
	if (!event_filter_wants_time(export->filter,
				     etl_nanoseconds(&export->trace->log, wakeup->time)))
		return;
	export->flows++;
	put_arrow_end(export, "s", wakeup->pid, wakeup->tid, wakeup->time);
	put_arrow_end(export, "f", pid, tid, to);
}

/* Whether the thread is wanted, and a part of the slice is in the range */
static bool is_wanted(const struct export *export, uint32_t tid, uint64_t from, uint64_t to)
{
	const struct etl_logfile *log = &export->trace->log;

	return event_filter_wants_id(export->filter, tid, to) &&
	       etl_nanoseconds(log, from) <= export->filter->to &&
	       etl_nanoseconds(log, to) >= export->filter->from;
}

/* A thread that ran from one switch to the next, or to the end of the trace */
static int put_running(struct export *export, uint32_t cpu, uint32_t id,
		       const struct interval *interval, uint64_t from, uint64_t to)
{
	struct export_thread *thread = export_thread_of(export, id);
	const char *name = "idle", *cut = interval ? "" : ",\"cut\":true";
	uint32_t pid, tid, cpus, place;

	if (!thread)
		return -1;
	if (!event_filter_wants_cpu(export->filter, cpu) || !is_wanted(export, id, from, to))
		return 0;
	export_track_of_cpu(export, cpu, &cpus, &place);
	export_track_of_thread(export, thread, &pid, &tid);
	if (id)
		name = thread->name ? thread->name : "thread";
	begin_slice(export, name, cpus, place, from, to);
	fprintf(export->to, "\"thread\":%u%s", id, cut);
	end_slice(export);
	if (!id)
		return 0;
	begin_slice(export, "Running", pid, tid, from, to);
	fprintf(export->to, "\"cpu\":%u%s", cpu, cut);
	if (interval && interval->why == CHAIN_WHOLE && export->chains.columns)
		put_counters(export, interval);
	end_slice(export);
	put_arrow(export, &export->wakeup[cpu], pid, tid, from);
	return 0;
}

int export_interval(void *context, const struct interval *interval)
{
	struct export *export = context;
	uint32_t cpu = interval->processor;
	struct export_thread *thread;

	if (interval->why == CHAIN_WHOLE || interval->why == CHAIN_UNCOUNTED) {
		if (put_running(export, cpu, interval->old, interval, interval->from,
				interval->to))
			return -1;
		if (interval->why == CHAIN_WHOLE &&
		    event_filter_wants_cpu(export->filter, cpu) &&
		    is_wanted(export, interval->old, interval->from, interval->to))
			put_rates(export, interval);
		return 0;
	}
	export_mark_break(export, interval);
	export->wakeup[cpu].valid = false;
	if (interval->why != CHAIN_OFFLINE && interval->why != CHAIN_BACK)
		export->uncertain = interval->to;
	thread = export_thread_of(export, interval->running);
	if (!thread)
		return -1;
	if (thread->state == THREAD_RUNNING)
		thread->state = THREAD_UNKNOWN;
	return 0;
}

static void put_reason(struct export *export, unsigned int reason)
{
	if (wait_reason_name(reason))
		fprintf(export->to, "\"reason\":\"%s\"", wait_reason_name(reason));
	else
		fprintf(export->to, "\"reason\":\"%u\"", reason);
}

/* What the thread waited for until now: the state that ends */
static void put_state(struct export *export, struct export_thread *thread, uint64_t to, bool cut)
{
	const char *reason = wait_reason_name(thread->reason);
	uint32_t pid, tid;
	char name[64];

	if (!thread->id || (thread->state != THREAD_READY && thread->state != THREAD_WAITING))
		return;
	if (!is_wanted(export, thread->id, thread->since, to))
		return;
	snprintf(name, sizeof(name), "Waiting (%s)", reason ? reason : "?");
	export_track_of_thread(export, thread, &pid, &tid);
	begin_slice(export, thread->state == THREAD_READY ? "Ready" : name, pid, tid,
		    thread->since, to);
	if (thread->state == THREAD_WAITING || !thread->woken)
		put_reason(export, thread->reason);
	else
		fprintf(export->to, "\"by thread\":%u,\"in an interrupt\":%s", thread->waker,
			thread->by_interrupt ? "true" : "false");
	if (thread->since < export->uncertain)
		fputs(",\"uncertain\":true", export->to);
	if (cut)
		fputs(",\"cut\":true", export->to);
	end_slice(export);
}

static int switch_out(struct export *export, uint32_t id, const uint8_t *payload, uint64_t time)
{
	struct export_thread *thread = export_thread_of(export, id);
	uint8_t state = payload[0x0E];

	if (!thread)
		return -1;
	thread->woken = false;
	thread->reason = payload[0x0C];
	thread->since = time;
	if (state == STATE_TERMINATED)
		thread->state = THREAD_UNKNOWN;
	else if (state == STATE_READY || state == STATE_RUNNING || state == STATE_STANDBY ||
		 state == STATE_DEFERRED_READY)
		thread->state = THREAD_READY;
	else
		thread->state = THREAD_WAITING;
	return 0;
}

static int switch_in(struct export *export, uint32_t id, uint32_t cpu, uint64_t time)
{
	struct export_thread *thread = export_thread_of(export, id);

	if (!thread)
		return -1;
	put_state(export, thread, time, false);
	/* an arrow was held while the thread was ready */
	if (thread->state != THREAD_READY || !thread->woken || !id)
		export->wakeup[cpu].valid = false;
	else
		export->wakeup[cpu] = thread->arrow;
	thread->woken = false;
	thread->state = THREAD_RUNNING;
	thread->since = time;
	return 0;
}

int export_switch(struct export *export, const struct etl_record *record, uint32_t cpu)
{
	uint32_t new = get32(record->payload), old = get32(record->payload + 4);

	if (switch_out(export, old, record->payload, record->time))
		return -1;
	return switch_in(export, new, cpu, record->time);
}

int export_ready(struct export *export, const struct etl_record *record, uint32_t cpu)
{
	const struct chain_cpu *running = &export->chains.cpu[cpu];
	struct export_thread *thread = export_thread_of(export, get32(record->payload));
	struct export_thread *waker;

	if (!thread)
		return -1;
	/* a second wakeup changes nothing; one that runs had not gone to sleep yet */
	if (thread->state == THREAD_RUNNING || thread->state == THREAD_READY)
		return 0;
	put_state(export, thread, record->time, false);
	thread->state = THREAD_READY;
	thread->since = record->time;
	thread->woken = true;
	thread->by_interrupt = record->payload_size >= 7 && (record->payload[6] & 1);
	thread->waker = running->seen ? running->running : 0;
	thread->arrow.valid = false;
	if (!thread->waker)
		return 0;
	waker = export_thread_of(export, thread->waker);
	if (!waker)
		return -1;
	thread->arrow = (struct export_wakeup){ .valid = true, .time = record->time };
	export_track_of_thread(export, waker, &thread->arrow.pid, &thread->arrow.tid);
	return 0;
}

/* Up to when it is certain that a processor ran what its last context switch switched to */
static uint64_t end_of(const struct export *export, size_t i)
{
	const struct chain_cpu *cpu = &export->chains.cpu[i];
	uint64_t known = export->known_of[i];

	if ((int64_t)(export->known - known) > 0 &&
	    !gaps_lost(export->chains.gaps, &cpu->buffer, &cpu->buffer, cpu->time, export->known))
		known = export->known;
	if ((int64_t)(known - export->last) > 0)
		known = export->last;
	return (int64_t)(known - cpu->time) > 0 ? known : cpu->time;
}

void export_cut(struct export *export)
{
	const struct chain_cpu *cpu;
	size_t i;

	for (i = 0; i < ETL_PROCESSORS; i++) {
		cpu = &export->chains.cpu[i];
		if (cpu->seen && !cpu->hole)
			put_running(export, i, cpu->running, NULL, cpu->time, end_of(export, i));
	}
	for (i = 0; i < export->threads.ids.count; i++)
		put_state(export, export->threads.entries[i], export->last, true);
}
