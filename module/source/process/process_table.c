// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A table of image names by process id, read and written by probes. */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "process_table.h"

/*
 * A process gives up its executable before the tracepoints of exec and exit fire. But a
 * Stop record with a wrong or empty name overwrites the consumer's name (kernel-events.rst
 * 13.2). So names are kept here: from fork, exec and rundown until the slot is needed
 * after the exit.
 *
 * There is a slot for every process: the first table is sized for the existing processes.
 * When a quarter of it is in use, a larger table is put in front of it. Names don't move:
 * a process keeps its slot, and a lookup searches all tables, from the newest to the
 * oldest. Only without memory, or if processes come faster than the table grows, a record
 * has comm instead of the image name.
 *
 * A name is within WINDOW slots from its hash. A slot belongs to a process, and only the
 * process writes the slot's name: by fork before it runs, by exec and exit when it has
 * one thread left. Exceptions are a rundown and an exec that began before the probes:
 * they add missing names, one at a time under learn_lock. That may race with a fork and
 * leave two slots with the same content; either is correct. Other processes take a slot by
 * cmpxchg of its owner, and only if the slot is free or its process has ended.
 */
#define LEAST_BITS	12U
#define MOST_BITS	22U	/* PID_MAX_LIMIT of them */
#define WINDOW		16U
#define CROWDED		(WINDOW / 2)
#define OWNER_NONE	0U		/* id of Idle, which is never looked up */
#define OWNER_BUSY	0xFFFFFFFFU
/* thread count of a process that began before the table: below 0 in any case */
#define THREADS_UNKNOWN	(INT_MIN / 2)

/**
 * struct image_slot - image name of a process
 * @owner: process id, OWNER_NONE, or OWNER_BUSY while the owner changes
 * @threads: threads that began, without those with a recorded end
 * @ended: FILETIME when the process ended; 0 while it lives
 * @execs: self_exec_id of this name; the task's own may already be that of an exec in
 *	progress which is not recorded yet
 * @name: image name; the last byte is always NUL
 */
struct image_slot {
	u32 owner;
	atomic_t threads;
	u64 ended;
	u32 execs;
	char name[ETW_IMAGE_NAME];
};

/**
 * struct image_table - table of slots
 * @older: the next smaller table, which keeps its names; or NULL
 * @bits: log2 of the number of slots
 * @crowded: a larger table was requested
 * @slots: slots
 */
struct image_table {
	struct image_table *older;
	u32 bits;
	bool crowded;
	struct image_slot slots[];
};

/*
 * The newest table. Set while the process source has listeners. A rundown may run without
 * it, if the session's filter excludes the source or an UPDATE removes it.
 */
static struct image_table __rcu *images;
static DEFINE_MUTEX(images_lock);	/* changes of images */
static DEFINE_RAW_SPINLOCK(learn_lock);	/* adding missing names; never in an interrupt */
static atomic_t nr_living;		/* slots of processes that have not ended */

static void grow(struct work_struct *work);
static DECLARE_WORK(grow_work, grow);

/* The newest table or NULL: for probes, which end before the tables, or under rcu_read_lock */
static struct image_table *newest(void)
{
	return rcu_dereference_raw(images);
}

static struct image_slot *slot_at(struct image_table *table, u32 process_id, u32 i)
{
	return &table->slots[(hash_32(process_id, table->bits) + i) & (BIT(table->bits) - 1)];
}

static struct image_slot *find(u32 process_id)
{
	struct image_table *table;
	u32 i;

	for (table = newest(); table; table = table->older) {
		for (i = 0; i < WINDOW; i++) {
			struct image_slot *slot = slot_at(table, process_id, i);

			/* pairs with the release in hand_over() */
			if (smp_load_acquire(&slot->owner) == process_id)
				return slot;
		}
	}
	return NULL;
}

static void write_name(struct image_slot *slot, const char *name)
{
	u32 length = strnlen(name, ETW_IMAGE_NAME - 1);

	/* racing readers may read a mixed name, but always with a NUL */
	data_race(memcpy(slot->name, name, length));
	/* as above */
	data_race(memset(slot->name + length, 0, ETW_IMAGE_NAME - length));
}

/**
 * struct new_image - new content of a slot
 * @name: base name
 * @execs: see struct image_slot
 * @threads: see struct image_slot
 */
struct new_image {
	const char *name;
	u32 execs;
	int threads;
};

static void hand_over(struct image_slot *slot, u32 process_id, const struct new_image *image)
{
	write_name(slot, image->name);
	/* pairs with the acquire in etw_process_table_recorded() */
	smp_store_release(&slot->execs, image->execs);
	atomic_set(&slot->threads, image->threads);
	WRITE_ONCE(slot->ended, 0);
	/* a reader that sees the owner also sees the name */
	smp_store_release(&slot->owner, process_id);
}

static bool claim(struct image_slot *slot)
{
	u32 owner = READ_ONCE(slot->owner);

	if (owner == OWNER_BUSY || (owner != OWNER_NONE && !READ_ONCE(slot->ended)))
		return false;
	if (cmpxchg(&slot->owner, owner, OWNER_BUSY) != owner)
		return false;
	atomic_inc(&nr_living);
	return true;
}

