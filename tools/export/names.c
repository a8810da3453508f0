// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export: processes and threads, and what they are called. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/decode.h"
#include "libetl/events/events.h"
#include "libetl/messages.h"
#include "export.h"

/* Return: the entry of this id, which is added if the table has none; NULL without memory */
static void *entry_of(struct id_table *table, uint32_t id)
{
	size_t known = table->ids.count, i = map_find(&table->ids, id);
	void *entry;

	if (i != MAP_NONE)
		return table->entries[i];
	if (!map_make_room((void **)&table->entries, known, sizeof(*table->entries)))
		return NULL;
	entry = calloc(1, table->bytes);
	if (!entry)
		return NULL;
	if (map_add(&table->ids, id) == MAP_NONE) {
		free(entry);
		return NULL;
	}
	memcpy(entry, &id, sizeof(id));
	table->entries[known] = entry;
	return entry;
}

static void *find_entry(const struct id_table *table, uint32_t id)
{
	size_t i = map_find(&table->ids, id);

	return i == MAP_NONE ? NULL : table->entries[i];
}

struct export_thread *export_thread_of(struct export *export, uint32_t tid)
{
	struct export_thread *thread = entry_of(&export->threads, tid);

	if (!thread)
		failed("%s", strerror(ENOMEM));
	return thread;
}

struct export_process *export_process_of(const struct export *export, uint32_t pid)
{
	return find_entry(&export->processes, pid);
}

/* The survey keeps the first name. After it, a new name is written to the output again. */
static int set_name(char **name, bool *named, const char *text, bool survey)
{
	char *copy;

	if (!text || !text[0] || (*name && (survey || !strcmp(*name, text))))
		return 0;
	copy = strdup(text);
	if (!copy)
		return no_memory();
	free(*name);
	*name = copy;
	*named = false;
	return 0;
}

static const char *string_of(const struct fields *fields, const char *name)
{
	const struct field *field = fields_find(fields, name);

	return field && field->kind == FIELD_STRING ? field->string : NULL;
}

static int name_process(struct export *export, const struct fields *fields, bool survey)
{
	const struct field *parent = fields_find(fields, "ParentId");
	const struct field *pid = fields_find(fields, "ProcessId");
	struct export_process *process;

	if (!pid || fields->truncated)
		return 0;
	process = entry_of(&export->processes, pid->number);
	if (!process)
		return no_memory();
	if (parent && (!process->has_parent || !survey)) {
		process->parent = parent->number;
		process->has_parent = true;
	}
	return set_name(&process->name, &process->named, string_of(fields, "ImageFileName"),
			survey);
}

static int name_thread(struct export *export, const struct fields *fields, bool survey)
{
	const struct field *pid = fields_find(fields, "ProcessId");
	const struct field *tid = fields_find(fields, "ThreadId");
	struct export_thread *thread;

	if (!pid || !tid)
		return 0;
	thread = export_thread_of(export, tid->number);
	if (!thread)
		return -1;
	if (!thread->has_pid || (!survey && thread->pid != pid->number)) {
		thread->pid = pid->number;
		thread->has_pid = true;
		thread->named = false;
	}
	return set_name(&thread->name, &thread->named, string_of(fields, "ThreadName"), survey);
}

int export_note_names(struct export *export, const struct etl_record *record, bool survey)
{
	const struct etl_event *event;

	if (record->header != ETL_SYSTEM && record->header != ETL_PERFINFO &&
	    record->header != ETL_COMPACT)
		return 0;
	event = event_of_hook(record->hook_id);
	if (!event_has(event, EVENT_HAS_PROCESS | EVENT_HAS_THREAD_NAME))
		return 0;
	fields_reset(&export->fields);
	decode_payload(record, &export->fields);
	return event_has(event, EVENT_HAS_PROCESS) ?
		name_process(export, &export->fields, survey) :
		name_thread(export, &export->fields, survey);
}

/* Samples have 16 bits for it: what has more names none of them. */
static int note_source(struct export *export, const struct etl_record *record)
{
	struct sample_interval found;
	struct export_source *source;

	if (!sample_interval_of(record, &found) || !found.name[0] || found.source > UINT16_MAX)
		return 0;
	source = entry_of(&export->sources, found.source);
	if (!source)
		return no_memory();
	memcpy(source->name, found.name, sizeof(source->name));
	return 0;
}

const char *export_source_name(const struct export *export, uint32_t source)
{
	const struct export_source *found = find_entry(&export->sources, source);

	return found ? found->name : NULL;
}

int export_survey(struct export *export)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	unsigned int i;
	int err = 0;

	export->threads.bytes = sizeof(struct export_thread);
	export->processes.bytes = sizeof(struct export_process);
	export->sources.bytes = sizeof(struct export_source);
	export->begin = export->trace->log.t0;
	if (merge_begin(&merge, export->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer)) {
		if (record->header == ETL_SYSTEM || record->header == ETL_PERFINFO)
			perf_summary_add(&export->perf, record);
		if ((int64_t)(merge_time(&merge) - export->begin) < 0)
			export->begin = merge_time(&merge);
		err = export_note_names(export, record, true);
		if (!err)
			err = note_source(export, record);
		if (!err)
			err = export_note_anchor(export, record);
		if (!err && export->lifetimes &&
		    lifetimes_note(export->lifetimes, &export->trace->log, record))
			err = no_memory();
	}
	merge_warn(&merge);
	merge_end(&merge);
	for (i = 0; i < export->perf.counters; i++)
		perf_summary_name(&export->perf, i, export->column[i], COUNTER_NAME);
	if (export->perf.pebs)
		snprintf(export->column[i], COUNTER_NAME, "PEBS index");
	return err;
}

static void free_table(struct id_table *table)
{
	size_t i;

	for (i = 0; i < table->ids.count; i++)
		free(table->entries[i]);
	free(table->entries);
	map_free(&table->ids);
}

void export_names_free(struct export *export)
{
	struct export_process *process;
	struct export_thread *thread;
	size_t i;

	for (i = 0; i < export->threads.ids.count; i++) {
		thread = export->threads.entries[i];
		free(thread->name);
	}
	for (i = 0; i < export->processes.ids.count; i++) {
		process = export->processes.entries[i];
		free(process->name);
	}
	free_table(&export->threads);
	free_table(&export->processes);
	free_table(&export->sources);
	free(export->distance);
}
