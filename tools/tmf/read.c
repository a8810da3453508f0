// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TMF files: the messages of programs, Windows' own too. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "libetl/messages.h"
#include "lines.h"
#include "tmf.h"

/* Bytes of a message's text: a longer one would delay each of its records */
#define LONGEST		16384
/* Values of an enumeration: flags are compared with each */
#define MOST_VALUES	65536
/* Warnings of a file that are printed; the others are counted */
#define WARNINGS	10

/* What a { begins, or has begun */
enum block_kind {
	NOTHING,
	ARGUMENTS,
	VALUES,
	UNKNOWN,
};

/**
 * struct reading - a file that is being read
 * @tmf: all messages that are known
 * @name: of the file
 * @lines: its lines
 * @guid: of the messages that follow
 * @provider: of the GUID; NULL: there was none
 * @first: first message of the file
 * @pending: first message that the next block of arguments may belong to
 * @broken: the line before that block was no message
 * @next: what the next { begins
 * @block: what a { has begun
 * @argument: the arguments of the block
 * @count: how many
 * @enumeration: name of the one that is being read
 * @names: its names
 * @name_room: how many fit
 * @unknown: types that had a warning
 * @nr_unknown: how many
 * @warnings: how many there were
 * @no_memory: nothing more is read
 */
struct reading {
	struct tmf *tmf;
	const char *name;
	struct tmf_lines lines;
	struct etw_guid guid;
	const char *provider;
	size_t first;
	size_t pending;
	bool broken;
	enum block_kind next;
	enum block_kind block;
	struct tmf_argument argument[TMF_ARGUMENTS];
	unsigned int count;
	const char *enumeration;
	struct tmf_names names;
	size_t name_room;
	const char *unknown[WARNINGS];
	unsigned int nr_unknown;
	unsigned int warnings;
	bool no_memory;
};

static void __attribute__((format(printf, 3, 4))) bad(struct reading *reading, unsigned int line,
						      const char *format, ...)
{
	va_list arguments;
	char what[256];

	if (reading->warnings++ >= WARNINGS)
		return;
	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	warn("%s:%u: %s", reading->name, line, what);
}

static const char *keep(struct reading *reading, const char *from, size_t bytes)
{
	const char *text = tmf_keep_text(reading->tmf, from, bytes);

	reading->no_memory |= !text;
	return text;
}

static const char *keep_word(struct reading *reading, const char *text, const char *key)
{
	const char *word;
	size_t length;

	word = tmf_word_behind(text, key, &length);
	return keep(reading, word, length);
}

static void read_guid(struct reading *reading, const char *rest)
{
	rest += strspn(rest, " \t");
	reading->provider = keep(reading, rest, strcspn(rest, " \t"));
	reading->pending = reading->tmf->count;
	reading->broken = false;
	reading->next = NOTHING;
}

static void add_message(struct reading *reading, uint32_t number, const char *source, char *text,
			const char *comment)
{
	struct tmf *tmf = reading->tmf;
	struct tmf_message *message = tmf_grow(tmf->messages, tmf->count, &tmf->room,
					       sizeof(*message));
	size_t length;

	reading->no_memory |= !message;
	if (!message)
		return;
	tmf->messages = message;
	message += tmf->count;
	tmf_unquote(text);
	tmf_word_behind(comment, "FLAGS=", &length);
	*message = (struct tmf_message){
		.guid = reading->guid,
		.number = number,
		.order = tmf->count++,
		.line = reading->lines.line,
		.provider = reading->provider,
		.source = keep(reading, source, strcspn(source, " \t")),
		.format = keep(reading, text, strlen(text)),
		.function = keep_word(reading, comment, "FUNC="),
		.level = keep_word(reading, comment, "LEVEL="),
		.flags = keep_word(reading, comment, length ? "FLAGS=" : "FLAG="),
	};
	reading->broken = false;
}

/* #typev main_c42 10 "%0text %10!d!" //   LEVEL=... FLAGS=... FUNC=... */
static void read_message(struct reading *reading, char *line)
{
	char *source = line + strcspn(line, " \t"), *text, *end;
	unsigned long number;

	reading->broken = true;
	reading->next = ARGUMENTS;
	source += strspn(source, " \t");
	text = source + strcspn(source, " \t");
	text += strspn(text, " \t");
	number = strtoul(text, &end, 10);
	if (end != text)
		end += strspn(end, " \t");
	if (end == text || *end != '"')
		return bad(reading, reading->lines.line, "this is no #typev NAME NUMBER \"TEXT\"");
	text = end + 1;
	end = tmf_end_of_text(text);
	if (!end)
		return bad(reading, reading->lines.line, "the text has no end");
	*end = 0;
	if (number > UINT16_MAX)
		bad(reading, reading->lines.line, "message number %lu is above 65535", number);
	else if (end - text > LONGEST)
		bad(reading, reading->lines.line, "the text is longer than %u bytes", LONGEST);
	else if (!reading->provider)
		bad(reading, reading->lines.line, "a message before any GUID");
	else
		add_message(reading, number, source, text, end + 1);
}

