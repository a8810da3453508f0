// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE disk: I/O of disks, by disk, process and file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/decode.h"
#include "libetl/events/events.h"
#include "libetl/guids.h"
#include "libetl/text.h"
#include "etw.h"
#include "etw_hooks.h"
#include "disk.h"
#include "groups.h"

/**
 * struct io - what was asked for, and done
 * @asked: Init events; processes alone have them
 * @done: of each kind
 * @bytes: likewise
 * @service: how long the disk had what was done
 * @whole: of what was done and has an Init: how long it took from there
 */
struct io {
	uint64_t asked;
	uint64_t done[DISK_OPS];
	uint64_t bytes[DISK_OPS];
	struct spans service;
	struct spans whole;
};

/**
 * struct asked - the last Init of an Irp
 * @waits: it is not done yet
 * @time: of the event
 * @process: index in the lifetimes + 1; 0: unknown
 * @wanted: the filter wants requests of its thread
 */
struct asked {
	bool waits;
	uint64_t time;
	uint64_t process;
	bool wanted;
};

/**
 * struct disks - all of it
 * @fields: of the record at hand
 * @disks: struct io by DiskNumber
 * @processes: by index of the process + 1, 0: unknown
 * @files: by FileObject
 * @asked: struct asked by Irp
 * @disk_names: texts by DiskNumber
 * @file_names: by FileObject
 * @in_place: the record at hand is in the range and on the processors that are wanted
 * @observer: NULL: there is none
 */
struct disks {
	const struct trace *trace;
	const struct statistics *statistics;
	struct fields *fields;
	struct keyed disks;
	struct keyed processes;
	struct keyed files;
	struct keyed asked;
	struct keyed disk_names;
	struct keyed file_names;
	bool in_place;
	const struct disk_observer *observer;
};

bool is_disk_hook(uint16_t hook)
{
	switch (hook) {
	case WMI_LOG_TYPE_IO_READ:
	case WMI_LOG_TYPE_IO_WRITE:
	case WMI_LOG_TYPE_IO_FLUSH:
	case WMI_LOG_TYPE_IO_READ_INIT:
	case WMI_LOG_TYPE_IO_WRITE_INIT:
	case WMI_LOG_TYPE_IO_FLUSH_INIT:
		return true;
	}
	return false;
}

/* Index of the process of the thread that had an id at a time, + 1; 0: unknown */
static uint64_t process_of(const struct disks *disks, uint32_t tid, uint64_t time)
{
	const struct thread *thread = tid == ETW_NO_THREAD ? NULL :
				      lifetimes_thread(disks->statistics->lifetimes, tid, time);

	return thread && thread->process ? thread->process->life.index + 1ull : 0;
}

/* The field's, or @none */
static uint64_t number_of(const struct disks *disks, const char *name, uint64_t none)
{
	const struct field *field = fields_find(disks->fields, name);

	return field ? field->number : none;
}

/*
 * Whether the filter wants a request, by the thread that asked for it: the header of a
 * completion has the thread that was interrupted.
 */
static bool is_wanted(const struct disks *disks, uint32_t tid, uint64_t process, uint64_t time)
{
	const struct event_filter *filter = disks->statistics->filter;

	if (!event_filter_has_threads(filter))
		return true;
	return (tid != ETW_NO_THREAD && event_filter_wants_id(filter, tid, time)) ||
	       (process && event_filter_wants_process(filter, lifetimes_process_at(
				disks->statistics->lifetimes, process - 1)));
}

/* The header contains the running thread; on Windows another thread may have asked. */
static uint64_t asker_of(const struct disks *disks, const struct etl_record *record)
{
	uint32_t runs = record->has_ids ? record->thread_id : ETW_NO_THREAD;
	uint32_t tid = number_of(disks, "IssuingThreadId", runs);
	const struct process *process;

	if (!record->has_ids || runs != tid)
		return process_of(disks, tid, record->time);
	process = lifetimes_process(disks->statistics->lifetimes, record->process_id,
				    record->time);
	return process ? process->life.index + 1ull : 0;
}

