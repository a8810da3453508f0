// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw check: header buffer, header event, buffer headers. */
#include <inttypes.h>
#include "check.h"
#include "etw_abi.h"
#include "etw_hooks.h"

#define COMPRESSED_MODE	0x04000000u

/*
 * Windows' private loggers write the header event with version 0 and the payload of version 2.
 * LogFileMode has the same offset for both pointer sizes.
 */
static bool has_header_version(const struct etl_record *record)
{
	const uint32_t at = offsetof(struct trace_logfile_header, log_file_mode);

	if (record->version)
		return record->version == 2;
	return record->payload_size >= at + 4 &&
	       get32(record->payload + at) & EVENT_TRACE_PRIVATE_LOGGER_MODE;
}

bool check_first_buffer(struct checker *checker)
{
	const struct trace *trace = checker->trace;
	struct etl_buffer buffer;
	struct etl_record record;
	enum etl_buffer_result result = etl_buffer_at(trace->bytes, trace->size, 0, &buffer);

	if (trace->size < sizeof(buffer.header) || result == ETL_BUFFER_BAD) {
		finding(checker, RULE_FIRST_BUFFER, "there is none");
		return false;
	}
	if (result == ETL_BUFFER_TORN || buffer.header.buffer_size < 0x68) {
		finding(checker, RULE_HEADER_BUFFER_WHOLE,
			"BufferSize 0x%x of %" PRIu64 " bytes in the file",
			buffer.header.buffer_size, trace->size);
		return false;
	}
	checker->buffer = &buffer;
	if (buffer.header.buffer_type != ETW_BUFFER_TYPE_HEADER)
		finding(checker, RULE_HEADER_BUFFER_TYPE, "BufferType %u",
			buffer.header.buffer_type);
	if (buffer.compressed)
		finding(checker, RULE_HEADER_BUFFER_CLEAR, "BufferFlag 0x%x",
			buffer.header.buffer_flag);
	if (buffer.header.saved_offset != buffer.header.offset)
		finding(checker, RULE_HEADER_BUFFER_END, "SavedOffset 0x%x, Offset 0x%x",
			buffer.header.saved_offset, buffer.header.offset);
	if (etl_record_at(&buffer, ETL_FIRST_RECORD, &record) != ETL_RECORD_OK ||
	    record.header != ETL_SYSTEM)
		finding(checker, RULE_FIRST_RECORD_SYSTEM, "it is not");
	else if (record.hook_id)
		finding(checker, RULE_FIRST_RECORD, "hook id 0x%04x", record.hook_id);
	else if (!has_header_version(&record))
		finding(checker, RULE_HEADER_EVENT_VERSION, "version %u", record.version);
	else if (record.pointer_size != 4 && record.pointer_size != 8)
		finding(checker, RULE_POINTER_SIZE, "%u", record.pointer_size);
	checker->buffer = NULL;
	return true;
}

static bool is_zero(const uint8_t *at, size_t bytes)
{
	while (bytes--)
		if (*at++)
			return false;
	return true;
}

/* What only our own writer promises */
static void check_house_fields(struct checker *checker, const struct etl_logfile *log)
{
	const uint8_t *payload = checker->trace->bytes + ETL_FIRST_RECORD +
				 sizeof(struct system_trace_header);
	struct trace_logfile_header header;
	bool large;

	if (log->pointer_size != 8) {
		finding(checker, RULE_HEADER_EVENT_OURS, "PointerSize %u", log->pointer_size);
		return;
	}
	memcpy(&header, payload, sizeof(header));
	large = log->buffer_size > 1 << 20 || log->number_of_processors > 256;
	if (log->version[0] != ETW_OS_MAJOR || log->version[1] != ETW_OS_MINOR ||
	    log->version[2] != (large ? 2 : 1) || log->version[3] != (large ? 0 : 5))
		finding(checker, RULE_HEADER_EVENT_OURS, "Version %u.%u.%u.%u", log->version[0],
			log->version[1], log->version[2], log->version[3]);
	if (log->provider_version != ETW_OS_BUILD)
		finding(checker, RULE_HEADER_EVENT_OURS, "ProviderVersion %u",
			log->provider_version);
	if (log->start_buffers != 1)
		finding(checker, RULE_HEADER_EVENT_OURS, "StartBuffers %u", log->start_buffers);
	if (!log->timer_resolution)
		finding(checker, RULE_HEADER_EVENT_OURS, "TimerResolution 0");
	if (log->log_file_mode & EVENT_TRACE_REAL_TIME_MODE)
		finding(checker, RULE_HEADER_EVENT_OURS, "LogFileMode 0x%x says real time",
			log->log_file_mode);
	if (header.logger_name || header.log_file_name || header.reserved_pad)
		finding(checker, RULE_HEADER_EVENT_OURS, "a pointer field or the padding is not 0");
	if (!is_zero((uint8_t *)&header.time_zone, sizeof(header.time_zone)))
		finding(checker, RULE_HEADER_EVENT_OURS, "the time zone is not UTC");
	if (!log->boot_time || log->boot_time > log->start_time)
		finding(checker, RULE_HEADER_EVENT_OURS, "BootTime %" PRIu64, log->boot_time);
}

