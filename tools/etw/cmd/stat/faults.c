// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE faults: page faults by process, thread, file and range of addresses. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/events/events.h"
#include "libetl/guids.h"
#include "libetl/text.h"
#include "etw.h"
#include "etw_hooks.h"
#include "faults.h"

/* Only Windows reports guard pages */
#define GUARD_FAULT	0x020D

const char *const fault_kinds[FAULT_KINDS] = {
	"transition", "demand zero", "copy on write", "guard", "hard", "violations",
};

static size_t index_of(struct fault_table *table, uint64_t key)
{
	size_t known = table->map.count, i = map_add(&table->map, key);

	if (i != known || i == MAP_NONE)
		return i;
	if (!map_make_room((void **)&table->sums, known, sizeof(*table->sums)))
		return MAP_NONE;
	memset(&table->sums[i], 0, sizeof(*table->sums));
	return i;
}

static size_t thread_index(struct faults *faults, uint32_t tid, uint64_t time)
{
	const struct thread *thread = lifetimes_thread(faults->statistics->lifetimes, tid, time);
	size_t known = faults->threads.map.count, i;

	i = thread ? index_of(&faults->threads, thread->life.index) : MAP_NONE;
	if (i != known || i == MAP_NONE)
		return i;
	if (!map_make_room((void **)&faults->processes, known, sizeof(*faults->processes)))
		return MAP_NONE;
	faults->processes[i] = thread->process;
	return i;
}

static size_t file_index(struct faults *faults, uint64_t key)
{
	size_t known = faults->files.map.count, i = index_of(&faults->files, key);

	if (i != known || i == MAP_NONE)
		return i;
	if (!map_make_room((void **)&faults->names, known, sizeof(*faults->names)))
		return MAP_NONE;
	faults->names[i] = NULL;
	return i;
}

/* The key has index of the process + 1, 0: unknown, above bit 32, below it the place's number. */
static size_t range_index(struct faults *faults, uint64_t address, const struct process *process)
{
	size_t place = map_add(&faults->places, address / FAULT_RANGE);
	uint64_t owner = process ? process->life.index + 1ull : 0;

	return place == MAP_NONE ? MAP_NONE : index_of(&faults->ranges, owner << 32 | place);
}

static bool kind_of(uint16_t hook, enum fault_kind *kind)
{
	switch (hook) {
	case PERFINFO_LOG_TYPE_TRANSITIONFAULT:
		*kind = FAULT_TRANSITION;
		return true;
	case PERFINFO_LOG_TYPE_DEMANDZEROFAULT:
		*kind = FAULT_DEMAND_ZERO;
		return true;
	case PERFINFO_LOG_TYPE_COPYONWRITE:
		*kind = FAULT_COPY_ON_WRITE;
		return true;
	case GUARD_FAULT:
		*kind = FAULT_GUARD;
		return true;
	case PERFINFO_LOG_TYPE_HARDFAULT:
		*kind = FAULT_HARD;
		return true;
	case PERFINFO_LOG_TYPE_ACCESSVIOLATION:
		*kind = FAULT_VIOLATION;
		return true;
	}
	return false;
}

/* The process in the record's header. Return: false: no memory; *@process NULL: none */
static bool process_of(const struct faults *faults, const struct etl_record *record,
		       const struct process **process)
{
	*process = NULL;
	if (!record->has_ids || record->process_id == UINT32_MAX)
		return true;
	*process = lifetimes_process(faults->statistics->lifetimes, record->process_id,
				     record->time);
	return *process;
}

static int observe(const struct faults *faults, const struct process *process, unsigned int kind,
		   uint64_t time, uint64_t ns)
{
	if (!faults->observer)
		return 0;
	return faults->observer->take(faults->observer->context,
				      process ? process->life.index + 1 : 0, kind,
				      etl_nanoseconds(&faults->trace->log, time), ns);
}

/* Windows may log these without a thread: then only ranges have them. */
static int note_fault(struct faults *faults, const struct etl_record *record, enum fault_kind kind)
{
	const struct process *process;
	uint64_t address;
	size_t i;

	if (!event_number(&faults->numbers.address, record, &address))
		return 0;
	if (!process_of(faults, record, &process))
		return -1;
	if (record->has_ids && record->thread_id != ETW_NO_THREAD) {
		i = thread_index(faults, record->thread_id, record->time);
		if (i == MAP_NONE)
			return -1;
		faults->threads.sums[i].faults[kind]++;
		if (process)
			faults->processes[i] = process;
	}
	i = range_index(faults, address, process);
	if (i == MAP_NONE)
		return -1;
	faults->ranges.sums[i].faults[kind]++;
	return observe(faults, process, kind, record->time, 0);
}

static void add_wait(struct fault_sums *sums, uint64_t ns, uint32_t bytes)
{
	sums->waits++;
	sums->ns += ns;
	sums->bytes += bytes;
	if (ns > sums->longest)
		sums->longest = ns;
}

/**
 * struct hard - what a hard fault says
 * @begun: ticks
 * @address: that was touched
 * @file: that was read
 * @tid: the waiting thread
 * @bytes: that were read
 */
