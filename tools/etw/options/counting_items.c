// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Counters and samples as the items of an extension. */
#include <string.h>
#include <strings.h>
#include "libetl/text.h"
#include "etw_hooks.h"
#include "session_options.h"

static void set_mask(struct perfinfo_groupmask *masks, uint32_t group)
{
	masks->masks[PERF_MASK_INDEX(group)] |= PERF_MASK_BITS(group);
}

static bool has_source(const struct etw_items *items, uint32_t source)
{
	uint32_t i;

	for (i = 0; i < items->nr_counters; i++)
		if (items->counters[i].profile_source == source)
			return true;
	return false;
}

/* Return: false: no room for the name */
static bool put_name(struct etw_items *items, const char *name)
{
	uint32_t room = ETW_MAX_COUNTER_NAMES - items->counter_name_units;
	uint16_t units[COUNTER_NAME];
	uint32_t n = text_to_utf16(name, units, COUNTER_NAME - 1);

	units[n++] = 0;
	if (n > room)
		return false;
	memcpy(items->counter_names + items->counter_name_units, units, 2 * n);
	items->counter_name_units += n;
	return true;
}

/* As Windows numbers it; what is counted a second time, or is not of Windows, as ours */
static int put_counter(struct session_options *options, const struct counter *counter,
		       uint32_t flags)
{
	struct etw_items *items = &options->request.items;
	uint32_t i = items->nr_counters;
	uint32_t source = counter->source;

	if (i == ETW_MAX_PMC_COUNTERS)
		return option_error(options, "counters and sources to sample: at most %u together",
				    ETW_MAX_PMC_COUNTERS);
	if (!source || has_source(items, source))
		source = ETW_PROFILE_SOURCE_OWN + i;
	if (!put_name(items, counter->name))
		return option_error(options, "the names of the counters are too long together");
	items->counters[i] = (struct etw_ext_counter){
		.profile_source = source, .pmu_type = counter->type,
		.config_low = counter->config, .config_high = counter->config >> 32,
	};
	items->counter_attrs[i] = (struct etw_ext_counter_attr){
		.flags = counter->flags | flags,
		.config1_low = counter->config1, .config1_high = counter->config1 >> 32,
		.config2_low = counter->config2, .config2_high = counter->config2 >> 32,
	};
	items->nr_counters++;
	return 0;
}

static int put_source(struct session_options *options, uint32_t source, const char *name)
{
	struct etw_items *items = &options->request.items;
	uint32_t i;

	for (i = 0; i < items->nr_sample_sources; i++)
		if (items->sample_sources[i] == source)
			return option_error(options, "%s: sampled twice", name);
	if (i == ETW_MAX_SAMPLE_SOURCES)
		return option_error(options, "sources to sample: at most %u",
				    ETW_MAX_SAMPLE_SOURCES);
	items->sample_sources[items->nr_sample_sources++] = source;
	return 0;
}

/* One entry can be counted and sampled: it takes one of the seven places. */
static int put_sample(struct session_options *options, const struct counter *sample)
{
	struct etw_items *items = &options->request.items;
	struct counter other;
	uint32_t i;
	int code;

	items->nr_counter_attrs = items->nr_counters;
	for (i = 0; i < items->nr_counters; i++) {
		items_counter(items, i, &other);
		if (counter_same(&other, sample))
			break;
	}
	if (i == items->nr_counters) {
		code = put_counter(options, sample, ETW_COUNTER_SAMPLE_ONLY);
		if (code)
			return code;
	}
	items->counter_attrs[i].flags |= sample->flags & ETW_COUNTER_PRECISE;
	return put_source(options, items->counters[i].profile_source, sample->name);
}

