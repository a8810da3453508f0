/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Slots for file names, in levels of growing size; internal to file_table.c. */
#ifndef ETW_FILE_LEVELS_H
#define ETW_FILE_LEVELS_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/types.h>
#include "file_table.h"

#define ETW_FILE_LEAST_BITS	14U
#define ETW_FILE_MOST_BITS	20U
#define ETW_FILE_GROWTH_BITS	2U
#define ETW_FILE_MOST_LEVELS \
	((ETW_FILE_MOST_BITS - ETW_FILE_LEAST_BITS) / ETW_FILE_GROWTH_BITS + 1)
#define ETW_FILE_CHUNK		2048U

/* Tags; that of a name is a hash of the file's id */
#define ETW_TAG_FREE	0ULL
#define ETW_TAG_BUSY	1ULL
#define ETW_TAG_USED	1ULL	/* of a name: looked up since the last replacement */
#define ETW_TAG_NAME	2ULL	/* set in the tag of each name */

/**
 * struct etw_file_slot - a name
 * @order: sequence number, unique
 * @id: id of the file
 * @length: bytes of @name
 * @change: number of the listeners' change when the name was recorded
 * @recorded: the name was recorded
 * @name: path
 */
struct etw_file_slot {
	u64 order;
	struct etw_file_id id;
	u32 length;
	u32 change;
	u32 recorded;
	char name[ETW_FILE_NAME_BYTES];
};

/**
 * struct etw_file_level - a part of the table of names
 * @bits: log2 of the number of slots
 * @names: slots in use
 * @tag: of each slot: ETW_TAG_FREE, ETW_TAG_BUSY, or a hash of its id. A separate array, so that a
 *	lookup reads few cache lines
 * @chunk: slots, in pieces small enough to be allocated easily even when memory is
 *	fragmented
 */
struct etw_file_level {
	u32 bits;
	atomic_t names;
	u64 *tag;
	struct etw_file_slot *chunk[];
};

/**
 * struct etw_file_levels - levels, the newest last
 * @count: number of levels
 * @level: levels
 */
struct etw_file_levels {
	u32 count;
	struct etw_file_level *level[ETW_FILE_MOST_LEVELS];
};

/**
 * struct etw_file_place - a slot
 * @level: level
 * @n: number of the slot
 * @tag: tag that was seen
 */
struct etw_file_place {
	struct etw_file_level *level;
	u32 n;
	u64 tag;
};

static inline u32 etw_file_nth(u64 tag, u32 bits, u32 i)
{
	return ((tag >> (64 - bits)) + i) & (BIT(bits) - 1);
}

static inline struct etw_file_slot *etw_file_slot_of(const struct etw_file_level *level, u32 n)
{
	return &level->chunk[n / ETW_FILE_CHUNK][n % ETW_FILE_CHUNK];
}

int etw_file_levels_add(struct etw_file_levels *levels, u32 bits);
void etw_file_levels_free(struct etw_file_levels *levels);
struct etw_file_level *etw_file_levels_newest(const struct etw_file_levels *levels);
bool etw_file_levels_find(const struct etw_file_levels *levels, u64 tag,
			  struct etw_file_place *place);
bool etw_file_levels_find_free(const struct etw_file_levels *levels, u64 tag,
			       struct etw_file_place *place);
bool etw_file_levels_find_oldest(const struct etw_file_levels *levels, u64 tag,
				 struct etw_file_place *oldest);
bool etw_file_levels_copy(const struct etw_file_levels *levels, u32 at, bool *end,
			  struct etw_file_entry *entry);

#endif /* ETW_FILE_LEVELS_H */
