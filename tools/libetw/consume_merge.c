// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Records of all processors of all handles by time: cursors in a heap. */
#include <stdlib.h>
#include <string.h>
#include "libetl/heap.h"
#include "consume.h"

/*
 * By time of day first, since clocks differ from file to file; then, in one file,
 * by the clock itself, which may be finer; then as the handles were given. Of both
 * what set_order() makes of the record's time.
 */
static bool older(const void *left, const void *right)
{
	const struct consume_cursor *a = left, *b = right;
	int64_t difference = (int64_t)(a->order - b->order);

	if (!difference && a->consumer == b->consumer)
		difference = (int64_t)(a->clock - b->clock);
	return difference ? difference < 0 : a->rank < b->rank;
}

static bool grow(struct consume_run *run)
{
	size_t room = run->room ? 2 * run->room : 16;
	struct consume_cursor **cursors;
	void **heap;

	cursors = reallocarray(run->cursors, room, sizeof(*cursors));
	if (!cursors)
		return false;
	run->cursors = cursors;
	heap = reallocarray(run->heap, room, sizeof(*heap));
	if (!heap)
		return false;
	run->heap = heap;
	run->room = room;
	return true;
}

struct consume_cursor *consume_cursor(struct consume_run *run, struct consumer *consumer)
{
	struct consume_cursor *cursor;

	if (run->nr_cursors == run->room && !grow(run))
		return NULL;
	cursor = calloc(1, sizeof(*cursor));
	if (!cursor)
		return NULL;
	cursor->consumer = consumer;
	cursor->rank = run->nr_cursors;
	cursor->tail = &cursor->queue;
	run->cursors[run->nr_cursors++] = cursor;
	return cursor;
}

bool consume_memory(struct consume_run *run, uint64_t had, uint64_t wanted)
{
	if (wanted > had && run->memory - had + wanted > CONSUME_MAX_MEMORY)
		return false;
	run->memory += wanted - had;
	return true;
}

/* Compressed or not, @raw becomes what records are read from. */
static bool open_raw(struct consume_run *run, struct consume_cursor *cursor)
{
	uint32_t had = cursor->decompressed.room, size = decompressed_size(&cursor->raw);

	if (size > had && !consume_memory(run, had, size)) {
		run->damaged = true;
		return false;
	}
	if (!cursor->decompressed.method)
		cursor->decompressed.method = cursor->consumer->log.compression;
	cursor->buffer = buffer_decompress(&cursor->decompressed, &cursor->raw);
	if (!cursor->buffer) {
		run->result = ERROR_NOT_ENOUGH_MEMORY;
		return false;
	}
	run->damaged |= cursor->decompressed.damaged;
	cursor->at = ETL_FIRST_RECORD;
	cursor->given = (struct given_time){ };
	/* what a buffer without records reports comes before the next record */
	cursor->lost |= cursor->raw.header.buffer_flag & ETL_BUFFER_LOST;
	return true;
}

/* The first of a stream's buffers that wait becomes the one that is read. */
static bool open_queued(struct consume_run *run, struct consume_cursor *cursor)
{
	struct consume_queued *queued = cursor->queue;

	if (!queued)
		return false;
	cursor->queue = queued->next;
	cursor->consumer->stream->waiting -= queued->size;
	if (!cursor->queue)
		cursor->tail = &cursor->queue;
	if (cursor->bytes)
		free(cursor->bytes - offsetof(struct consume_queued, bytes));
	consume_memory(run, cursor->room, 0);
	cursor->bytes = queued->bytes;
	cursor->room = queued->size;
	if (etl_buffer_at(cursor->bytes, queued->size, 0, &cursor->raw) == ETL_BUFFER_OK)
		open_raw(run, cursor);
	return true;
}

/* Return: false: there is none; else it may still be that it can't be opened */
static bool open_buffer(struct consume_run *run, struct consume_cursor *cursor)
{
	if (cursor->consumer->is_stream)
		return open_queued(run, cursor);
	if (cursor->place == cursor->end)
		return false;
	if (consume_load(run, cursor, &cursor->index->places[cursor->place++]))
		open_raw(run, cursor);
	return true;
}

