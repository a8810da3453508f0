// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The fields of an event with an EventHeader. */
#include <stdio.h>
#include <string.h>
#include "event_header.h"
#include "text.h"
#include "typed.h"

/* The encoding of a field; bits above the mask */
#define ENCODING_MASK	0x1F
#define ENCODING_FIXED	0x20	/* an array; the number of elements is in the metadata */
#define ENCODING_ARRAY	0x40	/* an array; the number of elements is in the data */
#define ENCODING_CHAIN	0x80	/* a format follows */
#define FORMAT_CHAIN	0x80	/* a tag follows */

#define MAX_DEPTH	8

enum encoding {
	ENCODING_STRUCT = 1, ENCODING_8, ENCODING_16, ENCODING_32, ENCODING_64, ENCODING_128,
	ENCODING_ZERO_8, ENCODING_ZERO_16, ENCODING_ZERO_32, ENCODING_COUNTED_8,
	ENCODING_COUNTED_16, ENCODING_COUNTED_32, ENCODING_BINARY,
};

enum format {
	FORMAT_UNSIGNED = 1, FORMAT_SIGNED, FORMAT_HEX, FORMAT_ERRNO, FORMAT_PID, FORMAT_TIME,
	FORMAT_BOOLEAN, FORMAT_FLOAT, FORMAT_HEX_BYTES, FORMAT_UUID = 15, FORMAT_PORT,
	FORMAT_ADDRESS, FORMAT_ADDRESS_OLD,
};

/**
 * struct field_walk - the metadata and the data, side by side
 * @at: the next field's metadata
 * @end: of the metadata
 * @cursor: in the data
 * @depth: of structures
 * @steps: fields and elements so far
 */
struct field_walk {
	const uint8_t *at;
	const uint8_t *end;
	struct cursor cursor;
	unsigned int depth;
	unsigned int steps;
};

/**
 * struct header_field - a field
 * @name: of it
 * @encoding: enum encoding, and how it is an array
 * @format: enum format; of a structure: number of its fields
 * @count: elements of ENCODING_FIXED
 */
struct header_field {
	const char *name;
	uint8_t encoding;
	uint8_t format;
	uint16_t count;
};

static bool get_field(struct field_walk *walk, const char *prefix, struct header_field *field)
{
	const uint8_t *zero = memchr(walk->at, 0, walk->end - walk->at);
	const char *name = (const char *)walk->at;
	uint8_t format = 0;

	if (!zero || walk->end - zero < 2)
		return false;
	*field = (struct header_field){ .encoding = zero[1] };
	walk->at = zero + 2;
	if (field->encoding & ENCODING_CHAIN) {
		if (walk->at == walk->end)
			return false;
		format = *walk->at++;
		field->format = format & ~FORMAT_CHAIN;
	}
	if (format & FORMAT_CHAIN) {
		if (walk->end - walk->at < 2)
			return false;
		walk->at += 2;
	}
	if (field->encoding & ENCODING_FIXED) {
		if (walk->end - walk->at < 2)
			return false;
		field->count = get16(walk->at);
		walk->at += 2;
	}
	field->name = fields_name(walk->cursor.fields, prefix, (const uint8_t *)name,
				  strcspn(name, ";"));
	return true;
}

static struct typed number_type(const struct header_field *field, uint8_t encoding)
{
	static const uint8_t wide[] = { IN_UINT8, IN_UINT16, IN_UINT32, IN_UINT64 };
	const bool is_signed = field->format == FORMAT_SIGNED || field->format == FORMAT_ERRNO ||
			       field->format == FORMAT_TIME;
	struct typed typed = { .name = field->name };

	typed.in = wide[encoding - ENCODING_8] - is_signed;
	if (field->format == FORMAT_FLOAT && encoding >= ENCODING_32)
		typed.in = encoding == ENCODING_32 ? IN_FLOAT : IN_DOUBLE;
	if (field->format == FORMAT_HEX || field->format == FORMAT_HEX_BYTES)
		typed.out = OUT_HEX;
	if (field->format == FORMAT_BOOLEAN)
		typed.out = OUT_BOOLEAN;
	if (field->format == FORMAT_PID)
		typed.out = OUT_PID;
	if (field->format == FORMAT_PORT && encoding == ENCODING_16)
		typed.out = OUT_PORT;
	if ((field->format == FORMAT_ADDRESS || field->format == FORMAT_ADDRESS_OLD) &&
	    encoding == ENCODING_32)
		typed.out = OUT_IPV4;
	return typed;
}

