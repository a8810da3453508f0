// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A bounded, lock-free table of file names for probes; also declared in file_key.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kref.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/siphash.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "ring/ring.h"
#include "file_name.h"
#include "file_levels.h"
#include "file_table.h"
#include "source/keyed_hash.h"
#include "source/source.h"

/*
 * Holding a file, an inode or a dentry would prevent unmounting. So the table holds a copy
 * of the path, made at first sight. A name is within a window of slots from where its tag
 * points. When half of the newest level is in use, a level of four times its size is added.
 * Names don't move: a lookup searches all levels. The bound of all levels is a part of the
 * machine's memory.
 *
 * If there is no free slot, a name that was not used since the last replacement in these
 * windows gives way, the oldest one first. The end rundown lacks such names; the log contains
 * their number. A ghost remains of a name that was recorded: its tag, and when it was recorded.
 * Sessions that have listened since then have the name, so it is not written to them again.
 *
 * The CPU that changed a slot's tag to ETW_TAG_BUSY by cmpxchg owns the slot. Readers copy a
 * slot, then check that tag and order have not changed.
 */
#define MEMORY_PART	64U	/* of the newest level; that of all levels is below half as many */
#define GHOST_BITS	3U	/* so many more ghosts than names of the newest level */
#define GHOSTS		8U	/* window of ghosts */
#define SEEN		32U	/* names that each CPU keeps at hand */

/**
 * struct seen - a name that the CPU's tasks have looked up
 * @id: id of the file
 * @tag: tag of the name, used
 * @place: its slot's tag; NULL: none
 *
 * Only tasks use it, with preemption off. As long as the slot has the tag, the name is there.
 */
struct seen {
	struct etw_file_id id;
	u64 tag;
	const u64 *place;
};

/**
 * struct etw_file_table - file names
 * @ref: references of users, and of rundowns that continue without users
 * @key: of tags
 * @order: sequence number of the last name
 * @replaced: number of names that were replaced
 * @crowded: a further level was requested
 * @most_bits: of the newest level on this machine
 * @levels: slots
 * @ghost: half of a tag, and below it the change; 0 if free
 * @seen: SEEN names that were looked up on each CPU
 */
struct etw_file_table {
	struct kref ref;
	siphash_key_t key;
	atomic64_t order;
	atomic64_t replaced;
	bool crowded;
	u32 most_bits;
	struct etw_file_levels levels;
	u64 *ghost;
	struct seen __percpu *seen;
};

/* etw_sources_lock protects both */
static struct etw_file_table __rcu *names;
static u32 users;

static DEFINE_MUTEX(grow_lock);	/* levels of names; names does not become NULL */
static void grow(struct work_struct *work);
static DECLARE_WORK(grow_work, grow);

static u64 tag_of(const struct etw_file_table *table, const struct etw_file_id *id)
{
	return (etw_keyed_hash_3(&table->key, id->inode, id->subvolume,
				 (u64)id->device << 32 | id->generation) |
		ETW_TAG_NAME) & ~ETW_TAG_USED;
}

static u64 ghost_of(u64 tag)
{
	return (tag & ~ETW_TAG_USED) << 32;
}

/* Returns the place of a tag's ghost, or NULL; @spare: out: a place for it */
static u64 *find_ghost(const struct etw_file_table *table, u64 tag, u64 **spare)
{
	u32 i;

	for (i = 0; i < GHOSTS; i++) {
		u64 *ghost = &table->ghost[etw_file_nth(tag, table->most_bits + GHOST_BITS, i)];

		if (READ_ONCE(*ghost) >> 32 == ghost_of(tag) >> 32)
			return ghost;
		if (!i || !READ_ONCE(*ghost))
			*spare = ghost;
	}
	return NULL;
}

