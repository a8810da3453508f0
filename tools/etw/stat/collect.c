// SPDX-License-Identifier: GPL-2.0
/* Collects what etw stat prints, in one pass over the merged events. */
#include <stdlib.h>
#include <string.h>
#include "../../libetl/decode.h"
#include "../../libetl/events/events.h"
#include "../../libetl/guids.h"
#include "../../libetl/threads.h"
#include "../etw.h"
#include "collect.h"
#include "times.h"
#include "etw_hooks.h"

static size_t slot_of(const struct statistics *statistics, uint32_t tid)
{
	size_t i = (tid * 2654435761u) & (statistics->room - 1);

	while (statistics->table[i] && statistics->table[i]->tid != tid)
		i = (i + 1) & (statistics->room - 1);
	return i;
}

static int grow(struct statistics *statistics)
{
	struct thread **old = statistics->table;
	size_t i, room = statistics->room;

	statistics->room = room ? 2 * room : 1024;
	statistics->table = calloc(statistics->room, sizeof(*old));
	if (!statistics->table) {
		statistics->table = old;
		statistics->room = room;
		return -1;
	}
	for (i = 0; i < room; i++)
		if (old[i])
			statistics->table[slot_of(statistics, old[i]->tid)] = old[i];
	free(old);
	return 0;
}

struct thread *statistics_enter(struct statistics *statistics, uint32_t tid)
{
	size_t i;

	if (2 * (statistics->threads + 1) > statistics->room && grow(statistics))
		return NULL;
	i = slot_of(statistics, tid);
	if (statistics->table[i])
		return statistics->table[i];
	statistics->table[i] = calloc(1, sizeof(struct thread));
	if (!statistics->table[i])
		return NULL;
	statistics->table[i]->tid = tid;
	statistics->threads++;
	return statistics->table[i];
}

static void set_name(char **name, const char *text)
{
	char *copy = text && text[0] ? strdup(text) : NULL;

	if (!copy)
		return;
	free(*name);
	*name = copy;
}

/* The text of a field; NULL: it has none */
static const char *text_of(const struct fields *fields, const char *name)
{
	const struct field *field = fields_find(fields, name);

	return field && field->kind == FIELD_STRING ? field->string : NULL;
}

/* An end says who it was, of what nothing else told; else the newest name counts. */
static void name_thread(struct statistics *statistics, const struct etl_record *record, bool end,
			struct fields *fields)
{
	struct thread *thread;
	uint32_t tid, pid;

	if (!threads_told(record, &tid, &pid))
		return;
	thread = statistics_enter(statistics, tid);
	if (!thread || (end && thread->has_pid))
		return;
	thread->pid = pid;
	thread->has_pid = true;
	decode_payload(record, fields);
	set_name(&thread->name, text_of(fields, "ThreadName"));
}

static struct process *process_of(struct statistics *statistics, uint32_t pid)
{
	size_t i = map_find(&statistics->process_ids, pid), room = statistics->process_room;
	struct process *more;

	if (i != MAP_NONE)
		return &statistics->process[i];
	if (statistics->processes == room) {
		room = room ? 2 * room : 256;
		more = reallocarray(statistics->process, room, sizeof(*more));
		if (!more)
			return NULL;
		statistics->process = more;
		statistics->process_room = room;
	}
	i = map_add(&statistics->process_ids, pid);
	if (i == MAP_NONE)
		return NULL;
	statistics->process[i] = (struct process){ .pid = pid };
	statistics->processes++;
	return &statistics->process[i];
}

static void name_process(struct statistics *statistics, const struct etl_record *record, bool end,
			 struct fields *fields)
{
	const struct field *pid;
	struct process *process;

	decode_payload(record, fields);
	pid = fields_find(fields, "ProcessId");
	if (!pid || fields->truncated)
		return;
	process = process_of(statistics, pid->number);
	if (process && !(end && process->name))
		set_name(&process->name, text_of(fields, "ImageFileName"));
}

