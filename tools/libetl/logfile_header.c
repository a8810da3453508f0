// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Reads the header record of a stream and converts its time stamps. */
#include "etw_trace_headers.h"
#include "reader.h"

#define MESSAGE_WIDTH	(TRACE_MESSAGE_POINTER32 | TRACE_MESSAGE_POINTER64)

/* The fields up to CpuSpeedInMHz stand at the same places in both widths. */
static void read_common(const uint8_t *at, struct etl_logfile *log)
{
	log->buffer_size = get32(at);
	memcpy(log->version, at + 4, 4);
	log->provider_version = get32(at + 0x08);
	log->number_of_processors = get32(at + 0x0C);
	log->end_time = get64(at + 0x10);
	log->timer_resolution = get32(at + 0x18);
	log->maximum_file_size = get32(at + 0x1C);
	log->log_file_mode = get32(at + 0x20);
	log->buffers_written = get32(at + 0x24);
	log->start_buffers = get32(at + 0x28);
	log->pointer_size = get32(at + 0x2C);
	log->events_lost = get32(at + 0x30);
	log->cpu_speed_mhz = get32(at + 0x34);
}

/* The rest, which moves up by 8 where pointers have 4 bytes */
static void read_rest(const uint8_t *at, struct etl_logfile *log)
{
	log->boot_time = get64(at);
	log->perf_freq = get64(at + 0x08);
	log->start_time = get64(at + 0x10);
	log->clock_type = get32(at + 0x18);
	log->buffers_lost = get32(at + 0x1C);
}

/* Return: bytes of the string with its terminator, 0 without one */
static uint32_t string_size(const uint8_t *at, uint32_t size)
{
	uint32_t i;

	for (i = 0; i + 2 <= size; i += 2)
		if (!at[i] && !at[i + 1])
			return i + 2;
	return 0;
}

static void read_strings(const uint8_t *stream, const struct etl_record *record, uint32_t fixed,
			 struct etl_logfile *log)
{
	const uint8_t *at = record->payload + fixed;
	uint32_t left = record->payload_size - fixed;

	log->name_size = string_size(at, left);
	if (!log->name_size)
		return;
	log->name = at - stream;
	at += log->name_size;
	left -= log->name_size;
	log->file_size = string_size(at, left);
	if (log->file_size)
		log->file = at - stream;
}

const char *etl_logfile_of(const uint8_t *stream, uint64_t size, struct etl_logfile *log)
{
	struct etl_buffer buffer;
	struct etl_record record;
	uint32_t fixed;

	memset(log, 0, sizeof(*log));
	switch (etl_buffer_at(stream, size, 0, &buffer)) {
	case ETL_BUFFER_OK:
		break;
	case ETL_BUFFER_NONE:
		return "it is empty";
	case ETL_BUFFER_TORN:
		return "it ends inside its first buffer";
	default:
		return "it does not begin with a buffer header";
	}
	if (etl_record_at(&buffer, ETL_FIRST_RECORD, &record) != ETL_RECORD_OK ||
	    record.header != ETL_SYSTEM || record.hook_id)
		return "its first record is not the header event";
	if (record.payload_size < 0x110)
		return "its header event is too short";
	read_common(record.payload, log);
	if (log->pointer_size != 4 && log->pointer_size != 8)
		return "its PointerSize is neither 4 nor 8";
	fixed = log->pointer_size == 8 ? sizeof(struct trace_logfile_header) : 0x110;
	if (record.payload_size < fixed)
		return "its header event is too short";
	read_rest(record.payload + fixed - 0x20, log);
	log->t0 = record.time;
	log->compression = buffer.header.state;
	read_strings(stream, &record, fixed, log);
	return NULL;
}

void etl_record_complete(struct etl_record *record, const struct etl_logfile *log)
{
	if (record->header == ETL_MESSAGE && !(record->flags & MESSAGE_WIDTH) && log->pointer_size)
		record->pointer_size = log->pointer_size;
	/* Windows 2000: ThreadId has 64 bits, and no ProcessId is behind it */
	if ((record->header == ETL_FULL || record->header == ETL_INSTANCE) &&
	    log->version[0] == 5 && !log->version[1]) {
		record->no_process = true;
		record->process_id = UINT32_MAX;
	}
}

uint64_t etl_frequency(const struct etl_logfile *log)
{
	uint64_t frequency = log->perf_freq;

	if (log->clock_type == ETW_CLOCK_SYSTEM)
		return 10000000;
	if (log->clock_type == ETW_CLOCK_CYCLE)
		frequency = (uint64_t)log->cpu_speed_mhz * 1000000;
	return frequency ? frequency : 10000000;
}

/* As far as a difference of two still fits: what is damaged doesn't come back as a near time */
#define FARTHEST	(INT64_MAX / 2)

static uint64_t scaled_wide(uint64_t ticks, uint64_t frequency, uint32_t per_second)
{
	unsigned __int128 units = (unsigned __int128)ticks * per_second / frequency;

	return units > FARTHEST ? FARTHEST : units;
}

/* Each record of a report needs it: where 64 bits are enough, it divides no wider numbers */
static uint64_t scaled_size(uint64_t ticks, uint64_t frequency, uint32_t per_second)
{
	uint64_t seconds;

	if (frequency == per_second)
		return ticks > FARTHEST ? FARTHEST : ticks;
	seconds = ticks / frequency;
	if (seconds >= FARTHEST / per_second || frequency > UINT64_MAX / per_second)
		return scaled_wide(ticks, frequency, per_second);
	return seconds * per_second + ticks % frequency * per_second / frequency;
}

static int64_t scaled(const struct etl_logfile *log, uint64_t time, uint32_t per_second)
{
	int64_t ticks = (int64_t)(time - log->t0);
	uint64_t frequency = etl_frequency(log);

	if (ticks >= 0)
		return scaled_size(ticks, frequency, per_second);
	return -(int64_t)scaled_size(-(uint64_t)ticks, frequency, per_second);
}

int64_t etl_nanoseconds(const struct etl_logfile *log, uint64_t time)
{
	return scaled(log, time, 1000000000);
}

uint64_t etl_filetime(const struct etl_logfile *log, uint64_t time)
{
	return log->start_time + (uint64_t)scaled(log, time, 10000000);
}
