// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Encode items as an extension, compare, copy; declared in items.h and items_layout.h. */
#include <linux/stddef.h>
#include <linux/string.h>
#include "items_layout.h"

#define AT(member)	offsetof(struct etw_items, member)

const struct etw_item_layout etw_item_layouts[ETW_ITEM_KINDS] = {
	[ETW_ITEM_ENABLE_FLAGS] = {
		ETW_EXT_ENABLE_FLAGS, ETW_MASKS, 1, 0, AT(nr_masks), AT(masks) },
	[ETW_ITEM_PIDS] = { ETW_EXT_PIDS, ETW_MAX_PIDS, 1, 0, AT(nr_pids), AT(pids) },
	[ETW_ITEM_STACKWALK_FILTER] = {
		ETW_EXT_STACKWALK_FILTER, ETW_MAX_STACKWALK_FILTER, 1, 1,
		AT(nr_stackwalk), AT(stackwalk) },
	[ETW_ITEM_POOLTAG_FILTER] = {
		ETW_EXT_POOLTAG_FILTER, ETW_MAX_POOLTAG_FILTER, 1, 0,
		AT(nr_pool_tags), AT(pool_tags) },
	[ETW_ITEM_STACK_CACHING] = { ETW_EXT_STACK_CACHING, 0, 2, 0, 0, AT(caching) },
	[ETW_ITEM_PMC_COUNTERS] = {
		ETW_EXT_VND_PMC_COUNTERS, ETW_MAX_PMC_COUNTERS, 4, 0,
		AT(nr_counters), AT(counters) },
	[ETW_ITEM_PMC_HOOKS] = {
		ETW_EXT_VND_PMC_HOOKS, ETW_MAX_PMC_HOOKS, 1, 1,
		AT(nr_counter_hooks), AT(counter_hooks) },
	[ETW_ITEM_PEBS_EVENT] = { ETW_EXT_VND_PEBS_EVENT, 0, 1, 0, 0, AT(pebs_hook) },
	[ETW_ITEM_SAMPLE_INTERVAL] = {
		ETW_EXT_VND_SAMPLE_INTERVAL, ETW_MAX_SAMPLE_INTERVALS, 2, 0,
		AT(nr_intervals), AT(intervals) },
	[ETW_ITEM_SAMPLE_SOURCES] = {
		ETW_EXT_VND_SAMPLE_SOURCES, ETW_MAX_SAMPLE_SOURCES, 1, 0,
		AT(nr_sample_sources), AT(sample_sources) },
	[ETW_ITEM_BUFFER_SETTINGS] = { ETW_EXT_VND_BUFFER_SETTINGS, 0, 5, 0, 0, AT(buffers) },
	[ETW_ITEM_CLOCK] = { ETW_EXT_VND_CLOCK, 0, 1, 0, 0, AT(clock) },
	/* a dword with the count, then text: not kept like the others */
	[ETW_ITEM_COUNTER_NAMES] = {
		ETW_EXT_VND_COUNTER_NAMES, 1 + ETW_MAX_COUNTER_NAMES / 2, 1, 1,
		0, AT(counter_names) },
	[ETW_ITEM_FILTER_OPTIONS] = {
		ETW_EXT_VND_FILTER_OPTIONS, 0, 1, 0, 0, AT(filter_options) },
	[ETW_ITEM_HOOK_FILTER] = {
		ETW_EXT_VND_HOOK_FILTER, ETW_MAX_HOOK_FILTER, 1, 1, AT(nr_hooks), AT(hooks) },
	[ETW_ITEM_CONSUMER] = { ETW_EXT_VND_CONSUMER, 0, 3, 0, 0, AT(consumer) },
	[ETW_ITEM_PROVIDER_UIDS] = {
		ETW_EXT_VND_PROVIDER_UIDS, ETW_MAX_PROVIDERS, 1, 0,
		AT(nr_provider_uids), AT(provider_uids) },
	[ETW_ITEM_PROVIDER_GIDS] = {
		ETW_EXT_VND_PROVIDER_GIDS, ETW_MAX_PROVIDERS, 1, 0,
		AT(nr_provider_gids), AT(provider_gids) },
	[ETW_ITEM_COUNTER_ATTRS] = {
		ETW_EXT_VND_COUNTER_ATTRS, ETW_MAX_PMC_COUNTERS, 6, 0,
		AT(nr_counter_attrs), AT(counter_attrs) },
	[ETW_ITEM_PROVIDER_OPTIONS] = { ETW_EXT_VND_PROVIDER_OPTIONS, 0, 2, 0, 0, AT(provider) },
	/* entries of any size, which stay in the block: not kept like the others */
	[ETW_ITEM_LINUX_EVENTS] = { .type = ETW_EXT_VND_LINUX_EVENTS },
};

/* Dwords of the item's data in a block */
static __u32 data_dwords(const struct etw_items *items, enum etw_item_kind kind)
{
	const struct etw_item_layout *layout = &etw_item_layouts[kind];

	if (kind == ETW_ITEM_COUNTER_NAMES)
		return 1 + (items->counter_name_units + 1) / 2;
	if (kind == ETW_ITEM_LINUX_EVENTS)
		return items->linux_events_size / 4;
	if (!layout->count)
		return layout->dwords;
	return layout->dwords * *(const __u32 *)((const __u8 *)items + layout->count);
}

