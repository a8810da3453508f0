// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The decoded fields of an event. */
#include <stdio.h>
#include <string.h>
#include "fields.h"
#include "text.h"

void fields_reset(struct fields *fields)
{
	fields->count = 0;
	fields->used = 0;
	fields->truncated = false;
}

static struct field *add(struct fields *fields, const char *name, enum field_kind kind)
{
	struct field *field;

	if (fields->count == MAX_FIELDS) {
		fields->truncated = true;
		return NULL;
	}
	field = &fields->field[fields->count++];
	*field = (struct field){ .name = name, .kind = kind };
	return field;
}

static void add_number(struct fields *fields, const char *name, enum field_kind kind,
		       uint64_t value)
{
	struct field *field = add(fields, name, kind);

	if (field)
		field->number = value;
}

void fields_unsigned(struct fields *fields, const char *name, uint64_t value)
{
	add_number(fields, name, FIELD_UNSIGNED, value);
}

void fields_signed(struct fields *fields, const char *name, int64_t value)
{
	add_number(fields, name, FIELD_SIGNED, (uint64_t)value);
}

void fields_hex(struct fields *fields, const char *name, uint64_t value)
{
	add_number(fields, name, FIELD_HEX, value);
}

void fields_time(struct fields *fields, const char *name, uint64_t filetime)
{
	add_number(fields, name, FIELD_TIME, filetime);
}

void fields_real(struct fields *fields, const char *name, double value)
{
	struct field *field = add(fields, name, FIELD_REAL);

	if (field)
		field->real = value;
}

typedef size_t (*convert_fn)(const uint8_t *from, size_t bytes, char *to, size_t room);

static void add_text(struct fields *fields, const char *name, convert_fn convert,
		     const uint8_t *at, size_t bytes)
{
	struct field *field = add(fields, name, FIELD_STRING);
	char *to = fields->text + fields->used;
	size_t room = sizeof(fields->text) - fields->used;

	if (!field)
		return;
	field->string = "";
	if (room < 2)
		return;
	field->string = to;
	field->size = convert(at, bytes, to, room);
	fields->used += field->size + 1;
}

void fields_string(struct fields *fields, const char *name, const char *value)
{
	add_text(fields, name, text_from_bytes, (const uint8_t *)value, strlen(value));
}

void fields_utf16(struct fields *fields, const char *name, const uint8_t *at, size_t bytes)
{
	add_text(fields, name, text_from_utf16, at, bytes);
}

void fields_utf32(struct fields *fields, const char *name, const uint8_t *at, size_t bytes)
{
	add_text(fields, name, text_from_utf32, at, bytes);
}

void fields_bytes(struct fields *fields, const char *name, const uint8_t *at, size_t bytes)
{
	add_text(fields, name, text_from_bytes, at, bytes);
}

void fields_dump(struct fields *fields, const char *name, const uint8_t *at, size_t bytes)
{
	add_text(fields, name, text_from_hex, at, bytes);
}

void fields_list(struct fields *fields, const char *name)
{
	struct field *field = add(fields, name, FIELD_LIST);

	if (!field)
		return;
	field->string = "";
	if (sizeof(fields->text) - fields->used < 2)
		return;
	field->string = fields->text + fields->used;
	fields->text[fields->used++] = 0;
}

/* The list is the last of the texts: @used is behind its terminator. */
static void list_add(struct fields *fields, const char *text, size_t size)
{
	size_t room = sizeof(fields->text) - fields->used + 1;
	struct field *field = fields->count ? &fields->field[fields->count - 1] : NULL;
	char *to;

	if (!field || field->kind != FIELD_LIST || !fields->used)
		return;
	if (room < size + 2) {
		fields->truncated = true;
		return;
	}
	to = fields->text + fields->used - 1;
	if (*field->string)
		*to++ = ' ';
	memcpy(to, text, size);
	to[size] = 0;
	fields->used = to + size + 1 - fields->text;
}

void fields_list_hex(struct fields *fields, uint64_t value)
{
	char text[TEXT_NUMBER] = "0x";

	list_add(fields, text, 2 + text_from_hex_number(value, text + 2));
}

void fields_list_unsigned(struct fields *fields, uint64_t value)
{
	char text[TEXT_NUMBER];

	list_add(fields, text, text_from_unsigned(value, text));
}

void fields_list_signed(struct fields *fields, int64_t value)
{
	char text[TEXT_NUMBER];

	list_add(fields, text, text_from_signed(value, text));
}

void fields_list_real(struct fields *fields, double value)
{
	char text[TEXT_NUMBER];

	list_add(fields, text, snprintf(text, sizeof(text), "%.17g", value));
}

const char *fields_name(struct fields *fields, const char *prefix, const uint8_t *at,
			size_t bytes)
{
	size_t room = sizeof(fields->text) - fields->used, n = strlen(prefix);
	char *to = fields->text + fields->used;

	if (room < n + 2)
		return "";
	memcpy(to, prefix, n);
	fields->used += n + text_from_bytes(at, bytes, to + n, room - n) + 1;
	return to;
}

const struct field *fields_find(const struct fields *fields, const char *name)
{
	unsigned int i;

	for (i = 0; i < fields->count; i++)
		if (!strcmp(fields->field[i].name, name))
			return &fields->field[i];
	return NULL;
}