struct hard {
	uint64_t begun;
	uint64_t address;
	uint64_t file;
	uint64_t tid;
	uint64_t bytes;
};

static bool is_hard(const struct fault_numbers *numbers, const struct etl_record *record,
		    struct hard *hard)
{
	return event_number(&numbers->begun, record, &hard->begun) &&
	       event_number(&numbers->touched, record, &hard->address) &&
	       event_number(&numbers->file, record, &hard->file) &&
	       event_number(&numbers->thread, record, &hard->tid) &&
	       event_number(&numbers->bytes, record, &hard->bytes);
}

static int note_hard(struct faults *faults, const struct etl_record *record)
{
	const struct etl_logfile *log = &faults->trace->log;
	const struct process *process = NULL;
	size_t thread, file, range;
	uint64_t ns;
	int64_t began, ended;
	struct hard hard;

	if (!is_hard(&faults->numbers, record, &hard))
		return 0;
	began = etl_nanoseconds(log, hard.begun);
	ended = etl_nanoseconds(log, record->time);
	ns = ended > began ? ended - began : 0;
	if (!event_filter_wants_id(faults->statistics->filter, hard.tid, record->time))
		return 0;
	if (hard.tid != ETW_NO_THREAD) {
		thread = thread_index(faults, hard.tid, record->time);
		if (thread == MAP_NONE)
			return -1;
		process = faults->processes[thread];
		add_wait(&faults->threads.sums[thread], ns, hard.bytes);
	}
	file = file_index(faults, hard.file);
	range = range_index(faults, hard.address, process);
	if (file == MAP_NONE || range == MAP_NONE)
		return -1;
	add_wait(&faults->files.sums[file], ns, hard.bytes);
	add_wait(&faults->ranges.sums[range], ns, hard.bytes);
	return observe(faults, process, FAULT_KINDS, record->time, ns);
}

/* Names may stand before the faults of a file or after them. */
static int note_name(struct faults *faults, const struct etl_record *record)
{
	const uint32_t pointer = record->pointer_size == 4 ? 4 : 8;
	char name[4096];
	size_t i;

	if (record->payload_size < pointer + 2)
		return 0;
	i = file_index(faults, pointer == 4 ? get32(record->payload) : get64(record->payload));
	if (i == MAP_NONE)
		return -1;
	text_from_utf16(record->payload + pointer, record->payload_size - pointer, name,
			sizeof(name));
	if (faults->names[i] || !name[0])
		return 0;
	faults->names[i] = strdup(name);
	return faults->names[i] ? 0 : -1;
}

static int note(struct faults *faults, const struct etl_record *record)
{
	enum fault_kind kind;
	uint16_t hook;

	if (!hook_of(record, &hook))
		return 0;
	if (!faults->selected)
		return event_has(event_of_hook(hook), EVENT_HAS_FILE_NAME) ?
		       note_name(faults, record) : 0;
	if (kind_of(hook, &kind))
		return note_fault(faults, record, kind);
	if (hook == PERFINFO_LOG_TYPE_HARDPAGEFAULT)
		return note_hard(faults, record);
	if (event_has(event_of_hook(hook), EVENT_HAS_FILE_NAME))
		return note_name(faults, record);
	return 0;
}

static void find_numbers(struct fault_numbers *numbers)
{
	const uint16_t hard = PERFINFO_LOG_TYPE_HARDPAGEFAULT;

	/* the kinds of faults have one layout */
	event_number_find(&numbers->address, PERFINFO_LOG_TYPE_TRANSITIONFAULT, "VirtualAddress");
	event_number_find(&numbers->begun, hard, "InitialTime");
	event_number_find(&numbers->touched, hard, "VirtualAddress");
	event_number_find(&numbers->file, hard, "FileObject");
	event_number_find(&numbers->thread, hard, "ThreadId");
	event_number_find(&numbers->bytes, hard, "ByteCount");
}

static int collect(struct faults *faults)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (merge_begin(&merge, faults->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer)) {
		faults->selected = event_filter_selects(faults->statistics->filter, &merge,
							buffer, record);
		err = note(faults, record);
	}
	merge_end(&merge);
	return err;
}

static void table_free(struct fault_table *table)
{
	map_free(&table->map);
	free(table->sums);
}

int stat_faults(const struct trace *trace, const struct statistics *statistics,
		const struct stat_options *options)
{
	struct faults faults = {
		.trace = trace, .statistics = statistics, .observer = options->faulted,
	};
	int code = EXIT_FAILED;
	size_t i;

	find_numbers(&faults.numbers);
	if (collect(&faults))
		failed("%s: %s", trace->name, strerror(ENOMEM));
	else if (!faults.ranges.map.count)
		report_lacks(trace, statistics->filter, "page faults", "-e PROC_THREAD+LOADER+ALL_FAULTS+HARD_FAULTS");
	else
		code = faults_print(&faults, options);
	for (i = 0; i < faults.files.map.count; i++)
		free(faults.names[i]);
	free(faults.names);
	free(faults.processes);
	map_free(&faults.places);
	table_free(&faults.threads);
	table_free(&faults.files);
	table_free(&faults.ranges);
	return code;
}