/* Windows' Irps are addresses, which come again: the last Init counts. */
static int note_init(struct disks *disks, const struct etl_record *record)
{
	uint32_t runs = record->has_ids ? record->thread_id : ETW_NO_THREAD;
	const struct field *irp = fields_find(disks->fields, "Irp");
	uint64_t process = asker_of(disks, record);
	struct asked *asked;
	struct io *io;

	if (!irp)
		return 0;
	asked = keyed_of(&disks->asked, irp->number);
	if (!asked)
		return no_memory();
	*asked = (struct asked){
		.waits = true, .time = record->time, .process = process,
		.wanted = is_wanted(disks, number_of(disks, "IssuingThreadId", runs), process,
				    record->time),
	};
	if (!disks->in_place || !asked->wanted)
		return 0;
	io = keyed_of(&disks->processes, process);
	if (!io)
		return no_memory();
	io->asked++;
	return 0;
}

static void add(struct io *io, enum disk_op which, uint64_t bytes, uint64_t service,
		const uint64_t *whole)
{
	io->done[which]++;
	io->bytes[which] += bytes;
	spans_add(&io->service, service);
	if (whole)
		spans_add(&io->whole, *whole);
}

/* @process: index + 1 in the lifetimes; @whole: NULL: unknown */
static int give(const struct disks *disks, const struct etl_record *record, enum disk_op op,
		uint64_t process, uint64_t service, const uint64_t *whole)
{
	const struct disk_observer *observer = disks->observer;
	struct disk_request request = {
		.time = record->time, .op = op, .disk = number_of(disks, "DiskNumber", 0),
		.process = process, .bytes = number_of(disks, "TransferSize", 0),
		.offset = number_of(disks, "ByteOffset", 0),
		.file = number_of(disks, "FileObject", 0), .is_of_file = op != DISK_FLUSH,
		.service = service, .has_whole = whole, .whole = whole ? *whole : 0,
	};

	return observer ? observer->take(observer->context, &request) : 0;
}

static int note_done(struct disks *disks, const struct etl_record *record, uint16_t hook)
{
	const struct etl_logfile *log = &disks->trace->log;
	const struct field *disk = fields_find(disks->fields, "DiskNumber");
	struct asked *asked = keyed_find(&disks->asked, number_of(disks, "Irp", 0));
	uint32_t tid = number_of(disks, "IssuingThreadId", ETW_NO_THREAD);
	uint64_t process = process_of(disks, tid, record->time);
	uint64_t service = ns_of_ticks(log, number_of(disks, "HighResResponseTime", 0));
	enum disk_op op = hook == WMI_LOG_TYPE_IO_READ ? DISK_READ :
			  hook == WMI_LOG_TYPE_IO_WRITE ? DISK_WRITE : DISK_FLUSH;
	uint64_t bytes = number_of(disks, "TransferSize", 0), whole = 0;
	bool known = asked && asked->waits && record->time >= asked->time;
	struct keyed *const by[] = { &disks->disks, &disks->processes, &disks->files };
	uint64_t key[] = { 0, process, number_of(disks, "FileObject", 0) };
	struct io *io;
	size_t i;

	if (!disk)
		return 0;
	key[0] = disk->number;
	if (known) {
		whole = ns_of_ticks(log, record->time - asked->time);
		asked->waits = false;
		key[1] = asked->process ?: process;
	}
	if (!disks->in_place ||
	    !(known ? asked->wanted : is_wanted(disks, tid, process, record->time)))
		return 0;
	if (give(disks, record, op, key[1], service, known ? &whole : NULL))
		return -1;
	for (i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
		/* a flush is of no file */
		if (by[i] == &disks->files && op == DISK_FLUSH)
			continue;
		io = keyed_of(by[i], key[i]);
		if (!io)
			return no_memory();
		add(io, op, bytes, service, known ? &whole : NULL);
	}
	return 0;
}

/* The first text that is one stays. */
static int note_name(struct keyed *names, uint64_t key, const char *text)
{
	char **name = keyed_of(names, key);

	if (name && !*name && text[0])
		*name = strdup(text);
	return name && (*name || !text[0]) ? 0 : no_memory();
}

