// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A real-time stream: bytes of a session in, records of all processors in the order of time out. */
#include <stdlib.h>
#include "libetl/event_header.h"
#include "libetl/given_time.h"
#include "libetl/heap.h"
#include "libetl/messages.h"
#include "etw_linux.h"
#include "live_stream.h"

/* Windows' largest buffers have 16 MB */
#define MOST_SIZE	(16u << 20)

/**
 * struct live_buffer - a buffer that waits
 * @next: the next one of the processor
 * @size: bytes
 */
struct live_buffer {
	struct live_buffer *next;
	uint32_t size;
	uint8_t bytes[];
};

/**
 * struct live_cpu - a processor's place in the stream
 * @first: buffers that wait; the first one is being read if @open
 * @tail: where the next one goes
 * @buffer: the one that is read
 * @at: of the record behind @record
 * @record: the next one
 * @time: its place in the order of time
 * @given: what times that a program gave are up to
 * @gap: something was lost before @record
 */
struct live_cpu {
	struct live_buffer *first;
	struct live_buffer **tail;
	bool open;
	struct etl_buffer buffer;
	uint32_t at;
	struct etl_record record;
	uint64_t time;
	struct given_time given;
	bool gap;
};

int live_stream_begin(struct live_stream *stream)
{
	stream->cpu = calloc(ETL_PROCESSORS, sizeof(struct live_cpu *));
	stream->heap = calloc(ETL_PROCESSORS, sizeof(*stream->heap));
	return stream->cpu && stream->heap ? 0 : no_memory();
}

static bool older(const void *left, const void *right)
{
	const struct live_cpu *a = left, *b = right;

	return (int64_t)(a->time - b->time) < 0;
}

static bool open_buffer(struct live_stream *stream, struct live_cpu *cpu)
{
	struct live_buffer *first = cpu->first;

	if (!first)
		return false;
	cpu->open = true;
	cpu->given = (struct given_time){ };
	/* its header was checked when it came */
	etl_buffer_at(first->bytes, first->size, 0, &cpu->buffer);
	cpu->at = cpu->buffer.compressed ? cpu->buffer.end : ETL_FIRST_RECORD;
	cpu->gap |= cpu->buffer.header.buffer_flag & ETL_BUFFER_LOST;
	if (cpu->buffer.compressed)
		stream->damaged += first->size;
	return true;
}

static void drop_buffer(struct live_stream *stream, struct live_cpu *cpu)
{
	struct live_buffer *first = cpu->first;

	cpu->open = false;
	cpu->first = first->next;
	if (!cpu->first)
		cpu->tail = &cpu->first;
	stream->waiting -= first->size;
	free(first);
}

/* The next record of the open buffer. Return: false at its end */
static bool read_record(struct live_stream *stream, struct live_cpu *cpu)
{
	uint64_t stamp = cpu->buffer.header.time_stamp, last = cpu->time;
	struct etl_record *record = &cpu->record;
	enum etl_record_result result;
	uint32_t next;

	while ((result = etl_record_at(&cpu->buffer, cpu->at, record)) != ETL_RECORD_OK) {
		if (result == ETL_RECORD_NONE)
			return false;
		next = etl_find_record(&cpu->buffer, cpu->at);
		stream->damaged += next - cpu->at;
		cpu->gap = true;
		cpu->at = next;
	}
	cpu->at = etl_next_record(record);
	etl_record_of_file(record, &stream->log);
	event_header_apply(record);
	if (!record->has_time)
		record->time = last ? last : stream->log.t0;
	cpu->time = time_in_order(&cpu->given, &stream->log, &cpu->buffer, record, last);
	/* a time that a program made up holds nothing back */
	if (stamp && (int64_t)(cpu->time - stamp) > 0)
		cpu->time = last ? last : stamp;
	return true;
}

static bool next_record(struct live_stream *stream, struct live_cpu *cpu)
{
	for (;;) {
		if (!cpu->open && !open_buffer(stream, cpu))
			return false;
		if (read_record(stream, cpu))
			return true;
		drop_buffer(stream, cpu);
	}
}

/* A flush of all processors is done: the time when it began. */
static void find_flush(struct live_stream *stream, const struct etl_buffer *buffer)
{
	struct etl_record record;
	struct etw_flushed flushed;
	uint32_t at = ETL_FIRST_RECORD;

	while (etl_record_at(buffer, at, &record) == ETL_RECORD_OK) {
		at = etl_next_record(&record);
		if (!etl_is_ours(&record) || record.id != ETW_LINUX_EVENT_FLUSHED ||
		    record.payload_size < sizeof(flushed))
			continue;
		memcpy(&flushed, record.payload, sizeof(flushed));
		stream->limit = flushed.time;
		stream->has_limit = true;
	}
}

