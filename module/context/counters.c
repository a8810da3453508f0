// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Converts a counter of a configuration extension to a perf event of one CPU. */
#include <linux/string.h>
#include "counters.h"

static u64 join(u32 low, u32 high)
{
	return low | (u64)high << 32;
}

static u32 flags_of(const struct etw_items *items, u32 i)
{
	return i < items->nr_counter_attrs ? items->counter_attrs[i].flags : 0;
}

/**
 * etw_counter_is_counted() - whether records carry a counter's value
 * @items: items
 * @i: index in @items->counters
 */
bool etw_counter_is_counted(const struct etw_items *items, u32 i)
{
	return !(flags_of(items, i) & ETW_COUNTER_SAMPLE_ONLY);
}

/**
 * etw_counter_attr() - make the perf event attributes of a counter
 * @items: items
 * @i: index in @items->counters
 * @attr: out: pinned, on a CPU, without a period
 */
void etw_counter_attr(const struct etw_items *items, u32 i, struct perf_event_attr *attr)
{
	const struct etw_ext_counter *counter = &items->counters[i];
	u32 flags = flags_of(items, i);

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = counter->pmu_type;
	attr->config = join(counter->config_low, counter->config_high);
	attr->pinned = 1;
	attr->exclude_user = !!(flags & ETW_COUNTER_EXCLUDE_USER);
	attr->exclude_kernel = !!(flags & ETW_COUNTER_EXCLUDE_KERNEL);
	attr->exclude_hv = !!(flags & ETW_COUNTER_EXCLUDE_HV);
	attr->exclude_idle = !!(flags & ETW_COUNTER_EXCLUDE_IDLE);
	if (i < items->nr_counter_attrs) {
		const struct etw_ext_counter_attr *more = &items->counter_attrs[i];

		attr->config1 = join(more->config1_low, more->config1_high);
		attr->config2 = join(more->config2_low, more->config2_high);
	}
}

/**
 * etw_counters_attrs() - make the attributes of all counters that records carry
 * @items: items
 * @attrs: out: up to ETW_MAX_PMC_COUNTERS
 * @index: out: index of each in @items->counters
 *
 * Return: their number.
 */
u32 etw_counters_attrs(const struct etw_items *items, struct perf_event_attr *attrs, u32 *index)
{
	u32 i, nr = 0;

	for (i = 0; i < items->nr_counters; i++) {
		if (!etw_counter_is_counted(items, i))
			continue;
		index[nr] = i;
		etw_counter_attr(items, i, &attrs[nr++]);
	}
	return nr;
}
