// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The reader's side of a ring: take a complete buffer, release it, count; declared in ring.h. */
#include <linux/errno.h>
#include <linux/mm.h>
#include "slot.h"

/**
 * etw_ring_settled() - whether no writer is left in buffers up to an ordinal
 * @ring: a ring
 * @ordinal: the last buffer of interest
 *
 * Context: any CPU.
 * Return: true when no buffer up to @ordinal is open.
 */
bool etw_ring_settled(struct etw_ring *ring, u64 ordinal)
{
	u32 i, slots = slots_of(ring);

	for (i = 0; i < slots; i++) {
		u64 s = atomic64_read(&ring->slots[i].s);

		if (etw_s_state(s) == ETW_SLOT_OPEN &&
		    etw_s_lap(s) * slots + i <= ordinal)
			return false;
	}
	return true;
}

/**
 * etw_ring_dirty() - whether a buffer holds events and is not complete
 * @ring: a ring
 *
 * A sealed buffer counts too while a writer has yet to commit to it: other
 * writers may have committed before. Checks every slot, since head may lag.
 *
 * Context: any CPU; a hint whether a seal is needed.
 */
bool etw_ring_dirty(const struct etw_ring *ring)
{
	u32 i, slots = slots_of(ring);

	for (i = 0; i < slots; i++) {
		const struct etw_slot *slot = &ring->slots[i];

		if (etw_s_state(atomic64_read(&slot->s)) == ETW_SLOT_OPEN &&
		    (READ_ONCE(slot->w) & ETW_W_OFFSET))
			return true;
	}
	return false;
}

/**
 * etw_ring_has_data() - whether a buffer waits for the reader
 * @ring: a ring
 *
 * Context: the reader's, any CPU.
 * Return: may be true although etw_ring_take() then finds only overwritten
 * buffers.
 */
bool etw_ring_has_data(const struct etw_ring *ring)
{
	u64 lap, s;
	struct etw_slot *slot;

	if (!slots_of(ring))
		return false;
	/* tail may grow meanwhile; any of its values will do */
	slot = slot_of(ring, READ_ONCE(ring->tail), &lap);
	s = atomic64_read(&slot->s);
	return etw_s_lap(s) > lap ||
	       (etw_s_lap(s) == lap && etw_s_state(s) != ETW_SLOT_OPEN);
}

/**
 * etw_ring_take() - the reader takes the oldest complete buffer
 * @ring: a ring
 * @held: out: the buffer
 *
 * In the order of slots: a later buffer that a nested writer completed first
 * waits for the earlier one. Overwritten and skipped laps are passed over.
 * W is read between two looks at S: FULL of the same lap at both means that W
 * did not change in between.
 *
 * Context: one reader at a time, any CPU.
 * Return: true, or false when nothing can be delivered now.
 */
bool etw_ring_take(struct etw_ring *ring, struct etw_reader_buffer *held)
{
	u64 lap, s, head;

	while (slots_of(ring)) {
		head = READ_ONCE(ring->head);
		if (head >= ring->nr_slots && ring->tail < head - ring->nr_slots + 1)
			WRITE_ONCE(ring->tail, head - ring->nr_slots + 1);
		held->slot = slot_of(ring, ring->tail, &lap);
		held->ordinal = ring->tail;
		s = atomic64_read_acquire(&held->slot->s);
		if (etw_s_lap(s) < lap)
			return false;
		if (etw_s_lap(s) == lap) {
			if (etw_s_state(s) == ETW_SLOT_OPEN)
				return false;
			if (etw_s_state(s) == ETW_SLOT_FULL) {
				held->w = READ_ONCE(held->slot->w);
				if (atomic64_cmpxchg(&held->slot->s, s,
						     etw_s_make(lap, ETW_SLOT_READING)) != s)
					continue;
				WRITE_ONCE(ring->tail, ring->tail + 1);
				return true;
			}
		}
		WRITE_ONCE(ring->tail, ring->tail + 1);
	}
	return false;
}

/* READING becomes @state; the lap stays, which a writer may raise (skip) meanwhile. */
static void leave_slot(struct etw_slot *slot, enum etw_slot_state state)
{
	u64 s, old = atomic64_read(&slot->s);

	do {
		s = old;
		old = atomic64_cmpxchg_release(&slot->s, s,
					       etw_s_make(etw_s_lap(s), state));
	} while (old != s);
}

/**
 * etw_ring_count() - count a buffer that the reader is about to give back
 * @ring: a ring
 * @held: from etw_ring_take()
 * @read: it was consumed; else it is thrown away
 *
 * Context: one reader at a time. etw_ring_leave() must follow.
 */
