// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Merges the records of all processors by time. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "event_header.h"
#include "heap.h"
#include "messages.h"
#include "trace.h"

/*
 * A buffer belongs to one processor, and a processor's records are in order
 * of time when its buffers are taken by sequence number. So one list of
 * buffers for each processor, and a heap of their next records; memory is
 * a few words for each buffer, whatever it holds.
 */

/* Bytes of decompressed buffers, one for each processor: 256 MB for 256 of 1 MB */
#define MERGE_ROOM	(1ull << 30)

static int by_sequence(const void *left, const void *right, void *buffers)
{
	const struct etl_buffer *a = (struct etl_buffer *)buffers + *(const uint32_t *)left;
	const struct etl_buffer *b = (struct etl_buffer *)buffers + *(const uint32_t *)right;

	if (a->header.sequence_number != b->header.sequence_number)
		return a->header.sequence_number < b->header.sequence_number ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* The header buffer is older than all others; it gets its own cursor 0. */
static size_t count_buffers(const struct trace *trace, uint32_t counts[ETL_PROCESSORS])
{
	size_t i, cursors = 1;

	for (i = 1; i < trace->count; i++)
		cursors += !counts[trace->buffers[i].processor]++;
	return cursors;
}

static void deal_by_processor(struct merge *merge, const uint32_t counts[ETL_PROCESSORS])
{
	const struct trace *trace = merge->trace;
	struct merge_cursor *of[ETL_PROCESSORS] = { };
	uint32_t *order = merge->order + 1;
	size_t i, n = 1;

	merge->cursor[0] = (struct merge_cursor){ .order = merge->order, .count = 1 };
	merge->order[0] = 0;
	for (i = 0; i < ETL_PROCESSORS; i++) {
		if (!counts[i])
			continue;
		of[i] = &merge->cursor[n++];
		*of[i] = (struct merge_cursor){
			.order = order, .processor = i,
			.decompressed.method = trace->log.compression,
		};
		order += counts[i];
	}
	for (i = 1; i < trace->count; i++) {
		struct merge_cursor *cursor = of[trace->buffers[i].processor];

		cursor->order[cursor->count++] = i;
	}
	for (i = 1; i < n; i++)
		qsort_r(merge->cursor[i].order, merge->cursor[i].count, sizeof(uint32_t),
			by_sequence, trace->buffers);
}

static void note_damage(struct merge *merge, const struct etl_buffer *buffer, uint32_t at,
			uint32_t bytes, const char *why)
{
	if (merge->broken < MERGE_DAMAGES)
		merge->damage[merge->broken] = (struct merge_damage){
			.buffer = buffer->at, .at = at, .bytes = bytes, .why = why,
		};
	merge->broken++;
}

static void note_broken(struct merge *merge, const struct etl_buffer *buffer,
			const struct decompressed *decompressed)
{
	uint32_t end = decompressed->buffer.end;

	if (end < buffer->header.offset)
		note_damage(merge, buffer, end, buffer->header.offset - end,
			    "the compression is broken");
	else
		note_damage(merge, buffer, end, decompressed->left,
			    "compressed, and larger than in its header");
}

/* Opens the cursor's buffer. Return: false when it can't be */
static bool open_buffer(struct merge *merge, struct merge_cursor *cursor)
{
	const struct etl_buffer *buffer = &merge->trace->buffers[cursor->order[cursor->index]];
	uint32_t had = cursor->decompressed.room, size = decompressed_size(buffer);

	if (size > had && merge->room - had + size > MERGE_ROOM) {
		note_damage(merge, buffer, 0, size, "too much to decompress at a time");
		return false;
	}
	cursor->buffer = buffer_decompress(&cursor->decompressed, buffer);
	merge->room += cursor->decompressed.room - had;
	if (!cursor->buffer) {
		note_damage(merge, buffer, 0, size, strerror(ENOMEM));
		return false;
	}
	if (cursor->decompressed.damaged)
		note_broken(merge, buffer, &cursor->decompressed);
	return true;
}

/* The record at @at or, when that is damaged, the next one of this buffer */
static bool next_in_buffer(struct merge *merge, struct merge_cursor *cursor, uint32_t at)
{
	const struct etl_buffer *buffer = cursor->buffer;
	enum etl_record_result result;
	uint32_t next;

	while ((result = etl_record_at(buffer, at, &cursor->record)) != ETL_RECORD_OK) {
		if (result == ETL_RECORD_NONE)
			return false;
		next = etl_find_record(buffer, at);
		note_damage(merge, buffer, at, next - at, etl_record_result_text(result));
		at = next;
	}
	etl_record_of_file(&cursor->record, &merge->trace->log);
	event_header_apply(&cursor->record);
	/* Without a stamp of its own it follows its neighbour. */
	if (!cursor->record.has_time)
		cursor->record.time = cursor->time;
	cursor->time = merge->unordered ? cursor->record.time :
		time_in_order(&cursor->given, &merge->trace->log, buffer, &cursor->record,
			      cursor->time);
	return true;
}

/* Moves to the cursor's next record. Return: false when it has no more */
static bool advance(struct merge *merge, struct merge_cursor *cursor, uint32_t at)
{
	for (; cursor->index < cursor->count; cursor->index++) {
		if ((cursor->buffer || open_buffer(merge, cursor)) &&
		    next_in_buffer(merge, cursor, at))
			return true;
		trace_release_later(merge->trace, &merge->passed,
				    &merge->trace->buffers[cursor->order[cursor->index]]);
		cursor->buffer = NULL;
		cursor->given = (struct given_time){ };
		at = ETL_FIRST_RECORD;
	}
	return false;
}

static bool older(const void *left, const void *right)
{
	const struct merge_cursor *a = left, *b = right;
	int64_t difference = (int64_t)(a->time - b->time);

	return difference ? difference < 0 : a < b;
}

static int allocate(struct merge *merge, size_t cursors)
{
	merge->cursors = cursors;
	merge->cursor = calloc(cursors, sizeof(*merge->cursor));
	merge->heap = calloc(cursors, sizeof(*merge->heap));
	merge->order = calloc(merge->trace->count + 1, sizeof(*merge->order));
	if (merge->cursor && merge->heap && merge->order)
		return 0;
	merge_end(merge);
	return no_memory();
}

int merge_begin(struct merge *merge, const struct trace *trace, bool unordered)
{
	uint32_t counts[ETL_PROCESSORS] = { };
	size_t i;

	memset(merge, 0, sizeof(*merge));
	merge->trace = trace;
	merge->unordered = unordered;
	if (allocate(merge, unordered ? 1 : count_buffers(trace, counts)))
		return -1;
	if (unordered) {
		for (i = 0; i < trace->count; i++)
			merge->order[i] = i;
		merge->cursor[0] = (struct merge_cursor){
			.order = merge->order, .count = trace->count,
		};
	} else {
		deal_by_processor(merge, counts);
	}
	/* what has no stamp, and no neighbour before it, is not older than the trace */
	for (i = 0; i < merge->cursors; i++)
		merge->cursor[i].time = trace->log.t0;
	for (i = 0; i < merge->cursors; i++)
		if (advance(merge, &merge->cursor[i], ETL_FIRST_RECORD))
			merge->heap[merge->live++] = &merge->cursor[i];
	for (i = merge->live; i-- > 0;)
		heap_down(merge->heap, merge->live, i, older);
	return 0;
}

bool merge_next(struct merge *merge, const struct etl_record **record,
		const struct etl_buffer **buffer)
{
	struct merge_cursor *top;

	if (!merge->live)
		return false;
	if (merge->started) {
		merge->number++;
		top = merge->heap[0];
		if (!advance(merge, top, etl_next_record(&top->record))) {
			merge->heap[0] = merge->heap[--merge->live];
			if (!merge->live)
				return false;
		}
		heap_down(merge->heap, merge->live, 0, older);
	}
	merge->started = true;
	top = merge->heap[0];
	*record = &top->record;
	*buffer = top->buffer;
	return true;
}

uint64_t merge_time(const struct merge *merge)
{
	return ((const struct merge_cursor *)merge->heap[0])->time;
}

void merge_warn(const struct merge *merge)
{
	const struct merge_damage *damage = merge->damage;
	size_t i;

	for (i = 0; i < merge->broken && i < MERGE_DAMAGES; i++, damage++)
		warn("%s: buffer 0x%" PRIx64 ": %u bytes at 0x%x skipped: %s", merge->trace->name,
		     damage->buffer, damage->bytes, damage->at, damage->why);
	if (merge->broken > MERGE_DAMAGES)
		warn("%s: and in %zu places more ('etw check')", merge->trace->name,
		     merge->broken - MERGE_DAMAGES);
}

void merge_end(struct merge *merge)
{
	size_t i;

	for (i = 0; merge->cursor && i < merge->cursors; i++)
		decompressed_free(&merge->cursor[i].decompressed);
	free(merge->cursor);
	free(merge->heap);
	free(merge->order);
	merge->cursor = NULL;
	merge->heap = NULL;
	merge->order = NULL;
}
