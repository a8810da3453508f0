// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Tracepoints as events that describe themselves (TraceLogging). */
#include <string.h>
#include "libetl/tracelogging_form.h"
#include "libetl/typed.h"
#include "trace_schema.h"

static uint8_t integer(uint32_t size, bool is_signed)
{
	switch (size) {
	case 1:
		return is_signed ? IN_INT8 : IN_UINT8;
	case 2:
		return is_signed ? IN_INT16 : IN_UINT16;
	case 4:
		return is_signed ? IN_INT32 : IN_UINT32;
	}
	return is_signed ? IN_INT64 : IN_UINT64;
}

/* An array without a size goes on to the end of the record. */
static struct trace_type array_of(const struct trace_field *field)
{
	const bool fixed = field->kind == TRACE_NUMBERS && field->size;
	const uint32_t element = field->element ? field->element : 1;

	return (struct trace_type){
		.in = integer(element, field->is_signed),
		.counting = fixed ? TL_COUNT_CONSTANT : TL_COUNT_VARIABLE,
		.count = fixed ? field->size / element : 0,
	};
}

struct trace_type trace_type_of(const struct trace_field *field)
{
	switch (field->kind) {
	case TRACE_NUMBER:
		return (struct trace_type){ .in = integer(field->size, field->is_signed),
					    .out = field->out };
	case TRACE_REAL:
		return (struct trace_type){ .in = field->size == 4 ? IN_FLOAT : IN_DOUBLE };
	case TRACE_NUMBERS:
		return array_of(field);
	default:
		if (field->kind == TRACE_TEXT || field->text)
			return (struct trace_type){ .in = IN_BYTES, .out = OUT_UTF8 };
		return array_of(field);
	}
}

static void put(struct trace_schema *schema, const void *bytes, size_t size)
{
	if (size > sizeof(schema->bytes) - schema->size)
		return;
	memcpy(schema->bytes + schema->size, bytes, size);
	schema->size += size;
}

void trace_schema_begin(struct trace_schema *schema, const char *name)
{
	static const uint8_t size_and_tags[3];

	schema->size = 0;
	put(schema, size_and_tags, sizeof(size_and_tags));
	put(schema, name, strlen(name) + 1);
}

bool trace_schema_field(struct trace_schema *schema, const char *name,
			const struct trace_type *type)
{
	const uint8_t in = type->in | type->counting | (type->out ? TL_CHAIN : 0);
	const size_t name_size = strlen(name) + 1;

	/* all or nothing, because readers take the fields one by one */
	if (name_size + 4 > sizeof(schema->bytes) - schema->size)
		return false;
	put(schema, name, name_size);
	put(schema, &in, 1);
	if (type->out)
		put(schema, &type->out, 1);
	if (type->counting == TL_COUNT_CONSTANT)
		put(schema, &type->count, 2);
	return true;
}

void trace_schema_end(struct trace_schema *schema)
{
	memcpy(schema->bytes, &schema->size, 2);
}

bool trace_schema_of(struct trace_schema *schema, const struct trace_format *format)
{
	struct trace_type type;
	bool whole = true;
	size_t i;

	trace_schema_begin(schema, trace_event_name(format));
	for (i = 0; i < format->count; i++) {
		type = trace_type_of(&format->fields[i]);
		whole &= trace_schema_field(schema, format->fields[i].name, &type);
	}
	trace_schema_end(schema);
	return whole;
}
