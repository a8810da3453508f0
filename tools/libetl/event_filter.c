// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which events of a trace are wanted: by time, processor, thread, process and hook id. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "decode.h"
#include "event_filter.h"
#include "events/events.h"
#include "guids.h"
#include "messages.h"

bool event_filter_has_threads(const struct event_filter *filter)
{
	return filter->nr_pids || filter->nr_tids || filter->nr_names || filter->nr_containers;
}

bool event_filter_leaves_out(const struct event_filter *filter)
{
	return filter->from != INT64_MIN || filter->to != INT64_MAX || filter->hooks ||
	       filter->cpus || event_filter_has_threads(filter);
}

static bool has_id(const uint32_t *ids, unsigned int count, uint32_t id)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

/* Some traces have a path where others have the name of the file. */
static bool has_name(const struct event_filter *filter, const char *name)
{
	const char *base = name + strlen(name);
	unsigned int i;

	while (base > name && base[-1] != '/' && base[-1] != '\\')
		base--;
	for (i = 0; i < filter->nr_names; i++)
		if (!strcmp(filter->names[i], name) || !strcmp(filter->names[i], base))
			return true;
	return false;
}

bool event_filter_wants_time(const struct event_filter *filter, int64_t ns)
{
	return ns >= filter->from && ns <= filter->to;
}

bool event_filter_wants_cpu(const struct event_filter *filter, uint16_t processor)
{
	processor %= ETL_PROCESSORS;
	return !filter->cpus || filter->cpus[processor / 8] >> processor % 8 & 1;
}

static bool is_contained(const struct event_filter *filter, const struct process *process)
{
	const struct container *container;
	unsigned int i;

	if (!filter->nr_containers)
		return false;
	container = process_container(process);
	for (i = 0; i < filter->nr_containers; i++)
		if (!fnmatch(filter->containers[i], container ? container->label : NO_CONTAINER,
			     0) ||
		    (container && !fnmatch(filter->containers[i], container->path, 0)))
			return true;
	return false;
}

static bool is_named(const struct event_filter *filter, const struct process *process)
{
	return process && (has_id(filter->pids, filter->nr_pids, process->life.id) ||
			   has_name(filter, process_name(process)) ||
			   is_contained(filter, process));
}

bool event_filter_wants_process(const struct event_filter *filter, const struct process *process)
{
	return !event_filter_has_threads(filter) || is_named(filter, process);
}

bool event_filter_wants_thread(const struct event_filter *filter, const struct thread *thread)
{
	if (!event_filter_has_threads(filter))
		return true;
	return has_id(filter->tids, filter->nr_tids, thread->life.id) ||
	       is_named(filter, thread->process);
}

bool event_filter_wants_id(const struct event_filter *filter, uint32_t tid, uint64_t time)
{
	const struct thread *thread;

	if (!event_filter_has_threads(filter))
		return true;
	thread = lifetimes_thread(filter->lifetimes, tid, time);
	return thread && event_filter_wants_thread(filter, thread);
}

static bool wants_pid(const struct event_filter *filter, uint32_t pid, uint64_t time)
{
	return has_id(filter->pids, filter->nr_pids, pid) ||
	       ((filter->nr_names || filter->nr_containers) &&
		is_named(filter, lifetimes_process(filter->lifetimes, pid, time)));
}

uint64_t event_filter_clip(const struct event_filter *filter, int64_t *from, int64_t *to)
{
	if (*from < filter->from)
		*from = filter->from;
	if (*to > filter->to)
		*to = filter->to;
	return *to > *from ? *to - *from : 0;
}

/*
 * Reads the processes of all threads before the first event, because a flight recorder or a
 * snapshot can describe threads only in the rundown at its end.
 */
int event_filter_survey(struct event_filter *filter, const struct trace *trace)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	filter->log = &trace->log;
	if (!event_filter_has_threads(filter))
		return 0;
	filter->lifetimes = malloc(sizeof(*filter->lifetimes));
	if (!filter->lifetimes)
		return no_memory();
	lifetimes_begin(filter->lifetimes);
	if (running_begin(&filter->running, trace) || merge_begin(&merge, trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer)) {
		running_survey(&filter->running, buffer->processor, record);
		err = lifetimes_note(filter->lifetimes, &trace->log, record);
	}
	merge_end(&merge);
	return err ? no_memory() : 0;
}