static __u32 names_dword(const struct etw_items *items, __u32 i)
{
	__u32 unit = 2 * (i - 1), value;

	if (!i)
		return items->nr_counters;
	value = items->counter_names[unit];
	if (unit + 1 < items->counter_name_units)
		value |= (__u32)items->counter_names[unit + 1] << 16;
	return value;
}

/* Dword @i of the data */
static __u32 data_dword(const struct etw_items *items, enum etw_item_kind kind, __u32 i)
{
	const struct etw_item_layout *layout = &etw_item_layouts[kind];
	const void *data = (const __u8 *)items + layout->data;
	__u32 value;

	if (kind == ETW_ITEM_COUNTER_NAMES)
		return names_dword(items, i);
	if (kind == ETW_ITEM_LINUX_EVENTS) {
		memcpy(&value, (const __u8 *)items->linux_events + 4 * i, sizeof(value));
		return value;
	}
	return layout->narrow ? ((const __u16 *)data)[i] : ((const __u32 *)data)[i];
}

/* Returns where the item ends. */
static __u8 *put_item(__u8 *to, const struct etw_items *items, enum etw_item_kind kind)
{
	__u32 i, value, dwords = data_dwords(items, kind);
	struct trace_enable_flag_ext_item header = {
		.offset = 1 + dwords,
		.type = etw_item_layouts[kind].type,
	};

	memcpy(to, &header, sizeof(header));
	for (i = 0; i < dwords; i++) {
		value = data_dword(items, kind, i);
		memcpy(to + 4 * (i + 1), &value, sizeof(value));
	}
	return to + 4 * (dwords + 1);
}

/**
 * etw_items_encode() - encode items as an extension in item form
 * @items: as etw_items_parse() returns them
 * @to: destination, any alignment; may be NULL
 * @space: bytes at @to
 *
 * Items come in the order of enum etw_item_kind. The masks of an extension in
 * the old form become an item, too.
 *
 * Return: bytes of the extension; if they are more than @space, nothing was
 * written. ~0U: more dwords than an extension can have.
 */
__u32 etw_items_encode(const struct etw_items *items, void *to, __u32 space)
{
	struct trace_enable_flag_ext_header header = { };
	__u32 kind, length = 1;
	__u8 *at = to;

	for (kind = 0; kind < ETW_ITEM_KINDS; kind++) {
		if (!etw_items_have(items, kind))
			continue;
		length += 1 + data_dwords(items, kind);
		header.items++;
	}
	if (length > 0xFFFF)
		return ~0U;
	header.length = length;
	if (!to || space < 4 * length)
		return 4 * length;
	memcpy(at, &header, sizeof(header));
	at += sizeof(header);
	for (kind = 0; kind < ETW_ITEM_KINDS; kind++)
		if (etw_items_have(items, kind))
			at = put_item(at, items, kind);
	return 4 * length;
}

/**
 * etw_items_same() - whether both have the item, with the same data
 * @a: items
 * @b: items
 * @kind: kind of the item
 */
int etw_items_same(const struct etw_items *a, const struct etw_items *b,
		   enum etw_item_kind kind)
{
	__u32 i, dwords = data_dwords(a, kind);

	if (!etw_items_have(a, kind) || !etw_items_have(b, kind) ||
	    dwords != data_dwords(b, kind))
		return 0;
	for (i = 0; i < dwords; i++)
		if (data_dword(a, kind, i) != data_dword(b, kind, i))
			return 0;
	return 1;
}

/**
 * etw_items_copy() - copy one item from another set of items
 * @to: items; loses its own item of that kind
 * @from: items
 * @kind: kind of the item
 */
void etw_items_copy(struct etw_items *to, const struct etw_items *from, enum etw_item_kind kind)
{
	const struct etw_item_layout *layout = &etw_item_layouts[kind];
	__u32 dwords = (layout->limit ? layout->limit : 1) * layout->dwords;
	__u32 size = dwords * (layout->narrow ? sizeof(__u16) : sizeof(__u32));

	if (kind == ETW_ITEM_COUNTER_NAMES) {
		size = sizeof(to->counter_names);
		to->counter_name_units = from->counter_name_units;
	}
	if (kind == ETW_ITEM_LINUX_EVENTS) {
		to->nr_linux_events = from->nr_linux_events;
		to->nr_linux_stacks = from->nr_linux_stacks;
		to->linux_events_size = from->linux_events_size;
		to->linux_events = from->linux_events;
	} else {
		memcpy((__u8 *)to + layout->data, (const __u8 *)from + layout->data, size);
	}
	if (layout->count)
		memcpy((__u8 *)to + layout->count, (const __u8 *)from + layout->count,
		       sizeof(__u32));
	to->present &= ~(1U << kind);
	to->present |= from->present & 1U << kind;
	to->index[kind] = from->index[kind];
	to->offset[kind] = from->offset[kind];
}
