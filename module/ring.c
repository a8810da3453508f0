// SPDX-License-Identifier: GPL-2.0
/* The memory of a ring: it comes with the CPU and goes with the session. */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "slot.h"

/* A ring without memory: W is sealed for ever, so every writer comes here. */
static struct etw_slot etw_no_slot = { .w = ETW_W_SEALED };

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
