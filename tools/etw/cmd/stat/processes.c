// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE processes: every process in the trace. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/decode.h"
#include "libetl/events/events.h"
#include "etw.h"
#include "keyed.h"
#include "processes.h"

/* What is known of a process; valid until the next call. Return: NULL: no memory */
static struct instance *instance_of(struct processes *processes, const struct process *process)
{
	size_t n = processes->map.count, i;

	i = process ? map_add(&processes->map, process->life.index) : MAP_NONE;
	if (i != n || i == MAP_NONE)
		return i == MAP_NONE ? NULL : &processes->list[i];
	if (!map_make_room((void **)&processes->list, n, sizeof(*processes->list)))
		return NULL;
	processes->list[n] = (struct instance){ .pid = process->life.id };
	return &processes->list[n];
}

static void set_text(char **to, const struct fields *fields, const char *name)
{
	const struct field *field = fields_find(fields, name);

	if (*to || !field || !field->string || !field->string[0])
		return;
	*to = strdup(field->string);
}

static uint64_t number_of(const struct fields *fields, const char *name)
{
	const struct field *field = fields_find(fields, name);

	return field ? field->number : 0;
}

static void note_end(const struct processes *processes, struct instance *instance,
		     enum event_phase phase, const struct fields *fields, int64_t now)
{
	const struct field *exit = fields_find(fields, "ExitTime");
	const int64_t started = processes->trace->log.start_time;
	int64_t ticks;

	instance->status = number_of(fields, "ExitStatus");
	instance->has_status = true;
	if (instance->has_end)
		return;
	if (phase == PHASE_END) {
		instance->end = now;
		instance->has_end = true;
	} else if (exit && exit->number) {
		/* what is centuries away is damaged */
		instance->has_end = !__builtin_sub_overflow((int64_t)exit->number, started,
							    &ticks) &&
				    !__builtin_mul_overflow(ticks, 100, &instance->end);
	}
}

static int note_process(struct processes *processes, const struct etl_record *record,
			const struct fields *fields)
{
	const struct etl_logfile *log = &processes->trace->log;
	const struct field *pid = fields_find(fields, "ProcessId");
	int64_t now = etl_nanoseconds(log, record->time);
	const struct etl_event *event = event_of(record);
	struct instance *instance;

	if (!pid)
		return 0;
	instance = instance_of(processes, lifetimes_note_process(&processes->lifetimes, log,
								 record, pid->number, fields));
	if (!instance)
		return -1;
	if (event->phase == PHASE_BEGIN && !instance->has_start) {
		instance->has_start = true;
		instance->start = now;
	}
	instance->parent = number_of(fields, "ParentId");
	set_text(&instance->image, fields, "ImageFileName");
	set_text(&instance->command, fields, "CommandLine");
	if (event_is_end(event))
		note_end(processes, instance, event->phase, fields, now);
	return 0;
}

static int note_thread(struct processes *processes, const struct etl_record *record,
		       const struct fields *fields)
{
	const struct field *pid = fields_find(fields, "ProcessId");
	const struct field *tid = fields_find(fields, "ThreadId");
	size_t known = processes->threads.count;
	struct instance *instance;
	size_t i;

	if (!pid || !tid)
		return 0;
	instance = instance_of(processes, lifetimes_process(&processes->lifetimes, pid->number,
							    record->time));
	if (!instance)
		return -1;
	/* a rundown describes known threads again; a start record of a known id is another thread */
	i = map_add(&processes->threads,
		    (uint64_t)(instance - processes->list) << 32 | (uint32_t)tid->number);
	if (i == MAP_NONE)
		return -1;
	instance->wanted |= event_filter_wants_id(processes->filter, tid->number, record->time);
	if (i == known || event_of(record)->phase == PHASE_BEGIN)
		instance->threads++;
	return 0;
}

static int note(struct processes *processes, const struct etl_record *record,
		struct fields *fields)
{
	const struct etl_event *event = event_of(record);
	bool of_process = event_has(event, EVENT_HAS_PROCESS);

