// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Parser of extensions: any bytes give items, or an error; declared in items_cursor.h, too. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include "items_cursor.h"
#include "items_layout.h"
#include "linux_events.h"
#include "refuse.h"

/* EVENT_TRACE_PROPERTIES has EnableFlags at the same offset. */
#define OVERLAY		offsetof(struct wmi_logger_information, enable_flags)

/**
 * etw_refuse_here() - refuse a dword of the item that is being read
 * @c: the item
 * @index: of the dword; 0 is the item's header, data begin with 1
 * @reason: ETW_REASON_*
 * @err: errno
 *
 * Return: @err.
 */
int etw_refuse_here(const struct etw_item_cursor *c, __u32 index, __u32 reason, int err)
{
	return etw_refuse_at(c->error, c->offset + 4 * index, c->number, reason, err);
}

/* Report an error that belongs to no item */
static int refuse_array(struct etw_item_cursor *c, __u32 offset, __u32 reason, int err)
{
	c->offset = offset;
	c->number = 0;
	return etw_refuse_here(c, 0, reason, err);
}

/* The first dword is the number of strings; at most one unit of padding follows them. */
static int take_names(struct etw_item_cursor *c)
{
	__u32 units = 2 * (c->dwords - 1), count = etw_item_data(c, 1), found = 0, used = 0;
	__u16 unit;

	while (found < count && used < units) {
		memcpy(&unit, c->item + 8 + 2 * used, sizeof(unit));
		c->items->counter_names[used++] = unit;
		found += !unit;
	}
	if (found < count)
		return etw_refuse_here(c, c->dwords, ETW_REASON_NAME, -EINVAL);
	if (units - used > 1)
		return etw_refuse_here(c, 2 + (used + 1) / 2, ETW_REASON_LENGTH, -EINVAL);
	if (used < units && etw_item_data(c, c->dwords) >> 16)
		return etw_refuse_here(c, c->dwords, ETW_REASON_RESERVED, -EINVAL);
	c->items->counter_name_units = used;
	c->names = count;
	return 0;
}

static int check_count(const struct etw_item_cursor *c, const struct etw_item_layout *layout)
{
	if (!layout->limit)
		return c->dwords == layout->dwords ? 0 :
			etw_refuse_here(c, 0, ETW_REASON_COUNT, -EINVAL);
	if (!c->dwords)
		return etw_refuse_here(c, 0, ETW_REASON_COUNT, -EINVAL);
	if (c->dwords % layout->dwords)
		return etw_refuse_here(c, 0, ETW_REASON_LENGTH, -EINVAL);
	if (c->dwords / layout->dwords > layout->limit)
		return etw_refuse_here(c, 0, ETW_REASON_COUNT, -E2BIG);
	return 0;
}

/* Whether an item that is a set already contains dword @index */
static int is_again(const struct etw_item_cursor *c, enum etw_item_kind kind, __u32 index)
{
	const __u32 sets = 1U << ETW_ITEM_PIDS | 1U << ETW_ITEM_STACKWALK_FILTER |
			   1U << ETW_ITEM_POOLTAG_FILTER | 1U << ETW_ITEM_PMC_HOOKS |
			   1U << ETW_ITEM_HOOK_FILTER | 1U << ETW_ITEM_PROVIDER_UIDS |
			   1U << ETW_ITEM_PROVIDER_GIDS;
	__u32 i;

	if (!(sets >> kind & 1))
		return 0;
	for (i = 1; i < index; i++)
		if (etw_item_data(c, i) == etw_item_data(c, index))
			return 1;
	return 0;
}

static int take_dwords(struct etw_item_cursor *c, enum etw_item_kind kind)
{
	const struct etw_item_layout *layout = &etw_item_layouts[kind];
	__u32 i, taken = 0;
	int err;

	for (i = 1; i <= c->dwords; i++) {
		err = etw_item_check_dword(c, kind, i);
		if (err)
			return err;
		if (!is_again(c, kind, i))
			etw_item_put(c->items, layout, taken++, etw_item_data(c, i));
	}
	if (layout->count)
		etw_item_set_count(c->items, layout, taken / layout->dwords);
	return 0;
}

static int take_data(struct etw_item_cursor *c, enum etw_item_kind kind)
{
	int err;

	if (kind == ETW_ITEM_LINUX_EVENTS)
		return etw_linux_events_take(c);
	err = check_count(c, &etw_item_layouts[kind]);
	if (err)
		return err;
	return kind == ETW_ITEM_COUNTER_NAMES ? take_names(c) : take_dwords(c, kind);
}

static int take_item(struct etw_item_cursor *c, enum etw_item_kind kind)
{
	int err = take_data(c, kind);

	if (err)
		return err;
	c->items->present |= 1U << kind;
	c->items->index[kind] = c->number;
	c->items->offset[kind] = c->offset;
	return 0;
}

