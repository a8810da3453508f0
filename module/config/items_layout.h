/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The layout of items in a block, and where struct etw_items keeps them. */
#ifndef ETW_ITEMS_LAYOUT_H
#define ETW_ITEMS_LAYOUT_H

#include "items.h"

/**
 * struct etw_item_layout - an item: entries of dwords
 * @type: ETW_EXT_*
 * @limit: entries; 0: exactly one
 * @dwords: dwords of an entry
 * @narrow: dwords are kept as 16 bits
 * @count: offset of the number of entries in struct etw_items; 0: it is not kept
 * @data: offset of the entries in struct etw_items
 */
struct etw_item_layout {
	__u16 type;
	__u16 limit;
	__u8 dwords;
	__u8 narrow;
	__u16 count;
	__u16 data;
};

extern const struct etw_item_layout etw_item_layouts[ETW_ITEM_KINDS];

/* Store dword @i of an item's data */
static inline void etw_item_put(struct etw_items *items, const struct etw_item_layout *layout,
				__u32 i, __u32 value)
{
	void *to = (__u8 *)items + layout->data;

	if (layout->narrow)
		((__u16 *)to)[i] = value;
	else
		((__u32 *)to)[i] = value;
}

static inline void etw_item_set_count(struct etw_items *items,
				      const struct etw_item_layout *layout, __u32 count)
{
	*(__u32 *)((__u8 *)items + layout->count) = count;
}

#endif /* ETW_ITEMS_LAYOUT_H */
