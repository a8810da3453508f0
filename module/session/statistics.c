// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A session's statistics: where its events are, and how many it lost. */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/workqueue.h>
#include "context/event_context.h"
#include "context/stack_capture.h"
#include "context/unwind_tables.h"
#include "context/unwind_walk.h"
#include "etw_unwind.h"
#include "report.h"
#include "session.h"
#include "statistics.h"

/**
 * etw_session_lost() - events lost so far, all CPUs and causes
 * @session: a session
 */
u64 etw_session_lost(struct etw_session *session)
{
	u64 lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += etw_ring_lost(per_cpu_ptr(session->sink.rings, cpu));
	return lost;
}

static void add_ring(struct etw_ring *ring, struct etw_statistics *statistics)
{
	u32 i, full, buffers = READ_ONCE(ring->buffers);

	statistics->read += READ_ONCE(ring->read);
	statistics->overwritten += local_read(&ring->overwritten) + READ_ONCE(ring->given_up);
	statistics->discarded += READ_ONCE(ring->discarded);
	statistics->buffered += etw_ring_buffered(ring, &full);
	for (i = 0; i < ETW_LOSS_CAUSES; i++)
		statistics->lost[i] += local_read(&ring->lost[i]);
	statistics->buffers_read += READ_ONCE(ring->buffers_read);
	statistics->buffers_overwritten += local_read(&ring->overwritten_buffers);
	statistics->buffers_waiting += full;
	statistics->buffers += buffers;
	/* at most @buffers: buffers that were added meanwhile are free, too */
	statistics->buffers_free += min(etw_ring_free(ring), buffers);
}

static void add_stacks(struct etw_session *session, int cpu, struct etw_statistics *statistics)
{
	const struct etw_stack_counts counts =
		etw_event_context_walks(session->sink.context, cpu);

	statistics->stacks_walked += counts.walked;
	statistics->stacks_unwound += counts.unwound;
	statistics->stacks_compared += counts.compared;
	statistics->stacks_different += counts.different;
}

static_assert(ETW_UNWIND_ENDS <= ETW_UNWIND_END_ROOM);

static void add_unwinding(int cpu, struct etw_statistics *statistics)
{
	const struct etw_unwind_counts counts = etw_unwind_counts(cpu);
	u32 i;

	statistics->unwind_frames += counts.frames;
	for (i = 0; i < ETW_UNWIND_ENDS; i++)
		statistics->unwind_ends[i] += counts.ends[i];
}

static void put_tables(struct etw_session *session, struct etw_statistics *statistics)
{
	const struct etw_unwind_totals totals = etw_unwind_totals(session->sink.id);

	statistics->unwind_bytes = totals.bytes;
	statistics->unwind_tables = totals.tables;
	statistics->unwind_given_back = totals.given_back;
}

static void add_one_cpu(struct etw_session *session, int cpu, struct etw_statistics *statistics)
{
	add_ring(per_cpu_ptr(session->sink.rings, cpu), statistics);
	if (session->stop_ring && session->stop_ring->cpu == cpu)
		add_ring(session->stop_ring, statistics);
	if (READ_ONCE(session->held_cpu) == cpu)
		statistics->buffered += READ_ONCE(session->held_events);
	statistics->uncounted += etw_event_context_uncounted(session->sink.context, cpu);
	add_stacks(session, cpu, statistics);
	add_unwinding(cpu, statistics);
}

static void add_trailer(struct etw_session *session, struct etw_statistics *statistics)
{
	statistics->read += READ_ONCE(session->trailer_read);
	if (statistics->state != ETW_SESSION_STOPPED || !READ_ONCE(session->trailer_used))
		return;
	statistics->buffers_waiting++;
	statistics->buffered += session->trailer_events;
}

/* More tries than a reader of usual speed can spoil */
#define MOST_TRIES	16

/*
 * Adds the numbers of one CPU, or of the trailer, at a moment when the reader neither takes nor
 * ends a buffer. Otherwise the events of that buffer would be missing, or counted twice.
 * If a very fast reader spoils many tries, the last one excludes it.
 */
static void add_settled(struct etw_session *session, int cpu, struct etw_statistics *statistics)
{
	const struct etw_statistics before = *statistics;
	bool exclude = false;
	unsigned int seq;
	u32 tries = 0;

	do {
		exclude = ++tries == MOST_TRIES;
		if (exclude)
			mutex_lock(&session->read_lock);
		*statistics = before;
		seq = read_seqcount_begin(&session->moves);
		if (cpu == nr_cpu_ids)
			add_trailer(session, statistics);
		else
			add_one_cpu(session, cpu, statistics);
		if (exclude)
			mutex_unlock(&session->read_lock);
	} while (!exclude && read_seqcount_retry(&session->moves, seq));
}

