// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of Linux that are not in a perf.data: they are imported as tracepoints of perf are. */
#include <inttypes.h>
#include <stdio.h>
#include "import.h"
#include "import_limits.h"
#include "import_source.h"
#include "libetl/messages.h"

size_t import_add_kind(struct importing *importing, const struct trace_format *format)
{
	struct perf_file *file = &importing->file;
	struct perf_kind kind = { .attr = { .type = PERF_TYPE_TRACEPOINT, .config = format->id } };

	if (file->count == IMPORT_MOST_KINDS) {
		failed("import: %s: more than %u kinds of events", file->name, IMPORT_MOST_KINDS);
		return MAP_NONE;
	}
	if (!map_make_room((void **)&file->kinds, file->count, sizeof(kind))) {
		no_memory();
		return MAP_NONE;
	}
	snprintf(kind.name, sizeof(kind.name), "%.127s", format->name);
	file->kinds[file->count] = kind;
	return file->count++;
}

static bool is_alive(const struct importing *importing, uint32_t tid)
{
	size_t i = map_find(&importing->tids, tid);

	return i < importing->threads_known && importing->threads[i].alive;
}

/* The thread's process: that of the context of the event, else the one of its begin */
static void find_thread(const struct importing *importing, const struct import_moment *moment,
			struct perf_record *record)
{
	record->tid = moment->tid;
	if (!record->tid && moment->cpu < ETL_PROCESSORS)
		record->tid = importing->cpus[moment->cpu].running;
	record->pid = moment->pid;
	if (!record->tid || record->pid)
		return;
	record->pid = is_alive(importing, record->tid) ?
		importing->threads[map_find(&importing->tids, record->tid)].pid : record->tid;
}

/* A damaged file may have events without end. */
static int check_size(const struct importing *importing)
{
	if (!import_outgrows(importing, importing->input_size))
		return 0;
	failed("import: %s: the trace would have more than %" PRIu64 " MB, %d times the size of the "
	       "recording: it is damaged", importing->file.name, importing->out.at >> 20,
	       IMPORT_BYTES_OF_BYTE);
	return -1;
}

int import_source_event(struct importing *importing, size_t kind,
			const struct import_moment *moment, const uint8_t *raw, uint32_t size)
{
	struct perf_record record = {
		.type = PERF_RECORD_SAMPLE, .kind = &importing->file.kinds[kind],
		.has_time = true, .has_cpu = true, .has_thread = true,
		.time = moment->time, .cpu = moment->cpu, .raw = raw, .raw_size = size,
	};

	if (check_size(importing))
		return -1;
	find_thread(importing, moment, &record);
	if (moment->tid && moment->comm[0] && !is_alive(importing, moment->tid)) {
		if (moment->time > importing->now)
			importing->now = moment->time;
		if (import_name_task(importing, record.pid, moment->tid, moment->comm))
			return -1;
	}
	return import_record(importing, &record);
}

int import_source_loss(struct importing *importing, uint64_t count, uint64_t time, uint32_t cpu)
{
	importing->lost_total += count;
	/* losses before the first event are reported at the end */
	if (!importing->begun || cpu >= ETL_PROCESSORS)
		return 0;
	importing->cpu = cpu;
	if (time > importing->now)
		importing->now = time;
	return import_losses(importing, count, importing->now);
}
