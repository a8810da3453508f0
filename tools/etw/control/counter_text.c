// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Counters and samples of an extension, in words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "config/profile_sources.h"
#include "libetl/text.h"
#include "counter.h"
#include "request.h"

/* The text of a name is behind those of the ones before. */
static bool name_of(const struct etw_items *items, uint32_t i, char *to, size_t room)
{
	uint32_t at = 0, end;

	if (!etw_items_have(items, ETW_ITEM_COUNTER_NAMES))
		return false;
	for (; at < items->counter_name_units; at = end + 1) {
		for (end = at; end < items->counter_name_units && items->counter_names[end]; end++)
			;
		if (i--)
			continue;
		text_from_utf16((const uint8_t *)(items->counter_names + at), 2 * (end - at), to,
				room);
		return end > at;
	}
	return false;
}

static void source_name(uint32_t source, char *to, size_t room)
{
	const char *name = etw_profile_source_name(source);

	if (name)
		snprintf(to, room, "%s", name);
	else
		snprintf(to, room, "Source%u", source);
}

void items_counter(const struct etw_items *items, uint32_t i, struct counter *counter)
{
	const struct etw_ext_counter *entry = &items->counters[i];
	static const struct etw_ext_counter_attr none;
	const struct etw_ext_counter_attr *attr = &none;

	if (i < items->nr_counter_attrs)
		attr = &items->counter_attrs[i];
	counter->source = entry->profile_source;
	counter->type = entry->pmu_type;
	counter->flags = attr->flags;
	counter->config = (uint64_t)entry->config_high << 32 | entry->config_low;
	counter->config1 = (uint64_t)attr->config1_high << 32 | attr->config1_low;
	counter->config2 = (uint64_t)attr->config2_high << 32 | attr->config2_low;
	if (!name_of(items, i, counter->name, sizeof(counter->name)))
		source_name(counter->source, counter->name, sizeof(counter->name));
}

void items_source_name(const struct etw_items *items, uint32_t source, char *to, size_t room)
{
	uint32_t i;

	source_name(source, to, room);
	for (i = 0; i < items->nr_counters; i++)
		if (items->counters[i].profile_source == source)
			name_of(items, i, to, room);
}

static const char *comma(uint32_t i)
{
	return i ? ", " : "";
}

void put_counters(FILE *to, const struct etw_items *items)
{
	struct counter counter;
	char event[128];
	uint32_t i;

	for (i = 0; i < items->nr_counters; i++) {
		items_counter(items, i, &counter);
		counter_event_text(&counter, event, sizeof(event));
		fprintf(to, "%s%s (source %u: %s)", comma(i), counter.name, counter.source, event);
	}
}

void put_counter_names(FILE *to, const struct etw_items *items)
{
	char name[COUNTER_NAME] = "";
	uint32_t i;

	for (i = 0; i < items->nr_counters; i++) {
		name_of(items, i, name, sizeof(name));
		fprintf(to, "%s%s", comma(i), name);
	}
}

void put_counter_flags(FILE *to, uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *text;
	} texts[] = {
		{ ETW_COUNTER_EXCLUDE_USER, "not in user mode" },
		{ ETW_COUNTER_EXCLUDE_KERNEL, "not in the kernel" },
		{ ETW_COUNTER_EXCLUDE_HV, "not in the hypervisor" },
		{ ETW_COUNTER_EXCLUDE_IDLE, "not while idle" },
		{ ETW_COUNTER_SAMPLE_ONLY, "samples only" },
		{ ETW_COUNTER_PRECISE, "by PEBS" },
	};
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (flags & texts[i].flag)
			fprintf(to, "%s%s", comma(n++), texts[i].text);
}

void put_counter_attrs(FILE *to, const struct etw_items *items)
{
	struct counter counter;
	uint32_t i, n = 0;

	for (i = 0; i < items->nr_counter_attrs && i < items->nr_counters; i++) {
		items_counter(items, i, &counter);
		if (!counter.flags)
			continue;
		fprintf(to, "%s%s: ", n++ ? "; " : "", counter.name);
		put_counter_flags(to, counter.flags);
	}
	if (!n)
		fputs("none", to);
}

void put_intervals(FILE *to, const struct etw_items *items)
{
	const struct etw_ext_interval *interval = items->intervals;
	char name[COUNTER_NAME];
	uint32_t i;

	for (i = 0; i < items->nr_intervals; i++, interval++) {
		if (!interval->profile_source) {
			fprintf(to, "%stimer: %u.%04u ms", comma(i), interval->interval / 10000,
				interval->interval % 10000);
			continue;
		}
		items_source_name(items, interval->profile_source, name, sizeof(name));
		fprintf(to, "%s%s: %u events", comma(i), name, interval->interval);
	}
}

void put_sample_sources(FILE *to, const struct etw_items *items)
{
	char name[COUNTER_NAME];
	uint32_t i;

	for (i = 0; i < items->nr_sample_sources; i++) {
		items_source_name(items, items->sample_sources[i], name, sizeof(name));
		fprintf(to, "%s%s (%u)", comma(i), name, items->sample_sources[i]);
	}
}
