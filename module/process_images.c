// SPDX-License-Identifier: GPL-2.0
/* A table of image names by process id that probes may read and write. */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include "process_images.h"

/*
 * A process gives up its executable before the tracepoints of exec and exit
 * fire, but a Stop record with a wrong or empty name spoils the one that a
 * consumer has (kernel-events.md 13.2). So names are kept here: from fork,
 * exec and rundown until the slot is needed after the exit. The table is of a
 * fixed size: where it is full, comm must do.
 *
 * A name lives within WINDOW slots from where its hash points. A slot belongs
 * to a process: only it writes its name (fork before it runs, exec and exit
 * when it has one thread left), except for the rundown, which only adds names
 * that are missing. That may race with an exec and leave two; lookup takes
 * either. Other processes take a slot by cmpxchg of its owner, and only a
 * free one or one whose process has ended.
 */
#define SLOT_BITS	12
#define SLOTS		BIT(SLOT_BITS)
#define WINDOW		16U
#define OWNER_NONE	0U		/* nobody asks for Idle's name */
#define OWNER_BUSY	0xFFFFFFFFU
/* threads of a process that began before the table: never counted down to 0 */
#define THREADS_UNKNOWN	(INT_MIN / 2)

/**
 * struct image_slot - a name
 * @owner: process id, OWNER_NONE, or OWNER_BUSY while it changes hands
 * @threads: threads that began and whose end was not told yet
 * @ended: FILETIME when it ended; 0 while it lives
 * @name: always with a NUL in its last byte
 */
struct image_slot {
	u32 owner;
	atomic_t threads;
	u64 ended;
	char name[ETW_IMAGE_NAME];
};

/*
 * Set while the process source has listeners. A rundown may go on without: for a
 * session whose filter leaves processes out, or when UPDATE takes the source away.
 */
static struct image_slot __rcu *images;

/* Of probes, which end before the table, or under rcu_read_lock; or NULL */
static struct image_slot *table(void)
{
	return rcu_dereference_raw(images);
}

static struct image_slot *slot_at(struct image_slot *slots, u32 process_id, u32 i)
{
	return &slots[(hash_32(process_id, SLOT_BITS) + i) % SLOTS];
}

static struct image_slot *find(u32 process_id)
{
	struct image_slot *slots = table();
	u32 i;

	for (i = 0; slots && i < WINDOW; i++) {
		struct image_slot *slot = slot_at(slots, process_id, i);

		/* pairs with the release in hand_over() */
		if (smp_load_acquire(&slot->owner) == process_id)
			return slot;
	}
	return NULL;
}

static void write_name(struct image_slot *slot, const char *name)
{
	u32 length = strnlen(name, ETW_IMAGE_NAME - 1);

	/* racing readers get a mixed name, but one that ends */
	data_race(memcpy(slot->name, name, length));
	/* likewise */
	data_race(memset(slot->name + length, 0, ETW_IMAGE_NAME - length));
}

static void hand_over(struct image_slot *slot, u32 process_id, const char *name, int threads)
{
	write_name(slot, name);
	atomic_set(&slot->threads, threads);
	WRITE_ONCE(slot->ended, 0);
	/* who finds the owner finds the name */
	smp_store_release(&slot->owner, process_id);
}

static bool claim(struct image_slot *slot)
{
	u32 owner = READ_ONCE(slot->owner);

	if (owner == OWNER_BUSY || (owner != OWNER_NONE && !READ_ONCE(slot->ended)))
		return false;
	return cmpxchg(&slot->owner, owner, OWNER_BUSY) == owner;
}

/* Free slots first: the names of ended processes are of use for zombies. */
static void insert(u32 process_id, const char *name, int threads)
{
	struct image_slot *slots = table();
	u32 i;

	for (i = 0; slots && i < 2 * WINDOW; i++) {
		struct image_slot *slot = slot_at(slots, process_id, i % WINDOW);

		if (i < WINDOW && READ_ONCE(slot->owner) != OWNER_NONE)
			continue;
		if (claim(slot)) {
			hand_over(slot, process_id, name, threads);
			return;
		}
	}
}

/**
 * etw_image_set() - a process has a (new) image, and one thread
 * @process_id: process
 * @name: base name; cut to ETW_IMAGE_NAME - 1 bytes
 *
 * Context: any that may not be nested in itself on a CPU; lock-free. For the
 * process itself, or its parent before it runs.
 */
