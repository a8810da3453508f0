// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump --names: names beside ids: processes of threads, readying threads, paths of files. */
#include <stdlib.h>
#include <string.h>
#include "libetl/events/events.h"
#include "libetl/guids.h"
#include "libetl/lifetimes.h"
#include "libetl/map.h"
#include "libetl/text.h"
#include "dump.h"
#include "etw.h"
#include "etw_hooks.h"

#define PATH_TEXT	4096

/**
 * struct dump_names - the names in a trace
 * @running: the thread of each processor
 * @files: keys of files
 * @path: by index in @files; a key can get another file, whose record comes first
 */
struct dump_names {
	struct lifetimes lifetimes;
	struct running running;
	struct map files;
	char **path;
};

/* Return: 0, or -1: no memory. @survey: the first name of a key counts for what comes before */
static int note_file(struct dump_names *names, const struct etl_record *record, bool survey)
{
	const uint32_t pointer = record->pointer_size == 4 ? 4 : 8;
	size_t known = names->files.count, i;
	char text[PATH_TEXT], *copy;
	uint16_t hook;

	if (!hook_of(record, &hook) || !event_has(event_of_hook(hook), EVENT_HAS_FILE_NAME) ||
	    record->payload_size < pointer + 2)
		return 0;
	text_from_utf16(record->payload + pointer, record->payload_size - pointer, text,
			sizeof(text));
	if (!text[0])
		return 0;
	/* room first: each key has a path */
	if (!map_make_room((void **)&names->path, known, sizeof(*names->path)))
		return -1;
	i = map_add(&names->files, pointer == 4 ? get32(record->payload) :
						  get64(record->payload));
	if (i == MAP_NONE)
		return -1;
	if (i == known)
		names->path[i] = NULL;
	if (names->path[i] && (survey || !strcmp(names->path[i], text)))
		return 0;
	copy = strdup(text);
	if (!copy)
		return -1;
	free(names->path[i]);
	names->path[i] = copy;
	return 0;
}

/* The whole trace first: a flight recorder can contain names only in the rundown at its end. */
struct dump_names *dump_names_of(const struct trace *trace)
{
	struct dump_names *names = calloc(1, sizeof(*names));
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (!names) {
		no_memory();
		return NULL;
	}
	lifetimes_begin(&names->lifetimes);
	if (running_begin(&names->running, trace) || merge_begin(&merge, trace, false)) {
		dump_names_free(names);
		return NULL;
	}
	while (!err && merge_next(&merge, &record, &buffer)) {
		running_survey(&names->running, buffer->processor, record);
		err = lifetimes_note(&names->lifetimes, &trace->log, record) ||
		      note_file(names, record, true);
	}
	merge_end(&merge);
	if (!err)
		return names;
	no_memory();
	dump_names_free(names);
	return NULL;
}

int dump_names_see(struct dump_names *names, const struct line *line)
{
	running_note(&names->running, line->buffer, line->record);
	return note_file(names, line->record, false) ? no_memory() : 0;
}

void dump_names_hole(struct dump_names *names, uint16_t processor)
{
	running_hole(&names->running, processor);
}

static void add_process(struct dump_names *names, struct line *line, const char *name,
			uint32_t tid)
{
	const struct thread *thread = lifetimes_thread(&names->lifetimes, tid,
						       line->record->time);

	if (thread && process_name(thread->process)[0])
		fields_string(&line->fields, name, process_name(thread->process));
}

/* The thread that ran on the processor readied the other one, unless an interrupt did. */
static void add_waker(struct dump_names *names, struct line *line)
{
	const struct field *flag = fields_find(&line->fields, "Flag");
	uint32_t tid;

	if ((flag && flag->number & 1) ||
	    !running_get(&names->running, line->buffer, line->record, &tid))
		return;
	fields_unsigned(&line->fields, "ReadyingThreadId", tid);
	add_process(names, line, "ReadyingProcess", tid);
}

static void add_path(struct dump_names *names, struct line *line)
{
	static const char *const keys[] = { "FileObject", "FileKey" };
	const struct field *field;
	size_t i, k;

	if (fields_find(&line->fields, "FileName") || fields_find(&line->fields, "OpenPath"))
		return;
	for (k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		field = fields_find(&line->fields, keys[k]);
		i = field ? map_find(&names->files, field->number) : MAP_NONE;
		if (i == MAP_NONE)
			continue;
		if (names->path[i])
			fields_string(&line->fields, "Path", names->path[i]);
		return;
	}
}

void dump_add_names(struct line *line, struct dump_names *names)
{
	static const struct {
		const char *field;
		const char *name;
	} threads[] = {
		{ "NewThreadId", "NewProcess" }, { "OldThreadId", "OldProcess" },
		{ "ThreadId", "Process" }, { "IssuingThreadId", "IssuingProcess" },
	};
	const struct field *field;
	uint16_t hook;
	size_t i;

	if (!hook_of(line->record, &hook))
		return;
	for (i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		field = fields_find(&line->fields, threads[i].field);
		if (field)
			add_process(names, line, threads[i].name, field->number);
	}
	if (hook == PERFINFO_LOG_TYPE_READYTHREAD)
		add_waker(names, line);
	add_path(names, line);
}

void dump_names_free(struct dump_names *names)
{
	size_t i;

	if (!names)
		return;
	for (i = 0; i < names->files.count; i++)
		free(names->path[i]);
	free(names->path);
	map_free(&names->files);
	lifetimes_free(&names->lifetimes);
	running_end(&names->running);
	free(names);
}