/* Another CPU may write the same place: then one of the names is recorded again later. */
static void give_way(struct etw_file_table *table, const struct etw_file_place *place)
{
	const struct etw_file_slot *slot = etw_file_slot_of(place->level, place->n);
	u64 *spare, *ghost = find_ghost(table, place->tag, &spare);

	atomic64_inc(&table->replaced);
	if (slot->recorded)
		WRITE_ONCE(*(ghost ?: spare), ghost_of(place->tag) | slot->change);
}

static bool is_crowded(const struct etw_file_table *table, const struct etw_file_level *newest)
{
	return newest->bits < table->most_bits &&
	       atomic_read(&newest->names) >= BIT(newest->bits) / 2;
}

static void want_level(struct etw_file_table *table)
{
	if (READ_ONCE(table->crowded) ||
	    !is_crowded(table, etw_file_levels_newest(&table->levels)))
		return;
	WRITE_ONCE(table->crowded, true);
	queue_work(etw_unbound_wq, &grow_work);
}

/* A name that is used does not give way as long as others are not. */
static void mark_used(const struct etw_file_place *place)
{
	if (!(place->tag & ETW_TAG_USED))
		cmpxchg64(&place->level->tag[place->n], place->tag, place->tag | ETW_TAG_USED);
}

static struct seen *seen_of(const struct etw_file_table *table, const struct etw_file_id *id)
{
	return this_cpu_ptr(table->seen) + id->inode % SEEN;
}

/* Rundowns may be preempted, and interrupts may come at any moment: they keep nothing. */
static void keep_seen(const struct etw_file_table *table, const struct etw_file_id *id,
		      const struct etw_file_place *place)
{
	if (preemptible() || in_interrupt())
		return;
	*seen_of(table, id) = (struct seen){
		.id = *id, .tag = place->tag | ETW_TAG_USED,
		.place = &place->level->tag[place->n],
	};
}

/**
 * etw_file_table_has_seen() - whether a file's name is known, without a search
 * @id: id of the file
 *
 * Context: task; preemption off. Return: false also if the name may be known.
 */
bool etw_file_table_has_seen(const struct etw_file_id *id)
{
	const struct etw_file_table *table = rcu_dereference_sched(names);
	const struct seen *seen;

	if (!table)
		return false;
	seen = seen_of(table, id);
	return seen->id.inode == id->inode && seen->id.subvolume == id->subvolume &&
	       seen->id.device == id->device && seen->id.generation == id->generation &&
	       seen->place && READ_ONCE(*seen->place) == seen->tag;
}

static bool take_place(struct etw_file_table *table, u64 tag, struct etw_file_place *place)
{
	if (!etw_file_levels_find_free(&table->levels, tag, place) &&
	    !etw_file_levels_find_oldest(&table->levels, tag, place))
		return false;
	if (cmpxchg64(&place->level->tag[place->n], place->tag, ETW_TAG_BUSY) != place->tag)
		return false;
	if (place->tag == ETW_TAG_FREE)
		atomic_inc(&place->level->names);
	else
		give_way(table, place);
	want_level(table);
	return true;
}

/**
 * etw_file_table_claim() - claim a slot for the name of a file that is not known yet
 * @id: id of the file
 * @claim: out
 *
 * If another CPU takes the slot at this moment, the file stays unknown until it is seen
 * again. Two CPUs that first see a file at the same time may both enter it.
 *
 * Context: any; lock-free; under rcu_read_lock until it is published.
 * Return: whether there is one; then etw_file_table_publish() is due. False also
 * if the file's name gave way and every session that wants names has it.
 */
