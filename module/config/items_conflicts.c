// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Conflicts between items, independent of their order; declared in items_cursor.h. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "items_cursor.h"
#include "profile_sources.h"

/* Dword @index of an item that was parsed before is wrong. */
static int refuse_known(struct etw_item_cursor *c, enum etw_item_kind kind, __u32 index,
			__u32 reason, int err)
{
	c->offset = c->items->offset[kind];
	c->number = c->items->index[kind];
	return etw_refuse_here(c, index, reason, err);
}

/* Items that need another item */
static int check_needs(struct etw_item_cursor *c)
{
	const struct etw_items *items = c->items;
	static const struct {
		enum etw_item_kind kind, needs;
		__u32 index;	/* of the dword to blame */
	} needs[] = {
		{ ETW_ITEM_PMC_HOOKS, ETW_ITEM_PMC_COUNTERS, 0 },
		{ ETW_ITEM_COUNTER_NAMES, ETW_ITEM_PMC_COUNTERS, 0 },
		{ ETW_ITEM_COUNTER_ATTRS, ETW_ITEM_PMC_COUNTERS, 0 },
		{ ETW_ITEM_FILTER_OPTIONS, ETW_ITEM_PIDS, 1 },
	};
	__u32 i;

	for (i = 0; i < ARRAY_SIZE(needs); i++) {
		if (!etw_items_have(items, needs[i].kind) ||
		    etw_items_have(items, needs[i].needs))
			continue;
		if (needs[i].kind == ETW_ITEM_FILTER_OPTIONS &&
		    !(items->filter_options & ETW_FILTER_CHILDREN))
			continue;
		return refuse_known(c, needs[i].kind, needs[i].index, ETW_REASON_MISSING, -EINVAL);
	}
	return 0;
}

static int is_counter(const struct etw_items *items, __u32 source)
{
	__u32 i;

	for (i = 0; i < items->nr_counters; i++)
		if (items->counters[i].profile_source == source)
			return 1;
	return 0;
}

static int is_sampled(const struct etw_items *items, __u32 source)
{
	__u32 i;

	for (i = 0; i < items->nr_sample_sources; i++)
		if (items->sample_sources[i] == source)
			return 1;
	return 0;
}

static int check_attrs(struct etw_item_cursor *c)
{
	const struct etw_items *items = c->items;
	__u32 i, counted = 0;

	for (i = 0; i < items->nr_counters; i++)
		counted += !(items->counter_attrs[i].flags & ETW_COUNTER_SAMPLE_ONLY);
	if (etw_items_have(items, ETW_ITEM_PMC_HOOKS) && !counted)
		return refuse_known(c, ETW_ITEM_PMC_HOOKS, 0, ETW_REASON_MISSING, -EINVAL);
	for (i = 0; i < items->nr_counter_attrs; i++)
		if ((items->counter_attrs[i].flags & ETW_COUNTER_PRECISE) &&
		    !is_sampled(items, items->counters[i].profile_source))
			return refuse_known(c, ETW_ITEM_COUNTER_ATTRS, 1 + 6 * i,
					    ETW_REASON_CONFLICT, -EINVAL);
	return 0;
}

/**
 * etw_items_check_together() - check items against each other
 * @c: behind all items
 *
 * Return: 0; an errno of etw_items_parse().
 */
int etw_items_check_together(struct etw_item_cursor *c)
{
	const struct etw_items *items = c->items;
	int err = check_needs(c);
	__u32 i;

	if (err)
		return err;
	if (etw_items_have(items, ETW_ITEM_COUNTER_NAMES) && c->names != items->nr_counters)
		return refuse_known(c, ETW_ITEM_COUNTER_NAMES, 1, ETW_REASON_COUNT, -EINVAL);
	if (etw_items_have(items, ETW_ITEM_COUNTER_ATTRS) &&
	    items->nr_counter_attrs != items->nr_counters)
		return refuse_known(c, ETW_ITEM_COUNTER_ATTRS, 0, ETW_REASON_COUNT, -EINVAL);
	for (i = 0; i < items->nr_sample_sources; i++)
		if (!is_counter(items, items->sample_sources[i]) &&
		    !etw_profile_source_known(items->sample_sources[i]))
			return refuse_known(c, ETW_ITEM_SAMPLE_SOURCES, 1 + i,
					    ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	return check_attrs(c);
}
