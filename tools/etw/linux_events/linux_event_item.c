// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of Linux as entries of the item ETW_EXT_VND_LINUX_EVENTS. */
#include <string.h>
#include "import/trace_schema.h"
#include "linux_events.h"

/**
 * struct bytes - an item that is written
 * @to: where
 * @room: bytes there
 * @size: bytes so far; what has no room is counted only
 */
struct bytes {
	uint8_t *to;
	uint32_t room;
	uint32_t size;
};

static void put(struct bytes *bytes, const void *from, uint32_t size)
{
	if (bytes->size <= bytes->room && size <= bytes->room - bytes->size)
		memcpy(bytes->to + bytes->size, from, size);
	bytes->size += size;
}

static enum etw_field_copy copy_of(const struct trace_field *field)
{
	switch (field->kind) {
	case TRACE_TEXT:
		return ETW_FIELD_STRING;
	case TRACE_AT:
		return field->text ? ETW_FIELD_LOC_STRING : ETW_FIELD_LOC_ARRAY;
	case TRACE_FROM:
		return field->text ? ETW_FIELD_REL_LOC_STRING : ETW_FIELD_REL_LOC_ARRAY;
	case TRACE_NUMBERS:
		return field->size ? ETW_FIELD_BYTES : ETW_FIELD_REST;
	default:
		return field->is_address ? ETW_FIELD_ADDRESS : ETW_FIELD_BYTES;
	}
}

static void put_fields(struct bytes *bytes, const struct trace_format *format)
{
	const struct trace_field *field;
	size_t i;

	for (i = 0; i < format->count; i++) {
		field = &format->fields[i];
		const bool dynamic = field->kind == TRACE_AT || field->kind == TRACE_FROM;
		const struct etw_linux_event_field step = {
			.copy = copy_of(field), .offset = field->offset,
			.size = !dynamic && field->size ? field->size : field->text ? 0 : field->element,
		};

		put(bytes, &step, sizeof(step));
	}
}

/* Of all fields, also if a field is not the last one in the format */
static uint32_t record_size(const struct trace_format *format)
{
	uint32_t size = 0, end;
	size_t i;

	for (i = 0; i < format->count; i++) {
		end = format->fields[i].offset + format->fields[i].size;
		size = end > size ? end : size;
	}
	return size;
}

static void put_entry(struct bytes *bytes, const struct linux_event *event)
{
	const struct trace_format *format = event->format;
	const uint16_t traits = 2 + strlen(format->provider_name) + 1;
	const uint32_t begin = bytes->size;
	static struct trace_schema schema;
	static const uint8_t zeros[4];
	struct etw_ext_linux_event entry = {
		.id = format->id, .provider = format->provider, .level = TRACE_LEVEL_VERBOSE,
		.flags = event->stack ? ETW_LINUX_EVENT_STACK : 0,
		.record_size = record_size(format), .traits_size = traits,
		.nr_fields = format->count, .nr_tests = event->nr_tests,
	};

	trace_schema_of(&schema, format);
	entry.schema_size = schema.size;
	entry.size = sizeof(entry) + event->nr_tests * sizeof(event->tests[0]) +
		     format->count * sizeof(struct etw_linux_event_field) + traits + schema.size;
	entry.size = (entry.size + 3) & ~3u;
	put(bytes, &entry, sizeof(entry));
	put(bytes, event->tests, event->nr_tests * sizeof(event->tests[0]));
	put_fields(bytes, format);
	put(bytes, &traits, sizeof(traits));
	put(bytes, format->provider_name, traits - 2);
	put(bytes, schema.bytes, schema.size);
	put(bytes, zeros, begin + entry.size - bytes->size);
}

uint32_t linux_events_encode(const struct linux_events *events, uint8_t *to, uint32_t room)
{
	struct bytes bytes = { .to = to, .room = room };
	uint32_t i;

	for (i = 0; i < events->count; i++)
		put_entry(&bytes, &events->events[i]);
	return bytes.size;
}

const char *linux_event_refusal(const struct trace_format *format)
{
	static struct trace_schema schema;

	if (format->id > UINT32_MAX)
		return "its id has more than 32 bits";
	if (!format->count)
		return "it has no fields";
	if (format->count > ETW_MAX_LINUX_EVENT_FIELDS)
		return "it has more than 128 fields";
	if (record_size(format) > UINT16_MAX)
		return "its record has more than 64 KB";
	return trace_schema_of(&schema, format) ? NULL : "its description has more than 16 KB";
}