static void take_128(struct cursor *cursor, const struct header_field *field)
{
	static const uint8_t order[] = { 3, 2, 1, 0, 5, 4, 7, 6 };
	uint8_t bytes[16] = { };
	struct cursor guid = { .at = bytes, .left = sizeof(bytes), .fields = cursor->fields };
	size_t i;

	if (cursor->left < sizeof(bytes)) {
		cursor->fields->truncated = true;
		skip(cursor, cursor->left);
		return;
	}
	if (field->format == FORMAT_ADDRESS || field->format == FORMAT_ADDRESS_OLD) {
		take_address6(cursor, field->name);
		return;
	}
	memcpy(bytes, cursor->at, sizeof(bytes));
	for (i = 0; i < sizeof(order); i++)
		bytes[i] = cursor->at[order[i]];
	if (field->format == FORMAT_UUID)
		take_guid(&guid, field->name);
	else
		fields_dump(cursor->fields, field->name, cursor->at, sizeof(bytes));
	skip(cursor, sizeof(bytes));
}

/* Bytes of the units of @bytes each that are before the first unit that is zero */
static uint32_t text_bytes(const struct cursor *cursor, uint32_t bytes)
{
	static const uint8_t zeros[4];
	uint32_t at;

	for (at = 0; cursor->left - at >= bytes; at += bytes)
		if (!memcmp(cursor->at + at, zeros, bytes))
			return at;
	return cursor->left;
}

static void put_text(struct cursor *cursor, const struct header_field *field, uint32_t unit,
		     uint32_t bytes)
{
	if (field->format == FORMAT_HEX_BYTES)
		fields_dump(cursor->fields, field->name, cursor->at, bytes);
	else if (unit == 1)
		fields_bytes(cursor->fields, field->name, cursor->at, bytes);
	else if (unit == 2)
		fields_utf16(cursor->fields, field->name, cursor->at, bytes);
	else
		fields_utf32(cursor->fields, field->name, cursor->at, bytes);
	skip(cursor, bytes);
}

static void take_zero_text(struct cursor *cursor, const struct header_field *field, uint32_t unit)
{
	const uint32_t bytes = text_bytes(cursor, unit);

	cursor->fields->truncated |= bytes == cursor->left;
	put_text(cursor, field, unit, bytes);
	skip(cursor, unit < cursor->left ? unit : cursor->left);
}

/* A number of 1, 2, 4 or 8 bytes behind its length; a length of 0 is no value */
static bool take_nullable(struct cursor *cursor, const struct header_field *field, uint32_t bytes)
{
	static const uint8_t encodings[9] = {
		[1] = ENCODING_8, [2] = ENCODING_16, [4] = ENCODING_32, [8] = ENCODING_64,
	};
	struct typed typed;

	if (!field->format || (field->format > FORMAT_FLOAT && field->format < FORMAT_UUID) ||
	    field->format > FORMAT_ADDRESS_OLD)
		return false;
	if (!bytes) {
		fields_string(cursor->fields, field->name, "null");
		return true;
	}
	if (bytes == 16) {
		take_128(cursor, field);
		return true;
	}
	if (bytes > 8 || !encodings[bytes])
		return false;
	typed = number_type(field, encodings[bytes]);
	return typed_take(cursor, &typed);
}

static void take_counted_text(struct cursor *cursor, const struct header_field *field,
			      uint32_t unit, bool binary)
{
	uint32_t bytes = unit * take(cursor, 2);

	if (bytes > cursor->left) {
		cursor->fields->truncated = true;
		bytes = cursor->left;
	}
	if (unit == 1 && take_nullable(cursor, field, bytes))
		return;
	if (binary && (!field->format || field->format == FORMAT_HEX_BYTES || field->format >=
		       FORMAT_UUID || field->format <= FORMAT_FLOAT)) {
		fields_dump(cursor->fields, field->name, cursor->at, bytes);
		skip(cursor, bytes);
		return;
	}
	put_text(cursor, field, unit, bytes);
}

