// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Find buffers of an overwriting ring for a copy, without taking them; declared in ring.h. */
#include <linux/errno.h>
#include <linux/minmax.h>
#include "slot.h"

/*
 * Nothing here changes a word of the ring, so that a copy costs the ring no buffers. Writers
 * may overwrite a buffer while it is copied: therefore the caller must call etw_ring_is_same()
 * after the copying.
 */

/**
 * etw_ring_oldest() - find the oldest buffer that may be unread
 * @ring: a ring that overwrites
 *
 * Context: under read_lock, or a hint.
 * Return: its ordinal; a writer may have overwritten the buffer by now.
 */
u64 etw_ring_oldest(const struct etw_ring *ring)
{
	u64 head = READ_ONCE(ring->head), tail = READ_ONCE(ring->tail);

	return head >= ring->nr_slots ? max(tail, head - ring->nr_slots + 1) : tail;
}

/**
 * etw_ring_since() - find the time since which a ring has every event
 * @ring: a ring that overwrites
 *
 * Context: any CPU; a hint while writers run.
 * Return: a stamp of the session's clock, or 0: since the session's start.
 */
u64 etw_ring_since(const struct etw_ring *ring)
{
	struct etw_reader_buffer seen;
	u64 n, end, since;

	if (!slots_of(ring))
		return 0;
	n = etw_ring_oldest(ring);
	if (n <= ring->nr_slots)
		return 0;
	for (end = n + ring->nr_slots; n < end; n++) {
		if (etw_ring_view(ring, n, &seen))
			continue;
		since = READ_ONCE(seen.slot->since);
		if (etw_ring_is_same(ring, &seen))
			return since;
	}
	/* no buffer is complete: all events are in the open one */
	return READ_ONCE(ring->clock.last);
}

/**
 * etw_ring_look() - find the open buffer and how much of it is committed
 * @ring: a ring with slots
 * @open: out, with 0: the open buffer and its W; if none is open, the next ordinal and 0
 *
 * It only reads. Every record that was committed on this CPU before the call is in @open or
 * in a buffer before it. The balance is read before W. If both have the same length, no
 * reservation was pending when the balance was read.
 *
 * Context: on the ring's CPU with preemption off, or anywhere when the ring has no writer.
 * Return: 0, or -EAGAIN: an interrupted writer has a reservation in the open buffer.
 */
int etw_ring_look(const struct etw_ring *ring, struct etw_reader_buffer *open)
{
	long balance;
	u64 lap;

	do {
		open->ordinal = READ_ONCE(ring->head);
		open->slot = slot_of(ring, open->ordinal, &lap);
		balance = local_read(&open->slot->c);
		open->w = READ_ONCE(open->slot->w);
	} while (!is_w_of(open->w, lap));
	/* as in etw_ring_seal(): head may lag behind the open buffer */
	while (open->w & ETW_W_SEALED) {
		open->ordinal++;
		open->slot = next_of(ring, open->slot, &lap);
		balance = local_read(&open->slot->c);
		open->w = READ_ONCE(open->slot->w);
		if (is_w_of(open->w, lap))
			continue;
		open->w = 0;
		return 0;
	}
	return balance == etw_w_units(open->w) ? 0 : -EAGAIN;
}

/**
 * etw_ring_view() - find a complete buffer, to be copied without taking it
 * @ring: a ring that overwrites
 * @ordinal: from etw_ring_oldest() up to the open buffer's
 * @seen: out, with 0: the buffer; etw_ring_is_same() must follow the copying
 *
 * Context: under read_lock.
 * Return: 0; -ENOENT: the slot is not FULL in this lap, for example a reader held it;
 * -ESTALE: the buffer was overwritten, and so were all older ones.
 */
int etw_ring_view(const struct etw_ring *ring, u64 ordinal, struct etw_reader_buffer *seen)
{
	u64 lap, s;

	seen->slot = slot_of(ring, ordinal, &lap);
	seen->ordinal = ordinal;
	s = atomic64_read_acquire(&seen->slot->s);
	if (etw_s_lap(s) > lap)
		return -ESTALE;
	if (s != etw_s_make(lap, ETW_SLOT_FULL))
		return -ENOENT;
	seen->w = READ_ONCE(seen->slot->w);
	return 0;
}

/**
 * etw_ring_is_same() - whether a buffer was not overwritten while it was copied
 * @ring: a ring that overwrites
 * @seen: from etw_ring_look() or etw_ring_view()
 *
 * A writer changes S, fully ordered, before it writes to a buffer again. If the copy has a
 * byte of a later lap, the barrier makes that lap visible here. W changes after S, too.
 *
 * Context: under read_lock.
 */
bool etw_ring_is_same(const struct etw_ring *ring, const struct etw_reader_buffer *seen)
{
	u64 lap;

	slot_of(ring, seen->ordinal, &lap);
	smp_rmb();	/* pairs with the exchange to OPEN in open_slot() */
	return etw_s_lap(atomic64_read(&seen->slot->s)) == lap;
}