static void check_ends(struct checker *checker, const struct etl_logfile *log)
{
	const struct trace *trace = checker->trace;

	if (!checker->closed)
		finding(checker, RULE_CLOSED, "EndTime %" PRIu64 ", BuffersWritten %u",
			log->end_time, log->buffers_written);
	if (log->end_time && log->end_time < log->start_time)
		finding(checker, RULE_END_TIME, "%" PRIu64 ", %" PRIu64, log->end_time,
			log->start_time);
	if (checker->closed && log->buffers_written != trace->count)
		finding(checker, RULE_BUFFERS_WRITTEN, "%u, the file has %zu", log->buffers_written,
			trace->count);
}

void check_header_event(struct checker *checker)
{
	const struct trace *trace = checker->trace;
	const struct etl_logfile *log = &trace->log;
	const struct etl_buffer *buffer = &trace->buffers[0];
	struct etl_record record;
	uint32_t fixed = log->pointer_size == 8 ? sizeof(struct trace_logfile_header) : 0x110;

	checker->buffer = buffer;
	checker->record_at = ETL_FIRST_RECORD;
	etl_record_at(buffer, ETL_FIRST_RECORD, &record);
	if (!log->name || !log->file)
		finding(checker, RULE_HEADER_EVENT_STRINGS, "Size 0x%x", record.size);
	else if (checker->ours && record.payload_size != fixed + log->name_size + log->file_size)
		finding(checker, RULE_HEADER_EVENT_OURS, "Size 0x%x is not that of its strings",
			record.size);
	if (log->pointer_size != record.pointer_size)
		finding(checker, RULE_POINTER_SIZE, "PointerSize %u, type 0x%02x",
			log->pointer_size, record.type);
	if (!log->perf_freq || !log->cpu_speed_mhz)
		finding(checker, RULE_FREQUENCIES, "%" PRIu64 ", %u", log->perf_freq,
			log->cpu_speed_mhz);
	if (!log->number_of_processors)
		finding(checker, RULE_PROCESSORS, "0");
	if (!log->t0)
		finding(checker, RULE_HEADER_EVENT_TIME, "0");
	if (log->clock_type < ETW_CLOCK_QPC || log->clock_type > ETW_CLOCK_CYCLE)
		finding(checker, RULE_CLOCK_TYPE, "%u", log->clock_type);
	if (!!(log->log_file_mode & COMPRESSED_MODE) != !!trace->compressed)
		finding(checker, RULE_COMPRESSED_MODE, "LogFileMode 0x%x", log->log_file_mode);
	check_ends(checker, log);
	if (checker->ours)
		check_house_fields(checker, log);
	checker->record_at = 0;
	checker->buffer = NULL;
}

static void check_flags(struct checker *checker, size_t i)
{
	const struct wmi_buffer_header *header = &checker->trace->buffers[i].header;
	bool last = i + 1 == checker->trace->count;
	uint16_t known = ETW_BUFFER_FLAG_PROC_INDEX | ETW_BUFFER_FLAG_EVENTS_LOST |
			 ETW_BUFFER_FLAG_BUFFER_LOST;

	if (!i || last)
		known |= ETW_BUFFER_FLAG_FLUSH_MARKER;
	if (header->buffer_flag & ~known)
		finding(checker, RULE_BUFFER_FLAGS, "BufferFlag 0x%x", header->buffer_flag);
	if (!i && !(header->buffer_flag & ETW_BUFFER_FLAG_FLUSH_MARKER))
		finding(checker, RULE_BUFFER_FLAGS, "the header buffer lacks the FLUSH_MARKER");
	if (last && checker->closed && !(header->buffer_flag & ETW_BUFFER_FLAG_FLUSH_MARKER))
		finding(checker, RULE_FLUSH_MARKER, "BufferFlag 0x%x", header->buffer_flag);
	if (i && header->buffer_type != ETW_BUFFER_TYPE_GENERIC)
		finding(checker, RULE_BUFFER_FLAGS, "BufferType %u", header->buffer_type);
	if (!(header->buffer_flag & ETW_BUFFER_FLAG_PROC_INDEX))
		finding(checker, RULE_PROCESSOR_FLAG, "BufferFlag 0x%x", header->buffer_flag);
}

