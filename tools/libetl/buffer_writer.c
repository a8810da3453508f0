// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Writes the records of several traces as the buffers of one. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "buffer_writer.h"
#include "fileio.h"
#include "losses.h"
#include "messages.h"
#include "output_file.h"
#include "trace_losses.h"

/* Of a buffer: what a damaged header asks for is no reason to write gigabytes */
#define MOST_SIZE	(16u << 20)

/*
 * A buffer of the output takes, of each file of which something may be missing, records of one
 * buffer only: nothing was lost between two records of one buffer, and readers rely on that.
 * Buffers are written when a later record closes them, so their time stamps never decrease.
 * Each buffer has the memory that its records need, and the memory of all buffers is bounded:
 * if the bound is reached, the largest buffer is written early, so that two buffers contain what
 * would fit into one.
 */

uint32_t merging_size(const struct trace *traces, int count)
{
	uint32_t size = 0;
	size_t k;
	int i;

	for (i = 0; i < count; i++) {
		if (traces[i].log.buffer_size > size)
			size = traces[i].log.buffer_size;
		for (k = 0; k < traces[i].count; k++)
			if (traces[i].buffers[k].header.buffer_size > size)
				size = traces[i].buffers[k].header.buffer_size;
	}
	/* what would become 0 is refused like all that is too large */
	return size > MOST_SIZE ? size : (size + ETW_RECORD_ALIGN - 1) & -ETW_RECORD_ALIGN;
}

int merging_open(struct merging *merging, const char *name, uint32_t size, uint16_t logger)
{
	struct stat stat;

	if (size > MOST_SIZE) {
		failed("buffers of %u bytes: no session has such", size);
		return -1;
	}
	*merging = (struct merging){
		.name = name, .size = size, .logger = logger, .at = size, .buffers = 1,
	};
	merging->cpu = calloc(ETL_PROCESSORS, sizeof(*merging->cpu));
	merging->fill = malloc(size);
	if (!merging->cpu || !merging->fill) {
		free(merging->cpu);
		free(merging->fill);
		return no_memory();
	}
	memset(merging->fill, ETW_BUFFER_FILL, size);
	merging->fd = output_open(name, O_RDWR, NULL);
	if (merging->fd < 0) {
		failed("%s: %s", name, strerror(-merging->fd));
	} else if (fstat(merging->fd, &stat) || !S_ISREG(stat.st_mode)) {
		failed("%s: it is no ordinary file", name);
		close(merging->fd);
	} else if (ftruncate(merging->fd, 0)) {
		failed("%s: %s", name, strerror(errno));
		close(merging->fd);
	} else {
		return 0;
	}
	free(merging->cpu);
	free(merging->fill);
	return -1;
}

/* Writes a buffer: @bytes contains the first @end bytes, the rest is filled */
static int write_at(struct merging *merging, const uint8_t *bytes, uint32_t end, uint64_t at)
{
	int err = file_write_at(merging->fd, bytes, end, at);

	if (!err && end < merging->size)
		err = file_write_at(merging->fd, merging->fill, merging->size - end, at + end);
	if (!err)
		return 0;
	failed("%s: %s", merging->name, strerror(-err));
	return -1;
}

static int put_buffer(struct merging *merging, uint16_t cpu, uint64_t time, uint16_t flags)
{
	struct merging_cpu *filled = &merging->cpu[cpu];
	struct wmi_buffer_header header = {
		.buffer_size = merging->size, .saved_offset = filled->end,
		.current_offset = filled->end, .time_stamp = time,
		.sequence_number = merging->buffers, .processor_index = cpu,
		.logger_id = merging->logger, .state = ETW_BUFFER_STATE_FLUSH,
		.offset = filled->end,
		.buffer_flag = ETW_BUFFER_FLAG_PROC_INDEX | filled->flags | flags,
		.buffer_type = ETW_BUFFER_TYPE_GENERIC,
	};

	memcpy(filled->bytes, &header, sizeof(header));
	if (write_at(merging, filled->bytes, filled->end, merging->at))
		return -1;
	merging->at += merging->size;
	merging->buffers++;
	filled->end = 0;
	filled->flags = 0;
	return 0;
}