	if (containers_concern(record))
		return lifetimes_note(&processes->lifetimes, &processes->trace->log, record);
	if (!of_process && (!event_has(event, EVENT_HAS_THREAD) || event_is_end(event)))
		return 0;
	fields_reset(fields);
	decode_payload(record, fields);
	return of_process ? note_process(processes, record, fields) :
			    note_thread(processes, record, fields);
}

int processes_collect(struct processes *processes)
{
	struct fields *fields = malloc(sizeof(*fields));
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	lifetimes_begin(&processes->lifetimes);
	if (!fields || merge_begin(&merge, processes->trace, false)) {
		free(fields);
		return -1;
	}
	while (!err && merge_next(&merge, &record, &buffer))
		err = note(processes, record, fields);
	merge_end(&merge);
	free(fields);
	return err;
}

/* A process without a start or an end in the trace was there before, or stayed. */
bool processes_wants(const struct processes *processes, size_t i)
{
	const struct event_filter *filter = processes->filter;
	const struct instance *instance = &processes->list[i];

	if ((instance->has_start && instance->start > filter->to) ||
	    (instance->has_end && instance->end < filter->from))
		return false;
	return instance->wanted || event_filter_wants_process(filter,
			lifetimes_process_at(&processes->lifetimes, processes->map.keys[i]));
}

static void fill(const struct processes *processes, struct sheet *sheet)
{
	size_t pid = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "pid");
	size_t parent = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "parent");
	size_t start = sheet_column(sheet, SHEET_MOMENT, SHEET_EVERYWHERE, "start");
	size_t end = sheet_column(sheet, SHEET_MOMENT, SHEET_EVERYWHERE, "end");
	size_t status = sheet_column(sheet, SHEET_HEX, SHEET_EVERYWHERE, "status");
	size_t threads = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "threads");
	size_t image = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "image");
	size_t command = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "command line");
	size_t container = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "container");
	const struct instance *instance;
	size_t i;

	for (i = 0; i < processes->map.count; i++) {
		instance = &processes->list[i];
		if (!processes_wants(processes, i))
			continue;
		sheet_row(sheet);
		sheet_number(sheet, pid, instance->pid);
		sheet_number(sheet, parent, instance->parent);
		if (instance->has_start)
			sheet_number(sheet, start, instance->start);
		if (instance->has_end)
			sheet_number(sheet, end, instance->end);
		if (instance->has_status)
			sheet_number(sheet, status, instance->status);
		sheet_number(sheet, threads, instance->threads);
		sheet_text(sheet, image, instance->image ? instance->image : "");
		sheet_text(sheet, command, instance->command ? instance->command : "");
		sheet_text(sheet, container, container_label(lifetimes_process_at(
				&processes->lifetimes, processes->map.keys[i])));
	}
}

static int print(const struct processes *processes, const struct stat_options *options)
{
	struct sheet sheet = { .name = "rows" };
	struct sheet *all[] = { &sheet };

	fill(processes, &sheet);
	return sheets_report(all, 1, options);
}

void processes_free(struct processes *processes)
{
	size_t i;

	for (i = 0; i < processes->map.count; i++) {
		free(processes->list[i].image);
		free(processes->list[i].command);
	}
	free(processes->list);
	map_free(&processes->map);
	lifetimes_free(&processes->lifetimes);
	map_free(&processes->threads);
}

int stat_processes(const struct trace *trace, const struct statistics *statistics,
		   const struct stat_options *options)
{
	struct processes processes = { .trace = trace, .filter = statistics->filter };
	int code = EXIT_FAILED;

	if (processes_collect(&processes))
		failed("%s: %s", trace->name, strerror(ENOMEM));
	else if (!processes.map.count)
		report_lacks(trace, statistics->filter, "processes", "-e PROC_THREAD");
	else
		code = print(&processes, options);
	processes_free(&processes);
	return code;
}