/* Whether a quarter of the table is in use, or used slots are clustered */
static bool is_crowded(const struct image_table *table, u32 passed)
{
	return passed >= CROWDED || atomic_read(&nr_living) > BIT(table->bits) / 4;
}

/*
 * Prefer free slots, because zombies still need the names of ended processes.
 * @living: out: slots of living processes that were passed, before a free one
 */
static struct image_slot *claim_in(struct image_table *table, u32 process_id, u32 *living)
{
	u32 i;

	*living = 0;
	for (i = 0; i < 2 * WINDOW; i++) {
		struct image_slot *slot = slot_at(table, process_id, i % WINDOW);

		if (i < WINDOW && READ_ONCE(slot->owner) != OWNER_NONE) {
			*living += !READ_ONCE(slot->ended);
			continue;
		}
		if (claim(slot))
			return slot;
	}
	return NULL;
}

static void insert(u32 process_id, const struct new_image *image)
{
	struct image_table *table = newest(), *older;
	struct image_slot *slot;
	u32 living, passed;

	if (!table)
		return;
	slot = claim_in(table, process_id, &living);
	for (older = table->older; !slot && older; older = older->older)
		slot = claim_in(older, process_id, &passed);
	if (slot)
		hand_over(slot, process_id, image);
	/* early, because more processes come until the larger table is ready */
	if (is_crowded(table, living) && !READ_ONCE(table->crowded)) {
		WRITE_ONCE(table->crowded, true);
		queue_work(etw_unbound_wq, &grow_work);
	}
}

/**
 * etw_process_table_change() - announce records of an old image's end and a new image
 * @process_id: process
 *
 * Until etw_process_table_set() a rundown must not record either image.
 * Context: as etw_process_table_set().
 */
void etw_process_table_change(u32 process_id)
{
	struct image_slot *slot = find(process_id);

	if (!slot)
		return;
	WRITE_ONCE(slot->execs, ETW_EXECS_CHANGING);
	/* a reader of a part of the new name sees this; pairs with etw_process_table_recorded() */
	smp_wmb();
}

/**
 * etw_process_table_set() - a process has a (new) image, and one thread
 * @process_id: process
 * @name: base name; cut to ETW_IMAGE_NAME - 1 bytes
 * @execs: its self_exec_id
 *
 * Context: any that can't nest in itself on a CPU; lock-free. Called by the
 * process itself, or by its parent before it runs.
 */
void etw_process_table_set(u32 process_id, const char *name, u32 execs)
{
	const struct new_image image = { .name = name, .execs = execs, .threads = 1 };
	struct image_slot *slot = find(process_id);

	/* the slot of an ended process with the same id must be claimed: others may take it, too */
	if (slot && (!READ_ONCE(slot->ended) || claim(slot)))
		hand_over(slot, process_id, &image);
	else
		insert(process_id, &image);
}

/**
 * etw_process_table_learn() - add a process's image if it isn't in the table
 * @process_id: process
 * @name: base name; cut to ETW_IMAGE_NAME - 1 bytes
 * @execs: its self_exec_id
 *
 * Context: as etw_process_table_set(), but for any process. If the image is missing, takes a
 * raw spinlock, which is never held for longer than it takes to write a name.
 */
void etw_process_table_learn(u32 process_id, const char *name, u32 execs)
{
	const struct new_image image = { .name = name, .execs = execs,
					 .threads = THREADS_UNKNOWN };

	rcu_read_lock();
	if (!find(process_id)) {
		/* otherwise a concurrent exec and rundown could each add and use its own name */
		raw_spin_lock(&learn_lock);
		if (!find(process_id))
			insert(process_id, &image);
		raw_spin_unlock(&learn_lock);
	}
	rcu_read_unlock();
}

/**
 * etw_process_table_recorded() - image of a process as it was recorded last
 * @process_id: process
 * @name: out: image name
 * @execs: out, if known: self_exec_id of the image; or ETW_EXECS_CHANGING
 *
 * Context: any; lock-free.
 * Return: whether the image is known.
 */
bool etw_process_table_recorded(u32 process_id, char name[ETW_IMAGE_NAME], u32 *execs)
{
	struct image_slot *slot;
	bool known = false;

	rcu_read_lock();
	slot = find(process_id);
	if (slot) {
		/* with this value of execs, read its name or a later one */
		u32 seen = smp_load_acquire(&slot->execs);

		/* owner and execs are checked again below */
		data_race(memcpy(name, slot->name, ETW_IMAGE_NAME));
		/*
		 * The slot of an ended process may have another owner meanwhile. An exec sets
		 * execs to ETW_EXECS_CHANGING before it changes the name.
		 */
		smp_rmb();
		known = READ_ONCE(slot->owner) == process_id &&
			READ_ONCE(slot->execs) == seen && name[0];
		/* else the value may be that of another process */
		if (known)
			*execs = seen;
	}
	rcu_read_unlock();
	return known;
}

