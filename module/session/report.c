// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What a session reports about itself: anchors, loss records, the last buffer. */
#include <linux/cpumask.h>
#include <linux/math.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/time64.h>
#include "record/linux_event.h"
#include "record/thread_ids.h"
#include "source/source.h"
#include "report.h"
#include "session.h"

/* How far the wall clock may drift from the monotonic clock between anchors */
#define CLOCK_STEP_NS	NSEC_PER_MSEC

static void fill_anchor(struct etw_session *session, u32 reason, struct etw_anchor *anchor)
{
	struct etw_reading now;

	etw_clock_read_all(session->sink.clocks.qpc, &now);
	*anchor = (struct etw_anchor){
		.qpc = now.qpc,
		.filetime = now.filetime,
		.monotonic = now.monotonic,
		.monotonic_raw = now.monotonic_raw,
		.boottime = now.boottime,
		.uncertainty = now.uncertainty,
		.reason = reason,
	};
}

/* Wall clock minus monotonic clock, in 100 ns */
static s64 wall_offset(const struct etw_anchor *anchor)
{
	return anchor->filetime - anchor->boottime / 100;
}

/* A record that finds no buffer is written later, so it does not count as lost. */
static int write_internal(struct etw_session *session, u16 id, const struct etw_payload *payload)
{
	int err;

	lockdep_assert_held(&session->report_lock);
	preempt_disable();
	err = etw_record_linux(this_cpu_ptr(session->sink.rings), id, payload, ETW_RESERVE_TRY);
	preempt_enable();
	if (!err)
		WRITE_ONCE(session->internal_events, session->internal_events + 1);
	return err;
}

/**
 * etw_anchor_write() - write a record with all clocks read together
 * @session: not stopped
 * @reason: ETW_ANCHOR_*; a period in which the wall clock was set becomes
 *	ETW_ANCHOR_CLOCK_STEP
 *
 * If there is no buffer the anchor is omitted; the next anchor reports the clock step.
 *
 * Context: process.
 */
void etw_anchor_write(struct etw_session *session, u32 reason)
{
	struct etw_anchor anchor;
	struct etw_payload payload = { .data = &anchor, .size = sizeof(anchor) };
	u64 apart;
	s64 offset;

	mutex_lock(&session->report_lock);
	fill_anchor(session, reason, &anchor);
	offset = wall_offset(&anchor);
	/* clocks are read one after another, so they may differ by the time that this took */
	apart = etw_clock_to_filetime(session->sink.clocks.qpc, anchor.uncertainty);
	if (reason == ETW_ANCHOR_PERIOD && abs(offset - session->last_step) >
	    CLOCK_STEP_NS / 100 + apart + session->last_apart)
		anchor.reason = ETW_ANCHOR_CLOCK_STEP;
	if (!write_internal(session, ETW_LINUX_EVENT_ANCHOR, &payload) ||
	    reason == ETW_ANCHOR_START) {
		session->last_step = offset;
		session->last_apart = apart;
	}
	mutex_unlock(&session->report_lock);
}

/*
 * Losses of a cause that are not reported yet; ETW_LOSS_CAUSES stands for overwritten events.
 * Return: whether there are any.
 */
static bool next_loss(struct etw_ring *ring, u32 cause, struct etw_loss *loss, u64 **reported)
{
	bool overwritten = cause == ETW_LOSS_CAUSES;

	*loss = (struct etw_loss){ .processor = ring->cpu };
	if (overwritten) {
		*reported = &ring->reported_overwritten;
		loss->cause = ETW_LOSS_OVERWRITTEN;
		loss->total = local_read(&ring->overwritten) + READ_ONCE(ring->given_up);
	} else {
		*reported = &ring->reported[cause];
		loss->cause = cause;
		loss->total = local_read(&ring->lost[cause]);
		loss->first = READ_ONCE(ring->lost_first[cause]);
		loss->last = READ_ONCE(ring->lost_last[cause]);
	}
	loss->count = loss->total - **reported;
	return loss->count;
}

static void write_ring_losses(struct etw_session *session, struct etw_ring *ring)
{
	struct etw_loss loss;
	struct etw_payload payload = { .data = &loss, .size = sizeof(loss) };
	u64 *reported;
	u32 cause;

	for (cause = 0; cause <= ETW_LOSS_CAUSES; cause++) {
		if (!next_loss(ring, cause, &loss, &reported))
			continue;
		if (!write_internal(session, ETW_LINUX_EVENT_LOSS, &payload))
			*reported = loss.total;
	}
}