/* #enumv NAME */
static void read_enumeration(struct reading *reading, const char *line)
{
	const char *name = line + strcspn(line, " \t");

	name += strspn(name, " \t");
	reading->pending = reading->tmf->count;
	reading->next = VALUES;
	reading->enumeration = keep(reading, name, strlen(name));
	if (!*name)
		bad(reading, reading->lines.line, "an enumeration without a name");
}

/* A type of which the size is not known. The first use of each is a warning. */
static void warn_unknown(struct reading *reading, const char *type)
{
	unsigned int i;

	for (i = 0; i < reading->nr_unknown; i++)
		if (!strcasecmp(reading->unknown[i], type))
			return;
	if (reading->nr_unknown < WARNINGS) {
		reading->unknown[reading->nr_unknown] = keep(reading, type, strlen(type));
		reading->nr_unknown += !reading->no_memory;
	}
	bad(reading, reading->lines.line,
	    "type %s is not known: its messages are shown up to that argument", type);
}

static void read_argument(struct reading *reading, char *line)
{
	struct tmf_argument *argument = &reading->argument[reading->count];
	struct tmf_argument_text text = { .type = "" };
	bool good;

	if (reading->count == TMF_ARGUMENTS)
		return bad(reading, reading->lines.line, "more than %u arguments", TMF_ARGUMENTS);
	good = tmf_split_argument(line, &text);
	/* what follows an argument that could not be read has no known place, either */
	*argument = (struct tmf_argument){ .item = tmf_item_find(good ? text.type : "") };
	reading->count++;
	if (!good)
		return bad(reading, reading->lines.line, "this is no ARGUMENT, ItemTYPE -- NUMBER");
	argument->number = text.number;
	if (argument->item->class == TMF_UNKNOWN)
		warn_unknown(reading, text.type);
	if (!text.list)
		return;
	if (argument->item->class == TMF_ENUM || argument->item->class == TMF_FLAGS) {
		text.list += strspn(text.list, " \t");
		tmf_cut_blanks(text.list, text.list + strlen(text.list));
		argument->enumeration = keep(reading, text.list, strlen(text.list));
	} else if (argument->item->class == TMF_LIST || argument->item->class == TMF_SET) {
		argument->names = tmf_names_parse(reading->tmf, text.list, argument->item->size);
		reading->no_memory |= !argument->names;
	}
}

/* NAME,0xVALUE */
static void read_value(struct reading *reading, char *line)
{
	char *comma = strrchr(line, ',');
	struct tmf_name *name;
	uint64_t value;

	if (!comma || !tmf_value_parse(comma + 1, &value))
		return bad(reading, reading->lines.line, "this is no NAME,0xVALUE");
	if (reading->names.count == MOST_VALUES)
		return bad(reading, reading->lines.line, "more than %u values", MOST_VALUES);
	name = tmf_grow(reading->names.name, reading->names.count, &reading->name_room,
			sizeof(*name));
	reading->no_memory |= !name;
	if (!name)
		return;
	reading->names.name = name;
	name += reading->names.count;
	tmf_cut_blanks(line, comma);
	*name = (struct tmf_name){
		.value = (uint32_t)value,
		.order = reading->names.count++,
		.text = keep(reading, line, strlen(line)),
	};
}

static void end_enumeration(struct reading *reading)
{
	struct tmf *tmf = reading->tmf;
	struct tmf_enumeration *more = tmf_grow(tmf->enumerations, tmf->nr_enumerations,
						&tmf->enumeration_room, sizeof(*more));
	struct tmf_names *names = &reading->names;

	reading->no_memory |= !more;
	if (!more)
		return;
	tmf->enumerations = more;
	more += tmf->nr_enumerations;
	*more = (struct tmf_enumeration){
		.name = reading->enumeration,
		.file = tmf->files,
		.order = tmf->nr_enumerations,
		.names = {
			.count = names->count,
			.name = tmf_keep(tmf, names->name, names->count * sizeof(*names->name)),
		},
	};
	reading->no_memory |= !more->names.name;
	if (reading->no_memory)
		return;
	tmf->nr_enumerations++;
	tmf_names_sort(&more->names);
	names->count = 0;
}

static bool has_arguments(const struct tmf_message *message)
{
	const char *format = message->format;

	return tmf_next_number(&format);
}

