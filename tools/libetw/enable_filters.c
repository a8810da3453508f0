// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Filters of EnableTraceEx2(): checked, and in the module's form. */
#include <stddef.h>
#include <string.h>
#include "libetl/text.h"
#include "record/event_names.h"
#include "enable_filters.h"

static ULONG copy(void *to, const EVENT_FILTER_DESCRIPTOR *from, size_t size)
{
	return etw_error(etw_copy_in(to, (const void *)(uintptr_t)from->Ptr, size));
}

static ULONG take_pids(struct etw_event_filter *to, uint8_t *bytes,
		       const EVENT_FILTER_DESCRIPTOR *from)
{
	if (!from->Size || from->Size % sizeof(ULONG) ||
	    from->Size > ETW_MAX_FILTER_PIDS * sizeof(ULONG))
		return ERROR_INVALID_PARAMETER;
	to->size = from->Size;
	return copy(bytes, from, from->Size);
}

/* Wide characters, with or without a terminator. The module checks each name. */
static ULONG take_names(struct etw_event_filter *to, char *names,
			const EVENT_FILTER_DESCRIPTOR *from)
{
	uint16_t wide[MAX_EVENT_FILTER_DATA_SIZE / sizeof(uint16_t)];
	uint32_t units = from->Size / sizeof(wide[0]);
	char text[3 * (MAX_EVENT_FILTER_DATA_SIZE / sizeof(uint16_t)) + 1];
	ULONG error;

	if (!units || from->Size % sizeof(wide[0]) || from->Size > sizeof(wide))
		return ERROR_INVALID_PARAMETER;
	error = copy(wide, from, from->Size);
	if (error)
		return error;
	while (units && !wide[units - 1])
		units--;
	to->size = text_from_utf16((const uint8_t *)wide, units * sizeof(wide[0]), text,
				   sizeof(text));
	if (!to->size || to->size > ETW_MAX_FILTER_SIZE || memchr(text, 0, to->size))
		return ERROR_INVALID_PARAMETER;
	memcpy(names, text, to->size);
	return ERROR_SUCCESS;
}

static ULONG take_ids(struct etw_event_filter *to, struct etw_filter_event_ids *ids,
		      const EVENT_FILTER_DESCRIPTOR *from)
{
	ULONG error;

	if (from->Size < offsetof(struct etw_filter_event_ids, ids) || from->Size > ETW_MAX_FILTER_SIZE)
		return ERROR_INVALID_PARAMETER;
	error = copy(ids, from, from->Size);
	if (error)
		return error;
	if (!ids->count || ids->count > ETW_MAX_FILTER_EVENTS)
		return ERROR_INVALID_PARAMETER;
	to->size = offsetof(struct etw_filter_event_ids, ids) + ids->count * sizeof(ids->ids[0]);
	ids->in = !!ids->in;
	ids->reserved = 0;
	return to->size > from->Size ? ERROR_INVALID_PARAMETER : ERROR_SUCCESS;
}

static ULONG take_level(struct etw_event_filter *to, struct etw_filter_level *level,
			const EVENT_FILTER_DESCRIPTOR *from)
{
	EVENT_FILTER_LEVEL_KW given = { };
	ULONG error;

	if (from->Size < offsetof(EVENT_FILTER_LEVEL_KW, FilterIn) + sizeof(given.FilterIn))
		return ERROR_INVALID_PARAMETER;
	error = copy(&given, from, from->Size < sizeof(given) ? from->Size : sizeof(given));
	*level = (struct etw_filter_level){
		.match_any = given.MatchAnyKeyword, .match_all = given.MatchAllKeyword,
		.level = given.Level, .in = !!given.FilterIn,
	};
	to->size = sizeof(*level);
	return error;
}

/* Return: offset behind the last name; 0: there are fewer names */
static uint32_t end_of_names(const struct etw_filter_event_names *names, uint32_t size)
{
	const uint8_t *const first = (const uint8_t *)names, *at = names->names;
	uint32_t i;

	for (i = 0; at && i < names->count; i++) {
		at = memchr(at, 0, first + size - at);
		if (at)
			at++;
	}
	return at ? at - first : 0;
}

/* As with ids, bytes behind the last name have no meaning. */
static ULONG take_event_names(struct etw_event_filter *to, struct etw_filter_event_names *names,
			      const EVENT_FILTER_DESCRIPTOR *from)
{
	struct etw_event_names checked;
	ULONG error;

	if (from->Size < offsetof(struct etw_filter_event_names, names) ||
	    from->Size > MAX_EVENT_FILTER_EVENT_NAME_SIZE)
		return ERROR_INVALID_PARAMETER;
	error = copy(names, from, from->Size);
	if (error)
		return error;
	names->in = !!names->in;
	to->size = end_of_names(names, from->Size);
	return etw_event_names_take(&checked, names, to->size) ? ERROR_INVALID_PARAMETER :
								 ERROR_SUCCESS;
}

static ULONG take(struct enable_filters *filters, const EVENT_FILTER_DESCRIPTOR *from)
{
	struct etw_event_filter *to = &filters->filter[filters->count];
	void *data = &filters->data[filters->count];
	uint32_t i;

	for (i = 0; i < filters->count; i++)
		if (filters->filter[i].type == from->Type)
			return ERROR_INVALID_PARAMETER;
	/* all known types are there, so this one is unknown */
	if (filters->count == FILTER_TYPES)
		return ERROR_NOT_SUPPORTED;
	to->type = from->Type;
	to->data = (uintptr_t)data;
	switch (from->Type) {
	case EVENT_FILTER_TYPE_PID:
		filters->count++;
		return take_pids(to, data, from);
	case EVENT_FILTER_TYPE_EXECUTABLE_NAME:
		filters->count++;
		return take_names(to, data, from);
	case EVENT_FILTER_TYPE_EVENT_ID:
	case EVENT_FILTER_TYPE_STACKWALK:
		filters->count++;
		return take_ids(to, data, from);
	case EVENT_FILTER_TYPE_EVENT_NAME:
	case EVENT_FILTER_TYPE_STACKWALK_NAME:
		to->data = (uintptr_t)&filters->names[filters->nr_names];
		filters->count++;
		return take_event_names(to, &filters->names[filters->nr_names++], from);
	case EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW:
		filters->count++;
		return take_level(to, data, from);
	}
	return ERROR_NOT_SUPPORTED;
}

ULONG enable_filters_take(struct enable_filters *filters, const EVENT_FILTER_DESCRIPTOR *from,
			  uint32_t count)
{
	EVENT_FILTER_DESCRIPTOR given;
	ULONG error = ERROR_SUCCESS;
	uint32_t i;

	filters->count = 0;
	filters->nr_names = 0;
	if (count > MAX_EVENT_FILTERS_COUNT)
		return ERROR_INVALID_PARAMETER;
	for (i = 0; !error && i < count; i++) {
		error = etw_error(etw_copy_in(&given, &from[i], sizeof(given)));
		if (!error)
			error = take(filters, &given);
	}
	return error;
}
