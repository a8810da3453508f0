/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Reserve and commit a record in this CPU's buffer: the fast path. */
#ifndef ETW_RESERVE_H
#define ETW_RESERVE_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <asm/local.h>
#include "clock.h"
#include "ring.h"
#include "words.h"

/**
 * struct etw_reservation - the space reserved for a record
 * @data: first byte, 8-aligned
 * @slot: for the commit
 * @tick: the record's time stamp
 */
struct etw_reservation {
	void *data;
	struct etw_slot *slot;
	u64 tick;
};

/* Whether a failed reservation counts as a loss, or the caller will try again */
enum etw_reserve_mode { ETW_RESERVE_COUNT, ETW_RESERVE_TRY };

bool etw_reserve_slow(struct etw_ring *ring, u32 units, enum etw_reserve_mode mode);
void etw_slot_publish(struct etw_ring *ring, struct etw_slot *slot);
void etw_ring_count_losses(struct etw_ring *ring, enum etw_loss_cause cause, u32 events);
u64 etw_ring_advance_clock(struct etw_ring *ring);

/* An event was not recorded: see etw_ring_count_losses() */
static inline void etw_ring_count_loss(struct etw_ring *ring, enum etw_loss_cause cause)
{
	etw_ring_count_losses(ring, cause, 1);
}

/* Length of a record of @size bytes in units of 8 bytes */
static __always_inline u32 etw_units(u32 size)
{
	return (size + ETW_RECORD_ALIGN - 1) / ETW_RECORD_ALIGN;
}

/**
 * etw_slot_add_and_test_zero() - change a slot's balance
 * @slot: a slot of this CPU
 * @units: addend
 *
 * Atomic against interrupts and NMIs of this CPU; no other CPU writes the
 * balance. The record's bytes come before it in program order, which suffices
 * for other contexts of this CPU; publication orders them for other CPUs.
 *
 * Return: whether this change made the balance 0.
 */
static __always_inline bool etw_slot_add_and_test_zero(struct etw_slot *slot, long units)
{
	barrier();
	return etw_add_and_test_zero(&slot->c, units, etw_has_fast_atomics());
}

/*
 * For debug builds (see Kbuild) and debug kernels: a writer that may migrate would
 * commit to another CPU's words. If the kernel doesn't count preemption, the check
 * never warns.
 */
#if defined(ETW_DEBUG) || defined(CONFIG_DEBUG_PREEMPT)
#include <linux/bug.h>
#define etw_assert_pinned()	WARN_ONCE(preemptible(), "etw: a writer may be preempted\n")
#else
#define etw_assert_pinned()	do { } while (0)
#endif

/* Uses a copy, so that callers can keep @moment in registers */
static __always_inline u64 etw_tick_slow_at(enum etw_ticks ticks, struct etw_clamp *clamp,
					    struct etw_moment *moment)
{
	u64 tick, boottime;

	if (!moment)
		return etw_tick_slow(ticks, clamp, NULL);
	boottime = moment->boottime;
	tick = etw_tick_slow(ticks, clamp, &boottime);
	moment->boottime = boottime;
	return tick;
}

/**
 * etw_reserve_reading() - reserve a record, and read counters at the same moment
 * @ring: this CPU's ring
 * @size: bytes of the record, at most ETW_MAX_RECORD; constant if possible
 * @at: out: the reservation
 * @mode: whether a failure counts as a loss
 * @read: NULL, or a constant function that reads counters; if it returns false,
 *	nothing is reserved
 * @arg: argument of @read
 * @moment: NULL, or the event's reading of the clocks, for all of its sessions
 *
 * The clock and the counters of @read are read between the reading of W and its
 * change. If a nested writer reserves in between, W differs and both are read
 * again. So records in a buffer are in the order of time and of counters.
 * etw_tick_counter() corrects clock readings that the processor reordered.
 *
 * The reading of @moment is older than that of W. As in etw_reserve_once(), the clamp keeps
 * the order then. Before a second try the counter is read again: an interrupt has written
 * to the ring, and the clamp may have our older reading, see etw_tick_counter().
 *
 * Context: any, NMI included; preemption off until etw_commit(). After a
 * success nothing may fail: the caller writes every byte up to the next
 * multiple of 8 and commits.
 *
 * Return: true, or false when there is no space (counted according to @mode), or
 * @read returned false (not counted).
 */
static __always_inline bool etw_reserve_reading(struct etw_ring *ring, u32 size,
						struct etw_reservation *at,
						enum etw_reserve_mode mode,
						bool (*read)(void *arg), void *arg,
						struct etw_moment *moment)
{
	const u32 units = etw_units(size);
	struct etw_slot *slot;
	u64 w, new, tick;

	etw_assert_pinned();
	/* decided at compile time: x86 and arm64 have it */
	if (!IS_ENABLED(CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG) && unlikely(in_nmi())) {
		if (mode == ETW_RESERVE_COUNT)
			etw_ring_count_loss(ring, ETW_LOSS_NMI);
		return false;
	}
	for (;;) {
		slot = READ_ONCE(ring->slot);
		w = READ_ONCE(slot->w);
		new = etw_w_add(w, units);
		if (likely(new <= ring->limit)) {
			tick = etw_tick_counter(&ring->clock,
						moment ? moment->counter : etw_counter_now());
		} else if (new <= etw_w_limit(ring->capacity)) {
			tick = etw_tick_slow_at(ring->ticks, &ring->clock, moment);
		} else {
			if (!etw_reserve_slow(ring, units, mode))
				return false;
			continue;
		}
		if (read && !read(arg)) {
			etw_ring_advance_clock(ring);
			return false;
		}
		if (likely(etw_try_cmpxchg_local(&slot->w, &w, new, etw_has_fast_atomics())))
			break;
		if (moment)
			moment->counter = etw_counter_now();
	}

