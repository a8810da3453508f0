/* SPDX-License-Identifier: GPL-2.0 */
/* A place for a record in this CPU's buffer: slots, the two words, the fast path. */
#ifndef ETW_RESERVE_H
#define ETW_RESERVE_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <asm/local.h>
#include "../../uapi/etw_format.h"
#include "clock.h"

/* Memory for buffers: rather ENOMEM than somebody killed for it */
#define ETW_GFP_BUFFER		(GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL)

/*
 * A ring belongs to one session and one CPU. It is an array of slots, used in
 * sequence and over again; each owns one buffer or none. Positions are counted
 * by a free-running ordinal n: slot n % nr_slots in its lap n / nr_slots.
 *
 * A ring that overwrites has a buffer in every slot, for good. In any other one
 * the slots that have buffers are those from the oldest unread ordinal up to
 * `fill`: a buffer that was read goes to slot `fill`, be that the one where it
 * was or one further on, and so does one that is added. A writer that comes to
 * an EMPTY slot has used up all there is.
 *
 * Writers are whatever runs on the CPU with preemption off: a task, a softirq
 * over it, an interrupt over that, an NMI over all. They nest strictly: who
 * interrupts finishes first. No other CPU writes. Two words describe a slot:
 *
 *   W  sealed | offset | lap | events    the CPU's own, changed by unlocked
 *                                        cmpxchg only. x86 writes the old
 *                                        value back when such a cmpxchg
 *                                        fails, so no other CPU may ever
 *                                        write it. In this order one
 *                                        comparison says whether there is
 *                                        room.
 *   S  lap | state                       shared with the reader, changed by
 *                                        locked cmpxchg a few times a buffer.
 *
 * and a balance C, the CPU's own: every commit adds the record's length, the
 * seal takes away what was reserved. C is 0 after a commit or a seal exactly
 * when the buffer is sealed and every reserved byte is committed: one context
 * sees that, and it alone publishes the buffer. (Before the seal C is the sum
 * of committed lengths, so it can't be 0 right after a commit.)
 *
 * Invariants, each of which a nested writer may find in the making and then
 * completes itself, since waiting for an interrupted writer would never end:
 *  A. At most one W of a ring is unsealed, that of slot `head`.
 *  B. W of slot n + 1 is installed (unsealed) after S says OPEN for its lap,
 *     and `head` becomes n + 1 after that.
 *  C. A seal that failed changed nothing: the sealer starts over.
 *  D. lap(S) only grows, and a lap is opened, or skipped, once: who comes
 *     late with an old n finds lap(S) or head ahead of it and starts over.
 */
#define ETW_W_EVENT_BITS	22	/* a record is 8 bytes at least */
#define ETW_W_LAP_BITS		19
#define ETW_W_OFFSET_BITS	22	/* of 8 bytes: 16 MiB and the limit */
#define ETW_W_EVENT		1ULL
#define ETW_W_EVENT_MASK	((1U << ETW_W_EVENT_BITS) - 1)
#define ETW_W_LAP_SHIFT		ETW_W_EVENT_BITS
#define ETW_W_LAP_MASK		((1U << ETW_W_LAP_BITS) - 1)
#define ETW_W_OFFSET_SHIFT	(ETW_W_LAP_SHIFT + ETW_W_LAP_BITS)
#define ETW_W_OFFSET		GENMASK_ULL(62, ETW_W_OFFSET_SHIFT)
#define ETW_W_SEALED		BIT_ULL(63)

static_assert(ETW_W_OFFSET_SHIFT + ETW_W_OFFSET_BITS == 63);

static inline u64 etw_w_make(u64 lap, u64 flags)
{
	return (lap & ETW_W_LAP_MASK) << ETW_W_LAP_SHIFT | flags;
}

static inline u64 etw_w_lap(u64 w)
{
	return (w >> ETW_W_LAP_SHIFT) & ETW_W_LAP_MASK;
}

static inline u32 etw_w_events(u64 w)
{
	return w & ETW_W_EVENT_MASK;
}