/*
 * Its time, but for one that a program made up. In a stream nothing that is later than its
 * own buffer may hold back what is behind it until that time, which may never be.
 */
static void set_order(struct consume_cursor *cursor)
{
	const struct etl_logfile *log = &cursor->consumer->log;
	uint64_t stamp = cursor->raw.header.time_stamp, last = cursor->clock;

	cursor->clock = time_in_order(&cursor->given, log, cursor->buffer, &cursor->record, last);
	if (cursor->consumer->is_stream && stamp && (int64_t)(cursor->clock - stamp) > 0)
		cursor->clock = last;
	if (!cursor->clock)
		cursor->clock = log->t0;
	cursor->time = etl_filetime(log, cursor->record.time);
	cursor->order = cursor->clock == cursor->record.time ? cursor->time :
		etl_filetime(log, cursor->clock);
}

/* The next record or, when that is damaged, the one after it, of this buffer */
static bool read_record(struct consume_run *run, struct consume_cursor *cursor)
{
	const struct etl_logfile *log = &cursor->consumer->log;
	struct etl_record *record = &cursor->record;
	enum etl_record_result result;

	while ((result = etl_record_at(cursor->buffer, cursor->at, record)) != ETL_RECORD_OK) {
		if (result == ETL_RECORD_NONE)
			return false;
		run->damaged = true;
		cursor->at = etl_find_record(cursor->buffer, cursor->at);
	}
	cursor->at = etl_next_record(record);
	etl_record_of_file(record, log);
	/* Without a stamp of its own it follows its neighbour, or the trace's beginning. */
	if (!record->has_time)
		record->time = cursor->clock ? cursor->clock : log->t0;
	set_order(cursor);
	return true;
}

bool consume_next(struct consume_run *run, struct consume_cursor *cursor)
{
	while (!run->result) {
		if (cursor->buffer) {
			if (read_record(run, cursor))
				return true;
			consume_buffer_done(run, cursor);
			cursor->buffer = NULL;
		} else if (!open_buffer(run, cursor)) {
			return false;
		}
	}
	return false;
}

bool consume_first(struct consume_run *run, struct consume_cursor *cursor)
{
	const struct consumer *consumer = cursor->consumer;

	return etl_buffer_at(consumer->first, consumer->first_size, 0, &cursor->raw) ==
	       ETL_BUFFER_OK && open_raw(run, cursor) && consume_next(run, cursor);
}

void consume_start(struct consume_run *run, struct consume_cursor *cursor)
{
	if (!consume_next(run, cursor))
		return;
	cursor->queued = true;
	run->heap[run->live] = cursor;
	heap_up(run->heap, run->live++, older);
}

void consume_drop(struct consume_run *run)
{
	consume_top(run)->queued = false;
	run->heap[0] = run->heap[--run->live];
	if (run->live)
		heap_down(run->heap, run->live, 0, older);
}

void consume_advance(struct consume_run *run)
{
	if (consume_next(run, consume_top(run)))
		heap_down(run->heap, run->live, 0, older);
	else
		consume_drop(run);
}

static void free_cursor(struct consume_cursor *cursor)
{
	struct consume_queued *next;

	for (; cursor->queue; cursor->queue = next) {
		next = cursor->queue->next;
		free(cursor->queue);
	}
	if (cursor->bytes && cursor->consumer->is_stream)
		free(cursor->bytes - offsetof(struct consume_queued, bytes));
	else
		free(cursor->bytes);
	decompressed_free(&cursor->decompressed);
	free(cursor);
}

void consume_free_cursors(struct consume_run *run)
{
	size_t i;

	for (i = 0; i < run->nr_cursors; i++)
		free_cursor(run->cursors[i]);
	free(run->cursors);
	free(run->heap);
}
