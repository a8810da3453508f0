// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Payloads of 0F30 and 0F48 to 0F4A: counter names and sampler intervals. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "context/counters.h"
#include "profile_records.h"

/* 100 ns units in a millisecond */
#define UNITS_PER_MS	10000
/* Least period, because a sample itself takes cycles */
#define LEAST_CYCLES	5000

static __u32 wants(const struct perfinfo_groupmask *masks, __u32 group)
{
	return masks->masks[PERF_MASK_INDEX(group)] & PERF_MASK_BITS(group);
}

static __u32 interval_of(const struct etw_items *items, __u32 source)
{
	__u32 i;

	for (i = 0; i < items->nr_intervals; i++)
		if (items->intervals[i].profile_source == source)
			return items->intervals[i].interval;
	return source == ETW_PROFILE_SOURCE_TIME ? ETW_DEFAULT_TIMER_INTERVAL :
						   ETW_DEFAULT_SOURCE_INTERVAL;
}

/**
 * etw_profile_plan() - list the samplers that settings require
 * @masks: enabled groups
 * @items: intervals and sources
 * @plan: out: ETW_SAMPLER_TIMER, then the sources in the order of the extension
 */
void etw_profile_plan(const struct perfinfo_groupmask *masks, const struct etw_items *items,
		      struct etw_profile_plan *plan)
{
	__u32 i;

	memset(plan, 0, sizeof(*plan));
	if (wants(masks, PERF_PROFILE))
		plan->interval[ETW_SAMPLER_TIMER] = interval_of(items, ETW_PROFILE_SOURCE_TIME);
	for (i = 0; i < items->nr_sample_sources; i++) {
		plan->source[1 + i] = items->sample_sources[i];
		if (wants(masks, PERF_PMC_PROFILE))
			plan->interval[1 + i] = interval_of(items, items->sample_sources[i]);
	}
}

/**
 * etw_profile_find_counter() - find the counter of a source
 * @items: items
 * @source: KPROFILE_SOURCE
 *
 * Return: its index in @items->counters, or @items->nr_counters.
 */
__u32 etw_profile_find_counter(const struct etw_items *items, __u32 source)
{
	__u32 i;

	for (i = 0; i < items->nr_counters; i++)
		if (items->counters[i].profile_source == source)
			break;
	return i;
}

/**
 * etw_profile_period() - cycles between samples
 * @interval: 100 ns
 * @cycles: per millisecond
 *
 * Return: the cycles, at least LEAST_CYCLES.
 */
__u64 etw_profile_period(__u32 interval, __u32 cycles)
{
	/* at most 1 s and 2^31 cycles: no overflow */
	__u64 period = (__u64)interval * cycles / UNITS_PER_MS;

	return period > LEAST_CYCLES ? period : LEAST_CYCLES;
}

/* Returns units with the NUL. The name is the extension's, or else made from the source */
static __u32 put_name(const struct etw_items *items, __u32 source, __u8 *to)
{
	__u32 i, n, index = etw_profile_find_counter(items, source);
	__u16 made[ETW_PROFILE_SOURCE_UNITS];
	const __u16 *name = items->counter_names;

	if (index == items->nr_counters || !etw_items_have(items, ETW_ITEM_COUNTER_NAMES)) {
		n = etw_profile_source_units(source, made);
		memcpy(to, made, 2 * n);
		return n;
	}
	for (i = 0; i < index; i++)
		while (*name++)
			;
	for (n = 1; name[n - 1]; n++)
		;
	memcpy(to, name, 2 * n);
	return n;
}

/**
 * etw_encode_counter_names() - payload of 0F30: names of the counter values in records
 * @items: items
 * @to: ETW_PROFILE_PAYLOAD bytes, any alignment
 *
 * Return: bytes; 0: records carry no values.
 */
__u32 etw_encode_counter_names(const struct etw_items *items, void *to)
{
	__u32 i, count = 0, size = sizeof(count);

	for (i = 0; i < items->nr_counters && items->nr_counter_hooks; i++) {
		if (!etw_counter_is_counted(items, i))
			continue;
		size += 2 * put_name(items, items->counters[i].profile_source, (__u8 *)to + size);
		count++;
	}
	memcpy(to, &count, sizeof(count));
	return count ? size : 0;
}

/**
 * etw_encode_interval() - payload of 0F49 and 0F4A
 * @items: may name the source
 * @source: KPROFILE_SOURCE
 * @interval: 100 ns or events
 * @to: ETW_PROFILE_PAYLOAD bytes, any alignment
 *
 * Return: bytes.
 */
__u32 etw_encode_interval(const struct etw_items *items, __u32 source, __u32 interval, void *to)
{
	const struct perfinfo_profile_interval fixed = {
		.source = source,
		.new_interval = interval,
		.old_interval = interval,
	};

	memcpy(to, &fixed, sizeof(fixed));
	return sizeof(fixed) + 2 * put_name(items, source, (__u8 *)to + sizeof(fixed));
}

/**
 * etw_encode_change() - record of a change to a source's sampling
 * @items: may name the source
 * @source: KPROFILE_SOURCE
 * @new_interval: 100 ns or events; 0: no longer sampled
 * @old_interval: 100 ns or events; 0: not sampled before
 * @to: ETW_PROFILE_PAYLOAD bytes, any alignment
 *
 * A source that is added or removed gets a Start or End record. Without a Start, readers
 * weigh all samples by the old interval of a change record, so that must never be 0.
 *
 * Return: the record.
 */
struct etw_profile_change etw_encode_change(const struct etw_items *items, __u32 source,
					    __u32 new_interval, __u32 old_interval, void *to)
{
	const struct perfinfo_profile_interval fixed = {
		.source = source,
		.new_interval = new_interval,
		.old_interval = old_interval,
	};
	struct etw_profile_change change = {
		.hook_id = PERFINFO_LOG_TYPE_SET_INTERVAL,
		.version = PERFINFO_SET_INTERVAL_VERSION,
		.size = sizeof(fixed),
	};

	if (new_interval && old_interval) {
		memcpy(to, &fixed, sizeof(fixed));
		return change;
	}
	change.hook_id = new_interval ? PERFINFO_LOG_TYPE_COLLECTION_START :
					PERFINFO_LOG_TYPE_COLLECTION_END;
	change.version = PERFINFO_PROFILE_INTERVAL_VERSION;
	change.size = etw_encode_interval(items, source, new_interval + old_interval, to);
	return change;
}
