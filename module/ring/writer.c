// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A ring's writers: seal a buffer, open the next, publish; declared in ring.h and reserve.h. */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include "reserve.h"
#include "slot.h"

/**
 * etw_ring_advance_clock() - move a ring's clock to now, when no stamp is used
 * @ring: this CPU's ring
 *
 * etw_tick_counter() may leave an older stamp in the clamp than that of a nested writer's
 * record. A writer that reserves reads again, because W has changed. A writer that reserves
 * nothing must advance the clamp before it returns: an interrupted writer may have read the
 * clock long before, see etw_reserve_once(), and its record comes behind the nested one.
 *
 * Context: any; preemption off. Return: now, or a later stamp of this ring.
 */
u64 etw_ring_advance_clock(struct etw_ring *ring)
{
	struct etw_clamp *clamp = &ring->clock;
	u64 last, now;

	if (ring->ticks != ETW_TICKS_COUNTER)
		return etw_tick_slow(ring->ticks, clamp, NULL);
	now = etw_counter_now();
	do {
		last = READ_ONCE(clamp->last);
		if (last >= now)
			return last;
	} while (cmpxchg_local(&clamp->last, last, now) != last);
	return now;
}

/**
 * etw_ring_count_losses() - count events that were not recorded
 * @ring: this CPU's ring
 * @cause: cause of the loss
 * @events: number of events
 *
 * Context: any; preemption off. The counters are exact; the two stamps may be
 * those of an event lost in a nested context at the same moment.
 */
void etw_ring_count_losses(struct etw_ring *ring, enum etw_loss_cause cause, u32 events)
{
	u64 now = etw_ring_advance_clock(ring);

	if (!READ_ONCE(ring->lost_first[cause]))
		WRITE_ONCE(ring->lost_first[cause], now);
	WRITE_ONCE(ring->lost_last[cause], now);
	local_add(events, &ring->lost[cause]);
}

/**
 * etw_slot_publish() - hand a complete buffer over to the reader
 * @ring: this CPU's ring
 * @slot: its slot, whose balance just became 0
 *
 * Exactly one context gets here per lap, since one add or subtraction made
 * the balance 0. The release pairs with the acquire in etw_ring_take(): a
 * reader that sees FULL sees W and every byte. That includes the bytes of
 * interrupted contexts of this CPU, which come before in its program order.
 *
 * Context: any, NMI included. irq_work is queued at most once until it ran. A CPU that is
 * going offline may not run it any more, and STOP would wait for it forever: then the
 * reader is woken when the CPU is dead (session/cpus.c).
 */
void etw_slot_publish(struct etw_ring *ring, struct etw_slot *slot)
{
	u64 lap = etw_s_lap(atomic64_read(&slot->s));

	atomic64_set_release(&slot->s, etw_s_make(lap, ETW_SLOT_FULL));
	if (likely(cpu_online(ring->cpu)))
		irq_work_queue(ring->wake);
}

/*
 * The writer that set the sealed bit subtracts the reserved length from the
 * balance. Until then the buffer can't be complete, however long that writer
 * is interrupted.
 */
static void finish_seal(struct etw_ring *ring, struct etw_slot *slot, u64 w)
{
	if (etw_slot_add_and_test_zero(slot, -(long)etw_w_units(w)))
		etw_slot_publish(ring, slot);
}

/*
 * In overwrite mode a writer skips a slot that the reader holds. The slot's
 * lap is marked as skipped first (invariant D): the reader will free the slot
 * for a later lap. Its W, which the reader has copied, becomes sealed and empty.
 */
static int skip_held(struct etw_slot *slot, u64 s, u64 lap)
{
	u64 skipped = etw_s_make(lap, ETW_SLOT_READING);

	return atomic64_cmpxchg(&slot->s, s, skipped) == s ? 0 : -EAGAIN;
}

static int overwrite_full(struct etw_ring *ring, struct etw_slot *slot, u64 s,
			  u64 w, u64 lap)
{
	u64 open = etw_s_make(lap, ETW_SLOT_OPEN);

	if (atomic64_cmpxchg(&slot->s, s, open) != s)
		return -EAGAIN;
	/* W is stable while S is FULL, and S did not change since it was read */
	local_add(etw_w_events(w), &ring->overwritten);
	local_inc(&ring->overwritten_buffers);
	return 0;
}

/*
 * Make a slot ready for writers of a lap. If a nested or an interrupted writer
 * has begun to do so, complete the remaining steps.
 *
 * Return: 0: its W is installed; -EAGAIN: the slot changed, look again;
 * -ENOBUFS: the reader has yet to free a buffer; -EBUSY: an interrupted writer
 * still writes to the slot.
 */
