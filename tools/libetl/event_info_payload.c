// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Payloads of manifest events by the description in the file. */
#include <stdio.h>
#include <string.h>
#include "event_info.h"
#include "event_info_form.h"
#include "text.h"
#include "typed.h"

#define MAX_DEPTH	8
#define NAME_BYTES	256

/* Types that TraceLogging does not have */
enum tdh_in_type {
	TDH_COUNTED_STRING = 300,
	TDH_COUNTED_ANSI_STRING = 301,
	TDH_UNTERMINATED_STRING = 304,
	TDH_UNTERMINATED_ANSI_STRING = 305,
	TDH_UNICODE_CHAR = 306,
	TDH_ANSI_CHAR = 307,
	TDH_SIZE_T = 308,
	TDH_WBEM_SID = 310,
};

/**
 * struct info_walk - a payload being taken apart
 * @maps: names of values
 * @info: the description
 * @cursor: what is left of the payload
 * @values: of the numbers so far, by property: counts and lengths refer to them
 * @depth: structures around
 * @steps: see typed_may_step()
 */
struct info_walk {
	const struct event_maps *maps;
	const struct event_info *info;
	struct cursor cursor;
	uint32_t values[MAX_FIELDS];
	unsigned int depth;
	unsigned int steps;
};

/* A field under way; @count and @length are the numbers themselves here */
struct info_field {
	struct event_property property;
	const char *name;
	uint32_t count;
	uint32_t length;
	bool is_array;
	bool has_length;
};

/* TDH's numbers of how a value is shown to those of TraceLogging */
static uint8_t out_of(uint16_t tdh)
{
	static const uint8_t out[] = {
		[TDH_OUT_HEX8] = OUT_HEX, [TDH_OUT_HEX16] = OUT_HEX, [TDH_OUT_HEX32] = OUT_HEX,
		[TDH_OUT_HEX64] = OUT_HEX, [TDH_OUT_PORT] = OUT_PORT,
		[TDH_OUT_IPV4] = OUT_IPV4, [TDH_OUT_IPV6] = OUT_IPV6,
		[29] = OUT_UNSIGNED, [30] = OUT_UNSIGNED, [31] = OUT_NTSTATUS,
		[32] = OUT_HRESULT, [37] = OUT_CODE_POINTER,
	};

	return tdh < sizeof(out) ? out[tdh] : 0;
}

static uint32_t value_of(const struct info_walk *walk, uint16_t index)
{
	return index < MAX_FIELDS ? walk->values[index] : 0;
}

static void begin_field(struct info_walk *walk, uint32_t index, const char *prefix,
			struct info_field *field)
{
	struct event_property *property = &field->property;
	char name[NAME_BYTES];

	event_info_property(walk->info, index, property);
	event_info_text(walk->info, property->name, name, sizeof(name));
	field->name = fields_name(walk->cursor.fields, prefix, (uint8_t *)name, strlen(name));
	field->count = property->count;
	if (property->flags & PROPERTY_PARAM_COUNT)
		field->count = value_of(walk, property->count);
	field->is_array = property->flags & (PROPERTY_PARAM_COUNT | PROPERTY_FIXED_COUNT) ||
			  property->count > 1;
	field->length = property->length;
	if (property->flags & PROPERTY_PARAM_LENGTH)
		field->length = value_of(walk, property->length);
	field->has_length = property->flags & (PROPERTY_PARAM_LENGTH | PROPERTY_FIXED_LENGTH) ||
			    property->length;
}

/* Bytes of the next string, at most @most, without what follows a zero */
static uint32_t string_bytes(const uint8_t *at, uint32_t most, uint32_t unit)
{
	uint32_t n = 0;

	while (n + unit <= most && (at[n] || (unit == 2 && at[n + 1])))
		n += unit;
	return n;
}

static void take_string(struct cursor *cursor, const char *name, uint32_t bytes, uint32_t unit)
{
	uint32_t most = bytes < cursor->left ? bytes : cursor->left;
	uint32_t size = string_bytes(cursor->at, most, unit);

	if (unit == 2)
		fields_utf16(cursor->fields, name, cursor->at, size);
	else
		fields_bytes(cursor->fields, name, cursor->at, size);
	skip(cursor, bytes);
}

static void take_binary(struct cursor *cursor, const struct info_field *field)
{
	uint32_t bytes = field->length;
	bool ipv6 = out_of(field->property.out) == OUT_IPV6;

	if (ipv6 && !field->has_length)
		bytes = 16;
	if (ipv6 && bytes == 16) {
		take_address6(cursor, field->name);
		return;
	}
	fields_dump(cursor->fields, field->name, cursor->at,
		    bytes < cursor->left ? bytes : cursor->left);
	skip(cursor, bytes);
}

/* TDH has some types under a second number. Return: that of TraceLogging */
static uint16_t in_of(uint16_t in)
{
	switch (in) {
	case TDH_COUNTED_STRING:
		return IN_COUNTED_UTF16;
	case TDH_COUNTED_ANSI_STRING:
		return IN_COUNTED_BYTES;
	case TDH_SIZE_T:
		return IN_POINTER;
	case IN_STRUCT:
		return IN_NULL;
	default:
		return in;
	}
}

