// SPDX-License-Identifier: GPL-2.0
/* A table of image names by process id that probes may read and write. */
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
 * A process gives up its executable before the tracepoints of exec and exit
 * fire, but a Stop record with a wrong or empty name spoils the one that a
 * consumer has (kernel-events.rst 13.2). So names are kept here: from fork,
 * exec and rundown until the slot is needed after the exit.
 *
 * There is a slot for every process: the first table is made for those that there
 * are, and where a quarter of it is in use a larger one is put in front of it. No
 * name moves: whoever holds a slot keeps it, and all tables are looked through,
 * from the newest to the oldest. Only where memory is short, or where processes
 * come faster than the table, comm must do.
 *
 * A name lives within WINDOW slots from where its hash points. A slot belongs
 * to a process: only it writes its name (fork before it runs, exec and exit
 * when it has one thread left), except for the rundown, which only adds names
 * that are missing, as an exec does that no probe saw begin: one after the other. That
 * may race with a fork and leave two of the same content; lookup takes either. Other
 * processes take a slot by cmpxchg of its owner, and only a free one or one whose process
 * has ended.
 */
#define LEAST_BITS	12U
#define MOST_BITS	22U	/* PID_MAX_LIMIT of them */
#define WINDOW		16U
#define CROWDED		(WINDOW / 2)
#define OWNER_NONE	0U		/* nobody asks for Idle's name */
#define OWNER_BUSY	0xFFFFFFFFU
/* threads of a process that began before the table: never counted down to 0 */
#define THREADS_UNKNOWN	(INT_MIN / 2)

/**
 * struct image_slot - a name
 * @owner: process id, OWNER_NONE, or OWNER_BUSY while it changes hands
 * @threads: threads that began and whose end was not told yet
 * @ended: FILETIME when it ended; 0 while it lives
 * @execs: self_exec_id with this name: an exec under way, not told yet, counts already there
 * @name: always with a NUL in its last byte
 */
struct image_slot {
	u32 owner;
	atomic_t threads;
	u64 ended;
	u32 execs;
	char name[ETW_IMAGE_NAME];
};

/**
 * struct image_table - slots
 * @older: the next smaller table, which stays as it is; or NULL
 * @bits: log2 of how many slots
 * @crowded: a larger one was asked for
 * @slots: those
 */
struct image_table {
	struct image_table *older;
	u32 bits;
	bool crowded;
	struct image_slot slots[];
};

/*
 * The newest. Set while the process source has listeners. A rundown may go on
 * without: for a session whose filter leaves processes out, or when UPDATE takes the
 * source away.
 */
static struct image_table __rcu *images;
static DEFINE_MUTEX(images_lock);	/* who changes it */
static DEFINE_RAW_SPINLOCK(learn_lock);	/* who adds what is missing; never within an interrupt */
static atomic_t nr_living;		/* slots of processes that have not ended */

static void grow(struct work_struct *work);
static DECLARE_WORK(grow_work, grow);

/* Of probes, which end before the tables, or under rcu_read_lock; or NULL */
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

	/* racing readers get a mixed name, but one that ends */
	data_race(memcpy(slot->name, name, length));
	/* likewise */
	data_race(memset(slot->name + length, 0, ETW_IMAGE_NAME - length));
}

/**
 * struct new_image - what a slot is to say
 * @name: base name
 * @execs: see struct image_slot
 * @threads: likewise
 */
struct new_image {
	const char *name;
	u32 execs;
	int threads;
};

static void hand_over(struct image_slot *slot, u32 process_id, const struct new_image *image)
{
	write_name(slot, image->name);
	/* pairs with the acquire in etw_process_table_told() */
	smp_store_release(&slot->execs, image->execs);
	atomic_set(&slot->threads, image->threads);
	WRITE_ONCE(slot->ended, 0);
	/* who finds the owner finds the name */
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

/* A quarter is in use, or slots in use stand close */
static bool is_crowded(const struct image_table *table, u32 passed)
{
	return passed >= CROWDED || atomic_read(&nr_living) > BIT(table->bits) / 4;
}

/*
 * Free slots first: the names of ended processes are of use for zombies.
 * @living: out: slots in use that were passed, before a free one
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
	/* early: until there is a larger one, others go on coming */
	if (is_crowded(table, living) && !READ_ONCE(table->crowded)) {
		WRITE_ONCE(table->crowded, true);
		queue_work(etw_unbound_wq, &grow_work);
	}
}

/**
 * etw_process_table_change() - the end of its image, and its new one, are going to be told
 * @process_id: process
 *
 * Until etw_process_table_set() no rundown may tell of either.
 * Context: see there.
 */