static int queue_buffer(struct live_stream *stream, const struct etl_buffer *buffer)
{
	struct live_cpu *cpu = stream->cpu[buffer->processor % ETL_PROCESSORS];
	struct live_buffer *queued;

	if (!cpu) {
		cpu = calloc(1, sizeof(*cpu));
		if (!cpu)
			return no_memory();
		cpu->tail = &cpu->first;
		stream->cpu[buffer->processor % ETL_PROCESSORS] = cpu;
	}
	queued = malloc(sizeof(*queued) + stream->size);
	if (!queued)
		return no_memory();
	queued->next = NULL;
	queued->size = stream->size;
	memcpy(queued->bytes, stream->piece, stream->size);
	stream->waiting += stream->size;
	*cpu->tail = queued;
	cpu->tail = &queued->next;
	if (!buffer->compressed)
		find_flush(stream, buffer);
	if (cpu->open || cpu->first != queued || !next_record(stream, cpu))
		return 0;
	stream->heap[stream->live] = cpu;
	heap_up(stream->heap, stream->live++, older);
	return 0;
}

/* @piece is whole. */
static int take_buffer(struct live_stream *stream)
{
	struct etl_buffer buffer;
	const char *wrong = NULL;

	if (etl_buffer_at(stream->piece, stream->size, 0, &buffer) != ETL_BUFFER_OK)
		wrong = "no buffer";
	else if (!stream->has_log)
		wrong = etl_logfile_of(stream->piece, stream->size, &stream->log);
	if (wrong) {
		failed("the session's stream: %s", wrong);
		return -1;
	}
	stream->fill = 0;
	/* the header buffer contains no event of a processor */
	if (stream->has_log)
		return queue_buffer(stream, &buffer);
	stream->has_log = true;
	return 0;
}

static int make_room(struct live_stream *stream, uint32_t size)
{
	uint8_t *piece;

	if (size <= stream->room)
		return 0;
	piece = realloc(stream->piece, size);
	if (!piece)
		return no_memory();
	stream->piece = piece;
	stream->room = size;
	return 0;
}

/* Behind the buffer's header, which says how long it is */
static int begin_buffer(struct live_stream *stream)
{
	stream->size = get32(stream->piece);
	if (stream->size > ETL_FIRST_RECORD && stream->size <= MOST_SIZE)
		return make_room(stream, stream->size);
	failed("the session's stream: a buffer of %u bytes", stream->size);
	return -1;
}

int live_stream_put(struct live_stream *stream, const uint8_t *bytes, size_t count)
{
	size_t part, want;

	if (make_room(stream, ETL_FIRST_RECORD))
		return -1;
	while (count) {
		want = stream->fill < ETL_FIRST_RECORD ? ETL_FIRST_RECORD : stream->size;
		part = want - stream->fill < count ? want - stream->fill : count;
		memcpy(stream->piece + stream->fill, bytes, part);
		stream->fill += part;
		bytes += part;
		count -= part;
		if (stream->fill < want)
			break;
		if (want == ETL_FIRST_RECORD ? begin_buffer(stream) : take_buffer(stream))
			return -1;
	}
	return 0;
}

bool live_stream_is_full(const struct live_stream *stream)
{
	return stream->waiting >= LIVE_MOST_WAITING;
}

static void step_on(struct live_stream *stream)
{
	struct live_cpu *top = stream->heap[0];

	top->gap = false;
	if (!next_record(stream, top))
		stream->heap[0] = stream->heap[--stream->live];
	if (stream->live)
		heap_down(stream->heap, stream->live, 0, older);
}

bool live_stream_next(struct live_stream *stream, const struct etl_record **record,
		      const struct etl_buffer **buffer)
{
	struct live_cpu *top;

	if (stream->started)
		step_on(stream);
	stream->started = false;
	if (!stream->live)
		return false;
	top = stream->heap[0];
	if (!stream->ended && !live_stream_is_full(stream) &&
	    (!stream->has_limit || (int64_t)(top->time - stream->limit) > 0))
		return false;
	stream->started = true;
	stream->time = top->time;
	stream->gap = top->gap;
	*record = &top->record;
	*buffer = &top->buffer;
	if (losses_note(&stream->losses, *record, &stream->log))
		warn("losses are not counted: %s", strerror(ENOMEM));
	return true;
}

static void free_cpu(struct live_cpu *cpu)
{
	struct live_buffer *next;

	for (; cpu && cpu->first; cpu->first = next) {
		next = cpu->first->next;
		free(cpu->first);
	}
	free(cpu);
}

void live_stream_free(struct live_stream *stream)
{
	size_t i;

	for (i = 0; stream->cpu && i < ETL_PROCESSORS; i++)
		free_cpu(stream->cpu[i]);
	free(stream->cpu);
	free(stream->heap);
	free(stream->piece);
	losses_free(&stream->losses);
}
