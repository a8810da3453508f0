/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The position and the errors of the item parser: for its own files only. */
#ifndef ETW_ITEMS_CURSOR_H
#define ETW_ITEMS_CURSOR_H

#include <linux/string.h>
#include "items.h"

/**
 * struct etw_item_cursor - the item that is being read
 * @item: its header; may be unaligned
 * @offset: of @item, bytes from the start of the block
 * @number: counted from 1; 0: the array of the old form
 * @dwords: dwords of data, behind the header
 * @names: number of names that COUNTER_NAMES announces
 * @items: out: the parsed items
 * @error: out, with an error
 */
struct etw_item_cursor {
	const __u8 *item;
	__u32 offset;
	__u32 number;
	__u32 dwords;
	__u32 names;
	struct etw_items *items;
	struct etw_config_error *error;
};

/* Dword @index of the item, counted as for etw_refuse_here() */
static inline __u32 etw_item_data(const struct etw_item_cursor *c, __u32 index)
{
	__u32 value;

	memcpy(&value, c->item + 4 * index, sizeof(value));
	return value;
}

int etw_refuse_here(const struct etw_item_cursor *c, __u32 index, __u32 reason, int err);
int etw_item_check_dword(const struct etw_item_cursor *c, enum etw_item_kind kind, __u32 index);
int etw_items_check_together(struct etw_item_cursor *c);

#endif /* ETW_ITEMS_CURSOR_H */