/* Units of 8 bytes that are taken, without the buffer's header */
static inline u32 etw_w_units(u64 w)
{
	return (w & ETW_W_OFFSET) >> ETW_W_OFFSET_SHIFT;
}

/* The same in bytes */
static inline u32 etw_w_used(u64 w)
{
	return etw_w_units(w) * ETW_RECORD_ALIGN;
}

/* W with one more record */
static __always_inline u64 etw_w_add(u64 w, u32 units)
{
	return w + ((u64)units << ETW_W_OFFSET_SHIFT | ETW_W_EVENT);
}

/* The highest W in a buffer of that capacity: a sealed one is above every limit */
static inline u64 etw_w_limit(u32 capacity)
{
	return (u64)capacity << ETW_W_OFFSET_SHIFT | (BIT_ULL(ETW_W_OFFSET_SHIFT) - 1);
}

/* Low bits of S */
enum etw_slot_state {
	ETW_SLOT_FREE,		/* may be opened for a lap above this one */
	ETW_SLOT_OPEN,		/* writers' */
	ETW_SLOT_FULL,		/* complete; nobody's */
	ETW_SLOT_READING,	/* the reader's */
	ETW_SLOT_EMPTY,		/* without a buffer; never in a ring that overwrites */
};

#define ETW_S_LAP_SHIFT		3
#define ETW_S_STATE		((1ULL << ETW_S_LAP_SHIFT) - 1)

static inline u64 etw_s_make(u64 lap, enum etw_slot_state state)
{
	return lap << ETW_S_LAP_SHIFT | state;
}

static inline u64 etw_s_lap(u64 s)
{
	return s >> ETW_S_LAP_SHIFT;
}

static inline enum etw_slot_state etw_s_state(u64 s)
{
	return s & ETW_S_STATE;
}

/**
 * struct etw_slot - one place for a buffer
 * @w: word W, of the owning CPU
 * @c: the balance C, of the owning CPU, in units of 8 bytes
 * @data: where records begin: the buffer's header stands before it; NULL when
 *	the slot is EMPTY. Set before S says FREE
 * @s: word S, shared with the reader; in a cache line of its own
 */
struct etw_slot {
	u64 w;
	local_t c;
	u8 *data;
	atomic64_t s ____cacheline_aligned;
} ____cacheline_aligned;

/**
 * struct etw_ring - the buffers of one session on one CPU
 * @slot: a hint: the slot that was open last. Its W decides
 * @limit: the highest W that the fast path may make: that of a full buffer, or 0 where
 *	the clock is none for it
 * @capacity: of a buffer, in units of 8 bytes, without the header
 * @ticks: enum etw_ticks
 * @overwrite: give up the oldest buffer when none is free
 * @cpu: the owner
 * @nr_slots: number of slots; 0: the CPU has no memory yet
 * @slots: array of slots
 * @head: ordinal of the slot that is, or was last, open; the owner's
 * @clock: the last stamp given
 * @overwritten: events given up, the owner's
 * @overwritten_buffers: buffers given up, the owner's
 * @lost: events lost by cause, the owner's
 * @lost_first: stamp of the first loss by cause
 * @lost_last: stamp of the last loss by cause
 * @wake: queued when a buffer became full
 * @fill: ordinal of the slot that gets the next buffer; of who gives and takes
 *	buffers, one at a time (session->pool_lock)
 * @buffers: buffers of the ring, likewise
 * @tail: ordinal of the next buffer to deliver; the reader's, as what follows
 * @read: events consumed by readers
 * @buffers_read: buffers consumed by readers
 * @discarded: events thrown away unread
 * @given_up: events of buffers that a reader left half read and that could
 *	not be put back
 * @flagged_lost: events lost up to the last buffer delivered
 * @flagged_overwritten: buffers overwritten up to then
 * @reported: losses by cause told in the stream so far
 * @reported_overwritten: overwritten events told in the stream so far
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
 * struct etw_place - where a record goes
 * @data: first byte, 8-aligned
 * @slot: for the commit
 * @tick: the record's time stamp
 */