static void check_fill(struct checker *checker, const struct etl_buffer *buffer)
{
	uint32_t at;

	for (at = buffer->end; at < buffer->header.buffer_size; at++) {
		if (buffer->bytes[at] == 0xFF)
			continue;
		finding(checker, RULE_BUFFER_FILL, "0x%02x at 0x%x", buffer->bytes[at], at);
		return;
	}
}

static void check_buffer(struct checker *checker, size_t i)
{
	const struct trace *trace = checker->trace;
	const struct etl_buffer *buffer = &trace->buffers[i];
	const struct wmi_buffer_header *header = &buffer->header;

	if (!buffer->compressed && header->buffer_size != trace->log.buffer_size)
		finding(checker, RULE_BUFFER_SIZE, "0x%x, not 0x%x", header->buffer_size,
			trace->log.buffer_size);
	if ((!buffer->compressed && header->offset > header->buffer_size) ||
	    header->offset < sizeof(*header) ||
	    (header->offset % ETW_RECORD_ALIGN && !may_end_unaligned(checker, buffer)))
		finding(checker, RULE_BUFFER_OFFSET, "Offset 0x%x, BufferSize 0x%x", header->offset,
			header->buffer_size);
	if (header->saved_offset != header->offset || header->current_offset != header->offset)
		finding(checker, RULE_OFFSETS_EQUAL, "0x%x, 0x%x, 0x%x", header->saved_offset,
			header->current_offset, header->offset);
	if (header->reference_count || header->state != ETW_BUFFER_STATE_FLUSH)
		finding(checker, RULE_BUFFER_STATE, "%d, %u", header->reference_count,
			header->state);
	if (header->clock || header->reserved[0] || header->reserved[1])
		finding(checker, RULE_BUFFER_UNUSED, "0x%llx, 0x%llx, 0x%llx",
			(unsigned long long)header->clock, (unsigned long long)header->reserved[0],
			(unsigned long long)header->reserved[1]);
	if (buffer->processor >= trace->log.number_of_processors)
		finding(checker, RULE_PROCESSORS, "index %u of %u", buffer->processor,
			trace->log.number_of_processors);
	if (!buffer->compressed && header->offset <= sizeof(*header))
		finding(checker, RULE_BUFFER_EMPTY, "Offset 0x%x", header->offset);
	check_flags(checker, i);
	if (!buffer->compressed)
		check_fill(checker, buffer);
}

/* A buffer against the one before it in the file */
static void check_order(struct checker *checker, size_t i)
{
	const struct etl_buffer *buffers = checker->trace->buffers;
	const struct wmi_buffer_header *header = &buffers[i].header;

	if (header->sequence_number != i)
		finding(checker, RULE_SEQUENCE_DENSE, "%llu in buffer number %zu",
			(unsigned long long)header->sequence_number, i);
	if (!i) {
		if (header->time_stamp)
			finding(checker, RULE_BUFFER_TIME, "%lld", (long long)header->time_stamp);
		return;
	}
	if (header->time_stamp < buffers[i - 1].header.time_stamp || !header->time_stamp)
		finding(checker, RULE_BUFFER_TIME, "%lld after %lld", (long long)header->time_stamp,
			(long long)buffers[i - 1].header.time_stamp);
	if (header->logger_id != buffers[0].header.logger_id)
		finding(checker, RULE_LOGGER_ID, "%u, not %u", header->logger_id,
			buffers[0].header.logger_id);
}

void check_buffers(struct checker *checker)
{
	const struct trace *trace = checker->trace;
	static uint64_t last[ETL_PROCESSORS];
	uint64_t sequence;
	size_t i;

	for (i = 0; i < trace->count; i++) {
		checker->buffer = &trace->buffers[i];
		check_buffer(checker, i);
		check_order(checker, i);
		sequence = checker->buffer->header.sequence_number;
		if (i && sequence <= last[checker->buffer->processor])
			finding(checker, RULE_SEQUENCE_INCREASES, "%" PRIu64 " after %" PRIu64,
				sequence, last[checker->buffer->processor]);
		else if (checker->closed && sequence >= trace->log.buffers_written)
			finding(checker, RULE_SEQUENCE_INCREASES, "%" PRIu64 ", BuffersWritten %u",
				sequence, trace->log.buffers_written);
		last[checker->buffer->processor] = sequence;
		trace_release(trace, checker->buffer);
	}
	checker->buffer = NULL;
	if (trace->gaps)
		finding(checker, RULE_BUFFERS_FOLLOW,
			"%" PRIu64 " bytes in %zu places, the first at 0x%" PRIx64
			", are no buffers",
			trace->gap_bytes, trace->gaps, trace->gap_at);
	if (trace->torn)
		finding(checker, RULE_BUFFERS_FOLLOW,
			"%" PRIu64 " bytes at 0x%" PRIx64 " are no whole buffer",
			trace->size - trace->end, trace->end);
}
