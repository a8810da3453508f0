/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Where address spaces have executable files and the vDSO mapped, for walks in any context. */
#ifndef ETW_UNWIND_SPACES_H
#define ETW_UNWIND_SPACES_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
#include "unwind_tables.h"

struct mm_struct;

/**
 * struct etw_unwind_range - an executable mapping of a file, or the vDSO
 * @start: first address
 * @end: behind the last address
 * @offset: of @start in the file
 * @table: the file's table, or NULL; changes under etw_unwind_lock
 * @file: the file
 */
struct etw_unwind_range {
	unsigned long start;
	unsigned long end;
	u64 offset;
	struct etw_unwinding __rcu *table;
	struct etw_unwind_file file;
};

/**
 * struct etw_unwind_space - the executable mappings of an address space
 * @hash: under etw_unwind_lock; read under RCU
 * @list: all spaces, oldest first; under etw_unwind_lock
 * @rcu: it is freed after a grace period
 * @mm: the address space; a reference that keeps its address from being used again
 * @id: changes after each change of a table; no other space ever has the same
 * @executable: mm->exec_vm when the mappings were read
 * @built: jiffies at that time
 * @builds: spaces of this address space in a row before this one, each built soon after the last
 * @used: jiffies of its last use
 * @changed: the mappings may have changed since
 * @unmapped: one of them is gone, and other code may have taken its place
 * @nr_tables: number of ranges with a table
 * @nr: number of ranges
 * @range: ascending
 */
struct etw_unwind_space {
	struct hlist_node hash;
	struct list_head list;
	struct rcu_head rcu;
	struct mm_struct *mm;
	u64 id;
	unsigned long executable;
	unsigned long built;
	unsigned long used;
	u32 builds;
	bool changed;
	bool unmapped;
	u32 nr_tables;
	u32 nr;
	struct etw_unwind_range range[];
};

/* Tables and spaces; taken under session->lock, takes none */
extern struct mutex etw_unwind_lock;

void etw_unwind_spaces_replace(const struct etw_unwinding *old, struct etw_unwinding *table);
void etw_unwind_spaces_note_use(void);
struct etw_unwind_space *etw_unwind_space_of(const struct mm_struct *mm);
void etw_unwind_space_request(struct mm_struct *mm);
bool etw_unwind_space_is_old(const struct etw_unwind_space *space);
void etw_unwind_mapping_changed(const struct mm_struct *mm, bool unmapped);
void etw_unwind_spaces_begin(void);
void etw_unwind_spaces_end(void);

#endif /* ETW_UNWIND_SPACES_H */
