// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* perf.data becomes a trace: reads the records by time, and writes each. */
#include <inttypes.h>
#include <stdlib.h>
#include "import.h"
#include "libetl/messages.h"
#include "nettrace.h"
#include "unwind.h"

/* The largest record of a trace fits into it */
#define BUFFER_SIZE	0x20000
#define LOGGER		1

/* What was there when perf began; its records have no time. */
static int begin(struct importing *importing, uint64_t time)
{
	struct perf_record record;
	size_t i;

	importing->begin = time;
	importing->now = time;
	importing->out.last = time;
	importing->cpu = 0;
	importing->begun = true;
	if (import_machine(importing) || import_samples_rundown(importing) ||
	    import_tasks_rundown(importing))
		return -1;
	for (i = 0; i < importing->early_count; i++)
		if (perf_record_read(&importing->file, importing->early[i], 0, &record) &&
		    (record.type == PERF_RECORD_CGROUP ? import_cgroup(importing, &record) :
							 import_other(importing, &record)))
			return -1;
	return 0;
}

/* MHz of the time stamp counter, as perf converts it: ns = ticks * mult >> shift */
static int time_conversion(struct importing *importing, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);
	uint64_t shift = piece_u64(&piece), mult = piece_u64(&piece);

	if (mult && shift < 48)
		importing->mhz = (1000ull << shift) / mult;
	return 0;
}

/* Records of perf itself that have no place in a trace */
static int user_record(struct importing *importing, const struct perf_record *record)
{
	switch (record->type) {
	case PERF_USER_THREAD_MAP:
		import_thread_map(importing, record);
		return 0;
	case PERF_USER_TIME_CONV:
		return time_conversion(importing, record);
	case PERF_USER_AUXTRACE:
	case PERF_USER_AUXTRACE_INFO:
	case PERF_USER_AUXTRACE_ERROR:
		importing->counts.aux++;
	}
	return 0;
}

static int timed_record(struct importing *importing, const struct perf_record *record)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		return import_sample(importing, record);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return import_switch_record(importing, record);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return import_lost(importing, record);
	}
	return import_other(importing, record);
}

static int any_record(struct importing *importing, const struct perf_record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return import_mmap(importing, record);
	case PERF_RECORD_COMM:
		return import_comm(importing, record);
	case PERF_RECORD_CGROUP:
		return import_cgroup(importing, record);
	case PERF_RECORD_FORK:
		return import_fork(importing, record);
	case PERF_RECORD_EXIT:
		return import_exit(importing, record);
	case PERF_RECORD_AUX:
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		importing->counts.aux++;
		return 0;
	case PERF_RECORD_LOST_SAMPLES:
		if (!record->has_time)
			return import_lost_total(importing, record);
		break;
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (!record->has_time) {
			importing->counts.skipped++;
			return 0;
		}
	}
	if (record->has_time || importing->begun)
		return timed_record(importing, record);
	return import_other(importing, record);
}

int import_record(void *context, const struct perf_record *record)
{
	struct importing *importing = context;

	if (record->type >= PERF_USER_ATTR)
		return user_record(importing, record);
	if (record->has_cpu && record->cpu >= ETL_PROCESSORS && record->cpu != UINT32_MAX) {
		importing->counts.skipped++;
		return 0;
	}
	if (record->has_time && !importing->begun && begin(importing, record->time))
		return -1;
	if (record->has_time)
		importing->now = record->time;
	importing->cpu = record->has_cpu && record->cpu != UINT32_MAX ? record->cpu : 0;
	return any_record(importing, record);
}

static int read_perf(struct importing *importing)
{
	importing->stream.file = &importing->file;
	importing->stream.record = import_record;
	importing->stream.context = importing;
	if (importing->file.several && !importing->stream.part_count) {
		failed("import: %s: further files have its records: import their folder",
		       importing->file.name);
		return -1;
	}
	if (unwind_begin(importing) || perf_stream_read(&importing->stream))
		return -1;
	if (importing->begun)
		return 0;
	failed("import: %s: no record with a time (record with perf's option -T)",
	       importing->file.name);
	return -1;
}

static int import_all(struct importing *importing)
{
	if (importing->read(importing))
		return -1;
	if (import_lost_rest(importing))
		return -1;
	return import_finish(importing);
}

int import_open_perf(struct importing *importing, const char *name, const uint8_t *bytes,
		     uint64_t size, const char *output)
{
	static const struct import_provider provider = { "Linux.Perf", {
		0xc78d5e84, 0xb390, 0x5dbc, { 0x28, 0xd9, 0x55, 0xe0, 0x65, 0xd3, 0x54, 0x33 }
	} };

	if (perf_file_open(&importing->file, name, bytes, size))
		return -1;
	importing->read = read_perf;
	importing->provider = &provider;
	return import_begin(importing, output);
}

int import_open(struct importing *importing, const char *name, const uint8_t *bytes,
		uint64_t size, const char *output)
{
	if (nettrace_is_one(bytes, size)) {
		importing->read = nettrace_import;
		return nettrace_open(importing, name, bytes, size) ? -1 :
		       import_begin(importing, output);
	}
	if (trace_formats_begin(bytes, size))
		return import_open_dat(importing, name, output);
	return import_open_perf(importing, name, bytes, size, output);
}

int import_begin(struct importing *importing, const char *output)
{
	importing->cpus = calloc(ETL_PROCESSORS, sizeof(*importing->cpus));
	if (!importing->cpus)
		return no_memory();
	return merging_open(&importing->out, output, BUFFER_SIZE, LOGGER);
}

int import_run(struct importing *importing)
{
	int err = import_all(importing);

	return merging_close(&importing->out, err) || err ? -1 : 0;
}

void import_free(struct importing *importing)
{
	size_t i;

	if (importing->close)
		importing->close(importing);
	unwind_end(importing);
	import_free_cgroups(importing);
	for (i = 0; i < importing->processes_known; i++)
		free(importing->processes[i].images);
	for (i = 0; i < importing->threads_known; i++)
		free(importing->threads[i].chain);
	for (i = 0; i < importing->names_known; i++)
		free(importing->names[i]);
	free(importing->processes);
	free(importing->threads);
	free(importing->names);
	free(importing->kinds);
	free(importing->early);
	free(importing->requests);
	free(importing->cpus);
	map_free(&importing->pids);
	map_free(&importing->tids);
	map_free(&importing->paths);
	map_free(&importing->requests_by_place);
	map_free(&importing->disks);
	perf_file_close(&importing->file);
	nettrace_free(importing);
}