bool etw_file_table_claim(const struct etw_file_id *id, struct etw_file_claim *claim)
{
	struct etw_file_table *table = rcu_dereference_raw(names);
	u64 tag, *spare, *ghost, past = 0;
	struct etw_file_place place;

	if (!table)
		return false;
	tag = tag_of(table, id);
	if (etw_file_levels_find(&table->levels, tag, &place)) {
		mark_used(&place);
		keep_seen(table, id, &place);
		return false;
	}
	ghost = find_ghost(table, tag, &spare);
	if (ghost)
		past = READ_ONCE(*ghost);
	if (ghost && etw_file_name_is_recorded(past))
		return false;
	if (!take_place(table, tag, &place))
		return false;
	*claim = (struct etw_file_claim){
		.table = table, .tag = &place.level->tag[place.n],
		.slot = etw_file_slot_of(place.level, place.n), .id = *id,
		.name = etw_file_slot_of(place.level, place.n)->name,
		.recorded = ghost, .change = past,
	};
	return true;
}

/**
 * etw_file_table_publish() - make a claimed slot's name visible
 * @claim: claimed, @claim->name filled in
 * @length: bytes of the name
 *
 * The last user of names may have gone since the claim. Then no CPU finds the table, and
 * the caller's RCU read lock keeps its memory.
 */
void etw_file_table_publish(const struct etw_file_claim *claim, u32 length)
{
	struct etw_file_table *table = claim->table;
	struct etw_file_slot *slot = claim->slot;

	slot->id = claim->id;
	slot->length = length;
	slot->change = claim->change;
	slot->recorded = claim->recorded;
	WRITE_ONCE(slot->order, atomic64_inc_return(&table->order));
	/* a reader that sees the tag also sees the name; pairs with the acquire in _next() */
	smp_store_release(claim->tag, tag_of(table, &claim->id));
}

/**
 * etw_file_table_abandon() - release a claimed slot without a name
 * @claim: claimed
 */
void etw_file_table_abandon(const struct etw_file_claim *claim)
{
	/* only after the slot was read */
	smp_store_release(claim->tag, ETW_TAG_FREE);
}

/**
 * etw_file_table_remove() - claim the slot of a file that is gone
 * @id: id of the file
 * @claim: out: the slot with its name
 * @length: out: bytes of the name
 *
 * Context: as etw_file_table_claim().
 * Return: whether it was known; then etw_file_table_abandon() is due.
 */
bool etw_file_table_remove(const struct etw_file_id *id, struct etw_file_claim *claim, u32 *length)
{
	struct etw_file_table *table = rcu_dereference_raw(names);
	u64 tag, *spare, *ghost;
	struct etw_file_place place;

	if (!table)
		return false;
	tag = tag_of(table, id);
	/* some file systems give the same id to a later file */
	ghost = find_ghost(table, tag, &spare);
	if (ghost)
		WRITE_ONCE(*ghost, 0);
	do {
		if (!etw_file_levels_find(&table->levels, tag, &place))
			return false;
		/* another CPU may just have changed ETW_TAG_USED */
	} while (cmpxchg64(&place.level->tag[place.n], place.tag, ETW_TAG_BUSY) != place.tag);
	atomic_dec(&place.level->names);
	*claim = (struct etw_file_claim){
		.table = table, .tag = &place.level->tag[place.n],
		.slot = etw_file_slot_of(place.level, place.n), .id = *id,
		.name = etw_file_slot_of(place.level, place.n)->name,
	};
	*length = claim->slot->length;
	return true;
}

/**
 * etw_file_table_get() - get the table, for readers that sleep
 *
 * Context: any. Return: NULL while there are no users of names; else
 * etw_file_table_put() is due.
 */
struct etw_file_table *etw_file_table_get(void)
{
	struct etw_file_table *table;

	rcu_read_lock();
	table = rcu_dereference(names);
	if (table && !kref_get_unless_zero(&table->ref))
		table = NULL;
	rcu_read_unlock();
	return table;
}

static void free_table(struct etw_file_table *table)
{
	etw_file_levels_free(&table->levels);
	kvfree(table->ghost);
	free_percpu(table->seen);
	kfree(table);
}