void etw_ring_count(struct etw_ring *ring, const struct etw_reader_buffer *held, bool read)
{
	if (read) {
		WRITE_ONCE(ring->read, ring->read + etw_w_events(held->w));
		WRITE_ONCE(ring->buffers_read, ring->buffers_read + 1);
	} else {
		WRITE_ONCE(ring->discarded, ring->discarded + etw_w_events(held->w));
	}
}

/**
 * etw_ring_leave() - give back a buffer that etw_ring_count() has counted
 * @ring: a ring; no other context gives or takes its buffers
 * @held: from etw_ring_take()
 *
 * In a ring that overwrites the buffer stays; otherwise it moves to slot `fill`.
 * That slot has a buffer only if later buffers were thrown away before this one:
 * then the session is over.
 *
 * The release pairs with the writer's cmpxchg to OPEN: the writer's bytes come
 * after the reader's last access.
 */
void etw_ring_leave(struct etw_ring *ring, const struct etw_reader_buffer *held)
{
	void *buffer;

	if (ring->overwrite) {
		leave_slot(held->slot, ETW_SLOT_FREE);
		return;
	}
	buffer = etw_slot_header(held->slot);
	held->slot->data = NULL;
	leave_slot(held->slot, ETW_SLOT_EMPTY);
	WRITE_ONCE(ring->buffers, ring->buffers - 1);
	if (!etw_ring_give(ring, buffer))
		kvfree(buffer);
}

/**
 * etw_ring_release() - count and give back a buffer that the reader consumed
 * @ring: a ring; no other context gives or takes its buffers
 * @held: from etw_ring_take()
 */
void etw_ring_release(struct etw_ring *ring, const struct etw_reader_buffer *held)
{
	etw_ring_count(ring, held, true);
	etw_ring_leave(ring, held);
}

/**
 * etw_ring_discard() - count a buffer that is thrown away unread, and give it back
 * @ring: a ring; no other context gives or takes its buffers
 * @held: from etw_ring_take()
 */
void etw_ring_discard(struct etw_ring *ring, const struct etw_reader_buffer *held)
{
	etw_ring_count(ring, held, false);
	etw_ring_leave(ring, held);
}

/**
 * etw_ring_put_back() - give back a buffer unread
 * @ring: a ring
 * @held: from etw_ring_take(); the last one that was taken
 *
 * The next reader gets the buffer first, unless a writer has skipped its slot
 * meanwhile (overwrite mode). Then the buffer's events count as overwritten.
 */
void etw_ring_put_back(struct etw_ring *ring, const struct etw_reader_buffer *held)
{
	u64 lap, s;

	slot_of(ring, held->ordinal, &lap);
	s = etw_s_make(lap, ETW_SLOT_READING);
	if (atomic64_cmpxchg_release(&held->slot->s, s,
				     etw_s_make(lap, ETW_SLOT_FULL)) == s) {
		WRITE_ONCE(ring->tail, held->ordinal);
		return;
	}
	WRITE_ONCE(ring->given_up, ring->given_up + etw_w_events(held->w));
	leave_slot(held->slot, ETW_SLOT_FREE);
}

/**
 * etw_ring_buffered() - count events that are still in buffers
 * @ring: a ring
 * @full: out: number of complete buffers; may be NULL
 *
 * A buffer that a reader holds is not counted. Exact when no writer runs.
 */
u64 etw_ring_buffered(const struct etw_ring *ring, u32 *full)
{
	u32 i, n = 0, slots = slots_of(ring);
	u64 events = 0;

	for (i = 0; i < slots; i++) {
		u64 s = atomic64_read_acquire(&ring->slots[i].s);
		u64 w = READ_ONCE(ring->slots[i].w);

		if (etw_s_state(s) != ETW_SLOT_OPEN && etw_s_state(s) != ETW_SLOT_FULL)
			continue;
		if (is_w_of(w, etw_s_lap(s)))
			events += etw_w_events(w);
		n += etw_s_state(s) == ETW_SLOT_FULL;
	}
	if (full)
		*full = n;
	return events;
}

/**
 * etw_ring_free() - count buffers that writers may open next
 * @ring: a ring
 *
 * Context: any CPU; a hint.
 */
u32 etw_ring_free(const struct etw_ring *ring)
{
	u32 i, n = 0, slots = slots_of(ring);

	for (i = 0; i < slots; i++)
		n += etw_s_state(atomic64_read(&ring->slots[i].s)) == ETW_SLOT_FREE;
	return n;
}

/**
 * etw_ring_lost() - events lost so far, all causes
 * @ring: a ring
 */
u64 etw_ring_lost(const struct etw_ring *ring)
{
	u64 lost = 0;
	int i;

	for (i = 0; i < ETW_LOSS_CAUSES; i++)
		lost += local_read(&ring->lost[i]);
	return lost;
}
