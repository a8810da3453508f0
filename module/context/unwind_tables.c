// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Unwind tables: given by sessions, replaced, given back. */
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "compat.h"
#include "etw_abi.h"
#include "unwind_spaces.h"
#include "unwind_tables.h"
#include "unwind_walk.h"

static uint unwind_memory = 64;
module_param(unwind_memory, uint, 0644);
MODULE_PARM_DESC(unwind_memory, "memory for unwind tables of a session, in MB");

/*
 * All sessions share the tables: a walk uses any table that is there. A session's memory is
 * that of the tables that it was given, whichever other session was given them, too.
 */
static LIST_HEAD(tables);			/* these three under etw_unwind_lock */
static DEFINE_HASHTABLE(files, 8);		/* the same tables by inode */
static u32 given_back[ETW_MAX_LOGGERS];
static DEFINE_MUTEX(users_lock);		/* walks by tables are begun and ended */

static u64 bit_of(u32 logger_id)
{
	return 1ULL << (logger_id - 1);
}

/**
 * etw_unwind_file_of() - identify the contents of a file
 * @file: open or mapped file; a file of overlayfs counts as the file below. NULL: the vDSO,
 *	which is the same for all 64-bit programs. No file has its identity, because 0 is no device
 *
 * Context: process.
 */
struct etw_unwind_file etw_unwind_file_of(const struct file *file)
{
	const struct inode *inode;
	struct timespec64 changed;

	if (!file)
		return (struct etw_unwind_file){ };
	inode = d_real_inode(file->f_path.dentry);
	changed = etw_inode_ctime(inode);
	return (struct etw_unwind_file){
		.inode = inode->i_ino,
		.device = inode->i_sb->s_dev,
		.generation = inode->i_generation,
		.changed = timespec64_to_ns(&changed),
	};
}

static int pack(struct etw_unwind_row *rows, u32 nr, struct etw_unwind_scratch *scratch,
		struct etw_unwinding **made)
{
	struct etw_unwinding *table;
	u64 bytes;

	nr = etw_unwind_merge(rows, nr, scratch);
	if (!nr)
		return -E2BIG;
	bytes = sizeof(*table) + etw_unwind_rows_bytes(nr, scratch->nr);
	table = kvmalloc(bytes, GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
	if (!table)
		return -ENOMEM;
	*table = (struct etw_unwinding){ .bytes = bytes };
	etw_unwind_pack(&table->rows, table + 1, rows, nr, scratch);
	*made = table;
	return 0;
}

/**
 * etw_unwind_table_make() - make a table
 * @rows: good rows; they are changed
 * @nr: number of rows, at least 1
 * @made: out: the table
 *
 * Context: process. Return: 0; -ENOMEM; -E2BIG: more than ETW_UNWIND_RULES different rules.
 */
int etw_unwind_table_make(struct etw_unwind_row *rows, u32 nr, struct etw_unwinding **made)
{
	struct etw_unwind_scratch *scratch;
	int err;

	scratch = kvzalloc(sizeof(*scratch), GFP_KERNEL);
	if (!scratch)
		return -ENOMEM;
	scratch->factor = get_random_u64() | 1;
	err = pack(rows, nr, scratch, made);
	kvfree(scratch);
	return err;
}

/**
 * etw_unwind_table_free() - free a table that was not added
 * @table: the table
 */
void etw_unwind_table_free(struct etw_unwinding *table)
{
	kvfree(table);
}

static void free_tables(struct list_head *gone)
{
	struct etw_unwinding *table, *next;

	if (list_empty(gone))
		return;
	synchronize_rcu();	/* walks */
	list_for_each_entry_safe(table, next, gone, list)
		kvfree(table);
}

static void take_out(struct etw_unwinding *table, struct list_head *gone)
{
	hash_del(&table->hash);
	list_move(&table->list, gone);
}

static void remove(struct etw_unwinding *table, struct list_head *gone)
{
	etw_unwind_spaces_replace(table, NULL);
	take_out(table, gone);
}

static struct etw_unwind_totals totals(u32 logger_id)
{
	struct etw_unwind_totals sum = { .given_back = given_back[logger_id - 1] };
	const struct etw_unwinding *table;

	lockdep_assert_held(&etw_unwind_lock);
	list_for_each_entry(table, &tables, list) {
		if (!(table->sessions & bit_of(logger_id)))
			continue;
		sum.tables++;
		sum.bytes += table->bytes;
	}
	return sum;
}

/**
 * etw_unwind_totals() - the tables of a session
 * @logger_id: which session; 0 for one that has no id yet, and no tables
 *
 * Context: process; takes etw_unwind_lock.
 */
struct etw_unwind_totals etw_unwind_totals(u32 logger_id)
{
	struct etw_unwind_totals sum = { };

