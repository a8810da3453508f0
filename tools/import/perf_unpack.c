// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Decompresses the records of 'perf record -z'. */
#include <inttypes.h>
#include <stdlib.h>
#ifdef ETW_HAVE_ZSTD
#include <zstd.h>
#endif
#include "libetl/messages.h"
#include "libetl/reader.h"
#include "perf_stream.h"

#ifdef ETW_HAVE_ZSTD

/* A record has 64 KB; perf compresses a ring at a time, which has 512 MB at most */
#define MOST_BYTES	(512u << 20)
/* Decompressed records that wait for older ones: those of two rounds of all processors */
#define MOST_UNPACKED	(1ull << 30)

/**
 * struct perf_unpack - a stream of zstd, which goes on from record to record
 * @stream: its state
 * @part: first part of a record that ends in the next compressed one
 * @size: bytes of it
 */
struct perf_unpack {
	ZSTD_DStream *stream;
	uint8_t *part;
	size_t size;
};

static int begin(struct perf_stream *stream)
{
	struct perf_unpack *unpack = stream->unpack;

	if (unpack)
		return 0;
	unpack = calloc(1, sizeof(*unpack));
	if (unpack)
		unpack->stream = ZSTD_createDStream();
	stream->unpack = unpack;
	return unpack && unpack->stream ? 0 : no_memory();
}

static struct perf_chunk *grow(struct perf_chunk *chunk, size_t room)
{
	struct perf_chunk *more = realloc(chunk, sizeof(*more) + room);

	if (!more) {
		free(chunk);
		no_memory();
	}
	return more;
}

static struct perf_chunk *broken(struct perf_stream *stream, const struct perf_record *record,
				 struct perf_chunk *chunk, const char *why)
{
	free(chunk);
	failed("import: %s: at 0x%" PRIx64 ": compressed records: %s", stream->file->name,
	       record->offset, why);
	return NULL;
}

static ZSTD_inBuffer packed(const struct perf_record *record)
{
	ZSTD_inBuffer in = { record->bytes + PERF_HEADER, record->size - PERF_HEADER, 0 };

	if (record->type == PERF_USER_COMPRESSED2 && in.size >= 8) {
		if (get64(in.src) < in.size - 8)
			in.size = 8 + get64(in.src);
		in.pos = 8;
	}
	return in;
}

struct perf_chunk *perf_unpack(struct perf_stream *stream, const struct perf_record *record)
{
	size_t room = 16 * record->size + 4096, result;
	struct perf_chunk *chunk;
	ZSTD_inBuffer in = packed(record);
	ZSTD_outBuffer out;

	if (begin(stream))
		return NULL;
	room += stream->unpack->size;
	chunk = grow(NULL, room);
	if (!chunk)
		return NULL;
	chunk->size = stream->unpack->size;
	chunk->users = 1;
	if (chunk->size)
		memcpy(chunk->bytes, stream->unpack->part, chunk->size);
	stream->unpack->size = 0;
	do {
		if (chunk->size == room) {
			if (room >= MOST_BYTES)
				return broken(stream, record, chunk, "more than 512 MB");
			room *= 2;
			chunk = grow(chunk, room);
			if (!chunk)
				return NULL;
		}
		out = (ZSTD_outBuffer){ chunk->bytes, room, chunk->size };
		result = ZSTD_decompressStream(stream->unpack->stream, &out, &in);
		if (ZSTD_isError(result))
			return broken(stream, record, chunk, ZSTD_getErrorName(result));
		chunk->size = out.pos;
		if (stream->unpacked + chunk->size > MOST_UNPACKED)
			return broken(stream, record, chunk,
				      "more than 1 GB wait for older records");
	} while (in.pos < in.size || chunk->size == room);
	stream->unpacked += chunk->size;
	return grow(chunk, chunk->size);
}

int perf_unpack_keep(struct perf_stream *stream, const uint8_t *bytes, size_t size)
{
	uint8_t *part = realloc(stream->unpack->part, size);

	if (!part)
		return no_memory();
	memcpy(part, bytes, size);
	stream->unpack->part = part;
	stream->unpack->size = size;
	return 0;
}

void perf_unpack_end(struct perf_stream *stream)
{
	if (!stream->unpack)
		return;
	ZSTD_freeDStream(stream->unpack->stream);
	free(stream->unpack->part);
	free(stream->unpack);
	stream->unpack = NULL;
}

#else

struct perf_chunk *perf_unpack(struct perf_stream *stream, const struct perf_record *record)
{
	failed("import: %s: at 0x%" PRIx64 ": the records are compressed: this etw was built "
	       "without libzstd (Debian: libzstd-dev)", stream->file->name, record->offset);
	return NULL;
}

int perf_unpack_keep(struct perf_stream *stream, const uint8_t *bytes, size_t size)
{
	(void)stream;
	(void)bytes;
	(void)size;
	return 0;
}

void perf_unpack_end(struct perf_stream *stream)
{
	(void)stream;
}

#endif
