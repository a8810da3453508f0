// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which settings of a running session UPDATE may change; declared in config.h. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "config.h"
#include "refuse.h"

/* No update may change these, because the stream's readers get them at its start. */
static const enum etw_item_kind fixed_items[] = {
	ETW_ITEM_PMC_COUNTERS, ETW_ITEM_PMC_HOOKS, ETW_ITEM_PEBS_EVENT,
	ETW_ITEM_SAMPLE_SOURCES, ETW_ITEM_COUNTER_NAMES,
	ETW_ITEM_COUNTER_ATTRS, ETW_ITEM_CONSUMER, ETW_ITEM_PROVIDER_UIDS, ETW_ITEM_PROVIDER_GIDS,
	ETW_ITEM_PROVIDER_OPTIONS,
};

static int refuse_fixed(struct etw_config_error *error, __u32 field)
{
	return etw_refuse(error, field, ETW_REASON_FIXED, -EINVAL);
}

/* Refuse a field of the block, or the dword of the item that overrides the field */
static int refuse_merged(struct etw_config_error *error, __u32 field, __u32 in_item,
			 const struct etw_items *items, enum etw_item_kind kind, __u32 index)
{
	if (!in_item)
		return refuse_fixed(error, field);
	return etw_refuse_dword(error, items, kind, index, ETW_REASON_FIXED, -EINVAL);
}

static int is_same_name(const __u16 *a, const __u16 *b)
{
	for (; *a == *b; a++, b++)
		if (!*a)
			return 1;
	return 0;
}

static int check_fields(const struct etw_settings *now, const struct etw_settings *next,
			struct etw_config_error *error)
{
	if (memcmp(&next->guid, &now->guid, sizeof(now->guid)))
		return refuse_fixed(error, ETW_FIELD(wnode.guid));
	if (next->mode != now->mode)
		return refuse_fixed(error, ETW_FIELD(log_file_mode));
	if (next->maximum_file_size != now->maximum_file_size)
		return refuse_fixed(error, ETW_FIELD(maximum_file_size));
	if (!is_same_name(next->logger_name, now->logger_name))
		return refuse_fixed(error, ETW_FIELD(logger_name));
	/* a reader may go on in another file; a name can't be added or removed */
	if (!*next->log_file_name != !*now->log_file_name)
		return refuse_fixed(error, ETW_FIELD(log_file_name));
	return 0;
}

static int check_merged(const struct etw_settings *now, const struct etw_settings *next,
			struct etw_config_error *error)
{
	const struct etw_items *items = &next->items;

	if (next->clock_type != now->clock_type)
		return refuse_merged(error, ETW_FIELD(wnode.client_context), items->clock, items,
				     ETW_ITEM_CLOCK, 1);
	if (next->buffer_size != now->buffer_size)
		return refuse_merged(error, ETW_FIELD(buffer_size), items->buffers.buffer_size,
				     items, ETW_ITEM_BUFFER_SETTINGS, 1);
	if (next->minimum_buffers && next->minimum_buffers != now->minimum_buffers)
		return refuse_merged(error, ETW_FIELD(minimum_buffers),
				     items->buffers.minimum_buffers, items,
				     ETW_ITEM_BUFFER_SETTINGS, 2);
	return 0;
}

/**
 * etw_config_check_update() - whether a session may get new settings
 * @now: its configuration, with numbers as QUERY returns them
 * @next: the requested configuration, out of etw_config_parse()
 * @error: out, with an error: the field or the item
 *
 * Events, filters, sampling intervals, flush timer, buffer limit and file name may change.
 * All else must stay; items that cannot change may be left out, and 0 for MinimumBuffers
 * keeps the current value.
 *
 * Return: 0; -EINVAL.
 */
int etw_config_check_update(const struct etw_settings *now, const struct etw_settings *next,
			    struct etw_config_error *error)
{
	const struct etw_items *items = &next->items;
	enum etw_item_kind kind;
	__u32 i;
	int err;

	memset(error, 0, sizeof(*error));
	err = check_fields(now, next, error);
	if (!err)
		err = check_merged(now, next, error);
	if (err)
		return err;
	for (i = 0; i < ARRAY_SIZE(fixed_items); i++) {
		kind = fixed_items[i];
		if (!etw_items_have(items, kind) || etw_items_same(&now->items, items, kind))
			continue;
		return etw_refuse_dword(error, items, kind, 0, ETW_REASON_FIXED, -EINVAL);
	}
	return etw_config_check_sources(next, &now->items, error);
}

/* An item that is left out either keeps its value, or the session has none. */
static int is_kept(const struct etw_items *now, const struct etw_items *next,
		   enum etw_item_kind kind)
{
	__u32 i;

	if (etw_items_have(next, kind))
		return etw_items_same(now, next, kind);
	for (i = 0; i < ARRAY_SIZE(fixed_items); i++)
		if (kind == fixed_items[i])
			return 1;
	return kind == ETW_ITEM_SAMPLE_INTERVAL || kind == ETW_ITEM_LINUX_EVENTS ||
	       !etw_items_have(now, kind);
}

/* Bits that a new mask adds to the recorded events. NO_SYSCONFIG keeps events out. */
static __u32 added_bits(const struct perfinfo_groupmask *now,
			const struct perfinfo_groupmask *next, __u32 element)
{
	__u32 inverted = element ? 0 : EVENT_TRACE_FLAG_NO_SYSCONFIG;

	return (next->masks[element] ^ inverted) & ~(now->masks[element] ^ inverted);
}

/**
 * etw_config_takes_away() - whether an update can only remove events
 * @now: as for etw_config_check_update()
 * @next: accepted by etw_config_check_update()
 *
 * Everything else must stay, except the flush period, because any other item may record
 * more. So may another filter, even with fewer processes, because their descendants are
 * searched again, and so may more buffers.
 *
 * Return: whether it only removes events.
 */
int etw_config_takes_away(const struct etw_settings *now, const struct etw_settings *next)
{
	__u32 i;

	for (i = 0; i < ARRAY_SIZE(now->masks.masks); i++)
		if (added_bits(&now->masks, &next->masks, i))
			return 0;
	if (next->maximum_buffers > now->maximum_buffers)
		return 0;
	for (i = 0; i < ETW_ITEM_KINDS; i++)
		if (i != ETW_ITEM_ENABLE_FLAGS && i != ETW_ITEM_BUFFER_SETTINGS &&
		    i != ETW_ITEM_CLOCK && !is_kept(&now->items, &next->items, i))
			return 0;
	return 1;
}
