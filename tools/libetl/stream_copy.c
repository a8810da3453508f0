// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A stream that has an end, into one closed file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "first_buffer.h"
#include "messages.h"
#include "reader.h"
#include "stream_copy.h"

#define HEAD	sizeof(struct wmi_buffer_header)

/* A finished stream knows its end; an unclosed one is closed as any other. */
static void totals(void *context, struct final_header *final)
{
	const struct stream_copy *copy = context;

	final->end_time = copy->header.buffers_written ? copy->header.end_time : 0;
	final->events_lost = copy->header.events_lost;
	final->buffers_lost = copy->header.buffers_lost;
}

int stream_copy_open(struct stream_copy *copy, const char *path)
{
	copy->writer.path = path;
	copy->writer.totals = totals;
	copy->writer.context = copy;
	return writer_open(&copy->writer);
}

void stream_copy_abandon(struct stream_copy *copy)
{
	writer_abandon(&copy->writer);
	free(copy->writer.name);
}

/* Return: bytes; less than @want at the end; -1 after a message */
static ssize_t read_whole(int stream, uint8_t *to, size_t want)
{
	size_t done = 0;
	ssize_t n;

	while (done < want) {
		n = read(stream, to + done, want - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			failed("reading the session: %s", strerror(errno));
			return -1;
		}
		if (!n)
			break;
		done += n;
	}
	return done;
}

/* Return: 1, 0 at the end, -1 after a message */
static int read_buffer(struct stream_copy *copy, int stream)
{
	uint8_t *larger;
	ssize_t n;

	if (!copy->buffer)
		copy->buffer = malloc(HEAD);
	n = copy->buffer ? read_whole(stream, copy->buffer, HEAD) : -1;
	if (n <= 0)
		return n;
	if (n == HEAD && !copy->size) {
		copy->size = get32(copy->buffer);
		if (copy->size <= HEAD || copy->size > LARGEST_BUFFER)
			return -failed("reading the session: no stream of buffers");
		larger = realloc(copy->buffer, copy->size);
		if (!larger)
			return -1;
		copy->buffer = larger;
	}
	if (n == HEAD)
		n = read_whole(stream, copy->buffer + HEAD, copy->size - HEAD);
	if (n >= 0 && (size_t)n != copy->size - HEAD)
		failed("reading the session: it ends inside a buffer");
	return (size_t)n == copy->size - HEAD ? 1 : -1;
}

static void count_events(struct stream_copy *copy)
{
	uint32_t at = ETL_FIRST_RECORD;
	struct etl_record record;
	struct etl_buffer buffer;

	copy->buffers++;
	if (etl_buffer_at(copy->buffer, copy->size, 0, &buffer) != ETL_BUFFER_OK)
		return;
	for (; etl_record_at(&buffer, at, &record) == ETL_RECORD_OK; at = etl_next_record(&record))
		copy->events++;
}

static void read_header(struct stream_copy *copy)
{
	if (copy->size < ETW_FILE_BUFFERS_LOST + 4)
		return;
	copy->header.end_time = get64(copy->buffer + ETW_FILE_END_TIME);
	copy->header.buffers_written = get32(copy->buffer + ETW_FILE_BUFFERS_WRITTEN);
	copy->header.events_lost = get32(copy->buffer + ETW_FILE_EVENTS_LOST);
	copy->header.buffers_lost = get32(copy->buffer + ETW_FILE_BUFFERS_LOST);
}

/* The header is read before its size is known; its reader takes nothing with it. */
static int next_buffer(struct stream_copy *copy, int stream)
{
	if (copy->only_what_fits && copy->buffers && writer_reserve(&copy->writer)) {
		copy->count_left(copy);
		return -1;
	}
	return read_buffer(copy, stream);
}

/* After an error of the file, the rest is read too, because the writer counts it as lost. */
static int copy_buffers(struct stream_copy *copy, int stream)
{
	int got;

	while ((got = next_buffer(copy, stream)) > 0) {
		if (!copy->buffers)
			read_header(copy);
		count_events(copy);
		writer_put(&copy->writer, copy->buffer, copy->size);
		if (copy->progress)
			copy->progress(copy, false);
	}
	return copy->writer.error ? -1 : got;
}

int stream_copy_run(struct stream_copy *copy, int stream)
{
	int err = 0;

	if (writer_begin(&copy->writer) || copy_buffers(copy, stream))
		err = -1;
	if (copy->progress)
		copy->progress(copy, true);
	/* also what there is of a copy that failed: better than nothing */
	if (writer_finish(&copy->writer))
		err = -1;
	if (!err && copy->summary)
		copy->summary(copy);
	free(copy->buffer);
	free(copy->writer.name);
	return err;
}