void etw_image_set(u32 process_id, const char *name)
{
	struct image_slot *slot = find(process_id);

	/* one that ended had the same id; others may take its slot as well */
	if (slot && (!READ_ONCE(slot->ended) || claim(slot)))
		hand_over(slot, process_id, name, 1);
	else
		insert(process_id, name, 1);
}

/**
 * etw_image_learn() - a process's image, where it isn't known yet
 * @process_id: process
 * @name: base name; cut to ETW_IMAGE_NAME - 1 bytes
 *
 * Context: as etw_image_set(), for any process.
 */
void etw_image_learn(u32 process_id, const char *name)
{
	rcu_read_lock();
	if (!find(process_id))
		insert(process_id, name, THREADS_UNKNOWN);
	rcu_read_unlock();
}

/**
 * etw_image_get() - look a name up
 * @process_id: process
 * @name: out
 *
 * Context: any; lock-free.
 * Return: whether it is known.
 */
bool etw_image_get(u32 process_id, char name[ETW_IMAGE_NAME])
{
	struct image_slot *slot;
	bool known = false;

	rcu_read_lock();
	slot = find(process_id);
	if (slot) {
		/* the owner is looked at again below */
		data_race(memcpy(name, slot->name, ETW_IMAGE_NAME));
		/* the slot of a process that ended may be somebody else's meanwhile */
		smp_rmb();
		known = READ_ONCE(slot->owner) == process_id && name[0];
	}
	rcu_read_unlock();
	return known;
}

/**
 * etw_image_thread_start() - a process has one more thread
 * @process_id: process
 *
 * Context: any; lock-free; before the thread runs.
 */
void etw_image_thread_start(u32 process_id)
{
	struct image_slot *slot = find(process_id);

	if (slot)
		atomic_inc(&slot->threads);
}

/**
 * etw_image_thread_end() - a thread's end was told
 * @process_id: process
 * @dead: no thread of the process is alive any more
 *
 * Threads that end together may all see that none is alive before the last of
 * them told its end: the count knows. I/O workers of the kernel end here
 * without having begun here, so the count alone does not tell.
 *
 * Context: any; lock-free.
 * Return: whether this was the last one, as far as is known.
 */
bool etw_image_thread_end(u32 process_id, bool dead)
{
	struct image_slot *slot = find(process_id);

	/* fully ordered: every earlier Thread Stop is before a Process Stop */
	return (!slot || atomic_dec_return(&slot->threads) <= 0) && dead;
}

/**
 * etw_image_end() - a process's last thread ends
 * @process_id: process
 * @filetime: now; not 0
 *
 * Two threads may both see that no other one lives: one of them is told so.
 * (When a process was never in the table nor finds a place now, both are.)
 *
 * Context: any; lock-free.
 * Return: true for the first caller.
 */
bool etw_image_end(u32 process_id, u64 filetime)
{
	struct image_slot *slot = find(process_id);

	if (!slot) {
		insert(process_id, "", THREADS_UNKNOWN);
		slot = find(process_id);
	}
	return !slot || !cmpxchg64(&slot->ended, 0, filetime);
}

/**
 * etw_image_ended() - when a process ended
 * @process_id: process
 *
 * Context: any; lock-free.
 * Return: FILETIME; 0 when unknown.
 */
u64 etw_image_ended(u32 process_id)
{
	struct image_slot *slot;
	u64 ended;

	rcu_read_lock();
	slot = find(process_id);
	ended = slot ? READ_ONCE(slot->ended) : 0;
	rcu_read_unlock();
	return ended;
}

/**
 * etw_images_prepare() - make the table, before the first probe
 *
 * Context: process; sleeps.
 * Return: 0 or -ENOMEM.
 */
int etw_images_prepare(void)
{
	struct image_slot *slots = kvcalloc(SLOTS, sizeof(*slots), GFP_KERNEL);

	BUILD_BUG_ON(sizeof(*slots) != 128);
	rcu_assign_pointer(images, slots);
	return slots ? 0 : -ENOMEM;
}

/**
 * etw_images_unprepare() - free the table, after the last probe
 *
 * Context: process; sleeps until no rundown looks into it.
 */
void etw_images_unprepare(void)
{
	struct image_slot *slots = table();

	RCU_INIT_POINTER(images, NULL);
	synchronize_rcu();
	kvfree(slots);
}