struct etw_place {
	void *data;
	struct etw_slot *slot;
	u64 tick;
};

/* Whether a failed reservation is a loss, or the caller will try again */
enum etw_reserve_mode { ETW_RESERVE_COUNT, ETW_RESERVE_TRY };

bool etw_reserve_slow(struct etw_ring *ring, u32 units, enum etw_reserve_mode mode);
void etw_slot_publish(struct etw_ring *ring, struct etw_slot *slot);
void etw_ring_count_loss(struct etw_ring *ring, enum etw_loss_cause cause);

/* Units of 8 bytes that a record of @size bytes takes */
static __always_inline u32 etw_units(u32 size)
{
	return (size + ETW_RECORD_ALIGN - 1) / ETW_RECORD_ALIGN;
}

/**
 * etw_slot_add() - change a slot's balance and return it
 * @slot: a slot of this CPU
 * @units: what to add
 *
 * Atomic against interrupts and NMIs of this CPU; no other CPU writes it. The
 * order of the record's bytes before it is program order, which is all that
 * other contexts of this CPU see; publication orders it for other CPUs.
 */
static __always_inline long etw_slot_add(struct etw_slot *slot, long units)
{
	barrier();
#ifdef CONFIG_X86
	return local_add_return(units, &slot->c);	/* xadd, no lock */
#else
	return atomic_long_add_return_relaxed(units, &slot->c.a);
#endif
}

/*
 * Builds that look for errors (see Kbuild), and kernels that do: a writer that may
 * migrate would commit to another CPU's words. Where the kernel doesn't count
 * preemption, there is nothing to see.
 */
#if defined(ETW_DEBUG) || defined(CONFIG_DEBUG_PREEMPT)
#include <linux/bug.h>
#define etw_assert_pinned()	WARN_ONCE(preemptible(), "etw: a writer may be preempted\n")
#else
#define etw_assert_pinned()	do { } while (0)
#endif

/**
 * etw_reserve_reading() - take a place, and read what belongs to its moment
 * @ring: this CPU's ring
 * @size: bytes of the record, at most ETW_MAX_RECORD; constant where it can
 *	be
 * @at: out: where
 * @mode: whether a failure counts as a loss
 * @read: NULL, or a function, constant, that reads counters; false: it can't,
 *	and there shall be no such record
 * @arg: its argument
 *
 * The clock, and with it @read, is read between reading W and changing it: had
 * anybody reserved in between, W would differ and both are read again. So the
 * order in a buffer is the order in time, and of counters; what the processor may
 * change of the former, etw_tick_counter() mends.
 *
 * Context: any, NMI included; preemption off until etw_commit(). After a
 * success nothing may fail: the caller writes every byte up to the next
 * multiple of 8 and commits.
 *
 * Return: true, or false when there is no place (counted as @mode says), or
 * @read said no (not counted).
 */
static __always_inline bool etw_reserve_reading(struct etw_ring *ring, u32 size,
						struct etw_place *at,
						enum etw_reserve_mode mode,
						bool (*read)(void *arg), void *arg)
{
	const u32 units = etw_units(size);
	struct etw_slot *slot;
	u64 w, new, tick;

	etw_assert_pinned();
	/* decided when compiled: x86 and arm64 have it */
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
			tick = etw_tick_counter(&ring->clock, etw_counter_now());
		} else if (new <= etw_w_limit(ring->capacity)) {
			tick = etw_tick_slow(ring->ticks, &ring->clock);
		} else {
			if (!etw_reserve_slow(ring, units, mode))
				return false;
			continue;
		}
		if (read && !read(arg))
			return false;
		if (likely(cmpxchg_local(&slot->w, w, new) == w))
			break;
	}

	at->data = slot->data + (w >> ETW_W_OFFSET_SHIFT) * ETW_RECORD_ALIGN;
	at->slot = slot;
	at->tick = tick;
	return true;
}

/**
 * etw_reserve() - take a place for a record in this CPU's buffer
 * @ring: this CPU's ring
 * @size: see etw_reserve_reading()
 * @at: out: where
 * @mode: whether a failure counts as a loss
 *
 * Context: as etw_reserve_reading(). Return: true, or false when there is no
 * place (counted as @mode says).
 */