static int open_slot(struct etw_ring *ring, struct etw_slot *slot, u64 lap)
{
	u64 w, s, installed;
	int err = 0;

	/* W first: if it is installed after this, our cmpxchg fails */
	w = READ_ONCE(slot->w);
	if (is_w_of(w, lap))
		return 0;
	s = atomic64_read(&slot->s);
	if (etw_s_lap(s) > lap)
		return -EAGAIN;
	if (etw_s_lap(s) < lap) {
		switch (etw_s_state(s)) {
		case ETW_SLOT_FREE:
			if (atomic64_cmpxchg(&slot->s, s, etw_s_make(lap, ETW_SLOT_OPEN)) != s)
				err = -EAGAIN;
			break;
		case ETW_SLOT_FULL:
			err = ring->overwrite ? overwrite_full(ring, slot, s, w, lap) : -ENOBUFS;
			break;
		case ETW_SLOT_READING:
			err = ring->overwrite ? skip_held(slot, s, lap) : -ENOBUFS;
			break;
		case ETW_SLOT_EMPTY:
			err = -ENOBUFS;
			break;
		case ETW_SLOT_OPEN:
			err = -EBUSY;
			break;
		}
		if (err)
			return err;
		s = atomic64_read(&slot->s);
	}
	WRITE_ONCE(slot->since, READ_ONCE(ring->clock.last));
	installed = etw_w_make(lap, etw_s_state(s) == ETW_SLOT_OPEN ? 0 : ETW_W_SEALED);
	if (etw_s_lap(s) != lap || cmpxchg_local(&slot->w, w, installed) != w)
		return -EAGAIN;
	return 0;
}

/*
 * Slot n, of lap @lap, is sealed: go on to n + 1. An error counts only if head is
 * still n, because a nested writer may have used up whole laps meanwhile.
 */
static int advance(struct etw_ring *ring, u64 n, struct etw_slot *slot, u64 lap)
{
	struct etw_slot *next = next_of(ring, slot, &lap);
	int err = open_slot(ring, next, lap);

	if (!err) {
		cmpxchg_local(&ring->head, n, n + 1);
		return 0;
	}
	if (err == -EAGAIN || READ_ONCE(ring->head) != n)
		return 0;
	return err;
}

/**
 * etw_reserve_slow() - open the next buffer if this one is sealed or full
 * @ring: this CPU's ring
 * @units: length of the record in units of 8 bytes
 * @mode: whether a failure counts as a loss
 *
 * A nested writer may find every step half done and completes it; no writer
 * waits. A step that fails leads back to the top.
 *
 * Context: any, NMI included; preemption off.
 * Return: true: ring->slot had space a moment ago, try again; false: there is
 * no space.
 */
bool etw_reserve_slow(struct etw_ring *ring, u32 units, enum etw_reserve_mode mode)
{
	enum etw_loss_cause cause = ETW_LOSS_NO_BUFFER;
	struct etw_slot *slot;
	u64 n, lap, w;
	int err;

	if (ring->nr_slots && units > ring->capacity) {
		cause = ETW_LOSS_TOO_LARGE;
		goto lost;
	}
	while (ring->nr_slots) {
		n = READ_ONCE(ring->head);
		slot = slot_of(ring, n, &lap);
		w = READ_ONCE(slot->w);
		if (!is_w_of(w, lap))
			continue;	/* n is old: head went on, by invariant B */
		if (w & ETW_W_SEALED) {
			err = advance(ring, n, slot, lap);
			if (!err)
				continue;
			if (err == -EBUSY)
				cause = ETW_LOSS_WRITER_STUCK;
			break;
		}
		if (etw_w_units(w) + units <= ring->capacity) {
			/* a hint: if it is stale already, its W is sealed */
			WRITE_ONCE(ring->slot, slot);
			return true;
		}
		if (cmpxchg_local(&slot->w, w, w | ETW_W_SEALED) == w)
			finish_seal(ring, slot, w);
		/* else invariant C: start over */
	}
lost:
	if (mode == ETW_RESERVE_COUNT)
		etw_ring_count_loss(ring, cause);
	else
		etw_ring_advance_clock(ring);
	return false;
}

/**
 * etw_ring_seal() - close the open buffer so that it can be delivered
 * @ring: a ring
 * @ordinal: out: the last buffer that had to be sealed
 *
 * An empty buffer stays open: empty buffers are never delivered.
 *
 * Context: on the ring's CPU with preemption off, or anywhere when the ring
 * has no writer any more.
 * Return: whether @ordinal or earlier buffers hold events to wait for.
 */
bool etw_ring_seal(struct etw_ring *ring, u64 *ordinal)
{
	struct etw_slot *slot, *next;
	u64 n, lap, w;

	while (ring->nr_slots) {
		n = READ_ONCE(ring->head);
		slot = slot_of(ring, n, &lap);
		w = READ_ONCE(slot->w);
		if (!is_w_of(w, lap))
			continue;
		*ordinal = n;
		if (w & ETW_W_SEALED) {
			/*
			 * We may have interrupted a writer that installed the
			 * next W and has yet to move head. Nested writers may
			 * have written there since.
			 */
			next = next_of(ring, slot, &lap);
			if (!is_w_of(READ_ONCE(next->w), lap))
				return true;
			cmpxchg_local(&ring->head, n, n + 1);
			continue;
		}
		if (!(w & ETW_W_OFFSET)) {
			(*ordinal)--;
			return true;
		}
		if (cmpxchg_local(&slot->w, w, w | ETW_W_SEALED) != w)
			continue;
		finish_seal(ring, slot, w);
		return true;
	}
	return false;
}

/**
 * etw_ring_has_space() - whether the next buffer could be opened
 * @ring: this CPU's ring
 *
 * For writers that can wait (rundown); a hint, since other writers may use it up.
 */
bool etw_ring_has_space(const struct etw_ring *ring)
{
	struct etw_slot *slot;
	u64 lap;

	if (!ring->nr_slots)
		return false;
	if (ring->overwrite)
		return true;
	slot = slot_of(ring, READ_ONCE(ring->head) + 1, &lap);
	return etw_s_state(atomic64_read(&slot->s)) == ETW_SLOT_FREE;
}