	/*
	 * Not every exchange is a compiler barrier. Data that were read before W could be those of
	 * the slot's last buffer, if an interrupt opened the slot between the two.
	 */
	barrier();
	at->data = slot->data + (w >> ETW_W_OFFSET_SHIFT) * ETW_RECORD_ALIGN;
	at->slot = slot;
	at->tick = tick;
	return true;
}

/**
 * etw_reserve_at() - reserve a record of an event of several sessions
 * @ring: this CPU's ring
 * @size: see etw_reserve_reading()
 * @at: out: the reservation
 * @mode: whether a failure counts as a loss
 * @moment: the event's reading of the clocks
 *
 * Context and return: as etw_reserve().
 */
static __always_inline bool etw_reserve_at(struct etw_ring *ring, u32 size,
					   struct etw_reservation *at, enum etw_reserve_mode mode,
					   struct etw_moment *moment)
{
	return etw_reserve_reading(ring, size, at, mode, NULL, NULL, moment);
}

/**
 * etw_reserve() - reserve a record in this CPU's buffer
 * @ring: this CPU's ring
 * @size: see etw_reserve_reading()
 * @at: out: the reservation
 * @mode: whether a failure counts as a loss
 *
 * Context: as etw_reserve_reading(). Return: true, or false when there is no
 * space (counted according to @mode).
 */
static __always_inline bool etw_reserve(struct etw_ring *ring, u32 size,
					struct etw_reservation *at,
					enum etw_reserve_mode mode)
{
	return etw_reserve_reading(ring, size, at, mode, NULL, NULL, NULL);
}

/**
 * etw_reserve_added_once() - reserve several records side by side, if one exchange is enough
 * @ring: this CPU's ring
 * @added: etw_w_add() of each record, from 0 on
 * @now: see etw_reserve_once()
 * @direct: see etw_reserve_once()
 * @at: out: the reservation of all; they have one stamp
 *
 * One etw_commit_once() of all bytes completes them. Context, return: as etw_reserve_once().
 */
static __always_inline bool etw_reserve_added_once(struct etw_ring *ring, u64 added, u64 *now,
						   bool direct, struct etw_reservation *at)
{
	struct etw_slot *slot = READ_ONCE(ring->slot);
	u64 w = READ_ONCE(slot->w);
	u64 new = w + added;

	etw_assert_pinned();
	if (!IS_ENABLED(CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG) || unlikely(new > ring->limit))
		return false;
	at->tick = etw_tick_counter(&ring->clock, *now);
	if (unlikely(!etw_try_cmpxchg_local(&slot->w, &w, new, direct))) {
		*now = etw_counter_now();
		return false;
	}
	/* as in etw_reserve_reading(); it was not sealed */
	barrier();
	at->data = slot->data + (w >> ETW_W_OFFSET_SHIFT) * ETW_RECORD_ALIGN;
	at->slot = slot;
	return true;
}

/**
 * etw_reserve_once() - reserve a record, if one exchange is enough
 * @ring: this CPU's ring
 * @size: see etw_reserve_reading()
 * @now: etw_counter_now() since the event: one reading for all sessions. After a failed
 *	exchange it is read again
 * @direct: etw_has_fast_atomics(), read once for all sessions
 * @at: out: the reservation
 *
 * For callers with their own slow path: after a failure they must use etw_reserve().
 * It calls nothing, so that its caller need not save registers.
 *
 * An interrupt that writes to this ring between the readings of the counter and of W has
 * a later stamp and an earlier record. The clamp raises our stamp to at least that stamp.
 *
 * The exchange fails if an interrupt wrote to this ring between our reading of the clamp and
 * the exchange. We may then have put our older reading into the clamp, so the clamp no longer
 * keeps the order. Only a reading that is younger than the interrupt's does.
 *
 * Context: as etw_reserve_reading(). Return: true, or false when nothing was reserved.
 */
static __always_inline bool etw_reserve_once(struct etw_ring *ring, u32 size, u64 *now,
					     bool direct, struct etw_reservation *at)
{
	return etw_reserve_added_once(ring, etw_w_add(0, etw_units(size)), now, direct, at);
}

/**
 * etw_commit() - complete a reservation whose record is written
 * @ring: as for etw_reserve()
 * @at: as filled by etw_reserve()
 * @size: as for etw_reserve()
 */
static __always_inline void etw_commit(struct etw_ring *ring,
				       const struct etw_reservation *at, u32 size)
{
	if (unlikely(etw_slot_add_and_test_zero(at->slot, etw_units(size))))
		etw_slot_publish(ring, at->slot);
}

/**
 * etw_commit_once() - etw_commit() without a call
 * @at: as filled by etw_reserve_once()
 * @size: as for etw_reserve_once()
 * @direct: as for etw_reserve_once()
 *
 * Return: true if the buffer is complete: the caller must call etw_slot_publish().
 */
static __always_inline bool etw_commit_once(const struct etw_reservation *at, u32 size, bool direct)
{
	barrier();	/* as in etw_slot_add_and_test_zero() */
	return etw_add_and_test_zero(&at->slot->c, etw_units(size), direct);
}

#endif /* ETW_RESERVE_H */