/* @space: dwords to the end of the array, this header included */
static int parse_item(struct etw_item_cursor *c, __u32 space)
{
	struct trace_enable_flag_ext_item header;
	__u32 kind;

	memcpy(&header, c->item, sizeof(header));
	if (!header.offset || header.offset > space)
		return etw_refuse_here(c, 0, ETW_REASON_LENGTH, -EINVAL);
	for (kind = 0; kind < ETW_ITEM_KINDS; kind++)
		if (etw_item_layouts[kind].type == header.type)
			break;
	if (kind == ETW_ITEM_KINDS)
		return etw_refuse_here(c, 0, ETW_REASON_UNKNOWN, -EOPNOTSUPP);
	if (etw_items_have(c->items, kind))
		return etw_refuse_here(c, 0, ETW_REASON_DUPLICATE, -EEXIST);
	c->dwords = header.offset - 1U;
	return take_item(c, kind);
}

static int parse_array(const __u8 *block, __u32 size, __u32 at, struct etw_item_cursor *c)
{
	struct trace_enable_flag_ext_header header;
	__u32 next = at + sizeof(header), end, number;
	int err;

	memcpy(&header, block + at, sizeof(header));
	end = at + 4U * header.length;
	if (!header.length || end > size)
		return refuse_array(c, at, ETW_REASON_LENGTH, -EINVAL);
	for (number = 1; number <= header.items && next < end; number++) {
		c->item = block + next;
		c->offset = next;
		c->number = number;
		err = parse_item(c, (end - next) / 4);
		if (err)
			return err;
		next += 4 * (c->dwords + 1);
	}
	/* too few or too many dwords for that many items */
	if (number <= header.items || next != end)
		return refuse_array(c, at, ETW_REASON_LENGTH, -EINVAL);
	return etw_items_check_together(c);
}

/* Version 5.1: an array of masks only */
static int parse_old(const __u8 *block, __u32 size, __u32 at, __u32 length,
		     struct etw_item_cursor *c)
{
	int err;

	if (at + 4 * length > size)
		return refuse_array(c, OVERLAY, ETW_REASON_LENGTH, -EINVAL);
	if (length > ETW_MASKS)
		return refuse_array(c, OVERLAY, ETW_REASON_COUNT, -E2BIG);
	/* an item without a header */
	c->item = block + at - 4;
	c->offset = at - 4;
	c->dwords = length;
	err = take_item(c, ETW_ITEM_ENABLE_FLAGS);
	c->items->offset[ETW_ITEM_ENABLE_FLAGS] = at;
	return err;
}

static int parse_overlay(const __u8 *block, __u32 size, __u32 fixed, __u32 enable_flags,
			 struct etw_item_cursor *c)
{
	struct trace_enable_flag_extension overlay;

	memcpy(&overlay, &enable_flags, sizeof(overlay));
	if (overlay.flag != ETW_EXT_FLAG)
		return refuse_array(c, OVERLAY, ETW_REASON_BITS, -EINVAL);
	if (!overlay.length || overlay.offset < fixed)
		return refuse_array(c, OVERLAY, ETW_REASON_RANGE, -EINVAL);
	if (overlay.offset + 4U > size)
		return refuse_array(c, OVERLAY, ETW_REASON_LENGTH, -EINVAL);
	if (overlay.length == ETW_EXT_ITEMS)
		return parse_array(block, size, overlay.offset, c);
	return parse_old(block, size, overlay.offset, overlay.length, c);
}

/**
 * etw_items_parse() - parse the extension that EnableFlags point at
 * @block: the containing structure and the data behind it; any bytes
 * @size: bytes of @block
 * @fixed: bytes of the containing structure; not 0
 * @enable_flags: its EnableFlags; without EVENT_TRACE_FLAG_EXTENSION there are
 *	no items
 * @items: out; nothing is present after an error
 * @error: out, with an error: the dword, the reason, and the item
 *
 * The rules are those of format.rst 6.7 and 6.10. The caller checks what depends
 * on the machine or on the sources of events.
 *
 * Return: 0; -EINVAL, -E2BIG, -EEXIST, -ERANGE, -EOPNOTSUPP.
 */
int etw_items_parse(const void *block, __u32 size, __u32 fixed, __u32 enable_flags,
		    struct etw_items *items, struct etw_config_error *error)
{
	struct etw_item_cursor c = { .items = items, .error = error };
	int err;

	memset(items, 0, sizeof(*items));
	memset(error, 0, sizeof(*error));
	if (!(enable_flags & EVENT_TRACE_FLAG_EXTENSION))
		return 0;
	err = parse_overlay(block, size, fixed, enable_flags, &c);
	if (err)
		memset(items, 0, sizeof(*items));
	return err;
}
