// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Trace points as a TMF file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/text.h"
#include "etw.h"
#include "tmf/tmf.h"
#include "trace_points.h"

static int compare(const void *a, const void *b)
{
	const struct wpp_entry *left = a, *right = b;
	int order = memcmp(&left->guid, &right->guid, sizeof(left->guid));

	if (order)
		return order;
	return left->number < right->number ? -1 : left->number > right->number;
}

static bool is_same(const struct wpp_entry *a, const struct wpp_entry *b)
{
	return a->line == b->line && a->types == b->types &&
	       !strcmp(a->string[ETW_WPP_FORMAT], b->string[ETW_WPP_FORMAT]) &&
	       !strcmp(a->string[ETW_WPP_FILE], b->string[ETW_WPP_FILE]);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void put_level(uint32_t level, FILE *to)
{
	static const char *const name[] = {
		"NONE", "CRITICAL", "ERROR", "WARNING", "INFORMATION", "VERBOSE",
	};

	if (level < sizeof(name) / sizeof(name[0]))
		fprintf(to, "TRACE_LEVEL_%s", name[level]);
	else
		fprintf(to, "%u", level);
}

/* C's escapes: the file has one message a line */
static void put_quoted(const char *text, FILE *to)
{
	putc('"', to);
	for (; *text; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\')
			fprintf(to, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", to);
		else if (c == '\t')
			fputs("\\t", to);
		else if (c < ' ' || c == 0x7F)
			fprintf(to, "\\%03o", c);
		else
			putc(c, to);
	}
	putc('"', to);
}

/* main.c and 42: main_c42 */
static void put_source(const struct wpp_entry *entry, FILE *to)
{
	const char *at = base_name(entry->string[ETW_WPP_FILE]);

	for (; *at; at++)
		putc(strchr(". \t", *at) ? '_' : *at, to);
	fprintf(to, "%u", entry->line);
}

static int put_message(const struct wpp_entry *entry, FILE *to)
{
	static struct tmf_format format;
	unsigned int i;

	if (!tmf_format_make(entry->string[ETW_WPP_FORMAT], entry->types, &format)) {
		failed("%s:%u: %s", entry->string[ETW_WPP_FILE], entry->line, format.wrong);
		return -1;
	}
	fputs("#typev ", to);
	put_source(entry, to);
	fprintf(to, " %u ", entry->number);
	put_quoted(format.text, to);
	fputs(" //   LEVEL=", to);
	put_level(entry->level, to);
	fprintf(to, " FLAGS=0x%08x FUNC=%s\n{\n", entry->flags, entry->string[ETW_WPP_FUNCTION]);
	for (i = 0; i < format.count; i++)
		fprintf(to, "Arg, %s -- %u\n", format.item[i], TMF_FIRST_ARGUMENT + i);
	fputs("}\n", to);
	return 0;
}

static void put_file(const struct wpp_entry *entry, FILE *to)
{
	char guid[GUID_TEXT];

	text_from_guid(&entry->guid, guid);
	fprintf(to, "%s %s // SRC=%s MJ= MN=\n", guid, entry->string[ETW_WPP_PROVIDER],
		base_name(entry->string[ETW_WPP_UNIT]));
}

static int conflict(const struct wpp_entry *a, const struct wpp_entry *b)
{
	failed("%s:%u and %s:%u have the same GUID and number: two files of one provider "
	       "were compiled by the name %s; compile them by different paths",
	       a->string[ETW_WPP_FILE], a->line, b->string[ETW_WPP_FILE], b->line,
	       a->string[ETW_WPP_UNIT]);
	return -1;
}

/* Reports all mistakes, not only the first. */
int tmf_write(struct wpp_list *list, const char *const *objects, FILE *to)
{
	const struct wpp_entry *entry, *last = NULL;
	int err = 0;
	size_t i;

	for (; *objects; objects++)
		fprintf(to, "// PDB:  %s\n", base_name(*objects));
	if (list->count)
		qsort(list->entries, list->count, sizeof(*list->entries), compare);
	for (i = 0; i < list->count; i++, last = entry) {
		entry = &list->entries[i];
		/* a function that was compiled several times */
		if (last && !compare(last, entry)) {
			if (!is_same(last, entry))
				err = conflict(last, entry);
			continue;
		}
		if (entry->number > 0xFFFF) {
			failed("%s:%u: more than 65536 messages in one file",
			       entry->string[ETW_WPP_FILE], entry->line);
			err = -1;
			continue;
		}
		if (!last || memcmp(&last->guid, &entry->guid, sizeof(entry->guid)))
			put_file(entry, to);
		err |= put_message(entry, to);
	}
	return err;
}
