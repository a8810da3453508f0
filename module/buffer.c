// SPDX-License-Identifier: GPL-2.0
/* Buffers change hands: seal, open the next, publish, take, release. */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "reserve.h"

/* A ring without memory: W is sealed for ever, so every writer comes here. */
static struct etw_slot etw_no_slot = { .w = ETW_W_SEALED };

static struct etw_slot *slot_of(const struct etw_ring *ring, u64 n, u64 *lap)
{
	u32 index;

	*lap = div_u64_rem(n, ring->nr_slots, &index);
	return &ring->slots[index];
}

static bool is_w_of(u64 w, u64 lap)
{
	return etw_w_lap(w) == (lap & ETW_W_LAP_MASK);
}

/**
 * etw_ring_count_loss() - an event was not recorded
 * @ring: this CPU's ring
 * @cause: why
 *
 * Context: any; preemption off. The counters are exact; the two stamps may be
 * those of an event lost in a nested context at the same moment.
 */
void etw_ring_count_loss(struct etw_ring *ring, enum etw_loss_cause cause)
{
	u64 now = etw_tick(ring->ticks, &ring->clock);

	if (!READ_ONCE(ring->lost_first[cause]))
		WRITE_ONCE(ring->lost_first[cause], now);
	WRITE_ONCE(ring->lost_last[cause], now);
	local_inc(&ring->lost[cause]);
}

/**
 * etw_slot_publish() - a buffer is complete: hand it over
 * @ring: this CPU's ring
 * @slot: its slot, whose balance just became 0
 *
 * Exactly one context gets here per lap, since one add or subtraction made
 * the balance 0. The release pairs with the acquire in etw_ring_take(): who
 * sees FULL sees W and every byte, also those that interrupted contexts of
 * this CPU wrote, which come before in its program order.
 *
 * Context: any, NMI included. irq_work is queued at most once until it ran.
 */
void etw_slot_publish(struct etw_ring *ring, struct etw_slot *slot)
{
	u64 lap = etw_s_lap(atomic64_read(&slot->s));

	atomic64_set_release(&slot->s, etw_s_make(lap, ETW_SLOT_FULL));
	irq_work_queue(ring->wake);
}

/*
 * Who won the sealed bit takes the reserved length off the balance. Until
 * then the buffer can't be complete, however long the sealer is interrupted.
 */
static void seal_won(struct etw_ring *ring, struct etw_slot *slot, u64 w)
{
	if (!etw_slot_add(slot, -(long)(w & ETW_W_OFFSET)))
		etw_slot_publish(ring, slot);
}

/*
 * A slot that the reader holds is passed by in overwrite mode. Its lap is
 * marked as gone by first (invariant D): the reader will free it for a later
 * one. Its W, which the reader copied before, becomes sealed and empty.
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
 * Make slot n ready for writers of its lap, unless somebody who interrupted
 * us, or whom we interrupted, already did: then complete what is left to do.
 *
 * Return: 0: W of slot n is installed; -EAGAIN: something moved, look again;
 * -ENOBUFS, -EBUSY: no slot can be had because of the reader, because of an
 * interrupted writer.
 */
static int open_slot(struct etw_ring *ring, u64 n)
{
	u64 lap, w, s, installed;
	struct etw_slot *slot = slot_of(ring, n, &lap);
	int err = 0;

	/* W first: had it been installed after this, our cmpxchg would fail */
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
		case ETW_SLOT_OPEN:
			err = -EBUSY;
			break;
		}
		if (err)
			return err;
		s = atomic64_read(&slot->s);
	}
	installed = etw_w_make(lap, etw_s_state(s) == ETW_SLOT_OPEN ? 0 : ETW_W_SEALED);
	if (etw_s_lap(s) != lap || cmpxchg_local(&slot->w, w, installed) != w)
		return -EAGAIN;
	return 0;
}

/*
 * Slot n is sealed: go on to n + 1. A loss is believed only while head is
 * still n: a writer that came over us may have used up whole laps meanwhile.
 */
static int advance(struct etw_ring *ring, u64 n)
{
	int err = open_slot(ring, n + 1);

	if (!err) {
		cmpxchg_local(&ring->head, n, n + 1);
		return 0;
	}
	if (err == -EAGAIN || READ_ONCE(ring->head) != n)
		return 0;
	return err;
}

/**
 * etw_reserve_slow() - the buffer is sealed or has no room: see to the next
 * @ring: this CPU's ring
 * @units: length of the record in units of 8 bytes
 * @mode: whether a failure counts as a loss
 *
 * Every step can be found half done by a nested writer and is completed by
 * it; nobody waits. A step that fails leads back to the top.
 *
 * Context: any, NMI included; preemption off.
 * Return: true: ring->slot had room a moment ago, try again; false: there is
 * no place.
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
			err = advance(ring, n);
			if (!err)
				continue;
			if (err == -EBUSY)
				cause = ETW_LOSS_WRITER_STUCK;
			break;
		}
		if ((w & ETW_W_OFFSET) + units <= ring->capacity) {
			/* a hint: should it be stale already, its W is sealed */
			WRITE_ONCE(ring->slot, slot);
			return true;
		}
		if (cmpxchg_local(&slot->w, w, w | ETW_W_SEALED) == w)
			seal_won(ring, slot, w);
		/* else invariant C: start over */
	}