/*
 * Of several messages before one block the last has its arguments, and those have that refer to
 * any. The others have no block.
 */
static void end_arguments(struct reading *reading)
{
	size_t size = reading->count * sizeof(reading->argument[0]), i;
	struct tmf *tmf = reading->tmf;
	struct tmf_block *block = tmf_keep(tmf, NULL, sizeof(*block) + size);

	reading->no_memory |= !block;
	if (!block)
		return;
	block->file = tmf->files;
	block->count = reading->count;
	memcpy(block->argument, reading->argument, size);
	block->next = tmf->blocks;
	tmf->blocks = block;
	for (i = reading->pending; i < tmf->count; i++)
		if ((i + 1 == tmf->count && !reading->broken) || has_arguments(&tmf->messages[i]))
			tmf->messages[i].block = block;
	reading->pending = tmf->count;
}

static void end_block(struct reading *reading)
{
	if (reading->block == ARGUMENTS)
		end_arguments(reading);
	else if (reading->block == VALUES)
		end_enumeration(reading);
	reading->block = NOTHING;
}

static void begin_block(struct reading *reading)
{
	if (reading->next == NOTHING)
		bad(reading, reading->lines.line, "a block of neither messages nor values");
	reading->block = reading->next == NOTHING ? UNKNOWN : reading->next;
	reading->next = NOTHING;
	reading->count = 0;
}

static void read_inside(struct reading *reading, char *line)
{
	if (*line == '}')
		end_block(reading);
	else if (reading->block == ARGUMENTS)
		read_argument(reading, line);
	else if (reading->block == VALUES)
		read_value(reading, line);
}

static void read_line(struct reading *reading, char *line)
{
	char *rest;

	if (!*line || !strncmp(line, "//", 2))
		return;
	rest = tmf_line_guid(line, &reading->guid);
	if (reading->block != NOTHING && (rest || *line == '#')) {
		bad(reading, reading->lines.line, "the block before has no end");
		end_block(reading);
	}
	if (reading->block != NOTHING)
		return read_inside(reading, line);
	if (rest)
		return read_guid(reading, rest);
	if (*line == '{')
		return begin_block(reading);
	if (!strncmp(line, "#type", 5))
		return read_message(reading, line);
	if (!strncmp(line, "#enum", 5))
		return read_enumeration(reading, line);
	if (*line == '#')
		reading->next = UNKNOWN;
	bad(reading, reading->lines.line, "neither a GUID nor a message");
}

static bool describes(const struct tmf_block *block, unsigned int number)
{
	unsigned int i;

	for (i = 0; block && i < block->count; i++)
		if (block->argument[i].number == number)
			return true;
	return false;
}

/* Warns about arguments that formats refer to, and that no block describes */
static void check_numbers(struct reading *reading)
{
	const struct tmf_message *message;
	unsigned int number;
	const char *format;
	size_t i;

	for (i = reading->first; i < reading->tmf->count; i++) {
		message = &reading->tmf->messages[i];
		format = message->format;
		do
			number = tmf_next_number(&format);
		while (number && describes(message->block, number));
		if (number)
			bad(reading, message->line, "%%%u is not among the message's arguments",
			    number);
	}
}

static void finish(struct reading *reading)
{
	if (reading->block != NOTHING) {
		bad(reading, reading->lines.line, "the last block has no end");
		end_block(reading);
	}
	check_numbers(reading);
	if (reading->warnings > WARNINGS)
		warn("%s: %u more warnings", reading->name, reading->warnings - WARNINGS);
	else if (!reading->warnings && reading->first == reading->tmf->count &&
		 !reading->tmf->nr_enumerations)
		warn("%s: there are no messages in this file", reading->name);
}

bool tmf_parse(struct tmf *tmf, FILE *from, const char *name)
{
	struct reading reading = {
		.tmf = tmf, .name = name, .first = tmf->count, .pending = tmf->count,
	};
	char *text = tmf_load(from, name), *line;

	if (!text)
		return false;
	tmf->files++;
	reading.lines.at = text;
	while (!reading.no_memory && (line = tmf_next_line(&reading.lines)))
		read_line(&reading, line);
	if (!reading.no_memory)
		finish(&reading);
	free(reading.names.name);
	free(text);
	if (reading.no_memory)
		failed("%s: %s", name, strerror(ENOMEM));
	return !reading.no_memory;
}

bool tmf_read(struct tmf *tmf, const char *name)
{
	FILE *from = fopen(name, "re");
	bool good;

	if (!from) {
		failed("%s: %s", name, strerror(errno));
		return false;
	}
	good = tmf_parse(tmf, from, name);
	fclose(from);
	return good;
}
