// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What etw status shows of counters, samples and PEBS. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "control/counter.h"
#include "status.h"

static const char *method_name(uint32_t method)
{
	static const char *const names[] = {
		[ETW_METHOD_NONE] = "none", [ETW_METHOD_DIRECT] = "direct",
		[ETW_METHOD_PMU] = "pmu", [ETW_METHOD_MEMORY] = "memory",
		[ETW_METHOD_MIXED] = "mixed",
	};

	return method < sizeof(names) / sizeof(names[0]) ? names[method] : "unknown";
}

static const char *clock_text(uint32_t clock)
{
	return clock == ETW_PROFILE_CLOCK_TIMER ? "timer" :
	       clock == ETW_PROFILE_CLOCK_CYCLES ? "cycles" : "none";
}

/* By order, or by source if the module leaves some out; NULL: the module does not report it */
static const uint32_t *method_of(const struct etw_counting *counting, uint32_t source)
{
	uint32_t i;

	for (i = 0; i < counting->nr_counters && i < ETW_MAX_PMC_COUNTERS; i++)
		if (counting->counter[i].profile_source == source)
			return &counting->counter[i].method;
	return NULL;
}

static void print_counter(const struct status *status, uint32_t i)
{
	const struct etw_items *items = &status->session.items;
	const uint32_t *method;
	struct counter counter;
	char event[128];

	items_counter(items, i, &counter);
	counter_event_text(&counter, event, sizeof(event));
	printf("  counter %s: source %u, %s", counter.name, counter.source, event);
	if (counter.flags) {
		fputs(", ", stdout);
		put_counter_flags(stdout, counter.flags);
	}
	method = method_of(&status->counting, counter.source);
	if (method && !(counter.flags & ETW_COUNTER_SAMPLE_ONLY))
		printf("; read: %s", method_name(*method));
	putchar('\n');
}

void counting_print(const struct status *status)
{
	const struct etw_items *items = &status->session.items;
	const struct etw_counting *counting = &status->counting;
	uint32_t i;

	for (i = 0; i < items->nr_counters; i++)
		print_counter(status, i);
	if (counting->profile_interval)
		printf("  profile: by %s, every %u.%04u ms\n",
		       counting->profile_clock == ETW_PROFILE_CLOCK_CYCLES ?
		       "cycles (overflow)" : "the timer",
		       counting->profile_interval / 10000, counting->profile_interval % 10000);
	if (counting->throttled)
		printf("  throttled: %u times samples were held back until the next tick\n",
		       counting->throttled);
	if (counting->pebs_format)
		printf("  PEBS index: of records in format %u\n", counting->pebs_format - 1);
}

void counting_print_cpu(const struct status *status, uint32_t cpu)
{
	const struct etw_items *items = &status->session.items;
	struct etw_counting one;
	const uint32_t *method;
	char name[COUNTER_NAME];
	uint32_t i, source;

	if (!items->nr_counters || control_try_counting(status->fd, status->id, cpu, &one))
		return;
	for (i = 0; i < items->nr_counters; i++) {
		source = items->counters[i].profile_source;
		method = method_of(&one, source);
		if (!method)
			continue;
		items_source_name(items, source, name, sizeof(name));
		printf("  counter %s: read: %s\n", name, method_name(*method));
	}
}

static json_t *json_hexadecimal(uint64_t value)
{
	return json_sprintf("0x%" PRIx64, value);
}

static bool is_sampled(const struct etw_items *items, uint32_t source)
{
	uint32_t i;

	for (i = 0; i < items->nr_sample_sources; i++)
		if (items->sample_sources[i] == source)
			return true;
	return false;
}

static json_t *json_counter(const struct status *status, uint32_t i)
{
	const struct etw_items *items = &status->session.items;
	json_t *to = json_object();
	const uint32_t *method;
	struct counter counter;
	char event[128];

	items_counter(items, i, &counter);
	counter_event_text(&counter, event, sizeof(event));
	method = method_of(&status->counting, counter.source);
	json_object_set_new(to, "name", json_string(counter.name));
	json_object_set_new(to, "profile_source", json_integer(counter.source));
	json_object_set_new(to, "event", json_string(event));
	json_object_set_new(to, "type", json_integer(counter.type));
	json_object_set_new(to, "config", json_hexadecimal(counter.config));
	json_object_set_new(to, "config1", json_hexadecimal(counter.config1));
	json_object_set_new(to, "config2", json_hexadecimal(counter.config2));
	json_object_set_new(to, "flags", json_integer(counter.flags));
	json_object_set_new(to, "counted",
			    json_boolean(!(counter.flags & ETW_COUNTER_SAMPLE_ONLY)));
	json_object_set_new(to, "sampled", json_boolean(is_sampled(items, counter.source)));
	json_object_set_new(to, "read", method ? json_string(method_name(*method)) : json_null());
	return to;
}

void counting_json(json_t *to, const struct status *status)
{
	const struct etw_items *items = &status->session.items;
	const struct etw_counting *counting = &status->counting;
	json_t *counters = json_array(), *hooks = json_array(), *sources = json_array();
	json_t *intervals = json_object();
	char name[COUNTER_NAME];
	uint32_t i;

	for (i = 0; i < items->nr_counters; i++)
		json_array_append_new(counters, json_counter(status, i));
	for (i = 0; i < items->nr_counter_hooks; i++)
		json_array_append_new(hooks, json_integer(items->counter_hooks[i]));
	for (i = 0; i < items->nr_sample_sources; i++)
		json_array_append_new(sources, json_integer(items->sample_sources[i]));
	for (i = 0; i < items->nr_intervals; i++) {
		items_source_name(items, items->intervals[i].profile_source, name, sizeof(name));
		json_object_set_new(intervals, name, json_integer(items->intervals[i].interval));
	}
	json_object_set_new(to, "counters", counters);
	json_object_set_new(to, "counter_hooks", hooks);
	json_object_set_new(to, "sample_sources", sources);
	json_object_set_new(to, "sample_intervals", intervals);
	json_object_set_new(to, "profile_clock", json_string(clock_text(counting->profile_clock)));
	json_object_set_new(to, "profile_interval", json_integer(counting->profile_interval));
	json_object_set_new(to, "throttled", json_integer(counting->throttled));
	json_object_set_new(to, "pebs_format", counting->pebs_format ?
			    json_integer(counting->pebs_format - 1) : json_null());
}