lost:
	if (mode == ETW_RESERVE_COUNT)
		etw_ring_count_loss(ring, cause);
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
 * Return: whether @ordinal and what is before it holds events to wait for.
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
			 * We may have come over a writer that installed the
			 * next W and has yet to move head: others may have
			 * written there since, led by an old hint.
			 */
			next = slot_of(ring, n + 1, &lap);
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
		seal_won(ring, slot, w);
		return true;
	}
	return false;
}

/**
 * etw_ring_settled() - whether no writer is left in sealed buffers
 * @ring: a ring
 * @ordinal: the last buffer of interest
 *
 * Context: any CPU.
 * Return: true when no buffer up to @ordinal is open.
 */
bool etw_ring_settled(struct etw_ring *ring, u64 ordinal)
{
	u32 i;

	for (i = 0; i < ring->nr_slots; i++) {
		u64 s = atomic64_read(&ring->slots[i].s);

		if (etw_s_state(s) == ETW_SLOT_OPEN &&
		    etw_s_lap(s) * ring->nr_slots + i <= ordinal)
			return false;
	}
	return true;
}

/**
 * etw_ring_dirty() - whether a buffer holds events and is not complete
 * @ring: a ring
 *
 * One that is sealed counts too while a writer has yet to commit to it: others
 * may have committed before. Every slot is looked at, since head may lag.
 *
 * Context: any CPU; a hint for who decides whether to seal.
 */
bool etw_ring_dirty(const struct etw_ring *ring)
{
	/* pairs with etw_ring_init(): a CPU may just be coming up */
	u32 i, nr_slots = smp_load_acquire(&ring->nr_slots);

	for (i = 0; i < nr_slots; i++) {
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
 * Context: the reader's, any CPU. May say yes where etw_ring_take() then
 * finds only buffers that were overwritten.
 */
bool etw_ring_has_data(const struct etw_ring *ring)
{
	u64 lap, s;
	struct etw_slot *slot;

	if (!ring->nr_slots)
		return false;
	slot = slot_of(ring, ring->tail, &lap);
	s = atomic64_read(&slot->s);
	return etw_s_lap(s) > lap ||
	       (etw_s_lap(s) == lap && etw_s_state(s) != ETW_SLOT_OPEN);
}

/**
 * etw_ring_has_room() - whether the next buffer could be opened
 * @ring: this CPU's ring
 *
 * For writers that can wait (rundown); a hint, since others write too.
 */
bool etw_ring_has_room(const struct etw_ring *ring)
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

/**
 * etw_ring_take() - the reader takes the oldest complete buffer
 * @ring: a ring
 * @held: out: what was taken
 *
 * In the order of slots: a later buffer that a nested writer completed first
 * waits for the earlier one. Laps that were overwritten or skipped are passed.
 * W is read between two looks at S: FULL of the same lap at both means that W
 * did not change in between.
 *
 * Context: one reader at a time, any CPU.
 * Return: true, or false when nothing can be delivered now.
 */
bool etw_ring_take(struct etw_ring *ring, struct etw_held *held)
{
	u64 lap, s, head;

	while (ring->nr_slots) {
		head = READ_ONCE(ring->head);
		if (head >= ring->nr_slots && ring->tail < head - ring->nr_slots + 1)
			ring->tail = head - ring->nr_slots + 1;
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
				ring->tail++;
				return true;
			}
		}
		ring->tail++;
	}
	return false;
}

/* READING of whatever lap becomes @state; the writer may skip it meanwhile. */
static u64 leave_slot(struct etw_slot *slot, enum etw_slot_state state)
{
	u64 s, old = atomic64_read(&slot->s);

	do {
		s = old;
		old = atomic64_cmpxchg_release(&slot->s, s,
					       etw_s_make(etw_s_lap(s), state));
	} while (old != s);
	return etw_s_lap(s);
}

/**
 * etw_ring_release() - the reader consumed a buffer
 * @ring: a ring
 * @held: from etw_ring_take()
 *
 * The release pairs with the writer's cmpxchg to OPEN: its bytes come after
 * the reader's last look.
 */
void etw_ring_release(struct etw_ring *ring, const struct etw_held *held)
{
	WRITE_ONCE(ring->read, ring->read + etw_w_events(held->w));
	WRITE_ONCE(ring->buffers_read, ring->buffers_read + 1);
	leave_slot(held->slot, ETW_SLOT_FREE);
}

