// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The buffers of a file: found by their headers, read one at a time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "libetl/buffer_alignment.h"
#include "consume.h"

/*
 * The file is not mapped, because truncating a mapped file would kill the reader
 * with SIGBUS. Headers are read through a window, so that a search for the next one
 * does not cost a system call for each place.
 */
#define WINDOW		(64u << 10)

/**
 * struct header_reader - looks at buffer headers of a file
 * @consumer: of the file
 * @size: bytes of it; 0: it is not there any more
 * @at: offset of the window
 * @fill: bytes in it
 * @window: what the file holds there
 */
struct header_reader {
	const struct consumer *consumer;
	uint64_t size;
	uint64_t at;
	size_t fill;
	uint8_t window[WINDOW];
};

static size_t read_some(int fd, void *to, size_t size, uint64_t at)
{
	size_t done = 0;
	ssize_t n;

	while (done < size) {
		n = pread(fd, (uint8_t *)to + done, size - done, at + done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += n;
	}
	return done;
}

static bool move_window(struct header_reader *reader, uint64_t at)
{
	reader->at = at;
	reader->fill = 0;
	if (consume_has_file(reader->consumer))
		reader->fill = read_some(reader->consumer->fd, reader->window, WINDOW, at);
	else
		reader->size = 0;
	return reader->fill >= sizeof(struct wmi_buffer_header);
}

/* What etl_buffer_at() says of bytes in memory */
static enum etl_buffer_result header_at(void *source, uint64_t at, struct etl_buffer *buffer)
{
	struct header_reader *reader = source;
	const size_t size = sizeof(buffer->header);
	enum etl_buffer_result result;

	if (at >= reader->size)
		return ETL_BUFFER_NONE;
	if (reader->size - at < size)
		return ETL_BUFFER_TORN;
	if ((at < reader->at || at + size > reader->at + reader->fill) &&
	    !move_window(reader, at))
		return ETL_BUFFER_TORN;
	/* The window has no more than the header: never OK, but filled in. */
	result = etl_buffer_at(reader->window + (at - reader->at), size, 0, buffer);
	if (result == ETL_BUFFER_BAD || buffer->header.buffer_size > CONSUME_MAX_BUFFER)
		return ETL_BUFFER_BAD;
	return buffer->header.buffer_size > reader->size - at ? ETL_BUFFER_TORN : ETL_BUFFER_OK;
}

static bool add_place(struct consume_index *index, const struct etl_buffer *buffer, uint64_t at)
{
	size_t room = index->room ? 2 * index->room : 64;
	struct consume_place *more;

	if (index->count == index->room) {
		more = reallocarray(index->places, room, sizeof(*more));
		if (!more)
			return false;
		index->places = more;
		index->room = room;
	}
	index->places[index->count++] = (struct consume_place){
		.at = at,
		.sequence = buffer->header.sequence_number,
		.size = buffer->header.buffer_size,
		.processor = buffer->processor,
	};
	return true;
}

static int by_processor(const void *left, const void *right)
{
	const struct consume_place *a = left, *b = right;

	if (a->processor != b->processor)
		return a->processor < b->processor ? -1 : 1;
	if (a->sequence != b->sequence)
		return a->sequence < b->sequence ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* What follows the last whole buffer, as in a file that still grows, is no damage. */
static bool find_places(struct header_reader *reader, struct consume_index *index,
			const struct consumer *consumer)
{
	struct buffer_alignment alignment = {
		.look = header_at, .source = reader, .end = reader->size,
	};
	uint64_t at = alignment_begin(&alignment, &consumer->log, consumer->first_size);
	enum etl_buffer_result result;
	struct etl_buffer buffer;

	index->gaps += at > consumer->first_size;
	while ((result = header_at(reader, at, &buffer)) != ETL_BUFFER_NONE) {
		if (result != ETL_BUFFER_OK || !alignment_fits(&alignment, &buffer)) {
			at = alignment_find(&alignment, at);
			if (at == alignment.end)
				return true;
			index->gaps++;
			header_at(reader, at, &buffer);
		}
		if (!add_place(index, &buffer, at))
			return false;
		at += buffer.header.buffer_size;
	}
	return true;
}

bool consume_index(struct consume_run *run, struct consumer *consumer,
		   struct consume_index *index)
{
	int cancel = etw_cancel_disable();
	struct header_reader *reader = malloc(sizeof(*reader));
	struct stat stat;
	bool done = false;

	if (reader) {
		*reader = (struct header_reader){ .consumer = consumer };
		if (consume_has_file(consumer) && !fstat(consumer->fd, &stat))
			reader->size = stat.st_size;
		done = find_places(reader, index, consumer);
		free(reader);
	}
	etw_cancel_restore(cancel);
	if (!done) {
		run->result = ERROR_NOT_ENOUGH_MEMORY;
		return false;
	}
	if (!consume_has_file(consumer)) {
		consume_lost(run, consumer);
		return false;
	}
	run->damaged |= index->gaps;
	if (index->count)
		qsort(index->places, index->count, sizeof(*index->places), by_processor);
	return true;
}

static bool make_room(struct consume_run *run, struct consume_cursor *cursor, uint32_t size)
{
	uint8_t *more;

	if (size <= cursor->room)
		return true;
	if (!consume_memory(run, cursor->room, size)) {
		run->damaged = true;
		return false;
	}
	free(cursor->bytes);
	cursor->bytes = NULL;
	cursor->room = 0;
	more = malloc(size);
	if (!more) {
		run->result = ERROR_NOT_ENOUGH_MEMORY;
		return false;
	}
	cursor->bytes = more;
	cursor->room = size;
	return true;
}

/* The header is looked at again: the file may be another one by now. */
bool consume_load(struct consume_run *run, struct consume_cursor *cursor,
		  const struct consume_place *place)
{
	if (!consume_has_file(cursor->consumer)) {
		consume_lost(run, cursor->consumer);
		return false;
	}
	if (!make_room(run, cursor, place->size))
		return false;
	errno = 0;
	if (read_some(cursor->consumer->fd, cursor->bytes, place->size, place->at) <
	    place->size) {
		if (errno)
			run->result = ERROR_READ_FAULT;
		run->damaged = true;
		return false;
	}
	if (etl_buffer_at(cursor->bytes, place->size, 0, &cursor->raw) == ETL_BUFFER_OK)
		return true;
	run->damaged = true;
	return false;
}
