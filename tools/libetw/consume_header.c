// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* LogfileHeader and the other members of EVENT_TRACE_LOGFILE that describe a trace. */
#include <stdlib.h>
#include <string.h>
#include "libetl/text.h"
#include "consume.h"

/* Offsets in the payload; from BootTime on, less by 8 where pointers have 4 bytes */
#define TIME_ZONE_AT64		0x48
#define TIME_ZONE_AT32		0x40
#define HEADER_SIZE32		0x110
/* Distances from the end of either width */
#define AFTER_PERF_FREQ		0x18
#define AFTER_RESERVED_FLAGS	0x08
#define MODE_SYSTEM_LOGGER	0x02000000u
#define HOOK_EXTENSION		0x0005

static_assert(sizeof(TIME_ZONE_INFORMATION) == 0xAC, "TIME_ZONE_INFORMATION");
static_assert(sizeof(TRACE_LOGFILE_HEADER) == 0x118, "TRACE_LOGFILE_HEADER");
static_assert(offsetof(TRACE_LOGFILE_HEADER, TimeZone) == TIME_ZONE_AT64, "TimeZone");
static_assert(offsetof(TRACE_LOGFILE_HEADER, BootTime) == 0xF8, "BootTime");
static_assert(sizeof(TRACE_LOGFILE_HEADER) - offsetof(TRACE_LOGFILE_HEADER, PerfFreq) ==
	      AFTER_PERF_FREQ, "PerfFreq");
static_assert(sizeof(TRACE_LOGFILE_HEADER) - offsetof(TRACE_LOGFILE_HEADER, ReservedFlags) ==
	      AFTER_RESERVED_FLAGS, "ReservedFlags");

/* Both widths end in the same 0x20 bytes, and begin with the same 0x38. */
static void put_header(const struct etl_record *record, uint32_t pointer_size,
		       TRACE_LOGFILE_HEADER *header)
{
	const uint8_t *at = record->payload;
	uint32_t fixed = pointer_size == 8 ? sizeof(*header) : HEADER_SIZE32;

	memset(header, 0, sizeof(*header));
	memcpy(header, at, offsetof(TRACE_LOGFILE_HEADER, LoggerName));
	memcpy(&header->TimeZone, at + (pointer_size == 8 ? TIME_ZONE_AT64 : TIME_ZONE_AT32),
	       sizeof(header->TimeZone));
	memcpy(&header->BootTime, at + fixed - 0x20, 0x20);
}

/* An aligned copy; what is broken is an empty string. */
static WCHAR *copy_string(const struct consumer *consumer, uint64_t at, uint32_t size)
{
	WCHAR *copy = calloc(1, at ? size : sizeof(*copy));

	if (copy && at)
		memcpy(copy, consumer->first + at, size);
	return copy;
}

/* Windows' kernel writes the masks of its events into the header buffer. */
static bool has_extension(const struct etl_buffer *buffer, struct etl_record *record)
{
	uint32_t at = ETL_FIRST_RECORD;

	for (; etl_record_at(buffer, at, record) == ETL_RECORD_OK; at = etl_next_record(record))
		if (record->header == ETL_SYSTEM && record->hook_id == HOOK_EXTENSION)
			return true;
	return false;
}

static bool is_kernel(const struct consumer *consumer, const struct etl_buffer *buffer)
{
	const struct etl_logfile *log = &consumer->log;
	struct etl_record record;
	char name[64] = "";

	if (log->name)
		text_from_utf16(consumer->first + log->name, log->name_size - 2, name,
				sizeof(name));
	return (log->log_file_mode & MODE_SYSTEM_LOGGER) || 
	       text_is_same_name(name, KERNEL_LOGGER_NAMEA) || has_extension(buffer, &record);
}

/* The header event describes the clock that the consumer gets; @log keeps the session's. */
static void set_clock(struct consumer *consumer, const struct etl_record *record)
{
	static const uint64_t frequency = 1000000000;
	static const uint32_t type = ETW_CLOCK_QPC;
	uint32_t fixed = consumer->log.pointer_size == 8 ? sizeof(TRACE_LOGFILE_HEADER) :
							   HEADER_SIZE32;
	uint8_t *end = (uint8_t *)record->payload + fixed;

	memcpy(end - AFTER_PERF_FREQ, &frequency, sizeof(frequency));
	memcpy(end - AFTER_RESERVED_FLAGS, &type, sizeof(type));
	live_clock_start(consumer);
}

ULONG consume_header(struct consumer *consumer)
{
	EVENT_TRACE_LOGFILEA *logfile = &consumer->logfile.a;
	struct etl_logfile *log = &consumer->log;
	struct etl_buffer buffer;
	struct etl_record record;

	if (etl_logfile_of(consumer->first, consumer->first_size, log))
		return ERROR_FILE_CORRUPT;
	etl_buffer_at(consumer->first, consumer->first_size, 0, &buffer);
	etl_record_at(&buffer, ETL_FIRST_RECORD, &record);
	if (consume_is_monotonic(consumer))
		set_clock(consumer, &record);
	put_header(&record, log->pointer_size, &logfile->LogfileHeader);
	free(consumer->names[0]);
	free(consumer->names[1]);
	consumer->names[0] = copy_string(consumer, log->name, log->name_size);
	consumer->names[1] = copy_string(consumer, log->file, log->file_size);
	if (!consumer->names[0] || !consumer->names[1])
		return ERROR_NOT_ENOUGH_MEMORY;
	logfile->LogfileHeader.LoggerName = consumer->names[0];
	logfile->LogfileHeader.LogFileName = consumer->names[1];
	logfile->BufferSize = log->buffer_size;
	logfile->EventsLost = log->events_lost;
	logfile->IsKernelTrace = is_kernel(consumer, &buffer);
	return ERROR_SUCCESS;
}
