// SPDX-License-Identifier: GPL-2.0
/* A bounded, lock-free table of file names for probes; also declared in file_key.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kref.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/siphash.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "file_table.h"
#include "source/source.h"

/*
 * Holding a file, an inode or a dentry would prevent unmounting. So the table holds a copy
 * of the path, made at first sight. A name is within WINDOW slots from where its tag
 * points. If all are taken, the oldest name is replaced. Sessions have already recorded
 * that name, so only their end rundown lacks it; the log contains the number of such names.
 *
 * The CPU that changed a slot's tag to TAG_BUSY by cmpxchg owns the slot. Readers copy a
 * slot, then check that tag and order have not changed.
 */
#define SLOT_BITS	14
#define SLOTS		BIT(SLOT_BITS)
#define WINDOW		16U
#define CHUNK		2048U
#define TAG_FREE	0ULL
#define TAG_BUSY	1ULL

/**
 * struct etw_file_slot - a name
 * @tag: TAG_FREE, TAG_BUSY, or a hash of @id
 * @order: sequence number, unique
 * @id: id of the file
 * @length: bytes of @name
 * @name: path
 */
struct etw_file_slot {
	u64 tag;
	u64 order;
	struct etw_file_id id;
	u32 length;
	char name[ETW_FILE_NAME_BYTES];
};

/**
 * struct etw_file_table - file names
 * @ref: references of users, and of rundowns that continue without users
 * @key: of tags
 * @order: sequence number of the last name
 * @replaced: number of names that were replaced
 * @chunk: slots, in pieces small enough to be allocated easily even when memory is
 *	fragmented
 */
struct etw_file_table {
	struct kref ref;
	siphash_key_t key;
	atomic64_t order;
	atomic64_t replaced;
	struct etw_file_slot *chunk[SLOTS / CHUNK];
};

/* etw_sources_lock protects both */
static struct etw_file_table __rcu *names;
static u32 users;

static u64 tag_of(const struct etw_file_table *table, const struct etw_file_id *id)
{
	return siphash_3u64(id->inode, id->subvolume, (u64)id->device << 32 | id->generation,
			    &table->key) | (TAG_BUSY << 1);
}

static struct etw_file_slot *slot_at(struct etw_file_table *table, u64 tag, u32 i)
{
	u32 n = ((tag >> (64 - SLOT_BITS)) + i) % SLOTS;

	return &table->chunk[n / CHUNK][n % CHUNK];
}

static struct etw_file_slot *find(struct etw_file_table *table, u64 tag)
{
	u32 i;

	for (i = 0; i < WINDOW; i++)
		if (READ_ONCE(slot_at(table, tag, i)->tag) == tag)
			return slot_at(table, tag, i);
	return NULL;
}

/* A free slot, or the one that holds the oldest name */
static struct etw_file_slot *choose(struct etw_file_table *table, u64 tag, u64 *held)
{
	struct etw_file_slot *oldest = NULL;
	u64 order = U64_MAX;
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		struct etw_file_slot *slot = slot_at(table, tag, i);
		u64 now = READ_ONCE(slot->tag);

		if (now == TAG_BUSY || (now != TAG_FREE && READ_ONCE(slot->order) >= order))
			continue;
		oldest = slot;
		*held = now;
		if (now == TAG_FREE)
			break;
		order = READ_ONCE(slot->order);
	}
	return oldest;
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
 * Return: whether there is one; then etw_file_table_publish() or _abandon() is due.
 */
bool etw_file_table_claim(const struct etw_file_id *id, struct etw_file_claim *claim)
{
	struct etw_file_table *table = rcu_dereference_raw(names);
	struct etw_file_slot *slot;
	u64 tag, held;

	if (!table)
		return false;
	tag = tag_of(table, id);
	if (find(table, tag))
		return false;
	slot = choose(table, tag, &held);
	if (!slot || cmpxchg64(&slot->tag, held, TAG_BUSY) != held)
		return false;
	if (held != TAG_FREE)
		atomic64_inc(&table->replaced);
	*claim = (struct etw_file_claim){
		.table = table, .slot = slot, .id = *id, .name = slot->name,
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
	WRITE_ONCE(slot->order, atomic64_inc_return(&table->order));
	/* a reader that sees the tag also sees the name; pairs with the acquire in _next() */
	smp_store_release(&slot->tag, tag_of(table, &claim->id));
}

/**
 * etw_file_table_abandon() - release a claimed slot without a name
 * @claim: claimed
 */
void etw_file_table_abandon(const struct etw_file_claim *claim)
{
	/* only after the slot was read */
	smp_store_release(&claim->slot->tag, TAG_FREE);
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
	struct etw_file_slot *slot;
	u64 tag;

	if (!table)
		return false;
	tag = tag_of(table, id);
	slot = find(table, tag);
	if (!slot || cmpxchg64(&slot->tag, tag, TAG_BUSY) != tag)
		return false;
	*claim = (struct etw_file_claim){
		.table = table, .slot = slot, .id = *id, .name = slot->name,
	};
	*length = slot->length;
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
	u32 i;

	for (i = 0; i < ARRAY_SIZE(table->chunk); i++)
		kvfree(table->chunk[i]);
	kfree(table);
}

static void release(struct kref *ref)
{
	struct etw_file_table *table = container_of(ref, struct etw_file_table, ref);
	u64 replaced = atomic64_read(&table->replaced);

	if (replaced)
		pr_info("%llu files' names gave way to others before the end of their session\n",
			replaced);
	synchronize_rcu();	/* wait for every probe that may see the table */
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
	for (; *at < SLOTS; (*at)++) {
		const struct etw_file_slot *slot = &table->chunk[*at / CHUNK][*at % CHUNK];
		u64 tag = smp_load_acquire(&slot->tag);	/* pairs with _publish() */
		u64 order = READ_ONCE(slot->order);

		if (tag == TAG_FREE || tag == TAG_BUSY)
			continue;
		/* racy copies: a change meanwhile is detected below */
		data_race(entry->id = slot->id);
		/* racy, as above */
		entry->length = data_race(min_t(u32, slot->length, sizeof(entry->name)));
		/* racy, as above */
		data_race(memcpy(entry->name, slot->name, entry->length));
		smp_rmb();	/* check for changes only after the copy */
		if (READ_ONCE(slot->tag) == tag && READ_ONCE(slot->order) == order) {
			(*at)++;
			return true;
		}
	}
	return false;
}

static struct etw_file_table *make_table(void)
{
	struct etw_file_table *table = kzalloc(sizeof(*table), GFP_KERNEL);
	u32 i;

	BUILD_BUG_ON(sizeof(struct etw_file_slot) != 512);
	for (i = 0; table && i < ARRAY_SIZE(table->chunk); i++) {
		table->chunk[i] = kvcalloc(CHUNK, sizeof(*table->chunk[i]), GFP_KERNEL);
		if (!table->chunk[i]) {
			free_table(table);
			return NULL;
		}
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
 * Context: as etw_file_names_get().
 */
void etw_file_names_put(void)
{
	struct etw_file_table *table;

	lockdep_assert_held(&etw_sources_lock);
	table = rcu_dereference_protected(names, lockdep_is_held(&etw_sources_lock));
	if (--users)
		return;
	RCU_INIT_POINTER(names, NULL);
	etw_file_table_put(table);
}