/**
 * etw_process_table_get() - look an image name up
 * @process_id: process
 * @name: out
 *
 * Context: any; lock-free.
 * Return: whether the name is known.
 */
bool etw_process_table_get(u32 process_id, char name[ETW_IMAGE_NAME])
{
	u32 execs;

	return etw_process_table_recorded(process_id, name, &execs);
}

/**
 * etw_process_table_thread_start() - count a new thread of a process
 * @process_id: process
 *
 * Context: any; lock-free; before the thread runs.
 */
void etw_process_table_thread_start(u32 process_id)
{
	struct image_slot *slot = find(process_id);

	if (slot)
		atomic_inc(&slot->threads);
}

/**
 * etw_process_table_thread_end() - count a thread as ended, after its end is recorded
 * @process_id: process
 * @live: number of its living threads, without this one
 *
 * Threads that end together may all read @live as 0 before the last end is recorded, so
 * the slot counts recorded ends. There is no count if the process has no slot or began
 * before the table.
 *
 * Decrement the count, then read @live: the thread that reaches 0 runs after all others have
 * left @live. In the other order it could read @live before the other thread leaves it. That
 * thread then decrements the count first, and neither thread would be the last.
 *
 * Context: any; lock-free.
 * Return: whether this was the last thread, as far as is known.
 */
bool etw_process_table_thread_end(u32 process_id, const atomic_t *live)
{
	struct image_slot *slot = find(process_id);

	/* fully ordered: every earlier Thread Stop is before a Process Stop */
	return (!slot || atomic_dec_return(&slot->threads) <= 0) && !atomic_read(live);
}

/**
 * etw_process_table_end() - mark a process as ended
 * @process_id: process
 * @filetime: now; not 0
 *
 * Two threads may both find that no other thread lives: only one of them gets true.
 * (Both get true if the process has no slot and can't get one now.)
 *
 * Context: any; lock-free.
 * Return: true for the first caller.
 */
bool etw_process_table_end(u32 process_id, u64 filetime)
{
	struct image_slot *slot = find(process_id);

	if (!slot) {
		insert(process_id, &(struct new_image){ .name = "", .threads = THREADS_UNKNOWN });
		slot = find(process_id);
	}
	if (slot && cmpxchg64(&slot->ended, 0, filetime))
		return false;
	if (slot)
		atomic_dec(&nr_living);
	return true;
}

/**
 * etw_process_table_ended() - when a process ended
 * @process_id: process
 *
 * Context: any; lock-free.
 * Return: FILETIME; 0 when unknown.
 */
u64 etw_process_table_ended(u32 process_id)
{
	struct image_slot *slot;
	u64 ended;

	rcu_read_lock();
	slot = find(process_id);
	ended = slot ? READ_ONCE(slot->ended) : 0;
	rcu_read_unlock();
	return ended;
}

static struct image_table *new_table(u32 bits, struct image_table *older)
{
	struct image_table *table;

	table = kvzalloc(struct_size(table, slots, BIT(bits)),
			 GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
	if (!table)
		return NULL;
	table->bits = bits;
	table->older = older;
	return table;
}

/*
 * The table needs little memory compared to the processes themselves. Without memory, the
 * next process requests a larger table again.
 */
static void grow(struct work_struct *work)
{
	struct image_table *table, *larger;

	mutex_lock(&images_lock);
	table = rcu_dereference_protected(images, lockdep_is_held(&images_lock));
	if (table && READ_ONCE(table->crowded) && table->bits < MOST_BITS) {
		larger = new_table(table->bits + 1, table);
		if (larger)
			rcu_assign_pointer(images, larger);
		else
			WRITE_ONCE(table->crowded, false);
	}
	mutex_unlock(&images_lock);
}

static u32 count_processes(void)
{
	struct task_struct *process;
	u32 count = 0;

	rcu_read_lock();
	for_each_process(process)
		count++;
	rcu_read_unlock();
	return count;
}

/**
 * etw_process_table_prepare() - make the table, before the first probe
 *
 * Context: process; sleeps.
 * Return: 0 or -ENOMEM.
 */
int etw_process_table_prepare(void)
{
	u32 bits = clamp_t(u32, order_base_2(8 * count_processes()), LEAST_BITS, MOST_BITS);
	struct image_table *table = new_table(bits, NULL);

	mutex_lock(&images_lock);
	atomic_set(&nr_living, 0);
	rcu_assign_pointer(images, table);
	mutex_unlock(&images_lock);
	return table ? 0 : -ENOMEM;
}

/**
 * etw_process_table_unprepare() - free the tables, after the last probe
 *
 * Context: process; sleeps until no rundown looks into them.
 */
void etw_process_table_unprepare(void)
{
	struct image_table *table, *older;

	mutex_lock(&images_lock);
	table = rcu_replace_pointer(images, NULL, lockdep_is_held(&images_lock));
	mutex_unlock(&images_lock);
	synchronize_rcu();
	/* no probe can queue the work now; if it runs already, it finds no table to grow */
	cancel_work_sync(&grow_work);
	for (; table; table = older) {
		older = table->older;
		kvfree(table);
	}
}
