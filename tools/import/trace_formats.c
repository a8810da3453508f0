// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Fields of tracepoints, from the format files that perf.data contains. */
#include <stdio.h>
#include <stdlib.h>
#include "trace_formats.h"

static const char magic[] = "\x17\x08\x44tracing";

/* A field's data is in 64 KB; a format with more fields than this is none */
#define MOST_FIELDS	256

struct line {
	const char *at;
	size_t length;
};

static bool next_line(struct line *line, const char **text, const char *end)
{
	const char *newline;

	if (*text >= end)
		return false;
	newline = memchr(*text, '\n', end - *text);
	line->at = *text;
	line->length = (newline ? newline : end) - *text;
	*text += line->length + 1;
	return true;
}

/* The value behind "KEY:" in the line, up to a semicolon. Return: false without it */
static bool value_of(const struct line *line, const char *key, char *to, size_t room)
{
	size_t length = strlen(key), n = 0, i;

	for (i = 0; i + length <= line->length; i++)
		if (!memcmp(line->at + i, key, length))
			break;
	if (i + length > line->length)
		return false;
	for (i += length; i < line->length && line->at[i] != ';' && n + 1 < room; i++)
		to[n++] = line->at[i];
	to[n] = 0;
	return true;
}

static bool number_of(const struct line *line, const char *key, uint32_t *value)
{
	char text[16], *end;

	if (!value_of(line, key, text, sizeof(text)))
		return false;
	*value = strtoul(text, &end, 10);
	return end != text;
}

/* Bytes of an element of an array of this C type; 0: unknown */
static uint32_t element_size(const char *type)
{
	static const struct { const char *name; uint32_t size; } types[] = {
		{ "char", 1 }, { "u8", 1 }, { "s8", 1 }, { "uint8_t", 1 }, { "short", 2 },
		{ "u16", 2 }, { "s16", 2 }, { "uint16_t", 2 }, { "long", 8 }, { "u64", 8 },
		{ "s64", 8 }, { "uint64_t", 8 }, { "int", 4 }, { "u32", 4 }, { "s32", 4 },
		{ "uint32_t", 4 },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strstr(type, types[i].name))
			return types[i].size;
	return 0;
}

static bool is_text(const char *type)
{
	return strstr(type, "char") && !strstr(type, "unsigned char");
}

static void classify(struct trace_field *field, const char *type, bool array)
{
	bool at = !strncmp(type, "__data_loc ", 11), from = !strncmp(type, "__rel_loc ", 10);

	if (at || from) {
		field->kind = field->size == 4 ? (at ? TRACE_AT : TRACE_FROM) : TRACE_NUMBERS;
		field->text = is_text(type);
		field->element = 1;
	} else if (array && is_text(type)) {
		field->kind = TRACE_TEXT;
	} else if (!array && (field->size == 1 || field->size == 2 || field->size == 4 ||
			      field->size == 8)) {
		field->kind = TRACE_NUMBER;
	} else {
		field->kind = TRACE_NUMBERS;
		field->element = array ? element_size(type) : 1;
		if (!field->element || field->size % field->element)
			field->element = 1;
	}
}

/* "field:TYPE NAME[N];	offset:O;	size:S;	signed:X;" Return: false: it is none */
static bool read_field(const struct line *line, struct trace_field *field)
{
	char text[256], *name, *bracket;
	uint32_t is_signed = 0;

	*field = (struct trace_field){ };
	if (!value_of(line, "field:", text, sizeof(text)) ||
	    !number_of(line, "\toffset:", &field->offset) ||
	    !number_of(line, "\tsize:", &field->size) ||
	    field->offset > 0xFFFF || field->size > 0xFFFF)
		return false;
	number_of(line, "\tsigned:", &is_signed);
	field->is_signed = is_signed;
	name = strrchr(text, ' ');
	if (!name)
		return false;
	*name++ = 0;
	bracket = strchr(name, '[');
	if (bracket)
		*bracket = 0;
	snprintf(field->name, sizeof(field->name), "%.63s", name);
	classify(field, text, bracket);
	return field->name[0];
}

