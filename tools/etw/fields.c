// SPDX-License-Identifier: GPL-2.0
/* The decoded fields of an event, and how they are written. */
#include <inttypes.h>
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

	if (fields->count == MAX_FIELDS)
		return NULL;
	field = &fields->field[fields->count++];
	*field = (struct field){ .name = name, .kind = kind };
	return field;
}

void fields_unsigned(struct fields *fields, const char *name, uint64_t value)
{
	struct field *field = add(fields, name, FIELD_UNSIGNED);

	if (field)
		field->number = value;
}

void fields_signed(struct fields *fields, const char *name, int64_t value)
{
	struct field *field = add(fields, name, FIELD_SIGNED);

	if (field)
		field->number = (uint64_t)value;
}

void fields_hex(struct fields *fields, const char *name, uint64_t value)
{
	struct field *field = add(fields, name, FIELD_HEX);

	if (field)
		field->number = value;
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
	fields->used += convert(at, bytes, to, room) + 1;
}

void fields_string(struct fields *fields, const char *name, const char *value)
{
	add_text(fields, name, text_from_bytes, (const uint8_t *)value, strlen(value));
}

void fields_utf16(struct fields *fields, const char *name, const uint8_t *at, size_t bytes)
{
	add_text(fields, name, text_from_utf16, at, bytes);
}

void fields_bytes(struct fields *fields, const char *name, const uint8_t *at, size_t bytes)
{
	add_text(fields, name, text_from_bytes, at, bytes);
}

void fields_dump(struct fields *fields, const char *name, const uint8_t *at, size_t bytes)
{
	add_text(fields, name, text_from_hex, at, bytes);
}

const struct field *fields_find(const struct fields *fields, const char *name)
{
	unsigned int i;

	for (i = 0; i < fields->count; i++)
		if (!strcmp(fields->field[i].name, name))
			return &fields->field[i];
	return NULL;
}

/* A trace holds foreign bytes: nothing of them may steer the terminal. */
void text_print_quoted(const char *text, FILE *to)
{
	const char *at;

	putc('"', to);
	for (at = text; *at; at++) {
		unsigned char c = *at;

		if (c == '"' || c == '\\')
			fprintf(to, "\\%c", c);
		else if (c < ' ' || c == 0x7F)
			fprintf(to, "\\x%02x", c);
		else if (c == 0xC2 && (unsigned char)at[1] < 0xA0)
			fprintf(to, "\\x%02x", (unsigned char)*++at);
		else
			putc(c, to);
	}
	putc('"', to);
}

void fields_print(const struct fields *fields, FILE *to)
{
	unsigned int i;

	for (i = 0; i < fields->count; i++) {
		const struct field *field = &fields->field[i];

		fprintf(to, " %s=", field->name);
		if (field->kind == FIELD_UNSIGNED)
			fprintf(to, "%" PRIu64, field->number);
		else if (field->kind == FIELD_SIGNED)
			fprintf(to, "%" PRId64, (int64_t)field->number);
		else if (field->kind == FIELD_HEX)
			fprintf(to, "0x%" PRIx64, field->number);
		else
			text_print_quoted(field->string, to);
	}
}

/* JSON numbers have no unsigned 64-bit range; what does not fit is a string. */
static json_t *number(const struct field *field)
{
	char text[24];

	if (field->kind == FIELD_SIGNED ||
	    (field->kind == FIELD_UNSIGNED && field->number <= INT64_MAX))
		return json_integer((json_int_t)field->number);
	snprintf(text, sizeof(text), field->kind == FIELD_HEX ? "0x%" PRIx64 : "%" PRIu64,
		 field->number);
	return json_string(text);
}

void fields_json(const struct fields *fields, json_t *to)
{
	unsigned int i;

	for (i = 0; i < fields->count; i++) {
		const struct field *field = &fields->field[i];

		json_object_set_new(to, field->name, field->kind == FIELD_STRING ?
				    json_string(field->string) : number(field));
	}
}