	if (!logger_id)
		return sum;
	mutex_lock(&etw_unwind_lock);
	sum = totals(logger_id);
	mutex_unlock(&etw_unwind_lock);
	return sum;
}

/* A session's table that was used least recently, but for @except */
static struct etw_unwinding *least_used(u32 logger_id, const struct etw_unwinding *except)
{
	struct etw_unwinding *table, *found = NULL;

	list_for_each_entry(table, &tables, list)
		if (table != except && table->sessions & bit_of(logger_id) &&
		    (!found || time_before(table->used, found->used)))
			found = table;
	return found;
}

/* @table alone is not greater than @limit. */
static void give_back(u32 logger_id, struct etw_unwinding *table, u64 limit,
		      struct list_head *gone)
{
	struct etw_unwinding *least;

	etw_unwind_spaces_note_use();
	while (totals(logger_id).bytes > limit) {
		least = least_used(logger_id, table);
		least->sessions &= ~bit_of(logger_id);
		given_back[logger_id - 1]++;
		if (!least->sessions)
			remove(least, gone);
	}
}

static bool is_file(const struct etw_unwinding *table, const struct etw_unwind_file *file)
{
	return table->file.inode == file->inode && table->file.device == file->device &&
	       table->file.generation == file->generation;
}

/* A file has one table. */
static struct etw_unwinding *table_of(const struct etw_unwind_file *file)
{
	struct etw_unwinding *table;

	lockdep_assert_held(&etw_unwind_lock);
	hash_for_each_possible(files, table, hash, file->inode)
		if (is_file(table, file))
			return table;
	return NULL;
}

/**
 * etw_unwind_table_of() - the table of a file's contents
 * @file: the file
 *
 * Context: under etw_unwind_lock. Return: the table, or NULL.
 */
struct etw_unwinding *etw_unwind_table_of(const struct etw_unwind_file *file)
{
	struct etw_unwinding *table = table_of(file);

	return table && table->file.changed == file->changed ? table : NULL;
}

static void replace(u32 logger_id, struct etw_unwinding *table, struct list_head *gone)
{
	struct etw_unwinding *old = table_of(&table->file);

	table->sessions = bit_of(logger_id);
	table->used = jiffies;
	list_add(&table->list, &tables);
	hash_add(files, &table->hash, table->file.inode);
	if (old) {
		table->sessions |= old->sessions;
		take_out(old, gone);
	}
	etw_unwind_spaces_replace(old, table);
}

/**
 * etw_unwind_table_add() - add a session's table for a file
 * @logger_id: a running session, which cannot stop meanwhile
 * @file: the file; NULL: the vDSO
 * @table: the table; freed if it replaces none and cannot be added
 *
 * It replaces the table of the same file. Tables that the session used least recently are
 * given back until its tables fit into its memory.
 *
 * Context: process; sleeps. Return: 0; -ENOSPC: greater than that memory; -ENOMEM.
 */
int etw_unwind_table_add(u32 logger_id, const struct file *file, struct etw_unwinding *table)
{
	const u64 limit = (u64)READ_ONCE(unwind_memory) << 20;
	LIST_HEAD(gone);
	u32 id;
	int err;

	if (table->bytes > limit) {
		etw_unwind_table_free(table);
		return -ENOSPC;
	}
	table->file = etw_unwind_file_of(file);
	mutex_lock(&users_lock);
	err = list_empty(&tables) ? etw_unwind_begin() : 0;
	if (err) {
		etw_unwind_table_free(table);
		goto unlock;
	}
	mutex_lock(&etw_unwind_lock);
	replace(logger_id, table, &gone);
	for (id = 1; id <= ETW_MAX_LOGGERS; id++)
		if (table->sessions & bit_of(id))
			give_back(id, table, limit, &gone);
	mutex_unlock(&etw_unwind_lock);
	free_tables(&gone);
unlock:
	mutex_unlock(&users_lock);
	return err;
}

/**
 * etw_unwind_forget() - a session ends: free the tables that only it was given
 * @logger_id: which session; it writes no events any more
 *
 * Context: process; sleeps.
 */
void etw_unwind_forget(u32 logger_id)
{
	struct etw_unwinding *table, *next;
	LIST_HEAD(gone);

	mutex_lock(&users_lock);
	mutex_lock(&etw_unwind_lock);
	list_for_each_entry_safe(table, next, &tables, list) {
		table->sessions &= ~bit_of(logger_id);
		if (!table->sessions)
			remove(table, &gone);
	}
	given_back[logger_id - 1] = 0;
	mutex_unlock(&etw_unwind_lock);
	/* no table is added meanwhile */
	if (!list_empty(&gone) && list_empty(&tables))
		etw_unwind_end();
	free_tables(&gone);
	mutex_unlock(&users_lock);
}
