// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* trace.dat of trace-cmd, and of programs with libtracecmd. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "import.h"
#include "import_limits.h"
#include "import_source.h"
#include "libetl/messages.h"
#ifdef ETW_HAVE_TRACECMD
#include <trace-cmd.h>
#endif

#ifdef ETW_HAVE_TRACECMD

/* A time beyond this is one of day: trace-cmd record --date */
#define TIME_OF_DAY	1000000000000000000ull
#define MOST_BUFFERS	1024

/**
 * struct dat_reading - a trace.dat that is read
 * @importing: the import
 * @input: libtracecmd's handle
 * @buffers: handles of @input and of its further buffers
 * @count: number of them
 * @kinds: numbers of kinds of events in the import, by id
 */
struct dat_reading {
	struct importing *importing;
	struct tracecmd_input *input;
	struct tracecmd_input **buffers;
	int count;
	struct map kinds;
};

static size_t kind_of(struct dat_reading *reading, const struct tep_event *event)
{
	struct importing *importing = reading->importing;
	const struct trace_format *format;
	size_t i = map_add(&reading->kinds, event->id);

	if (i < importing->file.count)
		return i;
	format = i == MAP_NONE ? NULL :
		 trace_formats_add_event(&importing->file.formats, event);
	if (format)
		return import_add_kind(importing, format);
	no_memory();
	return MAP_NONE;
}

/* The number of events before the record that the buffer lost; below 0: unknown, but some */
static int lose(struct dat_reading *reading, const struct tep_record *record)
{
	uint64_t count = record->missed_events > 0 ? record->missed_events : 1;

	return record->missed_events ? import_source_loss(reading->importing, count, record->ts,
							  record->cpu) : 0;
}

/* trace.dat has the names of threads, but not their processes */
static const char *name_of(struct tep_handle *tep, uint32_t tid)
{
	const char *name = tid ? tep_data_comm_from_pid(tep, tid) : NULL;

	return name && name[0] != '<' ? name : "";
}

static int read_record(struct tracecmd_input *input, struct tep_record *record, int cpu,
		       void *context)
{
	struct dat_reading *reading = context;
	struct tep_handle *tep = tracecmd_get_tep(input);
	struct tep_event *event = tep_find_event_by_record(tep, record);
	struct import_moment moment = { .time = record->ts, .cpu = cpu };
	size_t kind;

	if (lose(reading, record))
		return -1;
	if (!event || !event->name || !event->system || record->size < 0) {
		reading->importing->stream.unreadable++;
		return 0;
	}
	if (record->size > 0xFFFF) {
		reading->importing->counts.cut++;
		return 0;
	}
	if (!reading->importing->begun && record->ts > TIME_OF_DAY) {
		reading->importing->file.has_clock = true;
		reading->importing->file.clock = CLOCK_REALTIME;
		reading->importing->file.wall = record->ts;
		reading->importing->file.clock_time = record->ts;
	}
	kind = kind_of(reading, event);
	if (kind == MAP_NONE)
		return -1;
	moment.tid = tep_data_pid(tep, record);
	moment.comm = name_of(tep, moment.tid);
	return import_source_event(reading->importing, kind, &moment, record->data, record->size);
}

static int open_buffers(struct dat_reading *reading)
{
	int count = tracecmd_buffer_instances(reading->input), i;
	struct tracecmd_input *buffer;

	if (count < 0 || count > MOST_BUFFERS)
		count = 0;
	reading->buffers = calloc(count + 1, sizeof(*reading->buffers));
	if (!reading->buffers)
		return no_memory();
	reading->buffers[reading->count++] = reading->input;
	for (i = 0; i < count; i++) {
		buffer = tracecmd_buffer_instance_handle(reading->input, i);
		if (buffer)
			reading->buffers[reading->count++] = buffer;
		else
			warn("import: %s: the buffer %s has no records that can be read",
			     reading->importing->file.name,
			     tracecmd_buffer_instance_name(reading->input, i));
	}
	return 0;
}

static int read_dat(struct importing *importing)
{
	struct dat_reading *reading = importing->source;

	if (tracecmd_iterate_events_multi(reading->buffers, reading->count, read_record, reading))
		return -1;
	if (importing->begun)
		return 0;
	failed("import: %s: the trace.dat has no record", importing->file.name);
	return -1;
}

static void close_dat(struct importing *importing)
{
	struct dat_reading *reading = importing->source;

	while (reading->count > 1)
		tracecmd_close(reading->buffers[--reading->count]);
	if (reading->input)
		tracecmd_close(reading->input);
	free(reading->buffers);
	map_free(&reading->kinds);
	free(reading);
}

/*
 * libtracecmd 3.1.6 crashes in tracecmd_close() of an input if it could not read the input's data.
 * So such an input stays open until the process ends; otherwise the message would be lost.
 */
static struct tracecmd_input *open_input(const char *name)
{
	static struct tracecmd_input *damaged;
	struct tracecmd_input *input;

	tracecmd_set_loglevel(TEP_LOG_NONE);
	input = tracecmd_open_head(name, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (input && tracecmd_init_data(input)) {
		damaged = input;
		input = NULL;
	}
	(void)damaged;
	return input;
}

int import_open_dat(struct importing *importing, const char *name, const char *output)
{
	static const struct import_provider provider = { "Linux.Ftrace", {
		0x98aabaed, 0x56e1, 0x5bc7, { 0x95, 0x6f, 0x25, 0xe5, 0x19, 0x46, 0x77, 0xe8 }
	} };
	struct dat_reading *reading = calloc(1, sizeof(*reading));

	if (!reading)
		return no_memory();
	importing->source = reading;
	importing->close = close_dat;
	importing->file.name = name;
	importing->read = read_dat;
	importing->provider = &provider;
	importing->tasks_by_events = true;
	importing->input_size = import_input_size(name);
	reading->importing = importing;
	reading->input = open_input(name);
	if (!reading->input) {
		failed("import: %s: libtracecmd cannot read this trace.dat: it is no file, or cut or "
		       "damaged ('trace-cmd dump' names the place)", name);
		return -1;
	}
	return open_buffers(reading) ? -1 : import_begin(importing, output);
}

#else

int import_open_dat(struct importing *importing, const char *name, const char *output)
{
	(void)importing;
	(void)output;
	failed("import: %s: this etw was built without libtracecmd, which reads trace.dat "
	       "(Debian: libtracecmd-dev)", name);
	return -1;
}

#endif
