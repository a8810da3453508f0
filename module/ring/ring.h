/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A ring, its slots, and all operations but reservations and commits. */
#ifndef ETW_RING_H
#define ETW_RING_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/gfp.h>
#include <linux/irq_work.h>
#include <linux/types.h>
#include <asm/local.h>
#include "etw_linux.h"
#include "clock.h"
#include "words.h"

/* Memory for buffers: fail with ENOMEM instead of invoking the OOM killer */
#define ETW_GFP_BUFFER		(GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL)

/**
 * struct etw_slot - an element of a ring that may own a buffer
 * @w: word W, of the owning CPU
 * @c: the balance C, of the owning CPU, in units of 8 bytes
 * @data: where records begin, behind the buffer's header; NULL when the slot is
 *	EMPTY. Set before S becomes FREE
 * @since: the last stamp before the buffer was opened: no record in it is older
 * @s: word S, shared with the reader; in its own cache line
 */
struct etw_slot {
	u64 w;
	local_t c;
	u8 *data;
	u64 since;
	atomic64_t s ____cacheline_aligned;
} ____cacheline_aligned;

/**
 * struct etw_ring - the buffers of one session on one CPU
 * @slot: a hint: the slot that was open last. Its W decides
 * @limit: the highest W that the fast path may make: that of a full buffer, or 0 if
 *	@ticks is not the counter
 * @capacity: of a buffer, in units of 8 bytes, without the header
 * @ticks: enum etw_ticks
 * @overwrite: overwrite the oldest buffer when none is free
 * @cpu: the owning CPU
 * @nr_slots: number of slots; 0 if the ring has no memory yet
 * @slots: array of slots
 * @head: ordinal of the slot that is, or was last, open; only the owner writes it
 * @clock: the last stamp
 * @overwritten: events overwritten; only the owner writes it
 * @overwritten_buffers: buffers overwritten; only the owner writes it
 * @lost: events lost by cause; only the owner writes it
 * @lost_first: stamp of the first loss by cause
 * @lost_last: stamp of the last loss by cause
 * @wake: queued when a buffer became full
 * @fill: ordinal of the slot that gets the next buffer; under session->pool_lock
 * @buffers: buffers of the ring; under session->pool_lock
 * @tail: ordinal of the next buffer to deliver; only the reader writes this
 *	and all members below
 * @read: events consumed by readers
 * @buffers_read: buffers consumed by readers
 * @discarded: events thrown away unread
 * @given_up: events of buffers that a reader left half read and that could
 *	not be put back
 * @flagged_lost: events lost up to the last delivered buffer
 * @flagged_overwritten: buffers overwritten up to the last delivered buffer
 * @reported: losses by cause that the stream has reported so far
 * @reported_overwritten: overwritten events that the stream has reported so far
 */
struct etw_ring {
	struct etw_slot *slot;
	u64 limit;
	u32 capacity;
	u8 ticks;
	bool overwrite;
	u16 cpu;
	u32 nr_slots;
	struct etw_slot *slots;
	u64 head;
	struct etw_clamp clock;
	local_t overwritten;
	local_t overwritten_buffers;
	local_t lost[ETW_LOSS_CAUSES];
	u64 lost_first[ETW_LOSS_CAUSES];
	u64 lost_last[ETW_LOSS_CAUSES];
	struct irq_work *wake;

	u64 fill ____cacheline_aligned;
	u32 buffers;

	u64 tail ____cacheline_aligned;
	u64 read;
	u64 buffers_read;
	u64 discarded;
	u64 given_up;
	u64 flagged_lost;
	u64 flagged_overwritten;
	u64 reported[ETW_LOSS_CAUSES];
	u64 reported_overwritten;
};

/**
 * struct etw_reader_buffer - a buffer that the reader holds
 * @slot: its slot
 * @ordinal: its ordinal
 * @w: W when it was taken
 */
struct etw_reader_buffer {
	struct etw_slot *slot;
	u64 ordinal;
	u64 w;
};

int etw_ring_init(struct etw_ring *ring, u32 nr_slots, u32 nr_buffers, u32 buffer_size,
		  int node, bool killable);
void *etw_buffer_alloc(u32 buffer_size, int node);
bool etw_ring_give(struct etw_ring *ring, void *buffer);
void *etw_ring_take_away(struct etw_ring *ring);
u32 etw_ring_free(const struct etw_ring *ring);
void etw_ring_destroy(struct etw_ring *ring);
void etw_ring_idle(struct etw_ring *ring);
bool etw_ring_seal(struct etw_ring *ring, u64 *ordinal);
bool etw_ring_settled(struct etw_ring *ring, u64 ordinal);
bool etw_ring_dirty(const struct etw_ring *ring);
bool etw_ring_has_data(const struct etw_ring *ring);
bool etw_ring_has_space(const struct etw_ring *ring);
bool etw_ring_take(struct etw_ring *ring, struct etw_reader_buffer *held);
void etw_ring_count(struct etw_ring *ring, const struct etw_reader_buffer *held, bool read);
void etw_ring_leave(struct etw_ring *ring, const struct etw_reader_buffer *held);
void etw_ring_release(struct etw_ring *ring, const struct etw_reader_buffer *held);
void etw_ring_discard(struct etw_ring *ring, const struct etw_reader_buffer *held);
void etw_ring_put_back(struct etw_ring *ring, const struct etw_reader_buffer *held);
u64 etw_ring_oldest(const struct etw_ring *ring);
u64 etw_ring_since(const struct etw_ring *ring);
int etw_ring_look(const struct etw_ring *ring, struct etw_reader_buffer *open);
int etw_ring_view(const struct etw_ring *ring, u64 ordinal, struct etw_reader_buffer *seen);
bool etw_ring_is_same(const struct etw_ring *ring, const struct etw_reader_buffer *seen);
void etw_ring_adopt(struct etw_ring *ring, u32 place, void *buffer, u64 w);
u64 etw_ring_buffered(const struct etw_ring *ring, u32 *full);
u64 etw_ring_lost(const struct etw_ring *ring);

static inline struct wmi_buffer_header *etw_slot_header(struct etw_slot *slot)
{
	return (void *)(slot->data - sizeof(struct wmi_buffer_header));
}

#endif /* ETW_RING_H */
