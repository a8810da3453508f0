// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump --csv --output: a table for each kind of event, with a column for each field. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "libetl/array.h"
#include "libetl/map.h"
#include "libetl/text.h"
#include "common/print_fields.h"
#include "dump.h"
#include "etw.h"

/* So many files are open at once; then all are closed, and opened again to go on */
#define MOST_OPEN	128

/* More kinds of events than any real trace has; a made-up one could fill the disk with files */
#define MOST_TABLES	4096

/**
 * struct table - events with one name and the same fields
 * @path: of its file
 * @to: NULL: it is not open
 */
struct table {
	char *path;
	FILE *to;
};

/**
 * struct tables - all of them
 * @folder: where they are written
 * @kinds: names of events with those of their fields; the index is that of the table
 * @names: names of files; a second kind of event with one name gets a number
 * @numbers: by index in @names: the number that a file with the name and a number had last
 * @numbers_room: of @numbers
 * @open: tables whose files are open
 * @failed: a message was printed
 */
static struct tables {
	const char *folder;
	struct map kinds;
	struct table *table;
	size_t room;
	struct map names;
	unsigned int *numbers;
	size_t numbers_room;
	unsigned int open;
	bool failed;
} tables;

int dump_tables_begin(const char *folder)
{
	tables = (struct tables){ .folder = folder };
	if (!mkdir(folder, 0777) || errno == EEXIST)
		return 0;
	failed("%s: %s", folder, strerror(errno));
	return -1;
}

static void fail(const char *path, int err)
{
	if (!tables.failed)
		failed("%s: %s", path, strerror(err));
	tables.failed = true;
}

static void close_table(struct table *table)
{
	if (table->to && (ferror(table->to) | fclose(table->to)))
		fail(table->path, errno);
	table->to = NULL;
}

static void close_all(void)
{
	size_t i;

	for (i = 0; i < tables.kinds.count && i < tables.room; i++)
		close_table(&tables.table[i]);
	tables.open = 0;
}

/* The index of a file's name, without ".csv"; @new: no file has it. MAP_NONE: no memory */
static size_t name_of(const char *name, bool *new)
{
	size_t known = tables.names.count, i;

	if (!array_grow((void **)&tables.numbers, &tables.numbers_room, known + 1,
			sizeof(*tables.numbers)))
		return MAP_NONE;
	i = map_add(&tables.names, map_mix(MAP_MIX, name, strlen(name)));
	*new = i == known;
	if (*new)
		tables.numbers[i] = 1;
	return i;
}

/* A name that no file has: with a number behind it, if it needs one. Return: NULL: no memory */
static char *unused_name(const char *name)
{
	char numbered[EVENT_NAME + 16];
	bool new = false;
	size_t i = name_of(name, &new), n = i;

	snprintf(numbered, sizeof(numbered), "%s", name);
	/* another event may have the name with the number */
	while (n != MAP_NONE && !new) {
		snprintf(numbered, sizeof(numbered), "%s-%u", name, ++tables.numbers[i]);
		n = name_of(numbered, &new);
	}
	return n == MAP_NONE ? NULL : strdup(numbered);
}

/* "Thread/CSwitch" is Thread-CSwitch.csv; names of programs can contain anything. */
static char *path_of(const char *event)
{
	char name[EVENT_NAME], *path = NULL, *unused;
	size_t i;

	snprintf(name, sizeof(name), "%s", event[0] ? event : "unnamed");
	/* a name of a file has at most 255 bytes */
	name[text_fit(name, 200)] = '\0';
	text_escape_control(name);
	for (i = 0; name[i]; i++)
		if (name[i] == ' ' || strchr("/\\:*?\"<>|", name[i]))
			name[i] = '-';
	/* neither hidden nor an option of a program that gets "*.csv" */
	if (name[0] == '.' || name[0] == '-')
		name[0] = '_';
	unused = unused_name(name);
	if (unused && asprintf(&path, "%s/%s.csv", tables.folder, unused) < 0)
		path = NULL;
	free(unused);
	return path;
}

static bool open_table(struct table *table, bool new)
{
	if (tables.open == MOST_OPEN)
		close_all();
	table->to = table->path ? fopen(table->path, new ? "w" : "a") : NULL;
	if (table->to)
		tables.open++;
	else
		fail(table->path ? table->path : tables.folder, table->path ? errno : ENOMEM);
	return table->to;
}

static void put_head(const struct line *line, FILE *to)
{
	unsigned int i;

	fputs("ns,cpu,pid,tid", to);
	for (i = 0; i < line->fields.count; i++) {
		putc(',', to);
		text_print_csv(line->fields.field[i].name, to);
	}
	putc('\n', to);
}

/* The table of the event's kind, open; NULL after a message */
static struct table *table_of(const struct line *line)
{
	uint64_t kind = map_mix(MAP_MIX, line->name, strlen(line->name) + 1);
	size_t known = tables.kinds.count, i;
	struct table *table;

	for (i = 0; i < line->fields.count; i++)
		kind = map_mix(kind, line->fields.field[i].name,
			       strlen(line->fields.field[i].name) + 1);
	if (!array_grow((void **)&tables.table, &tables.room, known + 1, sizeof(*tables.table)))
		return fail(tables.folder, ENOMEM), NULL;
	if (known == MOST_TABLES && map_find(&tables.kinds, kind) == MAP_NONE) {
		failed("%s: the trace has more than %u kinds of events (select some by --hook)",
		       tables.folder, MOST_TABLES);
		tables.failed = true;
		return NULL;
	}
	i = map_add(&tables.kinds, kind);
	if (i == MAP_NONE)
		return fail(tables.folder, ENOMEM), NULL;
	table = &tables.table[i];
	if (i < known)
		return table->to || open_table(table, false) ? table : NULL;
	table->path = path_of(line->name);
	if (!open_table(table, true))
		return NULL;
	put_head(line, table->to);
	return table;
}

static void put_id(uint32_t id, FILE *to)
{
	putc(',', to);
	if (id != NO_ID)
		fprintf(to, "%u", id);
}

void dump_print_table(struct line *line)
{
	const struct etl_record *record = line->record;
	struct table *table = tables.failed ? NULL : table_of(line);
	const struct field *field;
	unsigned int i;

	if (!table)
		return;
	fprintf(table->to, "%" PRId64 ",%u", etl_nanoseconds(&line->trace->log, record->time),
		line->buffer->processor);
	put_id(record->has_ids ? record->process_id : NO_ID, table->to);
	put_id(record->has_ids ? record->thread_id : NO_ID, table->to);
	for (i = 0; i < line->fields.count; i++) {
		field = &line->fields.field[i];
		putc(',', table->to);
		if (field->kind == FIELD_STRING)
			text_print_csv(field->string, table->to);
		else
			field_value(field, table->to);
	}
	putc('\n', table->to);
}

int dump_tables_end(void)
{
	size_t i;

	close_all();
	for (i = 0; i < tables.kinds.count && i < tables.room; i++)
		free(tables.table[i].path);
	free(tables.table);
	map_free(&tables.kinds);
	map_free(&tables.names);
	free(tables.numbers);
	return tables.failed ? -1 : 0;
}
