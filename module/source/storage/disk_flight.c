// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Outstanding I/O: two lock-free tables of fixed size, by address. */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include "disk_flight.h"

/*
 * A bio has one owner, and so has a request. So no two CPUs add, find or remove the same
 * one at once. Neighbouring slots are used in any context: a slot is claimed by cmpxchg
 * of its key, filled, and then published with its real key.
 *
 * A bio merged into another request is never looked up again, so the oldest bio of a full
 * window is replaced. A request always completes, so if a window is full of requests,
 * further ones are counted but not followed.
 */
#define SLOT_BITS	12
#define SLOTS		BIT(SLOT_BITS)
#define WINDOW		16U
#define KEY_BUSY	1UL

struct asker_slot {
	unsigned long key;
	struct etw_disk_asker asker;
};

struct io_slot {
	unsigned long key;
	struct etw_disk_io io;
};

/**
 * struct flight - outstanding I/O
 * @askers: by bio
 * @ios: by request
 */
struct flight {
	struct asker_slot askers[SLOTS];
	struct io_slot ios[SLOTS];
};

/* Valid from before the first probe until after the last one */
static struct flight *flight;

/* Requests that found no slot, since load */
static atomic64_t unfollowed;

static u32 index_of(const void *key, u32 i)
{
	return (hash_ptr(key, SLOT_BITS) + i) % SLOTS;
}

static struct asker_slot *find_asker(const void *bio)
{
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		struct asker_slot *slot = &flight->askers[index_of(bio, i)];

		/* pairs with the release in etw_disk_asked() */
		if (smp_load_acquire(&slot->key) == (unsigned long)bio)
			return slot;
	}
	return NULL;
}

/* A free slot, or else the oldest: Irps count up */
static struct asker_slot *claim_asker(const void *bio)
{
	struct asker_slot *oldest = NULL;
	unsigned long held = 0;
	u64 irp = U64_MAX;
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		struct asker_slot *slot = &flight->askers[index_of(bio, i)];
		unsigned long key = READ_ONCE(slot->key);
		u64 age = READ_ONCE(slot->asker.irp);

		if (key == KEY_BUSY || (key && age >= irp))
			continue;
		oldest = slot;
		held = key;
		irp = age;
		if (!key)
			break;
	}
	return oldest && cmpxchg(&oldest->key, held, KEY_BUSY) == held ? oldest : NULL;
}

/**
 * etw_disk_asked() - note the requester of an I/O
 * @bio: the I/O
 * @asker: requesting thread
 *
 * Context: any but NMI; lock-free. Without a free slot the requester stays unknown.
 */
void etw_disk_asked(const void *bio, const struct etw_disk_asker *asker)
{
	struct asker_slot *slot = find_asker(bio);

	/* an earlier bio that was merged away had the same address */
	if (slot && cmpxchg(&slot->key, (unsigned long)bio, KEY_BUSY) != (unsigned long)bio)
		slot = NULL;
	if (!slot)
		slot = claim_asker(bio);
	if (!slot)
		return;
	slot->asker.thread_id = asker->thread_id;
	slot->asker.process_id = asker->process_id;
	WRITE_ONCE(slot->asker.irp, asker->irp);
	/* a CPU that reads the key also reads the rest */
	smp_store_release(&slot->key, (unsigned long)bio);
}

/**
 * etw_disk_asker_take() - find the requester of an I/O and forget it
 * @bio: the I/O
 * @asker: out
 *
 * Context: any but NMI; lock-free. Return: whether it is known.
 */
bool etw_disk_asker_take(const void *bio, struct etw_disk_asker *asker)
{
	struct asker_slot *slot = bio ? find_asker(bio) : NULL;

	/* another bio may replace it at this moment */
	if (!slot || cmpxchg(&slot->key, (unsigned long)bio, KEY_BUSY) != (unsigned long)bio)
		return false;
	*asker = slot->asker;
	/* only after the slot was read */
	smp_store_release(&slot->key, 0);
	return true;
}

static struct io_slot *find_io(const void *request)
{
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		struct io_slot *slot = &flight->ios[index_of(request, i)];

		/* pairs with the release in etw_disk_issued() */
		if (smp_load_acquire(&slot->key) == (unsigned long)request)
			return slot;
	}
	return NULL;
}

static struct io_slot *claim_io(const void *request)
{
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		struct io_slot *slot = &flight->ios[index_of(request, i)];

		if (!READ_ONCE(slot->key) && !cmpxchg(&slot->key, 0, KEY_BUSY))
			return slot;
	}
	return NULL;
}

/**
 * etw_disk_issued() - note a request that a disk gets
 * @request: the request
 * @io: its values
 *
 * A request that is issued again, because the disk was busy, keeps its requester.
 * Context: any but NMI; lock-free.
 */
void etw_disk_issued(const void *request, const struct etw_disk_io *io)
{
	struct etw_disk_asker asker = io->asker;
	struct io_slot *slot = find_io(request);

	if (slot && !asker.irp)
		asker = slot->io.asker;
	if (!slot)
		slot = claim_io(request);
	if (!slot) {
		atomic64_inc(&unfollowed);
		return;
	}
	slot->io = *io;
	slot->io.asker = asker;
	/* a CPU that reads the key also reads the rest */
	smp_store_release(&slot->key, (unsigned long)request);
}

/**
 * etw_disk_completed() - find a completed request and forget it
 * @request: the request
 * @io: out: its values
 *
 * Context: any but NMI; lock-free. Return: whether it was followed.
 */
bool etw_disk_completed(const void *request, struct etw_disk_io *io)
{
	struct io_slot *slot = find_io(request);

	if (!slot)
		return false;
	*io = slot->io;
	/* only after the slot was read */
	smp_store_release(&slot->key, 0);
	return true;
}

/**
 * etw_disk_unfollowed() - requests without a completion event, since load
 *
 * Context: any. Return: how many found no slot.
 */
u64 etw_disk_unfollowed(void)
{
	return atomic64_read(&unfollowed);
}

/**
 * etw_disk_flight_prepare() - make the tables, before the first probe
 *
 * Context: process; sleeps. Return: 0 or -ENOMEM.
 */
int etw_disk_flight_prepare(void)
{
	flight = kvzalloc(sizeof(*flight), GFP_KERNEL);
	return flight ? 0 : -ENOMEM;
}

/**
 * etw_disk_flight_unprepare() - free the tables, after the last probe
 *
 * Context: process; sleeps.
 */
void etw_disk_flight_unprepare(void)
{
	kvfree(flight);
	flight = NULL;
}