static int note_file(struct disks *disks, const struct etl_record *record)
{
	const uint32_t pointer = record->pointer_size == 4 ? 4 : 8;
	char name[4096];

	if (record->payload_size < pointer + 2)
		return 0;
	text_from_utf16(record->payload + pointer, record->payload_size - pointer, name,
			sizeof(name));
	return note_name(&disks->file_names, pointer == 4 ? get32(record->payload) :
			 get64(record->payload), name);
}

static int note_disk(struct disks *disks)
{
	const struct field *name = fields_find(disks->fields, "Manufacturer");
	const struct field *disk = fields_find(disks->fields, "DiskNumber");

	return name && name->string && disk ?
		note_name(&disks->disk_names, disk->number, name->string) : 0;
}

static int note(struct disks *disks, const struct etl_record *record)
{
	uint16_t hook;

	if (!hook_of(record, &hook))
		return 0;
	switch (hook) {
	case WMI_LOG_TYPE_IO_READ:
	case WMI_LOG_TYPE_IO_WRITE:
	case WMI_LOG_TYPE_IO_FLUSH:
		fields_reset(disks->fields);
		decode_payload(record, disks->fields);
		return note_done(disks, record, hook);
	case WMI_LOG_TYPE_IO_READ_INIT:
	case WMI_LOG_TYPE_IO_WRITE_INIT:
	case WMI_LOG_TYPE_IO_FLUSH_INIT:
		fields_reset(disks->fields);
		decode_payload(record, disks->fields);
		return note_init(disks, record);
	case WMI_LOG_TYPE_CONFIG_PHYSICALDISK:
		fields_reset(disks->fields);
		decode_payload(record, disks->fields);
		return note_disk(disks);
	}
	return event_has(event_of_hook(hook), EVENT_HAS_FILE_NAME) ? note_file(disks, record) : 0;
}

/* Return: 0, or -1 after a message */
static int collect(struct disks *disks)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (!disks->fields)
		return no_memory();
	if (merge_begin(&merge, disks->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer)) {
		disks->in_place = event_filter_wants_place(disks->statistics->filter, buffer,
							   record);
		err = note(disks, record);
	}
	merge_end(&merge);
	return err;
}

/* The columns that all have; @flushes: these too */
static size_t add_columns(struct sheet *sheet, bool flushes)
{
	size_t first = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "reads");

	sheet_column(sheet, SHEET_BYTES, SHEET_EVERYWHERE, "bytes read");
	sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "writes");
	sheet_column(sheet, SHEET_BYTES, SHEET_EVERYWHERE, "bytes written");
	if (flushes)
		sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "flushes");
	spans_columns(sheet, "service");
	spans_columns(sheet, "io");
	return first;
}

static void put_io(struct sheet *sheet, size_t column, const struct io *io, bool flushes)
{
	sheet_number(sheet, column++, io->done[DISK_READ]);
	sheet_number(sheet, column++, io->bytes[DISK_READ]);
	sheet_number(sheet, column++, io->done[DISK_WRITE]);
	sheet_number(sheet, column++, io->bytes[DISK_WRITE]);
	if (flushes)
		sheet_number(sheet, column++, io->done[DISK_FLUSH]);
	spans_put(sheet, column, &io->service);
	spans_put(sheet, column + SPANS_COLUMNS, &io->whole);
}

/* Disks or files, with their names; the longest service first */
static void fill_named(const struct keyed *all, const struct keyed *names, struct sheet *sheet,
		       const char *what, enum sheet_kind kind, bool flushes)
{
	size_t key = sheet_column(sheet, kind, SHEET_EVERYWHERE, what);
	size_t first = add_columns(sheet, flushes);
	size_t name = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "name"), i;
	char *const *text;

	for (i = 0; i < all->map.count; i++) {
		sheet_row(sheet);
		sheet_number(sheet, key, all->map.keys[i]);
		put_io(sheet, first, keyed_at(all, i), flushes);
		text = keyed_find(names, all->map.keys[i]);
		if (text && *text)
			sheet_text(sheet, name, *text);
	}
	sheet_sort(sheet, first + 4 + flushes);
}

static void release_io(void *value)
{
	struct io *io = value;

	spans_free(&io->service);
	spans_free(&io->whole);
}