/* Return: false for an unknown type: what follows can't be found */
static bool take_value(struct info_walk *walk, const struct info_field *field)
{
	const uint16_t in = in_of(field->property.in);
	const struct typed typed = { field->name, in, out_of(field->property.out) };
	struct cursor *cursor = &walk->cursor;

	switch (in) {
	case TDH_UNTERMINATED_STRING:
		take_string(cursor, field->name, cursor->left, 2);
		return true;
	case TDH_UNTERMINATED_ANSI_STRING:
		take_string(cursor, field->name, cursor->left, 1);
		return true;
	case TDH_UNICODE_CHAR:
		take_string(cursor, field->name, 2, 2);
		return true;
	case TDH_ANSI_CHAR:
		take_string(cursor, field->name, 1, 1);
		return true;
	case TDH_WBEM_SID:
		take_token_sid(cursor, field->name);
		return true;
	case IN_BINARY:
		take_binary(cursor, field);
		return true;
	case IN_UTF16:
	case IN_BYTES:
		if (!field->has_length)
			break;
		take_string(cursor, field->name, field->length * (in == IN_UTF16 ? 2 : 1),
			    in == IN_UTF16 ? 2 : 1);
		return true;
	}
	return in <= IN_COUNTED_BINARY && typed_take(cursor, &typed);
}

/* Instead of a number. Return: false: it has no name */
static bool take_named(struct info_walk *walk, const struct info_field *field, uint32_t size,
		       uint32_t value)
{
	char name[NAME_BYTES], text[NAME_BYTES];

	if (!field->property.map_name || size > sizeof(value))
		return false;
	event_info_text(walk->info, field->property.map_name, name, sizeof(name));
	if (!event_map_text(walk->maps, &walk->info->provider, name, value, text, sizeof(text)))
		return false;
	fields_string(walk->cursor.fields, field->name, text);
	skip(&walk->cursor, size);
	return true;
}

/* A value that is no array: the counts and lengths of later fields may refer to it */
static bool take_scalar(struct info_walk *walk, uint32_t index, const struct info_field *field)
{
	const struct cursor *cursor = &walk->cursor;
	uint32_t size = typed_number_size(in_of(field->property.in), cursor->pointer);
	uint32_t value = 0;

	if (!size || size > cursor->left)
		return take_value(walk, field);
	memcpy(&value, cursor->at, size < sizeof(value) ? size : sizeof(value));
	if (index < MAX_FIELDS)
		walk->values[index] = value;
	return take_named(walk, field, size, value) || take_value(walk, field);
}

static bool take_members(struct info_walk *walk, const struct info_field *field)
{
	const uint16_t in = in_of(field->property.in);
	const struct typed typed = { field->name, in, out_of(field->property.out) };
	uint32_t i;

	if (typed_number_size(in, walk->cursor.pointer))
		return typed_take_array(&walk->cursor, &typed, field->count, &walk->steps);
	for (i = 0; i < field->count; i++)
		if (!typed_may_step(&walk->cursor, &walk->steps) || !take_value(walk, field))
			return false;
	return true;
}

static bool take_properties(struct info_walk *walk, uint32_t from, uint32_t count,
			    const char *prefix);

static bool take_struct(struct info_walk *walk, const struct info_field *field)
{
	const int length = text_fit(field->name, 200);
	char prefix[NAME_BYTES];
	uint32_t i;
	bool ok = walk->depth < MAX_DEPTH;

	walk->depth++;
	for (i = 0; ok && i < field->count; i++) {
		if (field->is_array)
			snprintf(prefix, sizeof(prefix), "%.*s[%u].", length, field->name, i);
		else
			snprintf(prefix, sizeof(prefix), "%.*s.", length, field->name);
		ok = typed_may_step(&walk->cursor, &walk->steps) &&
		     take_properties(walk, field->property.in, field->property.out, prefix);
	}
	walk->depth--;
	return ok;
}

static bool take_property(struct info_walk *walk, uint32_t index, const char *prefix)
{
	struct info_field field;

	begin_field(walk, index, prefix, &field);
	if (field.property.flags & PROPERTY_STRUCT)
		return take_struct(walk, &field);
	if (field.is_array)
		return take_members(walk, &field);
	return take_scalar(walk, index, &field);
}

static bool take_properties(struct info_walk *walk, uint32_t from, uint32_t count,
			    const char *prefix)
{
	if (from > walk->info->count || count > walk->info->count - from)
		return false;
	for (; count; count--, from++)
		if (!typed_may_step(&walk->cursor, &walk->steps) ||
		    !take_property(walk, from, prefix))
			return false;
	return true;
}

bool event_info_decode(const struct etl_record *record, struct fields *fields)
{
	struct info_walk walk = {
		.maps = record->infos ? &record->infos->maps : NULL,
		.info = event_info_of(record),
		.cursor = {
			.at = record->payload, .left = record->payload_size, .fields = fields,
			.pointer = record->pointer_size,
		},
	};

	if (!walk.info)
		return false;
	if (!take_properties(&walk, 0, walk.info->top, ""))
		fields->truncated = true;
	if (walk.cursor.left)
		fields_dump(fields, "Rest", walk.cursor.at, walk.cursor.left);
	return true;
}