/**
 * etw_ring_discard() - a buffer is thrown away unread
 * @ring: a ring
 * @held: from etw_ring_take()
 */
void etw_ring_discard(struct etw_ring *ring, const struct etw_held *held)
{
	WRITE_ONCE(ring->discarded, ring->discarded + etw_w_events(held->w));
	leave_slot(held->slot, ETW_SLOT_FREE);
}

/**
 * etw_ring_put_back() - the reader leaves a buffer unread
 * @ring: a ring
 * @held: from etw_ring_take(); the last one that was taken
 *
 * The next reader gets it first, unless the writer passed it by meanwhile
 * (overwrite mode): then what came after it is newer, and it counts as
 * overwritten.
 */
void etw_ring_put_back(struct etw_ring *ring, const struct etw_held *held)
{
	u64 lap, s;

	slot_of(ring, held->ordinal, &lap);
	s = etw_s_make(lap, ETW_SLOT_READING);
	if (atomic64_cmpxchg_release(&held->slot->s, s,
				     etw_s_make(lap, ETW_SLOT_FULL)) == s) {
		ring->tail = held->ordinal;
		return;
	}
	WRITE_ONCE(ring->given_up, ring->given_up + etw_w_events(held->w));
	leave_slot(held->slot, ETW_SLOT_FREE);
}

/**
 * etw_ring_buffered() - events that are still in buffers
 * @ring: a ring
 * @full: out: complete buffers among them; may be NULL
 *
 * What a reader holds is not counted here. Exact when no writer runs.
 */
u64 etw_ring_buffered(const struct etw_ring *ring, u32 *full)
{
	u64 events = 0;
	u32 i, n = 0;

	for (i = 0; i < ring->nr_slots; i++) {
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

/**
 * etw_ring_idle() - a ring that has no memory (yet)
 * @ring: zeroed
 *
 * Writers find a W that is sealed for ever and count a loss.
 */
void etw_ring_idle(struct etw_ring *ring)
{
	WRITE_ONCE(ring->slot, &etw_no_slot);
}

static int slot_init(struct etw_slot *slot, u32 buffer_size, int node)
{
	u8 *buffer = kvmalloc_node(buffer_size, GFP_KERNEL | __GFP_NOWARN, node);

	if (!buffer)
		return -ENOMEM;
	/* no stale kernel memory: what is not written reads as the fill */
	memset(buffer, 0xFF, buffer_size);
	slot->data = buffer + sizeof(struct wmi_buffer_header);
	slot->w = etw_w_make(0, ETW_W_SEALED);
	local_set(&slot->c, 0);
	atomic64_set(&slot->s, etw_s_make(0, ETW_SLOT_FREE));
	return 0;
}

/**
 * etw_ring_init() - give a ring its memory
 * @ring: initialised by etw_ring_idle(), @wake, @ticks, @overwrite set
 * @nr_slots: 2 at least
 * @buffer_size: bytes, a multiple of 4096
 * @node: NUMA node
 *
 * Lap 0 stands for "never used": everything is sealed, and head is its last
 * slot, so that the first writer opens slot 0 of lap 1.
 *
 * Context: process; sleeps. The ring's CPU does not run, or no writer has
 * been told of the ring.
 * Return: 0 or -ENOMEM.
 */
int etw_ring_init(struct etw_ring *ring, u32 nr_slots, u32 buffer_size, int node)
{
	struct etw_slot *slots = kvcalloc(nr_slots, sizeof(*slots), GFP_KERNEL | __GFP_NOWARN);
	u32 i;

	if (!slots)
		return -ENOMEM;
	for (i = 0; i < nr_slots; i++) {
		if (slot_init(&slots[i], buffer_size, node))
			goto fail;
		cond_resched();
	}
	ring->slots = slots;
	ring->capacity = (buffer_size - sizeof(struct wmi_buffer_header)) / ETW_RECORD_ALIGN;
	ring->head = nr_slots - 1;
	ring->tail = nr_slots;
	WRITE_ONCE(ring->slot, &slots[nr_slots - 1]);
	/* who sees the number sees the slots */
	smp_store_release(&ring->nr_slots, nr_slots);
	return 0;
fail:
	while (i--)
		kvfree(etw_slot_header(&slots[i]));
	kvfree(slots);
	return -ENOMEM;
}

/**
 * etw_ring_destroy() - free a ring's memory
 * @ring: a ring that nobody uses any more
 */
void etw_ring_destroy(struct etw_ring *ring)
{
	u32 i;

	for (i = 0; i < ring->nr_slots; i++)
		kvfree(etw_slot_header(&ring->slots[i]));
	kvfree(ring->slots);
	ring->nr_slots = 0;
	ring->slots = NULL;
	etw_ring_idle(ring);
}
