/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A table of file names that probes may read and write. */
#ifndef ETW_FILE_TABLE_H
#define ETW_FILE_TABLE_H

#include <linux/types.h>
#include "file_key.h"

struct etw_file_slot;
struct etw_file_table;

/**
 * struct etw_file_entry - a copy of an entry
 * @id: id of the file
 * @length: bytes of @name
 * @name: UTF-8 if the file system has it so; no NUL
 */
struct etw_file_entry {
	struct etw_file_id id;
	u32 length;
	char name[ETW_FILE_NAME_BYTES];
};

/**
 * struct etw_file_claim - a slot for a name, before the name can be found
 * @table: its table; etw_file_names_put() may make it unreachable for others
 * @slot: the claimed slot
 * @tag: its tag
 * @id: id of the file
 * @name: ETW_FILE_NAME_BYTES
 * @change: number of the listeners' change when the name was recorded last
 * @recorded: the name was recorded
 */
struct etw_file_claim {
	struct etw_file_table *table;
	struct etw_file_slot *slot;
	u64 *tag;
	struct etw_file_id id;
	char *name;
	u32 change;
	bool recorded;
};

bool etw_file_table_has_seen(const struct etw_file_id *id);
bool etw_file_table_claim(const struct etw_file_id *id, struct etw_file_claim *claim);
void etw_file_table_publish(const struct etw_file_claim *claim, u32 length);
void etw_file_table_abandon(const struct etw_file_claim *claim);
bool etw_file_table_remove(const struct etw_file_id *id, struct etw_file_claim *claim, u32 *length);

struct etw_file_table *etw_file_table_get(void);
void etw_file_table_put(struct etw_file_table *table);
bool etw_file_table_next(const struct etw_file_table *table, u32 *at,
			 struct etw_file_entry *entry);

#endif /* ETW_FILE_TABLE_H */