/**
 * etw_losses_write() - write loss records for losses since the last call
 * @session: not stopped
 *
 * In overwrite mode these records may themselves be overwritten, so the last
 * buffer of a stopped session repeats them.
 *
 * Context: process; takes etw_listeners_lock.
 */
void etw_losses_write(struct etw_session *session)
{
	int cpu;

	etw_sources_count_missed();
	mutex_lock(&session->report_lock);
	for_each_possible_cpu(cpu)
		write_ring_losses(session, per_cpu_ptr(session->sink.rings, cpu));
	mutex_unlock(&session->report_lock);
}

/**
 * etw_flushed_write() - write a flush record
 * @ring: this CPU's
 * @tick: session clock; earlier events are in complete buffers, or in this CPU's buffer
 *
 * Context: any; preemption off. Return: 0; -ENOBUFS, which is no loss. The caller counts
 * the record, see etw_internal_count().
 */
int etw_flushed_write(struct etw_ring *ring, u64 tick)
{
	struct etw_flushed flushed = { .time = tick };
	struct etw_payload payload = { .data = &flushed, .size = sizeof(flushed) };

	return etw_record_linux(ring, ETW_LINUX_EVENT_FLUSHED, &payload, ETW_RESERVE_TRY);
}

/**
 * etw_internal_count() - count an event that the session itself has written
 * @session: not stopped
 *
 * Context: process.
 */
void etw_internal_count(struct etw_session *session)
{
	mutex_lock(&session->report_lock);
	WRITE_ONCE(session->internal_events, session->internal_events + 1);
	mutex_unlock(&session->report_lock);
}

static bool put_in_trailer(struct etw_session *session, u16 id, const struct etw_payload *payload,
			   u64 tick)
{
	u32 size = ALIGN(sizeof(struct etw_event_header) + payload->size, ETW_RECORD_ALIGN);
	u32 space = session->sink.buffer_size - sizeof(struct wmi_buffer_header);

	if (session->trailer_used + size > space)
		return false;
	etw_encode_linux(session->trailer + sizeof(struct wmi_buffer_header) +
			 session->trailer_used, id, session->creator_tid,
			 ETW_SYSTEM_PROCESS_ID, tick, payload);
	session->trailer_used += size;
	session->trailer_events++;
	session->internal_events++;
	return true;
}

/**
 * etw_session_tick() - read the session clock
 * @session: not stopped
 *
 * Context: process. Return: the time in ticks of that clock.
 */
u64 etw_session_tick(struct etw_session *session)
{
	struct etw_clamp clock = { .base = etw_clock_system_base(&session->start) };
	u64 tick;

	preempt_disable();
	tick = etw_tick(session->sink.clocks.ticks, &clock);
	preempt_enable();
	return tick;
}

/* Now, but not before the last record of any CPU: counters of other CPUs may run ahead */
static u64 last_tick(struct etw_session *session)
{
	u64 tick = etw_session_tick(session);
	int cpu;

	for_each_possible_cpu(cpu)
		tick = max(tick, per_cpu_ptr(session->sink.rings, cpu)->clock.last);
	if (session->stop_ring)
		tick = max(tick, session->stop_ring->clock.last);
	return tick;
}

static void put_losses(struct etw_session *session, struct etw_ring *ring, u64 tick)
{
	struct etw_loss loss;
	struct etw_payload payload = { .data = &loss, .size = sizeof(loss) };
	u64 *reported;
	u32 cause;

	for (cause = 0; cause <= ETW_LOSS_CAUSES; cause++) {
		next_loss(ring, cause, &loss, &reported);
		if (loss.total)
			put_in_trailer(session, ETW_LINUX_EVENT_LOSS, &payload, tick);
	}
}

/**
 * etw_trailer_build() - build the last buffer: final losses and the last anchor
 * @session: has no writer any more
 *
 * It has separate memory, because losses mean that the other buffers were full. The
 * anchor is first. With many CPUs some losses do not fit; only EventsLost includes those.
 *
 * Context: process, under session->lock, or for a copy that is not published yet.
 */
void etw_trailer_build(struct etw_session *session)
{
	struct etw_anchor anchor;
	struct etw_payload payload = { .data = &anchor, .size = sizeof(anchor) };
	u64 tick = last_tick(session);
	int cpu;

	fill_anchor(session, ETW_ANCHOR_STOP, &anchor);
	put_in_trailer(session, ETW_LINUX_EVENT_ANCHOR, &payload, tick);
	for_each_possible_cpu(cpu)
		put_losses(session, per_cpu_ptr(session->sink.rings, cpu), tick);
}