int merging_begin_buffer(struct merging *merging, const struct etl_buffer *buffer)
{
	struct merging_cpu *filled = &merging->cpu[buffer->processor];

	return filled->end ? put_buffer(merging, buffer->processor, merging->last, 0) : 0;
}

static void free_buffer(struct merging *merging, struct merging_cpu *filled)
{
	free(filled->bytes);
	filled->bytes = NULL;
	merging->held -= filled->room;
	filled->room = 0;
}

/* Gives back the memory of the largest one, which is written if it was begun. */
static int let_go(struct merging *merging)
{
	int cpu, largest = 0;

	for (cpu = 1; cpu < ETL_PROCESSORS; cpu++)
		if (merging->cpu[cpu].room > merging->cpu[largest].room)
			largest = cpu;
	if (merging->cpu[largest].end && put_buffer(merging, largest, merging->last, 0))
		return -1;
	free_buffer(merging, &merging->cpu[largest]);
	return 0;
}

/* Room for @bytes more in the processor's buffer, or in a new one if that had to be written */
static int make_room(struct merging *merging, struct merging_cpu *filled, uint32_t bytes)
{
	uint64_t most = merging->size, wanted = 2 * (uint64_t)filled->room;
	uint8_t *bigger;

	if (filled->room >= filled->end + bytes)
		return 0;
	if (wanted < filled->end + bytes)
		wanted = filled->end + bytes;
	if (wanted > most)
		wanted = most;
	while (merging->held && merging->held - filled->room + wanted > MERGING_HELD)
		if (let_go(merging))
			return -1;
	bigger = realloc(filled->bytes, wanted);
	if (!bigger)
		return no_memory();
	merging->held += wanted - filled->room;
	filled->bytes = bigger;
	filled->room = wanted;
	return 0;
}

int merging_add(struct merging *merging, const struct etl_buffer *buffer,
		const struct etl_record *record)
{
	struct merging_cpu *filled = &merging->cpu[buffer->processor];
	uint32_t padded = (record->size + ETW_RECORD_ALIGN - 1) & -ETW_RECORD_ALIGN;

	if (filled->end && merging->size - filled->end < padded &&
	    put_buffer(merging, buffer->processor, merging->last, 0))
		return -1;
	if (make_room(merging, filled, filled->end ? padded : ETL_FIRST_RECORD + padded))
		return -1;
	if (!filled->end)
		filled->end = ETL_FIRST_RECORD;
	filled->flags |= filled->lost | (buffer->header.buffer_flag & ETL_BUFFER_LOST);
	memcpy(filled->bytes + filled->end, buffer->bytes + record->at, record->size);
	/* what one has from an earlier merge it keeps */
	if (merging->session)
		loss_mark(record, filled->bytes + filled->end, merging->session);
	memset(filled->bytes + filled->end + record->size, 0, padded - record->size);
	filled->end += padded;
	return 0;
}

static void put32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

static void put64(uint8_t *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
}

/* Sums that don't fit stay at the most that does. */
static uint32_t add(uint32_t sum, uint32_t more)
{
	return more > UINT32_MAX - sum ? UINT32_MAX : sum + more;
}

static bool is_same_session(const struct trace *a, const struct trace *b)
{
	return a->log.t0 == b->log.t0 && a->log.start_time == b->log.start_time &&
	       a->buffers[0].header.logger_id == b->buffers[0].header.logger_id;
}

/*
 * EventsLost is a running total of one session. So of several files of one session, as
 * snapshots are, the highest counts.
 */
static int sum_events_lost(struct etl_logfile *sum, const struct trace *traces, int count)
{
	uint32_t *lost = calloc(count, sizeof(*lost));
	int i, k, err = 0;

	if (!lost)
		return no_memory();
	sum->events_lost = 0;
	for (i = 0; !err && i < count; i++)
		err = trace_events_lost(&traces[i], &lost[i]);
	for (i = 0; !err && i < count; i++) {
		for (k = 0; k < count; k++)
			if (k != i && is_same_session(&traces[i], &traces[k]) &&
			    (lost[k] > lost[i] || (lost[k] == lost[i] && k > i)))
				break;
		if (k == count)
			sum->events_lost = add(sum->events_lost, lost[i]);
	}
	free(lost);
	return err;
}

