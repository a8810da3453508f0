// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Checks of single dwords of items; declared in items_cursor.h. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "config.h"
#include "items_cursor.h"

/* The first dword of each entry of @dwords dwords must be unique. */
static int check_unique(const struct etw_item_cursor *c, __u32 index, __u32 dwords)
{
	__u32 i;

	for (i = 1; i < index; i += dwords)
		if (etw_item_data(c, i) == etw_item_data(c, index))
			return etw_refuse_here(c, index, ETW_REASON_DUPLICATE, -EEXIST);
	return 0;
}

static int check_hook(const struct etw_item_cursor *c, __u32 index, __u32 hook)
{
	if (hook > 0xFFFF)
		return etw_refuse_here(c, index, ETW_REASON_RANGE, -EINVAL);
	if (hook >> 8 > ETW_MAX_HOOK_GROUP)
		return etw_refuse_here(c, index, ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	return 0;
}

/* Only PERFINFO records can carry counters (format.rst 3.6). */
static int check_counter_hook(const struct etw_item_cursor *c, __u32 index, __u32 hook)
{
	/* hooks with another header (kernel-events.rst 2) */
	static const __u16 other[] = {
		0x0000, 0x010C, 0x010D, 0x010F, 0x020A, 0x020B, 0x020C, 0x020E, 0x020F, 0x0262,
		0x0263, 0x0280, 0x0281, 0x0301, 0x0302, 0x030A, 0x0501, 0x0502, 0x0503, 0x0504,
		0x0B0A, 0x0B0B, 0x0B0C, 0x0B0D, 0x0B19, 0x0B23, 0x0F22, 0x0F30, 0x0F48, 0x0F49,
		0x0F4A, 0x1402,
	};
	int err = check_hook(c, index, hook);
	__u32 i;

	for (i = 0; i < ARRAY_SIZE(other) && !err; i++)
		if (hook == other[i])
			err = etw_refuse_here(c, index, ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	return err;
}

static int check_caching(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	if (!value || value > (index == 1 ? ETW_MAX_STACK_CACHE : ETW_MAX_STACK_BUCKETS))
		return etw_refuse_here(c, index, ETW_REASON_RANGE, -ERANGE);
	return 0;
}

static int check_interval(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	__u32 least = ETW_MIN_SOURCE_INTERVAL, most = ETW_MAX_SOURCE_INTERVAL;

	if (index % 2)
		return check_unique(c, index, 2);
	if (etw_item_data(c, index - 1) == ETW_PROFILE_SOURCE_TIME) {
		least = ETW_MIN_TIMER_INTERVAL;
		most = ETW_MAX_TIMER_INTERVAL;
	}
	return value < least || value > most ?
		etw_refuse_here(c, index, ETW_REASON_RANGE, -ERANGE) : 0;
}

/* Whether the source exists is checked when all items are parsed. */
static int check_sample_source(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	if (value > ETW_PROFILE_SOURCE_MAX)
		return etw_refuse_here(c, index, ETW_REASON_RANGE, -EINVAL);
	/* the timer's profile is another event, with a group of its own */
	if (value == ETW_PROFILE_SOURCE_TIME)
		return etw_refuse_here(c, index, ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	return check_unique(c, index, 1);
}

static int check_buffers(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	static const __u32 limits[] = {
		ETW_MAX_BUFFER_KB, ETW_MAX_BUFFERS, ETW_MAX_BUFFERS, ETW_MAX_FLUSH_MS,
	};

	if (index == 5)
		return value ? etw_refuse_here(c, index, ETW_REASON_UNSUPPORTED, -EOPNOTSUPP) : 0;
	if (value > limits[index - 1])
		return etw_refuse_here(c, index, ETW_REASON_RANGE, -ERANGE);
	if (index == 1 && value % ETW_MIN_BUFFER_KB)
		return etw_refuse_here(c, index, ETW_REASON_RANGE, -EINVAL);
	/* report the minimum, as in the block */
	if (index == 3 && value && etw_item_data(c, 2) > value)
		return etw_refuse_here(c, 2, ETW_REASON_CONFLICT, -EINVAL);
	return 0;
}

/* -1 is no valid id, in the kernel as well. */
static int check_id(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	return ~value ? 0 : etw_refuse_here(c, index, ETW_REASON_RANGE, -ERANGE);
}

static int check_consumer(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	if (index < 3)
		return check_id(c, index, value);
	return value & ~0444U ? etw_refuse_here(c, index, ETW_REASON_BITS, -EINVAL) : 0;
}

static int check_attr(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	if (index % 6 == 1 && value & ~ETW_COUNTER_FLAGS)
		return etw_refuse_here(c, index, ETW_REASON_BITS, -EINVAL);
	if (index % 6 == 2 && value)
		return etw_refuse_here(c, index, ETW_REASON_RESERVED, -EINVAL);
	return 0;
}

static int check_provider(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	if (index == 1)
		return value & ~ETW_PROVIDER_OPTIONS ?
			etw_refuse_here(c, index, ETW_REASON_BITS, -EINVAL) : 0;
	if (value > ETW_MAX_RATE_LIMIT && value != ETW_NO_RATE_LIMIT)
		return etw_refuse_here(c, index, ETW_REASON_RANGE, -ERANGE);
	return 0;
}

/**
 * etw_item_check_dword() - check one dword of an item's data
 * @c: the item
 * @kind: kind of the item
 * @index: of the dword; the dwords before it are valid
 *
 * Return: 0; an errno of etw_items_parse().
 */
int etw_item_check_dword(const struct etw_item_cursor *c, enum etw_item_kind kind, __u32 index)
{
	__u32 value = etw_item_data(c, index);

	switch (kind) {
	case ETW_ITEM_ENABLE_FLAGS:
		return value != PERF_MASK_BITS(value) ?
			etw_refuse_here(c, index, ETW_REASON_BITS, -EINVAL) : 0;
	case ETW_ITEM_STACKWALK_FILTER:
	case ETW_ITEM_HOOK_FILTER:
		return check_hook(c, index, value);
	case ETW_ITEM_STACK_CACHING:
		return check_caching(c, index, value);
	case ETW_ITEM_PMC_COUNTERS:
		return index % 4 == 1 ? check_unique(c, index, 4) : 0;
	case ETW_ITEM_PMC_HOOKS:
		return check_counter_hook(c, index, value);
	case ETW_ITEM_PEBS_EVENT:
		return value && value != PERFINFO_LOG_TYPE_CONTEXTSWAP ?
			etw_refuse_here(c, index, ETW_REASON_UNSUPPORTED, -EOPNOTSUPP) : 0;
	case ETW_ITEM_SAMPLE_INTERVAL:
		return check_interval(c, index, value);
	case ETW_ITEM_SAMPLE_SOURCES:
		return check_sample_source(c, index, value);
	case ETW_ITEM_BUFFER_SETTINGS:
		return check_buffers(c, index, value);
	case ETW_ITEM_CLOCK:
		return value < ETW_CLOCK_QPC || value > ETW_CLOCK_CYCLE ?
			etw_refuse_here(c, index, ETW_REASON_RANGE, -EINVAL) : 0;
	case ETW_ITEM_FILTER_OPTIONS:
		return value & ~(ETW_FILTER_CHILDREN | ETW_FILTER_EXCLUDE_SELF) ?
			etw_refuse_here(c, index, ETW_REASON_BITS, -EINVAL) : 0;
	case ETW_ITEM_CONSUMER:
		return check_consumer(c, index, value);
	case ETW_ITEM_PROVIDER_UIDS:
	case ETW_ITEM_PROVIDER_GIDS:
		return check_id(c, index, value);
	case ETW_ITEM_COUNTER_ATTRS:
		return check_attr(c, index, value);
	case ETW_ITEM_PROVIDER_OPTIONS:
		return check_provider(c, index, value);
	default:
		return 0;
	}
}
