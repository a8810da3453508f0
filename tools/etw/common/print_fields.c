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

/*
 * A trace holds foreign bytes: nothing of them may steer the terminal. @before: what a
 * special character has before it
 */
static void print_escaped(const char *text, size_t size, const char *special, char before,
			  FILE *to)
{
	const char *at, *end = text + size;

	for (at = text; at < end; at++) {
		unsigned char c = *at;

		if (c && strchr(special, c))
			fprintf(to, "%c%c", before, c);
		else if (c < ' ' || c == 0x7F)
			fprintf(to, "\\x%02x", c);
		else if (c == 0xC2 && (unsigned char)at[1] < 0xA0)
			fprintf(to, "\\x%02x", (unsigned char)*++at);
		else
			putc(c, to);
	}
}

static void print_quoted(const char *text, size_t size, FILE *to)
{
	putc('"', to);
	print_escaped(text, size, "\"\\", '\\', to);
	putc('"', to);
}

void text_print_quoted(const char *text, FILE *to)
{
	print_quoted(text, strlen(text), to);
}

void text_print_csv(const char *text, FILE *to)
{
	putc('"', to);
	print_escaped(text, strlen(text), "\"", '"', to);
	putc('"', to);
}

void text_print_event(const char *text, FILE *to)
{
	print_escaped(text, strlen(text), "\\", '\\', to);
}

void text_print_event_csv(const char *text, FILE *to)
{
	if (strpbrk(text, "\","))
		text_print_csv(text, to);
	else
		print_escaped(text, strlen(text), "", 0, to);
}

void text_print_name(const char *text, FILE *to)
{
	print_escaped(text, strlen(text), "\\= \"", '\\', to);
}

static void print_time(uint64_t filetime, FILE *to)
{
	char text[64];

	text_from_filetime(filetime, text, sizeof(text));
	fputs(text, to);
}

void field_value(const struct field *field, FILE *to)
{
	if (field->kind == FIELD_UNSIGNED)
		fprintf(to, "%" PRIu64, field->number);
	else if (field->kind == FIELD_SIGNED)
		fprintf(to, "%" PRId64, (int64_t)field->number);
	else if (field->kind == FIELD_HEX)
		fprintf(to, "0x%" PRIx64, field->number);
	else if (field->kind == FIELD_REAL)
		fprintf(to, "%.17g", field->real);
	else if (field->kind == FIELD_TIME)
		print_time(field->number, to);
	else if (field->kind == FIELD_STRING)
		fwrite(field->string, 1, field->size, to);
	else
		fputs(field->string, to);
}

static void print_quoted_time(const struct field *field, FILE *to)
{
	putc('"', to);
	field_value(field, to);
	putc('"', to);
}

void fields_print(const struct fields *fields, FILE *to)
{
	unsigned int i;

	for (i = 0; i < fields->count; i++) {
		const struct field *field = &fields->field[i];

		putc(' ', to);
		text_print_name(field->name, to);
		putc('=', to);
		if (field->kind == FIELD_STRING)
			print_quoted(field->string, field->size, to);
		else if (field->kind == FIELD_LIST)
			text_print_quoted(field->string, to);
		else if (field->kind == FIELD_TIME)
			print_quoted_time(field, to);
		else
			field_value(field, to);
	}
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
