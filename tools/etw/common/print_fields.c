// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The decoded fields of an event, as text and as JSON. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/text.h"
#include "print_fields.h"

/* What a text may not contain as it is, where special characters differ by place */
enum {
	ESCAPE_CONTROL = 1,	/* also the lead byte of control characters of the second half */
	ESCAPE_QUOTE = 2,
	ESCAPE_BACKSLASH = 4,
	ESCAPE_NAME = 8,	/* what ends the name of a field */
};

static const uint8_t escapes[256] = {
	[0 ... 0x1F] = ESCAPE_CONTROL, [0x7F] = ESCAPE_CONTROL, [0xC2] = ESCAPE_CONTROL,
	['"'] = ESCAPE_QUOTE | ESCAPE_NAME, ['\\'] = ESCAPE_BACKSLASH | ESCAPE_NAME,
	['='] = ESCAPE_NAME, [' '] = ESCAPE_NAME,
};

static void out_byte(struct text_out *out, uint8_t byte)
{
	static const char digit[] = "0123456789abcdef";
	const char text[] = { '\\', 'x', digit[byte >> 4], digit[byte & 15] };

	text_out_bytes(out, text, sizeof(text));
}

/* One that @escapes has. Return: bytes of it */
static size_t out_escaped(struct text_out *out, const char *at, unsigned int special, char before)
{
	uint8_t c = at[0], next;

	if (escapes[c] & special) {
		text_out_char(out, before);
		text_out_char(out, c);
		return 1;
	}
	next = c == 0xC2 ? at[1] : 0xFF;
	if (c == 0xC2 && next >= 0xA0) {
		text_out_char(out, c);
		return 1;
	}
	out_byte(out, c == 0xC2 ? next : c);
	return c == 0xC2 ? 2 : 1;
}

/*
 * A trace holds foreign bytes: nothing of them may steer the terminal. @special: characters that
 * have @before before them
 */
static void out_text(struct text_out *out, const char *text, size_t size, unsigned int special,
		     char before)
{
	const char *at = text, *end = text + size, *plain;

	while (at < end) {
		plain = at;
		while (at < end && !(escapes[(uint8_t)*at] & (special | ESCAPE_CONTROL)))
			at++;
		text_out_bytes(out, plain, at - plain);
		if (at < end)
			at += out_escaped(out, at, special, before);
	}
}

static void out_quoted(struct text_out *out, const char *text, size_t size)
{
	text_out_char(out, '"');
	out_text(out, text, size, ESCAPE_QUOTE | ESCAPE_BACKSLASH, '\\');
	text_out_char(out, '"');
}

static void out_csv(struct text_out *out, const char *text)
{
	text_out_char(out, '"');
	out_text(out, text, strlen(text), ESCAPE_QUOTE, '"');
	text_out_char(out, '"');
}

void text_out_event(struct text_out *out, const char *text)
{
	out_text(out, text, strlen(text), ESCAPE_BACKSLASH, '\\');
}

void text_print_quoted(const char *text, FILE *to)
{
	struct text_out out;

	text_out_begin(&out, to);
	out_quoted(&out, text, strlen(text));
	text_out_flush(&out);
}

void text_print_csv(const char *text, FILE *to)
{
	struct text_out out;

	text_out_begin(&out, to);
	out_csv(&out, text);
	text_out_flush(&out);
}

void text_print_event(const char *text, FILE *to)
{
	struct text_out out;

	text_out_begin(&out, to);
	text_out_event(&out, text);
	text_out_flush(&out);
}

void text_print_event_csv(const char *text, FILE *to)
{
	struct text_out out;

	text_out_begin(&out, to);
	if (strpbrk(text, "\","))
		out_csv(&out, text);
	else
		out_text(&out, text, strlen(text), 0, 0);
	text_out_flush(&out);
}

static void out_time(struct text_out *out, uint64_t filetime)
{
	char text[64];

	text_from_filetime(filetime, text, sizeof(text));
	text_out_string(out, text);
}

static void out_real(struct text_out *out, double value)
{
	char text[TEXT_NUMBER];

	snprintf(text, sizeof(text), "%.17g", value);
	text_out_string(out, text);
}

static void out_value(struct text_out *out, const struct field *field)
{
	if (field->kind == FIELD_UNSIGNED)
		text_out_unsigned(out, field->number);
	else if (field->kind == FIELD_SIGNED)
		text_out_signed(out, (int64_t)field->number);
	else if (field->kind == FIELD_HEX)
		text_out_hex(out, field->number);
	else if (field->kind == FIELD_REAL)
		out_real(out, field->real);
	else if (field->kind == FIELD_TIME)
		out_time(out, field->number);
	else if (field->kind == FIELD_STRING)
		text_out_bytes(out, field->string, field->size);
	else
		text_out_string(out, field->string);
}