/* Whatever the version, the header and the width of pointers */
static void note_names(struct statistics *statistics, const struct etl_record *record)
{
	const struct etl_event *event = event_of(record);
	static struct fields fields;

	if (!event_tells(event, TELLS_PROCESS | TELLS_THREAD | TELLS_THREAD_NAME))
		return;
	fields_reset(&fields);
	if (event_tells(event, TELLS_PROCESS))
		name_process(statistics, record, event_is_end(event), &fields);
	else
		name_thread(statistics, record, event_is_end(event), &fields);
}

static int by_time(const void *left, const void *right)
{
	const struct thread *a = *(struct thread *const *)left;
	const struct thread *b = *(struct thread *const *)right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

static int by_events(const void *left, const void *right)
{
	const struct event_count *a = left, *b = right;

	if (a->events != b->events)
		return a->events > b->events ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int sort(struct statistics *statistics)
{
	size_t i, n = 0;

	statistics->by_time = calloc(statistics->threads + 1, sizeof(struct thread *));
	if (!statistics->by_time)
		return no_memory();
	for (i = 0; i < statistics->room; i++)
		if (statistics->table[i])
			statistics->by_time[n++] = statistics->table[i];
	qsort(statistics->by_time, n, sizeof(struct thread *), by_time);
	event_counts_sort(&statistics->types);
	if (statistics->types.nr)
		qsort(statistics->types.count, statistics->types.nr, sizeof(struct event_count),
		      by_events);
	return 0;
}

static int note(struct statistics *statistics, const struct trace *trace,
		const struct etl_record *record)
{
	statistics->events++;
	event_counts_add(&statistics->types, record);
	note_names(statistics, record);
	statistics->switches += is_context_swap(record);
	if (record->header == ETL_SYSTEM || record->header == ETL_PERFINFO)
		perf_summary_add(&statistics->perf, record);
	return losses_note(&statistics->losses, record, &trace->log) ? no_memory() : 0;
}

static int pass(struct statistics *statistics, struct times *times, const struct trace *trace)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	uint16_t processor = 0;
	struct merge merge;
	size_t broken;
	int err = 0;

	if (merge_begin(&merge, trace, false))
		return -1;
	for (broken = merge.broken; !err && merge_next(&merge, &record, &buffer);
	     broken = merge.broken) {
		err = note(statistics, trace, record);
		statistics->last = merge_time(&merge);
		if (!times || err)
			continue;
		/* the step on from the record before came over what can't be read */
		if (merge.broken != broken)
			times_hole(times, processor);
		processor = buffer->processor;
		err = times_take(times, buffer, record);
	}
	merge_warn(&merge);
	merge_end(&merge);
	return err;
}

int statistics_collect(struct statistics *statistics, const struct trace *trace, bool with_times)
{
	struct times times;
	int err;

	memset(statistics, 0, sizeof(*statistics));
	statistics->last = trace->log.t0;
	if (with_times)
		times_begin(&times, statistics, trace);
	err = pass(statistics, with_times ? &times : NULL, trace);
	if (with_times && !err)
		err = times_end(&times);
	if (with_times)
		times_free(&times);
	return err ? -1 : sort(statistics);
}

const struct thread *statistics_thread(const struct statistics *statistics, uint32_t tid)
{
	return statistics->room ? statistics->table[slot_of(statistics, tid)] : NULL;
}

const char *statistics_name_of(const struct statistics *statistics, uint32_t pid)
{
	size_t i = map_find(&statistics->process_ids, pid);

	return i == MAP_NONE ? NULL : statistics->process[i].name;
}

const char *statistics_process_name(const struct statistics *statistics,
				    const struct thread *thread)
{
	const char *name = thread->has_pid ? statistics_name_of(statistics, thread->pid) : NULL;

	return name ? name : "";
}

void statistics_free(struct statistics *statistics)
{
	size_t i;

	for (i = 0; i < statistics->room; i++) {
		if (!statistics->table[i])
			continue;
		free(statistics->table[i]->name);
		free(statistics->table[i]->ns_of_cpu);
		free(statistics->table[i]);
	}
	for (i = 0; i < statistics->processes; i++)
		free(statistics->process[i].name);
	free(statistics->table);
	free(statistics->by_time);
	free(statistics->process);
	map_free(&statistics->process_ids);
	event_counts_free(&statistics->types);
	losses_free(&statistics->losses);
	memset(statistics, 0, sizeof(*statistics));
}