static int set_interval(const struct session_options *options, struct etw_items *items,
			uint32_t source, uint32_t interval)
{
	uint32_t i;

	if (!etw_items_have(items, ETW_ITEM_SAMPLE_INTERVAL))
		items->nr_intervals = 0;
	items_say(items, ETW_ITEM_SAMPLE_INTERVAL);
	for (i = 0; i < items->nr_intervals; i++)
		if (items->intervals[i].profile_source == source)
			break;
	if (i == ETW_MAX_SAMPLE_INTERVALS)
		return option_error(options, "intervals: at most %u", ETW_MAX_SAMPLE_INTERVALS);
	items->nr_intervals += i == items->nr_intervals;
	items->intervals[i] = (struct etw_ext_interval){ source, interval };
	return 0;
}

/* A source that samples, by its name there or by another of the same event; 0: none */
static uint32_t find_source(const struct etw_items *items, const char *name)
{
	struct counter_error error;
	struct counter meant, other;
	uint32_t i, k;
	bool known = counter_parse(name, &meant, &error);

	for (i = 0; i < items->nr_sample_sources; i++) {
		if (known && meant.source == items->sample_sources[i])
			return meant.source;
		for (k = 0; k < items->nr_counters; k++) {
			if (items->counters[k].profile_source != items->sample_sources[i])
				continue;
			items_counter(items, k, &other);
			if (!strcasecmp(other.name, name) ||
			    (known && counter_same(&other, &meant)))
				return items->sample_sources[i];
		}
	}
	return 0;
}

int counting_intervals(const struct session_options *options, struct etw_items *items,
		       struct perfinfo_groupmask *masks)
{
	const struct counter_options *counting = &options->counting;
	uint32_t i, source;
	int code = 0;

	if (counting->timer) {
		set_mask(masks, PERF_PROFILE);
		code = set_interval(options, items, ETW_PROFILE_SOURCE_TIME, counting->timer);
	}
	for (i = 0; i < counting->nr_intervals && !code; i++) {
		set_mask(masks, PERF_PMC_PROFILE);
		source = find_source(items, counting->intervals[i].name);
		code = source ? set_interval(options, items, source,
					     counting->intervals[i].events) :
		       option_error(options, "interval of %s: that is not sampled",
				    counting->intervals[i].name);
	}
	return code;
}

static bool needs_attrs(const struct etw_items *items)
{
	static const struct etw_ext_counter_attr none;
	uint32_t i;

	for (i = 0; i < items->nr_counters; i++)
		if (memcmp(&items->counter_attrs[i], &none, sizeof(none)))
			return true;
	return false;
}

static void say_what_is_there(struct etw_items *items)
{
	if (items->nr_counters) {
		items_say(items, ETW_ITEM_PMC_COUNTERS);
		items_say(items, ETW_ITEM_COUNTER_NAMES);
	}
	items->nr_counter_attrs = items->nr_counters;
	if (needs_attrs(items))
		items_say(items, ETW_ITEM_COUNTER_ATTRS);
	if (items->nr_sample_sources)
		items_say(items, ETW_ITEM_SAMPLE_SOURCES);
	if (items->pebs_hook)
		items_say(items, ETW_ITEM_PEBS_EVENT);
}

int counting_finish(struct session_options *options)
{
	struct counter_options *counting = &options->counting;
	struct start_request *request = &options->request;
	struct etw_items *items = &request->items;
	uint32_t i;
	int code = 0;

	for (i = 0; i < counting->nr_counters && !code; i++)
		code = put_counter(options, &counting->counters[i], 0);
	for (i = 0; i < counting->nr_samples && !code; i++)
		code = put_sample(options, &counting->samples[i]);
	if (!code && counting->pebs_event.name[0])
		code = put_sample(options, &counting->pebs_event);
	if (code)
		return code;
	if (counting->pebs)
		items->pebs_hook = PERFINFO_LOG_TYPE_CONTEXTSWAP;
	if (items->nr_sample_sources)
		set_mask(&request->masks, PERF_PMC_PROFILE);
	say_what_is_there(items);
	return counting_intervals(options, items, &request->masks);
}
