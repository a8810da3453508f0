/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Unwind tables of executable files, which sessions were given. */
#ifndef ETW_UNWIND_TABLES_H
#define ETW_UNWIND_TABLES_H

#include <linux/list.h>
#include <linux/types.h>
#include "unwind_rows.h"

struct file;

/**
 * struct etw_unwind_file - a file and its contents
 * @inode: number
 * @device: of the file system
 * @generation: distinguishes files that had the same number one after another
 * @changed: change time, in nanoseconds
 */
struct etw_unwind_file {
	u64 inode;
	u32 device;
	u32 generation;
	s64 changed;
};

/**
 * struct etw_unwinding - the table of a file
 * @list: all tables; as all but @rows under etw_unwind_lock
 * @hash: the same by inode
 * @file: the file
 * @sessions: bits of the sessions that were given it
 * @used: jiffies of its last use, as of the last search for a table to give back
 * @bytes: memory of the table
 * @rows: never change; freed after a grace period of RCU
 */
struct etw_unwinding {
	struct list_head list;
	struct hlist_node hash;
	struct etw_unwind_file file;
	u64 sessions;
	unsigned long used;
	u64 bytes;
	struct etw_unwind_rows rows;
};

/**
 * struct etw_unwind_totals - the tables of a session
 * @bytes: memory
 * @tables: number of tables
 * @given_back: tables that were given back because the memory was used up
 */
struct etw_unwind_totals {
	u64 bytes;
	u32 tables;
	u32 given_back;
};

struct etw_unwind_file etw_unwind_file_of(const struct file *file);
int etw_unwind_table_make(struct etw_unwind_row *rows, u32 nr, struct etw_unwinding **made);
void etw_unwind_table_free(struct etw_unwinding *table);
int etw_unwind_table_add(u32 logger_id, const struct file *file, struct etw_unwinding *table);
struct etw_unwinding *etw_unwind_table_of(const struct etw_unwind_file *file);
struct etw_unwind_totals etw_unwind_totals(u32 logger_id);
void etw_unwind_forget(u32 logger_id);

#endif /* ETW_UNWIND_TABLES_H */
