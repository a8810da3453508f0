// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The records of perf.data, by time. */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "libetl/messages.h"
#include "libetl/reader.h"
#include "perf_stream.h"

/*
 * perf copies the rings of the processors one after another. When it has been at all of them, it
 * writes a FINISHED_ROUND. What comes behind the mark is then not older than the latest record
 * of the round before.
 */

/* A multiple of all sizes of pages */
#define DROP_BYTES	(16u << 20)

/**
 * struct perf_pending - a record that waits for older ones
 * @time: of it
 * @offset: in the file
 * @bytes: of it
 * @chunk: contains @bytes; NULL: the file does
 * @number: place in the file among those of one time
 */
struct perf_pending {
	uint64_t time;
	uint64_t offset;
	const uint8_t *bytes;
	struct perf_chunk *chunk;
	uint64_t number;
};

static void release(struct perf_stream *stream, struct perf_chunk *chunk)
{
	if (!chunk || --chunk->users)
		return;
	stream->unpacked -= chunk->size;
	free(chunk);
}

static int compare(const void *left, const void *right)
{
	const struct perf_pending *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* @time: where it belongs */
static int send_record(struct perf_stream *stream, struct perf_record *record, uint64_t time)
{
	record->time = time;
	if (record->time < stream->sent)
		stream->late++;
	else
		stream->sent = record->time;
	return stream->record(stream->context, record);
}

static int send_records(struct perf_stream *stream, uint64_t limit)
{
	struct perf_record record;
	size_t i, k;
	int err = 0;

	if (!stream->count)
		return 0;
	for (i = 0; i < stream->count; i++)
		stream->pending[i].number = i;
	stream->after_lost = false;
	qsort(stream->pending, stream->count, sizeof(*stream->pending), compare);
	for (i = 0; i < stream->count && stream->pending[i].time <= limit; i++) {
		if (!perf_record_read(stream->file, stream->pending[i].bytes,
				      stream->pending[i].offset, &record))
			stream->unreadable++;
		else if (!err)
			err = send_record(stream, &record, stream->pending[i].time);
		release(stream, stream->pending[i].chunk);
	}
	for (k = i; k < stream->count; k++)
		stream->pending[k - i] = stream->pending[k];
	stream->count -= i;
	return err;
}

static int put_off(struct perf_stream *stream, const struct perf_record *record,
		   struct perf_chunk *chunk)
{
	size_t room = stream->room ? 2 * stream->room : 1024;
	struct perf_pending *more;

	if (stream->count == stream->room) {
		more = reallocarray(stream->pending, room, sizeof(*more));
		if (!more)
			return no_memory();
		stream->pending = more;
		stream->room = room;
	}
	if (chunk)
		chunk->users++;
	/* Linux before 5.13 reads the clock again for the LOST that it writes before a record */
	if (stream->after_lost && record->time < stream->pending[stream->count - 1].time)
		stream->pending[stream->count - 1].time = record->time;
	stream->after_lost = record->type == PERF_RECORD_LOST;
	stream->pending[stream->count++] = (struct perf_pending){
		.time = record->time, .offset = record->offset, .bytes = record->bytes,
		.chunk = chunk,
	};
	if (record->time > stream->newest)
		stream->newest = record->time;
	return 0;
}

static int read_attr(struct perf_stream *stream, const struct perf_record *record)
{
	struct piece ids = perf_record_payload(record);
	uint32_t size = ids.left >= 8 ? get32(ids.at + 4) : 0;
	const uint8_t *attr = piece_take(&ids, size);

	if (!size || !attr) {
		failed("import: %s: at 0x%" PRIx64 ": an attribute of an event is cut",
		       stream->file->name, record->offset);
		return -1;
	}
	return perf_file_add_kind(stream->file, attr, size, ids, record->offset);
}

static int end_round(struct perf_stream *stream)
{
	int err;

	/* the records of other files are not there yet */
	if (stream->part_count)
		return 0;
	err = send_records(stream, stream->limit);
	stream->limit = stream->newest;
	return err;
}

static int read_feature(struct perf_stream *stream, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);
	uint64_t feature = piece_u64(&piece);

	return feature > UINT8_MAX ? 0 :
		perf_file_feature(stream->file, feature, &piece, record->offset);
}

static int read_user(struct perf_stream *stream, const struct perf_record *record)
{
	switch (record->type) {
	case PERF_USER_ATTR:
		return read_attr(stream, record);
	case PERF_USER_FEATURE:
		return read_feature(stream, record);
	case PERF_USER_BUILD_ID:
		return perf_file_build_id(stream->file, record->bytes, record->size);
	case PERF_USER_FINISHED_ROUND:
		return end_round(stream);
	}
	return stream->record(stream->context, record);
}

static int read_chunk(struct perf_stream *stream, const struct perf_record *record);

static int read_one(struct perf_stream *stream, const uint8_t *bytes, uint64_t offset,
		    struct perf_chunk *chunk)
{
	struct perf_record record;

