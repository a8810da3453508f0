// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Allocate and free a ring's memory, add and remove its buffers; declared in ring.h. */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "slot.h"

/* The slot of a ring without memory: W stays sealed, so every writer takes the slow path. */
static struct etw_slot etw_no_slot = { .w = ETW_W_SEALED };

/**
 * etw_ring_idle() - set up a ring that has no memory (yet)
 * @ring: zeroed
 *
 * Writers find a W that stays sealed and count a loss.
 */
void etw_ring_idle(struct etw_ring *ring)
{
	WRITE_ONCE(ring->slot, &etw_no_slot);
}

/**
 * etw_buffer_alloc() - allocate a buffer
 * @buffer_size: bytes
 * @node: NUMA node
 *
 * The buffer is filled, so that no stale kernel memory reaches a reader.
 *
 * Context: process; sleeps. Return: NULL without memory; freed by kvfree().
 */
void *etw_buffer_alloc(u32 buffer_size, int node)
{
	void *buffer = kvmalloc_node(buffer_size, ETW_GFP_BUFFER, node);

	if (buffer)
		memset(buffer, ETW_BUFFER_FILL, buffer_size);
	return buffer;
}

static void slot_init(struct etw_slot *slot)
{
	slot->data = NULL;
	slot->w = etw_w_make(0, ETW_W_SEALED);
	local_set(&slot->c, 0);
	atomic64_set(&slot->s, etw_s_make(0, ETW_SLOT_EMPTY));
}

static void put_buffer(struct etw_slot *slot, void *buffer)
{
	slot->data = buffer + sizeof(struct wmi_buffer_header);
	/* pairs with the cmpxchg to OPEN: a writer that opens the slot sees the buffer */
	atomic64_set_release(&slot->s, etw_s_make(etw_s_lap(atomic64_read(&slot->s)),
						  ETW_SLOT_FREE));
}

static void free_slots(struct etw_slot *slots, u32 nr_slots)
{
	u32 i;

	for (i = 0; i < nr_slots; i++)
		if (slots[i].data)
			kvfree(etw_slot_header(&slots[i]));
	kvfree(slots);
}

/**
 * etw_ring_init() - give a ring its memory
 * @ring: initialised by etw_ring_idle(), @wake, @ticks, @overwrite set
 * @nr_slots: 2 at least
 * @nr_buffers: 2 at least; @nr_slots for a ring that overwrites; 0 for a ring
 *	that adopts buffers
 * @buffer_size: bytes, a multiple of 4096
 * @node: NUMA node
 * @killable: fail if the caller was killed
 *
 * Lap 0 stands for "never used": everything is sealed, and head is its last
 * slot, so that the first writer opens slot 0 of lap 1.
 *
 * Context: process; sleeps. The ring's CPU does not run, or no writer uses the
 * ring yet.
 * Return: 0; -ENOMEM; -EINTR.
 */
int etw_ring_init(struct etw_ring *ring, u32 nr_slots, u32 nr_buffers, u32 buffer_size,
		  int node, bool killable)
{
	struct etw_slot *slots = kvzalloc_node((size_t)nr_slots * sizeof(*slots), ETW_GFP_BUFFER,
						node);
	u32 i;

	if (!slots)
		return -ENOMEM;
	for (i = 0; i < nr_slots; i++)
		slot_init(&slots[i]);
	for (i = 0; i < nr_buffers; i++) {
		bool killed = killable && fatal_signal_pending(current);
		void *buffer = killed ? NULL : etw_buffer_alloc(buffer_size, node);

		if (!buffer) {
			free_slots(slots, nr_slots);
			return killed ? -EINTR : -ENOMEM;
		}
		put_buffer(&slots[i], buffer);
		cond_resched();
	}
	ring->slots = slots;
	ring->capacity = (buffer_size - sizeof(struct wmi_buffer_header)) / ETW_RECORD_ALIGN;
	ring->limit = ring->ticks == ETW_TICKS_COUNTER ? etw_w_limit(ring->capacity) : 0;
	ring->head = nr_slots - 1;
	ring->tail = nr_slots;
	ring->fill = nr_slots + nr_buffers;
	WRITE_ONCE(ring->buffers, nr_buffers);
	WRITE_ONCE(ring->slot, &slots[nr_slots - 1]);
	/* a context that sees nr_slots also sees initialised slots; see slots_of() */
	smp_store_release(&ring->nr_slots, nr_slots);
	return 0;
}

/**
 * etw_ring_give() - add a buffer to a ring that doesn't overwrite
 * @ring: a ring with slots
 * @buffer: a buffer; after a success the ring owns it
 *
 * Context: process; under session->pool_lock.
 * Return: false when slot `fill` already has a buffer.
 */
bool etw_ring_give(struct etw_ring *ring, void *buffer)
{
	struct etw_slot *slot;
	u64 lap;

	slot = slot_of(ring, ring->fill, &lap);
	if (etw_s_state(atomic64_read(&slot->s)) != ETW_SLOT_EMPTY)
		return false;
	put_buffer(slot, buffer);
	WRITE_ONCE(ring->fill, ring->fill + 1);
	WRITE_ONCE(ring->buffers, ring->buffers + 1);
	return true;
}

/**
 * etw_ring_take_away() - take a buffer from a ring that doesn't overwrite
 * @ring: a ring with slots
 *
 * Takes the buffer that writers would use last. Context: as etw_ring_give().
 * Return: the buffer, or NULL when none is free.
 */
void *etw_ring_take_away(struct etw_ring *ring)
{
	struct etw_slot *slot;
	void *buffer;
	u64 lap, s;

	slot = slot_of(ring, ring->fill - 1, &lap);
	s = atomic64_read(&slot->s);
	if (etw_s_state(s) != ETW_SLOT_FREE || etw_s_lap(s) >= lap)
		return NULL;
	/* a writer either opens the slot first, or finds it EMPTY */
	if (atomic64_cmpxchg(&slot->s, s, etw_s_make(etw_s_lap(s), ETW_SLOT_EMPTY)) != s)
		return NULL;
	buffer = etw_slot_header(slot);
	slot->data = NULL;
	WRITE_ONCE(ring->fill, ring->fill - 1);
	WRITE_ONCE(ring->buffers, ring->buffers - 1);
	return buffer;
}

/**
 * etw_ring_adopt() - add a complete buffer to a ring without writers
 * @ring: initialised by etw_ring_init() without buffers
 * @place: below its number of slots; one less at each call
 * @buffer: a buffer, which the ring owns then; from the newest to the oldest
 * @w: W of the slot that its records were copied from
 *
 * Context: process.
 */
void etw_ring_adopt(struct etw_ring *ring, u32 place, void *buffer, u64 w)
{
	struct etw_slot *slot;
	u64 lap, n = ring->nr_slots + place;

	slot = slot_of(ring, n, &lap);
	slot->data = buffer + sizeof(struct wmi_buffer_header);
	slot->w = etw_w_make(lap, w & ~etw_w_make(ETW_W_LAP_MASK, 0));
	atomic64_set(&slot->s, etw_s_make(lap, ETW_SLOT_FULL));
	if (!ring->buffers) {
		ring->head = n;
		ring->fill = n + 1;
	}
	ring->tail = n;
	ring->buffers++;
}

/**
 * etw_ring_destroy() - free a ring's memory
 * @ring: a ring that is not used any more
 */
void etw_ring_destroy(struct etw_ring *ring)
{
	free_slots(ring->slots, ring->nr_slots);
	ring->nr_slots = 0;
	ring->buffers = 0;
	ring->slots = NULL;
	etw_ring_idle(ring);
}
