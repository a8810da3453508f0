// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Records of our own: anchors and losses, in a buffer of their own; and the sums. */
#include <linux/mm.h>
#include <stdlib.h>
#include <unistd.h>
#include "private.h"

#define ALIGN8(n)	(((n) + 7) & ~7U)
#define HEAD		((u32)sizeof(struct wmi_buffer_header))
/* How far the wall clock may drift from the monotonic one between anchors, 100 ns */
#define CLOCK_STEP	10000

/* Return: bytes of the record, padding included; it is zero */
u32 private_put_record(u8 *to, u16 id, u32 tid, u64 tick, const void *payload, u32 size)
{
	static const struct etw_guid provider = ETW_LINUX_PROVIDER_GUID;
	struct etw_event_header *header = (void *)to;
	u32 whole = sizeof(*header) + size;

	memset(to, 0, ALIGN8(whole));
	header->size = whole;
	header->header_type = TRACE_HEADER_TYPE_EVENT_HEADER64 | TRACE_HEADER_FLAGS << 8;
	header->thread_id = tid;
	header->process_id = getpid();
	header->time_stamp = tick;
	header->provider_id = provider;
	header->id = id;
	memcpy(header + 1, payload, size);
	return ALIGN8(whole);
}

struct etw_anchor private_anchor(const struct etw_reading *now, u32 reason)
{
	return (struct etw_anchor){
		.qpc = now->qpc,
		.filetime = now->filetime,
		.monotonic = now->monotonic,
		.monotonic_raw = now->monotonic_raw,
		.boottime = now->boottime,
		.uncertainty = now->uncertainty,
		.reason = reason,
	};
}

/* Under memory->lock */
void private_internal_flush(struct private_memory *memory, u16 flags)
{
	struct private_session *session = &memory->session;

	if (session->internal_used)
		private_file_put(memory, session->internal, session->internal_used, 0, 0, flags);
	session->internal_used = 0;
	session->internal_losses = false;
}

static void internal_write(struct private_memory *memory, u16 id, u64 tick, const void *payload,
			   u32 size)
{
	struct private_session *session = &memory->session;

	if (session->internal_used + sizeof(struct etw_event_header) + ALIGN8(size) >
	    session->buffer_size - HEAD)
		private_internal_flush(memory, 0);
	session->internal_used += private_put_record(session->internal + HEAD + session->internal_used, id,
					     gettid(), tick, payload, size);
}

static void report_loss(struct private_memory *memory, struct etw_loss *loss, u64 *reported,
			u64 tick)
{
	loss->count = loss->total - *reported;
	if (!loss->count)
		return;
	*reported = loss->total;
	internal_write(memory, ETW_LINUX_EVENT_LOSS, tick, loss, sizeof(*loss));
	memory->session.internal_losses = true;
}

static void report_ring(struct private_memory *memory, struct etw_ring *ring, u64 tick)
{
	struct etw_loss loss;
	u32 cause;

	for (cause = 0; cause < ETW_LOSS_CAUSES; cause++) {
		loss = (struct etw_loss){
			.processor = ring->cpu, .cause = cause,
			.total = local_read(&ring->lost[cause]),
			.first = READ_ONCE(ring->lost_first[cause]),
			.last = READ_ONCE(ring->lost_last[cause]),
		};
		report_loss(memory, &loss, &ring->reported[cause], tick);
	}
	loss = (struct etw_loss){
		.processor = ring->cpu, .cause = ETW_LOSS_OVERWRITTEN,
		.total = local_read(&ring->overwritten) + ring->given_up,
	};
	report_loss(memory, &loss, &ring->reported_overwritten, tick);
}

static void report_losses(struct private_memory *memory, u64 tick)
{
	struct private_session *session = &memory->session;
	u32 i, n = smp_load_acquire(&memory->nr_streams);
	struct etw_ring *ring;
	struct etw_loss loss;

	for (i = 0; i < n; i++) {
		ring = smp_load_acquire(&memory->stream[i].ring);
		if (ring)
			report_ring(memory, ring, tick);
	}
	for (i = 0; i < ETW_LOSS_CAUSES; i++) {
		loss = (struct etw_loss){
			.cause = i, .total = READ_ONCE(session->lost[i]),
			.first = READ_ONCE(session->lost_first),
			.last = READ_ONCE(session->lost_last),
		};
		report_loss(memory, &loss, &session->reported[i], tick);
	}
}

/*
 * Into a buffer of our own, which is written when it is full and with every
 * FLUSH: all clocks, and what was lost. Under memory->lock.
 */
void private_report(struct private_memory *memory, u32 reason)
{
	struct private_session *session = &memory->session;
	struct etw_reading now;
	struct etw_anchor anchor;
	s64 wall;
	u64 tick;

	private_clock_read(&now);
	wall = now.filetime - now.boottime / 100;
	if (reason == ETW_ANCHOR_PERIOD && llabs(wall - session->last_wall) > CLOCK_STEP)
		reason = ETW_ANCHOR_CLOCK_STEP;
	session->last_wall = wall;
	anchor = private_anchor(&now, reason);
	tick = private_tick(session);
	report_losses(memory, tick);
	internal_write(memory, ETW_LINUX_EVENT_ANCHOR, tick, &anchor, sizeof(anchor));
}

u64 private_events_lost(struct private_memory *memory)
{
	struct private_session *session = &memory->session;
	u32 i, n = smp_load_acquire(&memory->nr_streams);
	struct etw_ring *ring;
	u64 lost = session->writer.unwritten.events;

	for (i = 0; i < ETW_LOSS_CAUSES; i++)
		lost += READ_ONCE(session->lost[i]);
	for (i = 0; i < n; i++) {
		ring = smp_load_acquire(&memory->stream[i].ring);
		if (ring)
			lost += etw_ring_lost(ring);
	}
	return lost;
}
