// SPDX-License-Identifier: GPL-2.0
/* A stream that has an end, into one closed file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "messages.h"
#include "reader.h"
#include "stream_copy.h"

#define HEAD	sizeof(struct wmi_buffer_header)
#define LARGEST	(64u << 20)

/* A finished stream knows its end; an unclosed one is closed as any other. */
static void totals(void *context, struct closing *closing)
{
	const struct saving *saving = context;

	closing->end_time = saving->header.buffers_written ? saving->header.end_time : 0;
	closing->events_lost = saving->header.events_lost;
	closing->buffers_lost = saving->header.buffers_lost;
}

int saving_open(struct saving *saving, const char *path)
{
	saving->writer.path = path;
	saving->writer.totals = totals;
	saving->writer.context = saving;
	return writer_open(&saving->writer);
}

void saving_abandon(struct saving *saving)
{
	writer_abandon(&saving->writer);
	free(saving->writer.name);
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
static int read_buffer(struct saving *saving, int stream)
{
	uint8_t *larger;
	ssize_t n;

	if (!saving->buffer)
		saving->buffer = malloc(HEAD);
	n = saving->buffer ? read_whole(stream, saving->buffer, HEAD) : -1;
	if (n <= 0)
		return n;
	if (n == HEAD && !saving->size) {
		saving->size = get32(saving->buffer);
		if (saving->size <= HEAD || saving->size > LARGEST)
			return -failed("reading the session: no stream of buffers");
		larger = realloc(saving->buffer, saving->size);
		if (!larger)
			return -1;
		saving->buffer = larger;
	}
	if (n == HEAD)
		n = read_whole(stream, saving->buffer + HEAD, saving->size - HEAD);
	if (n >= 0 && (size_t)n != saving->size - HEAD)
		failed("reading the session: it ends inside a buffer");
	return (size_t)n == saving->size - HEAD ? 1 : -1;
}

static void count_events(struct saving *saving)
{
	uint32_t at = ETL_FIRST_RECORD;
	struct etl_record record;
	struct etl_buffer buffer;

	saving->buffers++;
	if (etl_buffer_at(saving->buffer, saving->size, 0, &buffer) != ETL_BUFFER_OK)
		return;
	for (; etl_record_at(&buffer, at, &record) == ETL_RECORD_OK; at = etl_next_record(&record))
		saving->events++;
}

static void read_header(struct saving *saving)
{
	if (saving->size < ETW_FILE_BUFFERS_LOST + 4)
		return;
	saving->header.end_time = get64(saving->buffer + ETW_FILE_END_TIME);
	saving->header.buffers_written = get32(saving->buffer + ETW_FILE_BUFFERS_WRITTEN);
	saving->header.events_lost = get32(saving->buffer + ETW_FILE_EVENTS_LOST);
	saving->header.buffers_lost = get32(saving->buffer + ETW_FILE_BUFFERS_LOST);
}

static int copy(struct saving *saving, int stream)
{
	int got;

	while ((got = read_buffer(saving, stream)) > 0) {
		if (!saving->buffers)
			read_header(saving);
		count_events(saving);
		writer_put(&saving->writer, saving->buffer, saving->size);
		if (saving->writer.error)
			return -1;
		if (saving->progress)
			saving->progress(saving, false);
	}
	return got;
}

int saving_run(struct saving *saving, int stream)
{
	int err = 0;

	if (writer_begin(&saving->writer) || copy(saving, stream))
		err = -1;
	if (saving->progress)
		saving->progress(saving, true);
	/* also what there is of a copy that failed: better than nothing */
	if (writer_finish(&saving->writer))
		err = -1;
	if (!err && saving->summary)
		saving->summary(saving);
	free(saving->buffer);
	free(saving->writer.name);
	return err;
}