static int sum_up(struct etl_logfile *sum, const struct trace *traces, int count)
{
	int i;

	*sum = traces[0].log;
	for (i = 1; i < count; i++) {
		const struct etl_logfile *log = &traces[i].log;

		if ((int64_t)(log->t0 - sum->t0) < 0) {
			sum->t0 = log->t0;
			sum->start_time = log->start_time;
		}
		if (log->end_time > sum->end_time)
			sum->end_time = log->end_time;
		if (log->number_of_processors > sum->number_of_processors)
			sum->number_of_processors = log->number_of_processors;
		sum->buffers_lost = add(sum->buffers_lost, log->buffers_lost);
	}
	return sum_events_lost(sum, traces, count);
}

/* The header event stands first; its fields at these places (format.rst 2.2) */
static void patch_header(uint8_t *header, const struct merging *merging,
			 const struct etl_logfile *log)
{
	uint8_t *record = header + ETL_FIRST_RECORD;
	uint8_t *payload = record + sizeof(struct system_trace_header);
	uint8_t *rest = payload + (log->pointer_size == 8 ? 0xF8 : 0xF0);
	uint64_t last = etl_filetime(log, merging->last);

	put64(record + offsetof(struct system_trace_header, system_time), log->t0);
	put32(payload, merging->size);
	if (merging->size > 1 << 20 || log->number_of_processors > 256) {
		payload[6] = 2;
		payload[7] = 0;
	}
	put32(payload + 0x0C, log->number_of_processors);
	put64(payload + 0x10, last > log->end_time ? last : log->end_time);
	put32(payload + 0x20, log->log_file_mode | EVENT_TRACE_RELOG_MODE);
	put32(payload + 0x24, merging->buffers);
	put32(payload + 0x30, log->events_lost);
	put64(rest + 0x10, log->start_time);
	put32(rest + 0x1C, log->buffers_lost);
}

static int put_header(struct merging *merging, const struct trace *traces, int count)
{
	const struct etl_buffer *first = &traces[0].buffers[0];
	struct wmi_buffer_header header = first->header;
	struct etl_logfile log;
	uint8_t *bytes;
	int err;

	if (sum_up(&log, traces, count))
		return -1;
	bytes = malloc(merging->size);
	if (!bytes)
		return no_memory();
	memset(bytes, ETW_BUFFER_FILL, merging->size);
	memcpy(bytes, first->bytes, first->end);
	header.buffer_size = merging->size;
	header.saved_offset = first->end;
	header.current_offset = first->end;
	header.sequence_number = 0;
	memcpy(bytes, &header, sizeof(header));
	patch_header(bytes, merging, &log);
	err = write_at(merging, bytes, merging->size, 0);
	free(bytes);
	return err;
}

int merging_finish(struct merging *merging, const struct trace *traces, int count)
{
	int cpu, last = -1;

	merging->last_flags |= ETW_BUFFER_FLAG_FLUSH_MARKER;
	for (cpu = 0; cpu < ETL_PROCESSORS; cpu++)
		if (merging->cpu[cpu].end)
			last = cpu;
	for (cpu = 0; cpu <= last; cpu++)
		if (merging->cpu[cpu].end &&
		    put_buffer(merging, cpu, merging->last,
			       cpu == last ? merging->last_flags : 0))
			return -1;
	return put_header(merging, traces, count);
}

/* A name that leads to a file elsewhere, as /dev/stdout does, is not ours to remove. */
static void throw_away(const struct merging *merging)
{
	struct stat stat;

	if (lstat(merging->name, &stat) || !S_ISLNK(stat.st_mode))
		unlink(merging->name);
	else if (truncate(merging->name, 0))
		failed("%s: %s", merging->name, strerror(errno));
}

int merging_close(struct merging *merging, bool unwanted)
{
	int i, err = 0;

	for (i = 0; i < ETL_PROCESSORS; i++)
		free(merging->cpu[i].bytes);
	free(merging->cpu);
	free(merging->fill);
	if (!unwanted && fsync(merging->fd) && errno != EINVAL)
		err = failed("%s: %s", merging->name, strerror(errno));
	if (close(merging->fd) && !unwanted && !err)
		err = failed("%s: %s", merging->name, strerror(errno));
	if (unwanted || err)
		throw_away(merging);
	return err ? -1 : 0;
}