	if (!perf_record_read(stream->file, bytes, offset, &record)) {
		stream->unreadable++;
		return 0;
	}
	/* records within compressed records are those of the kernel */
	if (record.type >= PERF_USER_ATTR && chunk)
		return 0;
	if (record.type == PERF_USER_COMPRESSED || record.type == PERF_USER_COMPRESSED2)
		return read_chunk(stream, &record);
	if (record.type >= PERF_USER_ATTR)
		return read_user(stream, &record);
	if (record.has_time)
		return put_off(stream, &record, chunk);
	return stream->record(stream->context, &record);
}

static int read_chunk(struct perf_stream *stream, const struct perf_record *record)
{
	struct perf_chunk *chunk = perf_unpack(stream, record);
	size_t at = 0, size;
	int err = 0;

	if (!chunk)
		return -1;
	for (; !err && chunk->size - at >= PERF_HEADER; at += size) {
		size = get16(chunk->bytes + at + 6);
		if (size < PERF_HEADER) {
			failed("import: %s: at 0x%" PRIx64 ": a compressed record of %zu bytes",
			       stream->file->name, record->offset, size);
			err = -1;
		} else if (size > chunk->size - at) {
			break;
		} else {
			err = read_one(stream, chunk->bytes + at, record->offset, chunk);
		}
	}
	if (!err && at < chunk->size)
		err = perf_unpack_keep(stream, chunk->bytes + at, chunk->size - at);
	release(stream, chunk);
	return err;
}

/* Bytes behind the record that belong to it */
static uint64_t trailing(const uint8_t *bytes, uint16_t size)
{
	uint32_t type = get32(bytes);

	if (type == PERF_USER_TRACING_DATA && size >= 12)
		return (get32(bytes + 8) + 7ull) & ~7ull;
	return type == PERF_USER_AUXTRACE && size >= 16 ? get64(bytes + 8) : 0;
}

static int read_tracing_data(struct perf_stream *stream, uint64_t at, uint16_t size,
			     uint64_t behind)
{
	struct piece piece = { .at = stream->file->bytes + at + size, .left = behind };

	return perf_file_feature(stream->file, PERF_FEATURE_TRACING_DATA, &piece, at + size);
}

/* Return: bytes of the record and all that belongs to it; 0 at the end, or after a warning */
static uint64_t record_size(struct perf_stream *stream, uint64_t at)
{
	const struct perf_file *file = stream->file;
	uint64_t left = file->data_end - at, behind = 0;
	uint16_t size;

	if (!left)
		return 0;
	size = left < PERF_HEADER ? 0 : get16(file->bytes + at + 6);
	if (left >= PERF_HEADER && size < PERF_HEADER) {
		warn("import: %s: at 0x%" PRIx64 ": a record of %u bytes: the rest of the file is "
		     "not read", file->name, at, size);
		return 0;
	}
	if (size && size <= left)
		behind = trailing(file->bytes + at, size);
	if (!size || size > left || behind > left - size) {
		warn("import: %s: at 0x%" PRIx64 ": the file ends in a record", file->name, at);
		return 0;
	}
	return size + behind;
}

/*
 * What is read leaves memory, so that an import of a large file needs no more than one of a small
 * file. Records that wait in it are read again, and their pages leave with the next ones.
 */
static void drop(struct perf_stream *stream, uint64_t at)
{
	if (!stream->mapped || at - stream->dropped < DROP_BYTES)
		return;
	stream->dropped += DROP_BYTES;
	madvise((void *)stream->file->bytes, stream->dropped, MADV_DONTNEED);
}

static int read_all(struct perf_stream *stream)
{
	struct perf_file *file = stream->file;
	uint64_t at = file->data, size;
	int err = 0;

	for (; !err && (size = record_size(stream, at)); at += size) {
		if (get32(file->bytes + at) == PERF_USER_TRACING_DATA)
			err = read_tracing_data(stream, at, get16(file->bytes + at + 6),
						size - get16(file->bytes + at + 6));
		else
			err = read_one(stream, file->bytes + at, at, NULL);
		drop(stream, at);
		if (stream->progress)
			stream->progress(stream->context, at);
	}
	return err;
}

/* Records of a further file have the events of the first. */
static int read_part(struct perf_stream *stream, const struct perf_part *part)
{
	struct perf_file *file = stream->file;
	const struct perf_part first = { file->name, file->bytes, file->size };
	uint64_t data = file->data, end = file->data_end;
	int err;

	perf_unpack_end(stream);
	file->name = part->name;
	file->bytes = part->bytes;
	file->size = part->size;
	file->data = 0;
	file->data_end = part->size;
	err = read_all(stream);
	file->name = first.name;
	file->bytes = first.bytes;
	file->size = first.size;
	file->data = data;
	file->data_end = end;
	return err;
}

static int read_files(struct perf_stream *stream)
{
	int err = read_all(stream);
	size_t i;

	for (i = 0; !err && i < stream->part_count; i++)
		err = read_part(stream, &stream->parts[i]);
	return err ? err : send_records(stream, UINT64_MAX);
}

int perf_stream_read(struct perf_stream *stream)
{
	int err = read_files(stream);

	while (stream->count)
		release(stream, stream->pending[--stream->count].chunk);
	free(stream->pending);
	perf_unpack_end(stream);
	return err;
}