static void release(struct kref *ref)
{
	struct etw_file_table *table = container_of(ref, struct etw_file_table, ref);
	u64 replaced = atomic64_read(&table->replaced);

	if (replaced)
		pr_info("%llu files' names gave way to others before the end of their session\n",
			replaced);
	free_table(table);
}

/**
 * etw_file_table_put() - undo etw_file_table_get()
 * @table: got
 *
 * Context: process; sleeps.
 */
void etw_file_table_put(struct etw_file_table *table)
{
	kref_put(&table->ref, release);
}

/**
 * etw_file_table_next() - copy the next name of the table
 * @table: from etw_file_table_get()
 * @at: in and out: position; 0 at first
 * @entry: out
 *
 * Context: any. Return: whether there was one more.
 */
bool etw_file_table_next(const struct etw_file_table *table, u32 *at,
			 struct etw_file_entry *entry)
{
	bool end = false;

	while (!end)
		if (etw_file_levels_copy(&table->levels, (*at)++, &end, entry))
			return true;
	return false;
}

/* Without memory, the next new name requests a level again. */
static void grow(struct work_struct *work)
{
	struct etw_file_table *table;
	struct etw_file_level *newest;

	mutex_lock(&grow_lock);
	table = rcu_dereference_protected(names, lockdep_is_held(&grow_lock));
	if (table) {
		newest = etw_file_levels_newest(&table->levels);
		/* the CPU that requested a level may have seen the one before the newest */
		if (is_crowded(table, newest))
			etw_file_levels_add(&table->levels,
					    min(newest->bits + ETW_FILE_GROWTH_BITS,
						table->most_bits));
		WRITE_ONCE(table->crowded, false);
	}
	mutex_unlock(&grow_lock);
}

static u32 bits_of_machine(void)
{
	u64 slots = ((u64)totalram_pages() << PAGE_SHIFT) / MEMORY_PART /
		    sizeof(struct etw_file_slot);

	return clamp_t(u32, ilog2(slots | 1), ETW_FILE_LEAST_BITS, ETW_FILE_MOST_BITS);
}

static struct etw_file_table *make_table(void)
{
	struct etw_file_table *table = kzalloc(sizeof(*table), GFP_KERNEL);

	BUILD_BUG_ON(sizeof(struct etw_file_slot) != 512);
	if (!table)
		return NULL;
	table->most_bits = bits_of_machine();
	table->ghost = kvcalloc(BIT(table->most_bits + GHOST_BITS), sizeof(*table->ghost),
				ETW_GFP_BUFFER);
	table->seen = __alloc_percpu(SEEN * sizeof(*table->seen), __alignof__(*table->seen));
	if (!table->ghost || !table->seen ||
	    etw_file_levels_add(&table->levels, ETW_FILE_LEAST_BITS)) {
		free_table(table);
		return NULL;
	}
	return table;
}

/**
 * etw_file_names_get() - add a user of file names
 *
 * Context: process, under etw_sources_lock; sleeps. Return: 0 or -ENOMEM.
 */
int etw_file_names_get(void)
{
	struct etw_file_table *table;

	lockdep_assert_held(&etw_sources_lock);
	if (!users) {
		table = make_table();
		if (!table)
			return -ENOMEM;
		kref_init(&table->ref);
		get_random_bytes(&table->key, sizeof(table->key));
		rcu_assign_pointer(names, table);
	}
	users++;
	return 0;
}

/**
 * etw_file_names_put() - remove a user of file names
 *
 * Context: as etw_file_names_get(); sleeps until no probe sees the table.
 */
void etw_file_names_put(void)
{
	struct etw_file_table *table;

	lockdep_assert_held(&etw_sources_lock);
	if (--users)
		return;
	mutex_lock(&grow_lock);
	table = rcu_replace_pointer(names, NULL, lockdep_is_held(&grow_lock));
	mutex_unlock(&grow_lock);
	synchronize_rcu();
	cancel_work_sync(&grow_work);	/* no probe can queue it now */
	etw_file_table_put(table);
}
