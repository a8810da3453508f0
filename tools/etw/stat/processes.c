// SPDX-License-Identifier: GPL-2.0
/* etw stat FILE processes: every process that the trace tells of. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../libetl/decode.h"
#include "../../libetl/events/events.h"
#include "../etw.h"
#include "keyed.h"

/**
 * struct instance - a process, or one image of it: ids come again, exec begins a new one
 * @pid: its id
 * @parent: its parent's
 * @told: a record of the process was there, not only one of a thread
 * @has_key: one with a UniqueProcessKey
 * @has_start: it began in the trace, at @start
 * @has_end: its end is known, @end
 * @has_status: @status is valid
 * @start: ns since the start of the session, @end too
 * @status: exit status
 * @threads: of its, seen
 * @image: name
 * @command: line
 */
struct instance {
	uint32_t pid;
	uint32_t parent;
	bool told;
	bool has_key;
	bool has_start;
	bool has_end;
	bool has_status;
	int64_t start;
	int64_t end;
	uint32_t status;
	uint64_t threads;
	char *image;
	char *command;
};

/**
 * struct processes - all of them
 * @list: in the order of the trace, @count of them
 * @map: pids; @last: by its index the last instance
 * @keys: by process and UniqueProcessKey the number of the last instance, from 1
 * @threads: by instance, of the rundown: those at the end are the same ones
 */
struct processes {
	const struct trace *trace;
	struct instance *list;
	size_t count;
	struct map map;
	size_t *last;
	struct keyed keys;
	struct map threads;
};

static struct instance *begin(struct processes *processes, uint32_t pid)
{
	size_t n = processes->count, known = processes->map.count;
	size_t i = map_add(&processes->map, pid);
	struct instance *more;
	size_t *last;

	if (i == MAP_NONE)
		return NULL;
	if (i == known && !(known & (known - 1))) {
		last = reallocarray(processes->last, known ? 2 * known : 1, sizeof(*last));
		if (!last)
			return NULL;
		processes->last = last;
	}
	if (!(n & (n - 1))) {
		more = reallocarray(processes->list, n ? 2 * n : 1, sizeof(*more));
		if (!more)
			return NULL;
		processes->list = more;
	}
	processes->list[n] = (struct instance){ .pid = pid };
	processes->last[i] = n;
	processes->count++;
	return &processes->list[n];
}

static struct instance *find(const struct processes *processes, uint32_t pid)
{
	size_t i = map_find(&processes->map, pid);

	return i == MAP_NONE ? NULL : &processes->list[processes->last[i]];
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

/* Each image of a process has a key of its own. */
static uint64_t place_of_key(uint32_t pid, uint64_t key)
{
	return key ^ pid * 0x9E3779B97F4A7C15ULL;
}

/*
 * Who a record is of, when its end may be lost: ids come again. Sessions that were merged
 * have keys of their own for one process, of which the rundowns at their begin tell: these
 * are not another one. Return: NULL: nobody who was told of yet
 */
static struct instance *instance_of(const struct processes *processes, uint32_t pid, uint64_t key,
				    enum event_phase phase)
{
	const size_t *number = key ? keyed_find(&processes->keys, place_of_key(pid, key)) : NULL;
	struct instance *instance = number ? &processes->list[*number - 1] :
					     find(processes, pid);

	if (number || !instance || !instance->told)
		return instance;
	if (phase == PHASE_BEGIN || (key && instance->has_key && phase != PHASE_RUNDOWN_BEGIN))
		return NULL;
	return instance;
}

static int note_key(struct processes *processes, struct instance *instance, uint64_t key)
{
	size_t *number;

	instance->told = true;
	if (!key)
		return 0;
	instance->has_key = true;
	number = keyed_of(&processes->keys, place_of_key(instance->pid, key));
	if (!number)
		return -1;
	*number = instance - processes->list + 1;
	return 0;
}

static int note_process(struct processes *processes, const struct etl_event *event,
			const struct fields *fields, int64_t now)
{
	const struct field *pid = fields_find(fields, "ProcessId");
	bool create = event->phase == PHASE_BEGIN, gone = event_is_end(event);
	uint64_t key = number_of(fields, "UniqueProcessKey");
	struct instance *instance;

	if (!pid)
		return 0;
	instance = instance_of(processes, pid->number, key, event->phase);
	/* what ended is not begun again; what is gone is told again, at the end of the trace */
	if (!instance || (instance->has_end && !gone) || (create && instance->has_start))
		instance = begin(processes, pid->number);
	if (!instance || note_key(processes, instance, key))
		return -1;
	if (create) {
		instance->has_start = true;
		instance->start = now;
	}
	instance->parent = number_of(fields, "ParentId");
	set_text(&instance->image, fields, "ImageFileName");
	set_text(&instance->command, fields, "CommandLine");
	if (gone)
		note_end(processes, instance, event->phase, fields, now);
	return 0;
}

static int note_thread(struct processes *processes, const struct etl_event *event,
		       const struct fields *fields)
{
	const struct field *pid = fields_find(fields, "ProcessId");
	const struct field *tid = fields_find(fields, "ThreadId");
	size_t known = processes->threads.count;
	struct instance *instance;
	size_t i;

	if (!pid || !tid)
		return 0;
	instance = find(processes, pid->number) ?: begin(processes, pid->number);
	if (!instance)
		return -1;
	/* the rundowns tell again who is known; an id that begins is another thread */
	i = map_add(&processes->threads,
		    (uint64_t)(instance - processes->list) << 32 | (uint32_t)tid->number);
	if (i == MAP_NONE)
		return -1;
	if (i == known || event->phase == PHASE_BEGIN)
		instance->threads++;
	return 0;
}

static int note(struct processes *processes, const struct etl_record *record,
		struct fields *fields)
{
	const struct etl_logfile *log = &processes->trace->log;
	const struct etl_event *event = event_of(record);
	bool of_process = event_tells(event, TELLS_PROCESS);

	if (!of_process && (!event_tells(event, TELLS_THREAD) || event_is_end(event)))
		return 0;
	fields_reset(fields);
	decode_payload(record, fields);
	return of_process ? note_process(processes, event, fields,
					 etl_nanoseconds(log, record->time)) :
			    note_thread(processes, event, fields);
}

static int collect(struct processes *processes)
{
	struct fields *fields = malloc(sizeof(*fields));
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

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
	const struct instance *instance;
	size_t i;

	for (i = 0; i < processes->count; i++) {
		instance = &processes->list[i];
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
	}
}

static int print(const struct processes *processes, const struct stat_options *options)
{
	struct sheet sheet = { .name = "rows" };
	struct sheet *all[] = { &sheet };

	fill(processes, &sheet);
	return sheets_report(all, 1, options);
}

int stat_processes(const struct trace *trace, const struct statistics *statistics,
		   const struct stat_options *options)
{
	struct processes processes = { .trace = trace, .keys.size = sizeof(size_t) };
	int code = EXIT_FAILED;
	size_t i;

	(void)statistics;
	if (collect(&processes))
		failed("%s: %s", trace->name, strerror(ENOMEM));
	else if (!processes.count)
		report_lacks(trace, "processes", "-e PROC_THREAD");
	else
		code = print(&processes, options);
	for (i = 0; i < processes.count; i++) {
		free(processes.list[i].image);
		free(processes.list[i].command);
	}
	free(processes.list);
	free(processes.last);
	map_free(&processes.map);
	keyed_free(&processes.keys);
	map_free(&processes.threads);
	return code;
}
