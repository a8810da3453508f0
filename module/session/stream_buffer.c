// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A stream's current buffer: taken from CPUs in turn, stamped, released. */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include "pool.h"
#include "stream_buffer.h"

static u64 stream_tick(struct etw_stream *stream)
{
	u64 now;

	preempt_disable();
	now = etw_tick(stream->session->sink.clocks.ticks, &stream->clock);
	preempt_enable();
	/* CPUs may differ by a few ticks, but the stream's time stamps must not decrease */
	stream->clock.last = max(stream->clock.last, now);
	return stream->clock.last;
}

/* Readers rely on the header; the fill hides earlier records. */
static void stamp_buffer(struct etw_stream *stream, void *buffer, u32 used, u16 cpu, u16 flags)
{
	struct etw_session *session = stream->session;
	u32 end = sizeof(struct wmi_buffer_header) + used;
	struct wmi_buffer_header header = {
		.buffer_size = session->sink.buffer_size,
		.saved_offset = end,
		.current_offset = end,
		.time_stamp = stream_tick(stream),
		.sequence_number = ++stream->sequence,
		.processor_index = cpu,
		.logger_id = session->sink.id,
		.state = ETW_BUFFER_STATE_FLUSH,
		.offset = end,
		.buffer_flag = ETW_BUFFER_FLAG_PROC_INDEX | flags,
		.buffer_type = ETW_BUFFER_TYPE_GENERIC,
	};

	memcpy(buffer, &header, sizeof(header));
	memset(buffer + end, ETW_BUFFER_FILL, session->sink.buffer_size - end);
}

/* Flags for losses on this CPU since its last buffer was delivered */
static u16 loss_flags(struct etw_stream *stream, struct etw_ring *ring)
{
	u64 lost = etw_ring_lost(ring);
	u64 overwritten = local_read(&ring->overwritten_buffers);
	u16 flags = 0;

	if (lost != ring->flagged_lost)
		flags |= ETW_BUFFER_FLAG_EVENTS_LOST;
	if (overwritten != ring->flagged_overwritten)
		flags |= ETW_BUFFER_FLAG_BUFFER_LOST;
	stream->flagged_lost = ring->flagged_lost;
	stream->flagged_overwritten = ring->flagged_overwritten;
	ring->flagged_lost = lost;
	ring->flagged_overwritten = overwritten;
	return flags;
}

/**
 * etw_stream_put_back() - leave the buffer and its loss flags to the next reader
 * @stream: its current buffer is a ring's
 *
 * STATISTICS does not count its events as held any more.
 *
 * Context: process; under read_lock.
 */
void etw_stream_put_back(struct etw_stream *stream)
{
	struct etw_session *session = stream->session;

	lockdep_assert_held(&session->read_lock);
	write_seqcount_begin(&session->moves);
	etw_ring_put_back(stream->ring, &stream->held);
	WRITE_ONCE(session->held_events, 0);
	write_seqcount_end(&session->moves);
	stream->ring->flagged_lost = stream->flagged_lost;
	stream->ring->flagged_overwritten = stream->flagged_overwritten;
}

static bool take_from(struct etw_stream *stream, struct etw_ring *ring)
{
	struct etw_session *session = stream->session;
	bool taken;

	write_seqcount_begin(&session->moves);
	taken = etw_ring_take(ring, &stream->held);
	if (taken) {
		WRITE_ONCE(session->held_cpu, ring->cpu);
		WRITE_ONCE(session->held_events, etw_w_events(stream->held.w));
	}
	write_seqcount_end(&session->moves);
	if (!taken)
		return false;
	stream->ring = ring;
	WRITE_ONCE(stream->data, (u8 *)etw_slot_header(stream->held.slot));
	stamp_buffer(stream, stream->data, etw_w_used(stream->held.w), ring->cpu,
		     loss_flags(stream, ring));
	return true;
}

/* Reads CPUs in turn, so that none fills up while another is read. */
static bool take_from_any(struct etw_stream *stream)
{
	struct etw_session *session = stream->session;
	u32 i, cpu;

	for (i = 0; i < nr_cpu_ids; i++) {
		cpu = (session->next_cpu + i) % nr_cpu_ids;
		if (!cpu_possible(cpu) || !take_from(stream, per_cpu_ptr(session->sink.rings, cpu)))
			continue;
		session->next_cpu = (cpu + 1) % nr_cpu_ids;
		return true;
	}
	return false;
}

/* Takes the last buffers of a stopped session: of the stop rundown, then the trailer. */
static bool take_last(struct etw_stream *stream)
{
	struct etw_session *session = stream->session;

	if (session->stop_ring && take_from(stream, session->stop_ring))
		return true;
	if (!session->trailer_used)
		return false;
	stream->ring = NULL;
	WRITE_ONCE(stream->data, session->trailer);
	WRITE_ONCE(session->trailer_held, true);
	stamp_buffer(stream, stream->data, session->trailer_used, 0,
		     ETW_BUFFER_FLAG_FLUSH_MARKER);
	return true;
}

/**
 * etw_stream_next() - take the next buffer
 * @stream: has no current buffer
 *
 * The state is read before the rings: if it is STOPPED, every buffer is visible.
 *
 * Context: process, under the stream's lock; takes read_lock.
 * Return: 1: @stream has a buffer; 0: end of the stream; -EAGAIN: no buffer yet;
 * -ERESTARTSYS: there is a signal.
 */
int etw_stream_next(struct etw_stream *stream)
{
	struct etw_session *session = stream->session;
	bool stopped = etw_stream_is_stopped(session);
	int ret = 1;

	if (mutex_lock_interruptible(&session->read_lock))
		return -ERESTARTSYS;
	stream->pos = 0;
	if (!take_from_any(stream))
		ret = stopped ? take_last(stream) : -EAGAIN;
	mutex_unlock(&session->read_lock);
	return ret;
}

/* STATISTICS counts the events of the buffer once: here as read, before as held */
static void count_read(struct etw_stream *stream)
{
	struct etw_session *session = stream->session;

	write_seqcount_begin(&session->moves);
	if (stream->ring) {
		etw_ring_count(stream->ring, &stream->held, true);
		WRITE_ONCE(session->held_events, 0);
	} else {
		WRITE_ONCE(session->trailer_read, session->trailer_events);
		WRITE_ONCE(session->trailer_used, 0);
	}
	write_seqcount_end(&session->moves);
}

/**
 * etw_stream_finish() - release the current buffer, which was read to its end
 * @stream: has a current buffer
 *
 * Context: process, under the stream's lock; takes read_lock.
 */
void etw_stream_finish(struct etw_stream *stream)
{
	struct etw_session *session = stream->session;

	mutex_lock(&session->read_lock);
	if (stream->header) {
		kvfree(stream->header);
		stream->header = NULL;
	} else {
		count_read(stream);
		if (stream->ring)
			etw_pool_release(session, stream->ring, &stream->held);
		else
			WRITE_ONCE(session->trailer_held, false);
		WRITE_ONCE(session->sequence, session->sequence + 1);
	}
	WRITE_ONCE(stream->data, NULL);
	mutex_unlock(&session->read_lock);
}