static __always_inline bool etw_reserve(struct etw_ring *ring, u32 size,
					struct etw_place *at,
					enum etw_reserve_mode mode)
{
	return etw_reserve_reading(ring, size, at, mode, NULL, NULL);
}

/**
 * etw_reserve_once() - take a place, if that is all there is to do
 * @ring: this CPU's ring
 * @size: see etw_reserve_reading()
 * @now: etw_counter_now(), since the event: one reading for all sessions
 * @at: out: where
 *
 * For those who have a way of their own when it isn't: then etw_reserve() is to be
 * called. Without calls, so that theirs need no registers saved.
 *
 * Who comes between the reading and that of W, and writes to this ring, has a later
 * stamp and an earlier place: the clamp makes ours the same.
 *
 * Context: as etw_reserve_reading(). Return: true; or false, nothing was done.
 */
static __always_inline bool etw_reserve_once(struct etw_ring *ring, u32 size, u64 now,
					     struct etw_place *at)
{
	const u32 units = etw_units(size);
	struct etw_slot *slot = READ_ONCE(ring->slot);
	u64 w = READ_ONCE(slot->w);
	u64 new = etw_w_add(w, units);

	etw_assert_pinned();
	if (!IS_ENABLED(CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG) || unlikely(new > ring->limit))
		return false;
	at->tick = etw_tick_counter(&ring->clock, now);
	if (unlikely(cmpxchg_local(&slot->w, w, new) != w))
		return false;
	/* it was not sealed */
	at->data = slot->data + (w >> ETW_W_OFFSET_SHIFT) * ETW_RECORD_ALIGN;
	at->slot = slot;
	return true;
}

/**
 * etw_commit() - the record is written
 * @ring: as given to etw_reserve()
 * @at: as filled by it
 * @size: as given to it
 */
static __always_inline void etw_commit(struct etw_ring *ring,
				       const struct etw_place *at, u32 size)
{
	if (unlikely(!etw_slot_add(at->slot, etw_units(size))))
		etw_slot_publish(ring, at->slot);
}

/**
 * etw_commit_once() - the record is written; for who calls nothing on the way
 * @at: as filled by etw_reserve_once()
 * @size: as given to it
 *
 * Return: true: the buffer is complete, etw_slot_publish() has to follow.
 */
static __always_inline bool etw_commit_once(const struct etw_place *at, u32 size)
{
	return !etw_slot_add(at->slot, etw_units(size));
}

/**
 * struct etw_held - a buffer that the reader holds
 * @slot: its slot
 * @ordinal: its ordinal
 * @w: W when it was taken
 */
struct etw_held {
	struct etw_slot *slot;
	u64 ordinal;
	u64 w;
};

int etw_ring_init(struct etw_ring *ring, u32 nr_slots, u32 nr_buffers, u32 buffer_size,
		  int node);
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
bool etw_ring_has_room(const struct etw_ring *ring);
bool etw_ring_take(struct etw_ring *ring, struct etw_held *held);
void etw_ring_release(struct etw_ring *ring, const struct etw_held *held);
void etw_ring_discard(struct etw_ring *ring, const struct etw_held *held);
void etw_ring_put_back(struct etw_ring *ring, const struct etw_held *held);
void etw_ring_window(const struct etw_ring *ring, u64 *first, u64 *end);
int etw_ring_borrow(struct etw_ring *ring, u64 ordinal, struct etw_held *held);
void etw_ring_return(struct etw_ring *ring, const struct etw_held *held);
void etw_ring_adopt(struct etw_ring *ring, u32 place, void *buffer, u64 w);
u64 etw_ring_buffered(const struct etw_ring *ring, u32 *full);
u64 etw_ring_lost(const struct etw_ring *ring);

static inline struct wmi_buffer_header *etw_slot_header(struct etw_slot *slot)
{
	return (void *)(slot->data - sizeof(struct wmi_buffer_header));
}

#endif /* ETW_RESERVE_H */