/* Return: false for an unknown encoding: what follows can't be found */
static bool take_one(struct cursor *cursor, const struct header_field *field)
{
	const uint8_t encoding = field->encoding & ENCODING_MASK;
	struct typed typed;

	switch (encoding) {
	case ENCODING_8:
	case ENCODING_16:
	case ENCODING_32:
	case ENCODING_64:
		typed = number_type(field, encoding);
		return typed_take(cursor, &typed);
	case ENCODING_128:
		take_128(cursor, field);
		return true;
	case ENCODING_ZERO_8:
	case ENCODING_ZERO_16:
	case ENCODING_ZERO_32:
		take_zero_text(cursor, field, 1u << (encoding - ENCODING_ZERO_8));
		return true;
	case ENCODING_COUNTED_8:
	case ENCODING_COUNTED_16:
	case ENCODING_COUNTED_32:
		take_counted_text(cursor, field, 1u << (encoding - ENCODING_COUNTED_8), false);
		return true;
	case ENCODING_BINARY:
		take_counted_text(cursor, field, 1, true);
		return true;
	}
	return false;
}

static bool take_fields(struct field_walk *walk, unsigned int count, const char *prefix,
			bool quiet);

/* The metadata of its fields stands once, however many of it there are. */
static bool take_struct(struct field_walk *walk, const struct header_field *field,
			unsigned int count, bool quiet)
{
	const bool is_array = field->encoding & (ENCODING_FIXED | ENCODING_ARRAY);
	const int length = text_fit(field->name, 200);
	const uint8_t *begin = walk->at;
	char prefix[256];
	unsigned int i;

	if (walk->depth == MAX_DEPTH)
		return false;
	walk->depth++;
	for (i = 0; i < count || !i; i++) {
		if (is_array)
			snprintf(prefix, sizeof(prefix), "%.*s[%u].", length, field->name, i);
		else
			snprintf(prefix, sizeof(prefix), "%.*s.", length, field->name);
		walk->at = begin;
		if (!typed_may_step(&walk->cursor, &walk->steps) ||
		    !take_fields(walk, field->format, prefix, quiet || !count))
			return false;
	}
	walk->depth--;
	return true;
}

static bool take_field(struct field_walk *walk, const char *prefix, bool quiet)
{
	struct header_field field;
	unsigned int count = 1;
	struct typed typed;
	uint8_t encoding;

	if (!get_field(walk, prefix, &field))
		return false;
	encoding = field.encoding & ENCODING_MASK;
	if (field.encoding & ENCODING_FIXED)
		count = field.count;
	else if (field.encoding & ENCODING_ARRAY)
		count = quiet ? 0 : take(&walk->cursor, 2);
	if (encoding == ENCODING_STRUCT)
		return take_struct(walk, &field, quiet ? 0 : count, quiet);
	if (quiet)
		return true;
	if (!(field.encoding & (ENCODING_FIXED | ENCODING_ARRAY)))
		return take_one(&walk->cursor, &field);
	if (encoding >= ENCODING_8 && encoding <= ENCODING_64) {
		typed = number_type(&field, encoding);
		return typed_take_array(&walk->cursor, &typed, count, &walk->steps);
	}
	while (count--)
		if (!typed_may_step(&walk->cursor, &walk->steps) ||
		    !take_one(&walk->cursor, &field))
			return false;
	return true;
}

/* @quiet: the metadata is walked over, and nothing of the data */
static bool take_fields(struct field_walk *walk, unsigned int count, const char *prefix,
			bool quiet)
{
	while (count-- && walk->at < walk->end)
		if (!typed_may_step(&walk->cursor, &walk->steps) ||
		    !take_field(walk, prefix, quiet))
			return false;
	return true;
}

void event_header_decode(const struct event_header *header, struct fields *fields)
{
	struct field_walk walk = {
		.at = header->metadata, .end = header->metadata + header->metadata_size,
		.cursor = { .at = header->data, .left = header->data_size, .fields = fields,
			    .pointer = 8 },
	};

	if (header->metadata_size && !take_fields(&walk, UINT32_MAX, "", false))
		fields->truncated = true;
	/* fewer bytes are the kernel's */
	if (walk.cursor.left >= 8 || (walk.cursor.left && !header->metadata_size))
		fields_dump(fields, "Rest", walk.cursor.at, walk.cursor.left);
}
