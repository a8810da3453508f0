/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Items of an extension, parsed and encoded: pure, shared with tools and tests. */
#ifndef ETW_ITEMS_H
#define ETW_ITEMS_H

#include "etw_abi.h"
#include "etw_extension.h"
#include "etw_hooks.h"

/* Kinds of items, dense, in the order in which they are encoded */
enum etw_item_kind {
	ETW_ITEM_ENABLE_FLAGS,
	ETW_ITEM_PIDS,
	ETW_ITEM_STACKWALK_FILTER,
	ETW_ITEM_POOLTAG_FILTER,
	ETW_ITEM_STACK_CACHING,
	ETW_ITEM_PMC_COUNTERS,
	ETW_ITEM_PMC_HOOKS,
	ETW_ITEM_PEBS_EVENT,
	ETW_ITEM_SAMPLE_INTERVAL,
	ETW_ITEM_SAMPLE_SOURCES,
	ETW_ITEM_BUFFER_SETTINGS,
	ETW_ITEM_CLOCK,
	ETW_ITEM_COUNTER_NAMES,
	ETW_ITEM_FILTER_OPTIONS,
	ETW_ITEM_HOOK_FILTER,
	ETW_ITEM_CONSUMER,
	ETW_ITEM_PROVIDER_UIDS,
	ETW_ITEM_PROVIDER_GIDS,
	ETW_ITEM_COUNTER_ATTRS,
	ETW_ITEM_PROVIDER_OPTIONS,
	ETW_ITEM_LINUX_EVENTS,
	ETW_ITEM_KINDS
};

/**
 * struct etw_config_error - position and reason of a refused value
 * @offset: bytes from the start of the block
 * @reason: ETW_REASON_*
 * @item: counted from 1; 0: the value is in no item
 * @processor: the CPU that lacks what was requested; not used by the parser
 *
 * The functions in refuse.h fill it in, except @processor.
 */
struct etw_config_error {
	__u32 offset;
	__u32 reason;
	__u32 item;
	__u32 processor;
};

/**
 * struct etw_items - all items of an extension
 * @present: bit of each enum etw_item_kind that was given
 * @index: by kind: number of the item, counted from 1
 * @offset: by kind: of the item, bytes from the start of the block
 * @masks: as given, aliases in element 0 included; also from the old form
 * @nr_masks: elements given
 * @nr_pids: entries of @pids
 * @pids: process ids
 * @nr_stackwalk: entries of @stackwalk
 * @stackwalk: hook ids
 * @nr_pool_tags: entries of @pool_tags
 * @pool_tags: four characters each
 * @caching: stack cache
 * @nr_counters: entries of @counters
 * @counters: in the order of records
 * @nr_counter_hooks: entries of @counter_hooks
 * @counter_hooks: hook ids that carry counters
 * @pebs_hook: hook id or 0
 * @nr_intervals: entries of @intervals
 * @intervals: sampling intervals of sources
 * @nr_sample_sources: entries of @sample_sources
 * @sample_sources: profile sources that sample by overflow
 * @buffers: buffer settings
 * @clock: ETW_CLOCK_*
 * @counter_name_units: of @counter_names
 * @counter_names: strings with NUL, one after another, @nr_counters of them
 * @filter_options: ETW_FILTER_*
 * @nr_hooks: entries of @hooks
 * @hooks: the only hook ids to be recorded
 * @consumer: owner and mode of the stream
 * @nr_provider_uids: entries of @provider_uids
 * @provider_uids: users that may write
 * @nr_provider_gids: entries of @provider_gids
 * @provider_gids: groups that may write
 * @nr_counter_attrs: entries of @counter_attrs
 * @counter_attrs: attributes of each of @counters
 * @provider: rights and rate limit of programs
 * @nr_linux_events: entries of @linux_events
 * @nr_linux_stacks: entries that request stacks
 * @linux_events_size: bytes of @linux_events
 * @linux_events: struct etw_ext_linux_event, in the block that was parsed; any alignment. NULL:
 *	not given
 */
struct etw_items {
	__u32 present;
	__u16 index[ETW_ITEM_KINDS];
	__u32 offset[ETW_ITEM_KINDS];
	struct perfinfo_groupmask masks;
	__u32 nr_masks;
	__u32 nr_pids;
	__u32 pids[ETW_MAX_PIDS];
	__u32 nr_stackwalk;
	__u16 stackwalk[ETW_MAX_STACKWALK_FILTER];
	__u32 nr_pool_tags;
	__u32 pool_tags[ETW_MAX_POOLTAG_FILTER];
	struct etw_stack_caching_config caching;
	__u32 nr_counters;
	struct etw_ext_counter counters[ETW_MAX_PMC_COUNTERS];
	__u32 nr_counter_hooks;
	__u16 counter_hooks[ETW_MAX_PMC_HOOKS];
	__u32 pebs_hook;
	__u32 nr_intervals;
	struct etw_ext_interval intervals[ETW_MAX_SAMPLE_INTERVALS];
	__u32 nr_sample_sources;
	__u32 sample_sources[ETW_MAX_SAMPLE_SOURCES];
	struct etw_ext_buffers buffers;
	__u32 clock;
	__u32 counter_name_units;
	__u16 counter_names[ETW_MAX_COUNTER_NAMES];
	__u32 filter_options;
	__u32 nr_hooks;
	__u16 hooks[ETW_MAX_HOOK_FILTER];
	struct etw_ext_consumer consumer;
	__u32 nr_provider_uids;
	__u32 provider_uids[ETW_MAX_PROVIDERS];
	__u32 nr_provider_gids;
	__u32 provider_gids[ETW_MAX_PROVIDERS];
	__u32 nr_counter_attrs;
	struct etw_ext_counter_attr counter_attrs[ETW_MAX_PMC_COUNTERS];
	struct etw_ext_provider_options provider;
	__u32 nr_linux_events;
	__u32 nr_linux_stacks;
	__u32 linux_events_size;
	const void *linux_events;
};

static inline int etw_items_have(const struct etw_items *items, enum etw_item_kind kind)
{
	return items->present >> kind & 1;
}

/*
 * The entries are in the caller's block, which will be freed, and QUERY has no space for them.
 * Their number and size stay, for the memory that they take.
 */
static inline void etw_items_forget_linux_events(struct etw_items *items)
{
	items->present &= ~(1U << ETW_ITEM_LINUX_EVENTS);
	items->linux_events = NULL;
}

/* From the start of the block to dword @index; 0 is an item's header, which the old form lacks */
static inline __u32 etw_item_dword(const struct etw_items *items, enum etw_item_kind kind,
				   __u32 index)
{
	return items->offset[kind] + 4 * (items->index[kind] ? index : index - 1);
}

int etw_items_parse(const void *block, __u32 size, __u32 fixed, __u32 enable_flags,
		    struct etw_items *items, struct etw_config_error *error);
__u32 etw_items_encode(const struct etw_items *items, void *to, __u32 space);
void etw_items_copy(struct etw_items *to, const struct etw_items *from, enum etw_item_kind kind);
int etw_items_same(const struct etw_items *a, const struct etw_items *b,
		   enum etw_item_kind kind);

#endif /* ETW_ITEMS_H */