bool event_filter_wants_place(const struct event_filter *filter, const struct etl_buffer *buffer,
			      const struct etl_record *record)
{
	bool any_time = filter->from == INT64_MIN && filter->to == INT64_MAX;

	if (!any_time &&
	    !event_filter_wants_time(filter, etl_nanoseconds(filter->log, record->time)))
		return false;
	return event_filter_wants_cpu(filter, buffer->processor);
}

bool event_filter_wants_record(struct event_filter *filter, const struct etl_buffer *buffer,
			       const struct etl_record *record)
{
	uint16_t hook_id;

	if (event_filter_has_threads(filter))
		running_note(&filter->running, buffer, record);
	if (!event_filter_wants_place(filter, buffer, record))
		return false;
	if (!filter->hooks)
		return true;
	return hook_of(record, &hook_id) && (filter->hooks[hook_id / 8] >> hook_id % 8 & 1);
}

void event_filter_hole(struct event_filter *filter, uint16_t processor)
{
	if (event_filter_has_threads(filter))
		running_hole(&filter->running, processor);
}

bool event_filter_wants_fields(struct event_filter *filter, const struct etl_buffer *buffer,
			       const struct etl_record *record, const struct fields *fields)
{
	static const char *const pid_names[] = { "ProcessId", "StackProcess" };
	static const char *const tid_names[] = {
		"ThreadId", "NewThreadId", "OldThreadId", "IssuingThreadId", "StackThread",
	};
	const struct field *field;
	uint32_t tid;
	size_t i;

	if (!event_filter_has_threads(filter))
		return true;
	if (record->has_ids && (wants_pid(filter, record->process_id, record->time) ||
				has_id(filter->tids, filter->nr_tids, record->thread_id)))
		return true;
	for (i = 0; i < sizeof(pid_names) / sizeof(pid_names[0]); i++) {
		field = fields_find(fields, pid_names[i]);
		if (field && wants_pid(filter, field->number, record->time))
			return true;
	}
	for (i = 0; i < sizeof(tid_names) / sizeof(tid_names[0]); i++) {
		field = fields_find(fields, tid_names[i]);
		if (field && event_filter_wants_id(filter, field->number, record->time))
			return true;
	}
	return event_has(event_of(record), EVENT_HAS_NO_THREAD) &&
	       running_get(&filter->running, buffer, record, &tid) &&
	       event_filter_wants_id(filter, tid, record->time);
}

static bool decide(struct event_filter *filter, const struct etl_buffer *buffer,
		   const struct etl_record *record, struct fields *fields)
{
	if (!event_filter_wants_record(filter, buffer, record))
		return false;
	fields_reset(fields);
	decode_payload(record, fields);
	return event_filter_wants_fields(filter, buffer, record, fields);
}

int event_filter_select(struct event_filter *filter, const struct trace *trace)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct fields *fields;
	struct merge merge;
	uint16_t processor = 0;
	bool good = true;
	size_t broken;

	if (event_filter_survey(filter, trace))
		return -1;
	if (!event_filter_has_threads(filter))
		return 0;
	fields = malloc(sizeof(*fields));
	if (!fields || merge_begin(&merge, trace, false)) {
		free(fields);
		return fields ? -1 : no_memory();
	}
	for (broken = merge.broken; good && merge_next(&merge, &record, &buffer);
	     broken = merge.broken) {
		if (merge.broken != broken)
			event_filter_hole(filter, processor);
		processor = buffer->processor;
		good = array_grow((void **)&filter->selected, &filter->room,
				  merge.number / 8 + 1, 1);
		if (good && decide(filter, buffer, record, fields))
			filter->selected[merge.number / 8] |= 1 << merge.number % 8;
	}
	merge_end(&merge);
	free(fields);
	return good ? 0 : no_memory();
}

bool event_filter_selects(const struct event_filter *filter, const struct merge *merge,
			  const struct etl_buffer *buffer, const struct etl_record *record)
{
	if (event_filter_has_threads(filter))
		return merge->number / 8 < filter->room &&
		       filter->selected[merge->number / 8] >> merge->number % 8 & 1;
	return event_filter_wants_place(filter, buffer, record);
}

void event_filter_free(struct event_filter *filter)
{
	unsigned int i;

	for (i = 0; i < filter->nr_names; i++)
		free(filter->names[i]);
	for (i = 0; i < filter->nr_containers; i++)
		free(filter->containers[i]);
	free(filter->hooks);
	free(filter->cpus);
	free(filter->selected);
	if (filter->lifetimes)
		lifetimes_free(filter->lifetimes);
	free(filter->lifetimes);
	running_end(&filter->running);
}
