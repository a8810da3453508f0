// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The fields of an event of tracefs (declared in trace_formats.h). */
#include <string.h>
#include "trace_formats.h"

static const struct trace_field *field_of(const struct trace_format *format, const char *name,
					  size_t length)
{
	size_t i;

	for (i = 0; i < format->count; i++)
		if (!strncmp(format->fields[i].name, name, length) &&
		    !format->fields[i].name[length])
			return &format->fields[i];
	return NULL;
}

const struct trace_field *trace_field_of(const struct trace_format *format, const char *names)
{
	const struct trace_field *field = NULL;
	size_t length;

	for (; !field && *names; names += length + (names[length] == '|')) {
		length = strcspn(names, "|");
		field = field_of(format, names, length);
	}
	return field;
}

struct piece trace_field_bytes(const struct trace_field *field, const uint8_t *raw, uint32_t size)
{
	uint64_t offset = field->offset, length = field->size;
	uint32_t where;

	if (offset + length > size)
		return (struct piece){ };
	if (!length)
		length = size - offset;
	if (field->kind == TRACE_AT || field->kind == TRACE_FROM) {
		memcpy(&where, raw + offset, sizeof(where));
		length = where >> 16;
		offset = (where & 0xFFFF) + (field->kind == TRACE_FROM ? offset + 4 : 0);
		if (offset + length > size)
			return (struct piece){ };
	}
	return (struct piece){ .at = raw + offset, .left = length };
}