void etw_process_table_change(u32 process_id)
{
	struct image_slot *slot = find(process_id);

	if (!slot)
		return;
	WRITE_ONCE(slot->execs, ETW_EXECS_CHANGING);
	/* who finds a part of the new name finds this; pairs with etw_process_table_told() */
	smp_wmb();
}

/**
 * etw_process_table_set() - a process has a (new) image, and one thread
 * @process_id: process
 * @name: base name; cut to ETW_IMAGE_NAME - 1 bytes
 * @execs: its self_exec_id
 *
 * Context: any that may not be nested in itself on a CPU; lock-free. For the
 * process itself, or its parent before it runs.
 */
void etw_process_table_set(u32 process_id, const char *name, u32 execs)
{
	const struct new_image image = { .name = name, .execs = execs, .threads = 1 };
	struct image_slot *slot = find(process_id);

	/* one that ended had the same id; others may take its slot as well */
	if (slot && (!READ_ONCE(slot->ended) || claim(slot)))
		hand_over(slot, process_id, &image);
	else
		insert(process_id, &image);
}

/**
 * etw_process_table_learn() - a process's image, where it isn't known yet
 * @process_id: process
 * @name: base name; cut to ETW_IMAGE_NAME - 1 bytes
 * @execs: its self_exec_id
 *
 * Context: as etw_process_table_set(), for any process; takes a raw spinlock where it isn't
 * known, which nobody holds for longer than a name takes to write.
 */
void etw_process_table_learn(u32 process_id, const char *name, u32 execs)
{
	const struct new_image image = { .name = name, .execs = execs,
					 .threads = THREADS_UNKNOWN };

	rcu_read_lock();
	if (!find(process_id)) {
		/* an exec and a rundown at once would leave two, by which each then goes */
		raw_spin_lock(&learn_lock);
		if (!find(process_id))
			insert(process_id, &image);
		raw_spin_unlock(&learn_lock);
	}
	rcu_read_unlock();
}

/**
 * etw_process_table_told() - what was told of a process last
 * @process_id: process
 * @name: out: of its image
 * @execs: out, where it is known: its self_exec_id then; or ETW_EXECS_CHANGING
 *
 * Context: any; lock-free.
 * Return: whether it is known.
 */
bool etw_process_table_told(u32 process_id, char name[ETW_IMAGE_NAME], u32 *execs)
{
	struct image_slot *slot;
	bool known = false;

	rcu_read_lock();
	slot = find(process_id);
	if (slot) {
		/* who finds these finds their name */
		u32 seen = smp_load_acquire(&slot->execs);

		/* whose it is, and of which image, is looked at again below */
		data_race(memcpy(name, slot->name, ETW_IMAGE_NAME));
		/*
		 * The slot of a process that ended may be somebody else's meanwhile, and one
		 * that execs had CHANGING there before its name changed.
		 */
		smp_rmb();
		known = READ_ONCE(slot->owner) == process_id &&
			READ_ONCE(slot->execs) == seen && name[0];
		/* else it may be another process's */
		if (known)
			*execs = seen;
	}
	rcu_read_unlock();
	return known;
}

/**
 * etw_process_table_get() - look a name up
 * @process_id: process
 * @name: out
 *
 * Context: any; lock-free.
 * Return: whether it is known.
 */
bool etw_process_table_get(u32 process_id, char name[ETW_IMAGE_NAME])
{
	u32 execs;

	return etw_process_table_told(process_id, name, &execs);
}

/**
 * etw_process_table_thread_start() - a process has one more thread
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
 * etw_process_table_thread_end() - a thread's end was told
 * @process_id: process
 * @live: its threads that are alive; this one isn't
 *
 * Threads that end together may all see that none is alive before the last of
 * them told its end: the count knows. Of one that found no slot, or began before the
 * table, there is no count.
 *
 * Counted first, looked at then: who counts down to 0 comes after all others have
 * left @live. The other way round it could have looked before the one that was
 * alive left and counted, and nobody were the last.
 *
 * Context: any; lock-free.
 * Return: whether this was the last one, as far as is known.
 */
bool etw_process_table_thread_end(u32 process_id, const atomic_t *live)
{
	struct image_slot *slot = find(process_id);

	/* fully ordered: every earlier Thread Stop is before a Process Stop */
	return (!slot || atomic_dec_return(&slot->threads) <= 0) && !atomic_read(live);
}

/**
 * etw_process_table_end() - a process's last thread ends
 * @process_id: process
 * @filetime: now; not 0
 *
 * Two threads may both see that no other one lives: one of them is told so.
 * (When a process was never in the table nor finds a place now, both are.)
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
 * What it takes is little beside the processes themselves. Without memory the next
 * one asks again.
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
	/* nobody asks for more now; one that was asked for finds no table to grow */
	cancel_work_sync(&grow_work);
	for (; table; table = older) {
		older = table->older;
		kvfree(table);
	}
}