static bool is_in_header(const struct trace_field *field)
{
	return !strcmp(field->name, "common_type") || !strcmp(field->name, "common_pid");
}

static bool add_field(struct trace_format *format, const struct trace_field *field)
{
	struct trace_field *more;

	if (is_in_header(field) || format->count == MOST_FIELDS)
		return true;
	more = reallocarray(format->fields, format->count + 1, sizeof(*more));
	if (!more)
		return false;
	format->fields = more;
	more[format->count++] = *field;
	return true;
}

/* Return: NULL, or why not */
static const char *read_format(struct trace_formats *formats, const char *system,
			       const char *text, size_t size)
{
	struct trace_format format = { };
	const char *end = text + size;
	struct trace_field field;
	char value[64] = "";
	struct line line;
	uint32_t id = 0;
	size_t i;

	while (next_line(&line, &text, end)) {
		if (!format.name[0] && value_of(&line, "name: ", value, sizeof(value)))
			snprintf(format.name, sizeof(format.name), "%.60s:%.63s", system, value);
		else if (!id && number_of(&line, "ID: ", &id))
			format.id = id;
		else if (read_field(&line, &field) && !add_field(&format, &field))
			return "out of memory";
	}
	i = id ? map_add(&formats->ids, format.id) : MAP_NONE;
	if (i == formats->count && map_make_room((void **)&formats->formats, i, sizeof(format))) {
		formats->formats[formats->count++] = format;
		return NULL;
	}
	free(format.fields);
	return id && (i == MAP_NONE || i == formats->count) ? "out of memory" : NULL;
}

static const char *read_systems(struct trace_formats *formats, struct piece *piece)
{
	uint32_t systems = piece_u32(piece), events;
	const char *system, *why;
	const uint8_t *text;
	uint64_t size;

	while (systems--) {
		system = piece_string(piece);
		for (events = piece_u32(piece); events--;) {
			size = piece_u64(piece);
			text = piece_take(piece, size);
			if (!text)
				return "a format of a tracepoint is cut";
			why = read_format(formats, system, (const char *)text, size);
			if (why)
				return why;
		}
		if (piece->bad)
			return "the list of tracepoints is cut";
	}
	return NULL;
}

const char *trace_formats_read(struct trace_formats *formats, struct piece *piece)
{
	const uint8_t *begin = piece_take(piece, sizeof(magic) - 1);
	uint32_t files;

	/* kinds of events point to the formats, which would move */
	if (formats->count)
		return "the file has tracing data before";
	if (!begin || memcmp(begin, magic, sizeof(magic) - 1))
		return "the tracing data has no magic number";
	piece_string(piece);
	if (piece_u8(piece))
		return "the tracing data is big-endian";
	/* size of long, size of a page, "header_page", "header_event" */
	piece_u8(piece);
	piece_u32(piece);
	piece_string(piece);
	piece_take(piece, piece_u64(piece));
	piece_string(piece);
	piece_take(piece, piece_u64(piece));
	for (files = piece_u32(piece); files-- && !piece->bad;)
		piece_take(piece, piece_u64(piece));
	return piece->bad ? "the tracing data is cut" : read_systems(formats, piece);
}

const struct trace_format *trace_format_of(const struct trace_formats *formats, uint64_t id)
{
	size_t i = map_find(&formats->ids, id);

	return i < formats->count ? &formats->formats[i] : NULL;
}

const struct trace_field *trace_field_of(const struct trace_format *format, const char *name)
{
	size_t i;

	for (i = 0; i < format->count; i++)
		if (!strcmp(format->fields[i].name, name))
			return &format->fields[i];
	return NULL;
}

void trace_formats_free(struct trace_formats *formats)
{
	size_t i;

	for (i = 0; i < formats->count; i++)
		free(formats->formats[i].fields);
	free(formats->formats);
	map_free(&formats->ids);
	*formats = (struct trace_formats){ };
}