void field_value(const struct field *field, FILE *to)
{
	struct text_out out;

	text_out_begin(&out, to);
	out_value(&out, field);
	text_out_flush(&out);
}

/* Of a time or of a list of numbers: nothing in them needs to be escaped */
static void out_quoted_value(struct text_out *out, const struct field *field)
{
	text_out_char(out, '"');
	out_value(out, field);
	text_out_char(out, '"');
}

void text_out_fields(struct text_out *out, const struct fields *fields)
{
	unsigned int i;

	for (i = 0; i < fields->count; i++) {
		const struct field *field = &fields->field[i];

		text_out_char(out, ' ');
		out_text(out, field->name, strlen(field->name), ESCAPE_NAME, '\\');
		text_out_char(out, '=');
		if (field->kind == FIELD_STRING)
			out_quoted(out, field->string, field->size);
		else if (field->kind == FIELD_LIST || field->kind == FIELD_TIME)
			out_quoted_value(out, field);
		else
			out_value(out, field);
	}
}

void fields_print(const struct fields *fields, FILE *to)
{
	struct text_out out;

	text_out_begin(&out, to);
	text_out_fields(&out, fields);
	text_out_flush(&out);
}

/*
 * JSON numbers have no unsigned 64-bit range; what does not fit is a string. A time is the
 * FILETIME itself, so that programs need not parse a date.
 */
static json_t *number(const struct field *field)
{
	char text[24];

	if (field->kind == FIELD_SIGNED ||
	    (field->kind != FIELD_HEX && field->number <= INT64_MAX))
		return json_integer((json_int_t)field->number);
	snprintf(text, sizeof(text), field->kind == FIELD_HEX ? "0x%" PRIx64 : "%" PRIu64,
		 field->number);
	return json_string(text);
}

/* JSON has no infinity, and no NaN. */
static json_t *real(double value)
{
	json_t *json = json_real(value);

	return json ? json : json_null();
}

/*
 * A member that looks like a number of 63 bits is one; larger and hexadecimal ones are
 * strings, as they are outside of lists; the rest are reals.
 */
static json_t *member_of(const char *text)
{
	long long value;
	char *end;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (!*end && !errno)
		return json_integer(value);
	if (!*end || !strncmp(text, "0x", 2))
		return json_string(text);
	return real(strtod(text, NULL));
}

static json_t *list(const struct field *field)
{
	json_t *array = json_array();
	char *copy = strdup(field->string), *member, *rest = copy;

	while (copy && *copy && (member = strsep(&rest, " ")))
		json_array_append_new(array, member_of(member));
	free(copy);
	return array;
}

static json_t *value_of(const struct field *field)
{
	if (field->kind == FIELD_STRING)
		return json_stringn(field->string, field->size);
	if (field->kind == FIELD_LIST)
		return list(field);
	return field->kind == FIELD_REAL ? real(field->real) : number(field);
}

/* Two fields of one name, as a trace's own descriptions can have, are both kept. */
void fields_json(const struct fields *fields, json_t *to)
{
	unsigned int i, n;
	const char *name;
	char other[256];

	for (i = 0; i < fields->count; i++) {
		const struct field *field = &fields->field[i];

		name = field->name;
		for (n = 2; json_object_get(to, name) && n < MAX_FIELDS; n++) {
			snprintf(other, sizeof(other), "%.*s#%u", (int)text_fit(field->name, 240),
				 field->name, n);
			name = other;
		}
		json_object_set_new(to, name, value_of(field));
	}
}

/*
 * XML 1.0 has no control characters, not even as references; and those that it
 * has, of the second half, could steer a terminal.
 */
void text_print_xml(const char *text, size_t size, FILE *to)
{
	const char *at, *end = text + size;

	for (at = text; at < end; at++) {
		unsigned char c = *at;

		if (c == '<')
			fputs("&lt;", to);
		else if (c == '>')
			fputs("&gt;", to);
		else if (c == '&')
			fputs("&amp;", to);
		else if (c == '"')
			fputs("&quot;", to);
		else if (c == '\t' || c == '\n' || c == '\r')
			fprintf(to, "&#%u;", c);
		else if (c < ' ' || c == 0x7F)
			putc('?', to);
		else if (c == 0xC2 && (unsigned char)at[1] < 0xA0)
			at++;
		else if (c == 0xEF && (unsigned char)at[1] == 0xBF && (unsigned char)at[2] >= 0xBE)
			at += 2;	/* U+FFFE and U+FFFF are no characters either */
		else
			putc(c, to);
	}
}
