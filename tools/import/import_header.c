// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The header of an imported trace. */
#include <stdlib.h>
#include <time.h>
#include "import.h"
#include "libetl/messages.h"
#include "libetl/text.h"

/* perf's clocks count nanoseconds, so clock 1 has this frequency */
#define FREQUENCY	1000000000ull
/* Unit of KernelTime and UserTime, 100 ns; no record has any */
#define TIMER_RESOLUTION	156250

/* Names of the session */
static const char logger[] = "NT Kernel Logger";
static const char dotnet_logger[] = "EventPipe";

/* FILETIME of the first record */
static uint64_t start_time(const struct importing *importing)
{
	const struct perf_file *file = &importing->file;
	uint64_t begin = importing->begin, duration = (importing->out.last - begin) / 100;

	if (file->has_clock)
		return FILETIME_OF_UNIX +
		       (int64_t)(file->wall + (begin - file->clock_time)) / 100;
	return importing->changed > duration ? importing->changed - duration : 0;
}

/* All clocks of perf begin with the machine, but for those that show the time of day. */
static uint64_t boot_time(const struct importing *importing, uint64_t start)
{
	const struct perf_file *file = &importing->file;
	uint64_t up = importing->begin / 100;

	if (file->has_clock && (file->clock == CLOCK_REALTIME || file->clock == CLOCK_TAI))
		return start;
	return start > up ? start - up : start;
}

static void fill(const struct importing *importing, struct trace_logfile_header *header)
{
	uint32_t processors = importing->file.processors;
	uint64_t start = start_time(importing);

	if (processors <= importing->highest || processors > ETL_PROCESSORS)
		processors = importing->highest + 1;
	*header = (struct trace_logfile_header){
		.buffer_size = importing->out.size,
		.major_version = ETW_OS_MAJOR, .minor_version = ETW_OS_MINOR,
		.sub_version = 1, .sub_minor_version = 5, .provider_version = ETW_OS_BUILD,
		.number_of_processors = processors,
		.end_time = start + (importing->out.last - importing->begin) / 100,
		.timer_resolution = importing->nettrace ? ETL_NO_CPU_TIMES : TIMER_RESOLUTION,
		.buffers_written = 1, .start_buffers = 1,
		.pointer_size = 8,
		.events_lost = importing->counts.lost > UINT32_MAX ? UINT32_MAX :
			       importing->counts.lost,
		.cpu_speed_mhz = importing->mhz ? importing->mhz : 1000,
		.boot_time = boot_time(importing, start), .perf_freq = FREQUENCY,
		.start_time = start, .reserved_flags = ETW_CLOCK_QPC,
	};
}

static void add_group(struct etw_kernel_header_extension *extension, uint32_t group)
{
	extension->masks[PERF_MASK_INDEX(group)] |= PERF_MASK_BITS(group);
}

static void put_masks(struct importing *importing)
{
	struct etw_kernel_header_extension extension = {
		.kernel_event_version = ETW_KERNEL_EVENT_VERSION,
	};
	static const uint32_t groups[] = {
		PERF_PROC_THREAD, PERF_LOADER, PERF_PROFILE, PERF_CONTEXT_SWITCH,
		PERF_DISPATCHER, PERF_DISK_IO, PERF_DISK_IO_INIT,
	};
	const struct import_counts *counts = &importing->counts;
	size_t i;

	if (counts->interrupts)
		add_group(&extension, PERF_INTERRUPT);
	if (counts->dpcs)
		add_group(&extension, PERF_DPC);
	if (counts->calls)
		add_group(&extension, PERF_SYSCALL);
	for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		add_group(&extension, groups[i]);
	import_system(importing, WMI_LOG_TYPE_HEADER_EXTENSION, 2, 4, 0);
	import_bytes(importing, &extension, sizeof(extension));
}

/* Appends the record that was made to the buffer */
static void put(struct importing *importing, uint8_t *buffer, uint32_t *end)
{
	uint16_t size = importing->size;

	memcpy(importing->record + 4, &size, sizeof(size));
	memcpy(buffer + *end, importing->record, size);
	*end += (size + ETW_RECORD_ALIGN - 1) & -ETW_RECORD_ALIGN;
}

static uint32_t put_records(struct importing *importing, uint8_t *buffer)
{
	uint32_t end = sizeof(struct wmi_buffer_header);
	struct trace_logfile_header header;

	importing->now = importing->begin;
	fill(importing, &header);
	import_system(importing, WMI_LOG_TYPE_HEADER, 2, 4, 0);
	import_bytes(importing, &header, sizeof(header));
	import_text(importing, importing->nettrace ? dotnet_logger : logger);
	import_text(importing, importing->out.name);
	put(importing, buffer, &end);
	/* no kernel events */
	if (!importing->nettrace) {
		put_masks(importing);
		put(importing, buffer, &end);
	}
	return end;
}

int import_finish(struct importing *importing)
{
	struct etl_buffer buffer = { .bytes = calloc(1, importing->out.size) };
	struct trace trace = { .buffers = &buffer, .count = 1 };
	uint8_t *bytes = (uint8_t *)buffer.bytes;
	const char *why;
	int err;

	if (!bytes)
		return no_memory();
	buffer.end = put_records(importing, bytes);
	buffer.header = (struct wmi_buffer_header){
		.buffer_size = importing->out.size, .saved_offset = buffer.end,
		.current_offset = buffer.end, .logger_id = importing->out.logger,
		.state = ETW_BUFFER_STATE_FLUSH,
		.offset = buffer.end,
		.buffer_flag = ETW_BUFFER_FLAG_PROC_INDEX | ETW_BUFFER_FLAG_FLUSH_MARKER,
		.buffer_type = ETW_BUFFER_TYPE_HEADER,
	};
	memcpy(bytes, &buffer.header, sizeof(buffer.header));
	why = etl_logfile_of(bytes, importing->out.size, &trace.log);
	if (why) {
		failed("import: %s: the header cannot be written: %s", importing->out.name, why);
		err = -1;
	} else {
		err = merging_finish(&importing->out, &trace, 1);
	}
	free(bytes);
	return err;
}