/*
 * How far back a session that overwrites has every event of one CPU or of all CPUs, in
 * 100 ns. For all CPUs, the latest of their times counts.
 */
static u64 reach_of(struct etw_session *session, u32 processor)
{
	const struct etw_clocks *clocks = &session->sink.clocks;
	u64 now = etw_session_tick(session), since = session->start_tick;
	int cpu;

	for_each_possible_cpu(cpu)
		if (processor == ETW_ALL_PROCESSORS || processor == cpu)
			since = max(since, etw_ring_since(per_cpu_ptr(session->sink.rings, cpu)));
	if (since >= now)
		return 0;
	if (clocks->ticks == ETW_TICKS_SYSTEM)
		return now - since;
	return etw_clock_to_filetime(clocks->qpc, now - since);
}

/**
 * etw_session_statistics() - where a session's events are
 * @session: a session
 * @statistics: in: @processor; out: the rest
 *
 * The numbers change while writers run. Each CPU's numbers are exact for one moment without
 * writers, also beside a reader, and so is their sum: no event goes from one CPU to another.
 *
 * Context: process; takes read_lock if the reader is very fast.
 * Return: 0, or -EINVAL for a processor that doesn't exist.
 */
int etw_session_statistics(struct etw_session *session, struct etw_statistics *statistics)
{
	u32 processor = statistics->processor;
	int cpu;

	if (processor != ETW_ALL_PROCESSORS &&
	    (processor >= nr_cpu_ids || !cpu_possible(processor)))
		return -EINVAL;
	*statistics = (struct etw_statistics){
		.size = statistics->size,
		.logger_id = session->sink.id,
		.processor = processor,
		/* acquire: STOPPED implies a final trailer; a starting session counts as running */
		.state = smp_load_acquire(&session->state) ?: ETW_SESSION_RUNNING,
		.buffer_size = session->sink.buffer_size,
		.processors = nr_cpu_ids,
		.flags = session->sink.addresses ? ETW_STATISTICS_ADDRESSES : 0,
	};
	/* the request of a rundown, or START, has queued it by now */
	if (work_busy(&session->rundown_work))
		statistics->flags |= ETW_STATISTICS_RUNDOWN;
	for_each_possible_cpu(cpu)
		if (processor == ETW_ALL_PROCESSORS || processor == cpu)
			add_settled(session, cpu, statistics);
	if (session->overwrite && statistics->state == ETW_SESSION_RUNNING)
		statistics->reach = reach_of(session, processor);
	if (processor != ETW_ALL_PROCESSORS)
		return 0;
	add_settled(session, nr_cpu_ids, statistics);
	statistics->internal = READ_ONCE(session->internal_events);
	statistics->buffers_most = READ_ONCE(session->most_buffers);
	put_tables(session, statistics);
	return 0;
}

/* Under the lock, because UPDATE changes both together. */
static void query_mode(struct etw_session *session, struct wmi_logger_information *info)
{
	u32 unit;

	mutex_lock(&session->settings_lock);
	info->log_file_mode = session->settings.mode;
	unit = info->log_file_mode & EVENT_TRACE_USE_MS_FLUSH_TIMER ? 1 : 1000;
	info->flush_timer = session->settings.flush_ms / unit;
	mutex_unlock(&session->settings_lock);
}

/**
 * etw_session_query() - fill in the out fields of WMI_LOGGER_INFORMATION
 * @session: a session
 * @info: in: zeros; out: all but the names and the extension
 *
 * Context: process; takes settings_lock for a moment.
 */
void etw_session_query(struct etw_session *session, struct wmi_logger_information *info)
{
	struct etw_statistics statistics = { .processor = ETW_ALL_PROCESSORS };
	u32 sequence = etw_count_32(READ_ONCE(session->sequence));

	etw_session_statistics(session, &statistics);
	*info = (struct wmi_logger_information){
		.wnode.buffer_size = sizeof(*info),
		.wnode.historical_context = session->sink.id,
		.wnode.time_stamp = session->start.filetime,
		.wnode.guid = session->settings.guid,
		.wnode.client_context = session->settings.clock_type,
		.wnode.flags = WNODE_FLAG_TRACED_GUID,
		.buffer_size = session->sink.buffer_size / 1024,
		.minimum_buffers = session->settings.minimum_buffers,
		.maximum_buffers = READ_ONCE(session->maximum_buffers),
		.maximum_file_size = session->settings.maximum_file_size,
		.number_of_buffers = statistics.buffers,
		.free_buffers = statistics.buffers_free,
		.events_lost = etw_count_32(etw_session_lost(session)),
		.buffers_written = sequence,
		.log_buffers_lost = etw_count_32(statistics.buffers_overwritten),
		.real_time_consumer_count = READ_ONCE(session->consumer),
		.sequence_number = sequence,
	};
	query_mode(session, info);
}
