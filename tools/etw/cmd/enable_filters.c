// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Options --filter-... of 'etw enable'. */
#include <stddef.h>
#include <string.h>
#include "common/verb_options.h"
#include "enable_filters.h"
#include "etw.h"

/* A filter that is given again has the parts of both. */
static int take_pids(const struct verb *verb, struct enable_filters *filters, char *text)
{
	const uint32_t before = filters->nr_pids;
	char *part, *rest;

	for (part = strtok_r(text, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
		if (filters->nr_pids == ETW_MAX_FILTER_PIDS)
			return usage_error(verb, "enable: --filter-pid: more than %u processes",
					   ETW_MAX_FILTER_PIDS);
		if (!parse_number(part, 1, UINT32_MAX, &filters->pids[filters->nr_pids++]))
			return usage_error(verb, "enable: --filter-pid %s: no process id", part);
	}
	if (filters->nr_pids == before)
		return usage_error(verb, "enable: --filter-pid: missing process id");
	return 0;
}

/* The module's separator is ';', which a name could not contain otherwise. */
static int take_names(const struct verb *verb, struct enable_filters *filters, char *text)
{
	char *part, *rest;
	const size_t before = strlen(filters->names);
	size_t used = before, length;

	for (part = strtok_r(text, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
		length = strlen(part);
		if (strpbrk(part, "/;"))
			return usage_error(verb, "enable: --filter-exe %s: a file name without "
					   "folders and ';' is needed", part);
		if (used + !!used + length >= sizeof(filters->names))
			return usage_error(verb, "enable: --filter-exe: more than %u bytes",
					   ETW_MAX_FILTER_SIZE - 1);
		if (used)
			filters->names[used++] = ';';
		memcpy(filters->names + used, part, length + 1);
		used += length;
	}
	if (used == before)
		return usage_error(verb, "enable: --filter-exe: missing file name");
	return 0;
}

static int take_events(const struct verb *verb, struct enable_filters *filters, int option,
		       char *text)
{
	const char *name = option == OPTION_FILTER_EVENT ? "--filter-event" : "--filter-not-event";
	const uint8_t in = option == OPTION_FILTER_EVENT;
	struct etw_filter_event_ids *events = &filters->events;
	const uint16_t before = events->count;
	char *part, *rest;
	uint32_t id;

	if (events->count && events->in != in)
		return usage_error(verb, "enable: --filter-event and --filter-not-event are "
				   "mutually exclusive");
	events->in = in;
	for (part = strtok_r(text, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
		if (events->count == ETW_MAX_FILTER_EVENTS)
			return usage_error(verb, "enable: %s: more than %u events", name,
					   ETW_MAX_FILTER_EVENTS);
		if (!parse_number(part, 0, UINT16_MAX, &id))
			return usage_error(verb, "enable: %s %s: an event id is 0 to %u", name,
					   part, UINT16_MAX);
		filters->ids[2 + events->count++] = id;
	}
	if (events->count == before)
		return usage_error(verb, "enable: %s: missing event id", name);
	return 0;
}

static int take_event_names(const struct verb *verb, struct enable_filters *filters, int option,
			    char *text)
{
	const char *name = option == OPTION_FILTER_EVENT_NAME ? "--filter-event-name" :
								"--filter-not-event-name";
	const uint8_t in = option == OPTION_FILTER_EVENT_NAME;
	struct etw_filter_event_names *names = &filters->event_names;
	const uint16_t before = names->count;
	char *part, *rest;
	size_t size;

	if (names->count && names->in != in)
		return usage_error(verb, "enable: --filter-event-name and --filter-not-event-name "
				   "are mutually exclusive");
	names->in = in;
	for (part = strtok_r(text, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
		size = strlen(part) + 1;
		if (filters->names_used + size > sizeof(names->names))
			return usage_error(verb, "enable: %s: more than %zu bytes", name,
					   sizeof(names->names));
		memcpy(names->names + filters->names_used, part, size);
		filters->names_used += size;
		names->count++;
	}
	if (names->count == before)
		return usage_error(verb, "enable: %s: missing event name", name);
	return 0;
}

int enable_filters_take(const struct verb *verb, struct enable_filters *filters, int option,
			char *text)
{
	switch (option) {
	case OPTION_FILTER_PID:
		return take_pids(verb, filters, text);
	case OPTION_FILTER_EXE:
		return take_names(verb, filters, text);
	case OPTION_FILTER_EVENT:
	case OPTION_FILTER_NOT_EVENT:
		return take_events(verb, filters, option, text);
	case OPTION_FILTER_EVENT_NAME:
	case OPTION_FILTER_NOT_EVENT_NAME:
		return take_event_names(verb, filters, option, text);
	}
	return 0;
}

static void add(struct enable_filters *filters, struct etw_enable *enable, uint32_t type,
		const void *data, uint32_t size)
{
	if (size)
		filters->filter[enable->nr_filters++] = (struct etw_event_filter){
			.data = (uintptr_t)data, .size = size, .type = type,
		};
}

void enable_filters_set(struct enable_filters *filters, struct etw_enable *enable)
{
	const uint32_t count = filters->events.count;

	add(filters, enable, ETW_FILTER_PID, filters->pids,
	    filters->nr_pids * sizeof(filters->pids[0]));
	add(filters, enable, ETW_FILTER_EXECUTABLE, filters->names, strlen(filters->names));
	add(filters, enable, ETW_FILTER_EVENT_ID, filters->ids,
	    count ? (2 + count) * sizeof(filters->ids[0]) : 0);
	add(filters, enable, ETW_FILTER_EVENT_NAME, &filters->event_names,
	    filters->names_used ? offsetof(struct etw_filter_event_names, names) +
				  filters->names_used : 0);
	enable->filters = enable->nr_filters ? (uintptr_t)filters->filter : 0;
}