static void add_io(void *to, const void *from)
{
	const struct io *io = from;
	struct io *all = to;
	unsigned int i;

	all->asked += io->asked;
	for (i = 0; i < DISK_OPS; i++) {
		all->done[i] += io->done[i];
		all->bytes[i] += io->bytes[i];
	}
	spans_merge(&all->service, &io->service);
	spans_merge(&all->whole, &io->whole);
}

/* Processes or containers. Return: 0, or -1 after a message */
static int fill_groups(const struct disks *disks, struct sheet *sheet, enum report_by by)
{
	size_t pid = groups_first_column(sheet, by);
	size_t asked = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "asked");
	size_t first = add_columns(sheet, true), name = groups_last_columns(sheet, by), i;
	struct groups groups;
	const struct io *io;
	int err;

	groups_begin(&groups, disks->statistics, by, sizeof(*io), release_io);
	err = groups_add(&groups, &disks->processes, add_io);
	for (i = 0; !err && i < groups.values.map.count; i++) {
		io = keyed_at(&groups.values, i);
		sheet_row(sheet);
		sheet_number(sheet, asked, io->asked);
		put_io(sheet, first, io, true);
		groups_put(&groups, i, sheet, pid, name);
	}
	groups_end(&groups);
	sheet_sort(sheet, first + 5);
	return err;
}

static int print(const struct disks *disks, const struct stat_options *options)
{
	struct sheet by_disk = { .name = "disks" }, by_file = { .name = "files" };
	struct sheet by_group = { .name = groups_name(options->by) };
	struct sheet *all[] = { &by_disk, &by_group, &by_file };

	if (fill_groups(disks, &by_group, options->by)) {
		sheet_free(&by_group);
		return EXIT_FAILED;
	}
	fill_named(&disks->disks, &disks->disk_names, &by_disk, "disk", SHEET_ID, true);
	fill_named(&disks->files, &disks->file_names, &by_file, "file", SHEET_HEX, false);
	groups_order(all, 1, options->by);
	return sheets_report(all, sizeof(all) / sizeof(all[0]), options);
}

static void free_names(struct keyed *names)
{
	size_t i;

	for (i = 0; i < names->map.count; i++)
		free(*(char **)keyed_at(names, i));
	keyed_free(names);
}

static void begin(struct disks *disks, const struct trace *trace,
		  const struct statistics *statistics)
{
	*disks = (struct disks){
		.trace = trace,
		.statistics = statistics,
		.fields = malloc(sizeof(struct fields)),
		.disks = { .size = sizeof(struct io), .release = release_io },
		.processes = { .size = sizeof(struct io), .release = release_io },
		.files = { .size = sizeof(struct io), .release = release_io },
		.asked.size = sizeof(struct asked),
		.disk_names.size = sizeof(char *),
		.file_names.size = sizeof(char *),
	};
}

static void end(struct disks *disks)
{
	keyed_free(&disks->disks);
	keyed_free(&disks->processes);
	keyed_free(&disks->files);
	keyed_free(&disks->asked);
	free_names(&disks->disk_names);
	free_names(&disks->file_names);
	free(disks->fields);
}

int disk_requests(const struct trace *trace, const struct statistics *statistics,
		  const struct disk_observer *observer)
{
	struct disks disks;
	int err;

	begin(&disks, trace, statistics);
	disks.observer = observer;
	err = collect(&disks);
	end(&disks);
	return err;
}

int stat_disk(const struct trace *trace, const struct statistics *statistics,
	      const struct stat_options *options)
{
	int code = EXIT_FAILED;
	struct disks disks;

	begin(&disks, trace, statistics);
	disks.observer = options->requests;
	if (collect(&disks)) {
		end(&disks);
		return EXIT_FAILED;
	}
	if (!disks.disks.map.count && !disks.asked.map.count)
		report_lacks(trace, statistics->filter, "disk requests", "-e PROC_THREAD+DISK_IO+DISK_IO_INIT");
	else
		code = print(&disks, options);
	if (code == EXIT_OK && !disks.asked.map.count)
		report_lacks_part(trace, "DiskIO Init records",
				  "the time from the request to the end of an I/O is unknown",
				  "-e PROC_THREAD+DISK_IO+DISK_IO_INIT");
	end(&disks);
	return code;
}
