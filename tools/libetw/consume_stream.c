// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Streams: sessions in real time, and pipes. Buffers come when they come. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "consume.h"

/*
 * A buffer comes when it is full or flushed, so what happened first on two
 * processors need not come first. A session with a timer flushes all processors
 * every period, and says in an event that it did: when that was read, and nothing
 * more is there, all has come that happened before the flush began. Up to there
 * records are delivered in order. Sessions without a timer, and Windows' streams,
 * have no such events: there a buffer waits for others for some time. When more
 * waits than memory is given, order is given up, not data.
 */
#define DEFAULT_PERIOD_MS	1000
#define MOST_PERIOD_MS		10000
/* How much longer than a period a buffer waits if the stream has no flush events */
#define LINGER_MS		1000
#define MOST_WAITING		(64u << 20)
/* Where the program closed what would wake us, CloseTrace is still seen */
#define LOOK_MS			1000
/* Buffers to read before some are delivered */
#define BATCH			64

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

int consume_read(int fd, const struct descriptor *what, void *to, size_t size)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	size_t done = 0;
	ssize_t n;

	while (done < size) {
		if (!descriptor_is(fd, what))
			return -EBADF;
		n = read(fd, (uint8_t *)to + done, size - done);
		if (n > 0)
			done += n;
		else if (!n)
			return -ENODATA;
		else if (errno == EAGAIN)
			poll(&pollfd, 1, -1);
		else if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static struct consume_queued *new_queued(struct consume_run *run, uint32_t size)
{
	struct consume_queued *queued;

	if (consume_memory(run, 0, size)) {
		queued = malloc(sizeof(*queued) + size);
		if (queued) {
			queued->next = NULL;
			queued->size = size;
			return queued;
		}
	}
	run->result = ERROR_NOT_ENOUGH_MEMORY;
	return NULL;
}

/* Return: whether there is memory for the buffer of a header that has been read */
static bool begin_buffer(struct consume_run *run, struct consume_stream *stream)
{
	uint32_t size = stream->header.buffer_size;

	if (size <= sizeof(stream->header) || size > CONSUME_MAX_BUFFER) {
		stream->corrupt = true;
		stream->ended = true;
		return false;
	}
	/* no more than the buffer has: a pipe may have many small ones */
	stream->partial = new_queued(run, size);
	if (stream->partial)
		memcpy(stream->partial->bytes, &stream->header, sizeof(stream->header));
	return stream->partial;
}

/* Return: where the next bytes go, @left of them; 0: the buffer is whole */
static uint8_t *place_of_next(struct consume_stream *stream, uint32_t *left)
{
	struct consume_queued *partial = stream->partial;

	*left = (partial ? partial->size : sizeof(stream->header)) - stream->fill;
	return (partial ? partial->bytes : (uint8_t *)&stream->header) + stream->fill;
}

/* Return: whether a whole buffer is in @partial */
static bool read_buffer(struct consume_run *run, struct consumer *consumer)
{
	struct consume_stream *stream = consumer->stream;
	uint32_t left;
	uint8_t *to;
	ssize_t n;

	for (;;) {
		if (stream->ended)
			return false;
		if (!stream->partial && stream->fill == sizeof(stream->header) &&
		    !begin_buffer(run, stream))
			return false;
		to = place_of_next(stream, &left);
		if (!left)
			return true;
		stream->lost = !consume_has_file(consumer);
		if (stream->lost) {
			stream->ended = true;
			return false;
		}
		n = read(consumer->fd, to, left);
		if (n > 0) {
			stream->fill += n;
		} else if (!n) {
			stream->ended = true;
		} else if (errno == EAGAIN) {
			return false;
		} else if (errno != EINTR) {
			run->result = ERROR_READ_FAULT;
			return false;
		}
	}
}

static struct consume_cursor *cursor_of(struct consume_run *run, struct consumer *consumer,
					uint16_t processor)
{
	struct consume_cursor **cursor = &consumer->stream->cursor[processor];

	if (!*cursor)
		*cursor = consume_cursor(run, consumer);
	if (!*cursor)
		run->result = ERROR_NOT_ENOUGH_MEMORY;
	return *cursor;
}

/* A record as long as its header says; cheaper than to take all of them apart */
static uint32_t step(const uint8_t *at)
{
	bool hooked = at[2] <= TRACE_HEADER_TYPE_COMPACT64 ||
		      at[2] == TRACE_HEADER_TYPE_PERFINFO32 ||
		      at[2] == TRACE_HEADER_TYPE_PERFINFO64;
	uint32_t size = get16(at + (at[3] == TRACE_HEADER_FLAGS && hooked ? 4 : 0));

	return size < 8 ? UINT32_MAX : (size + ETW_RECORD_ALIGN - 1) & -ETW_RECORD_ALIGN;
}

static bool is_own(const struct etl_buffer *buffer, uint32_t at, struct etl_record *record)
{
	return buffer->bytes[at + 2] == TRACE_HEADER_TYPE_EVENT_HEADER64 &&
	       etl_record_at(buffer, at, record) == ETL_RECORD_OK && etl_is_ours(record);
}

/* That a flush of all processors is done, and the time when it began */
static void note_flushed(struct consume_stream *stream, const struct etl_record *record)
{
	struct etw_flushed flushed;

	if (record->id != ETW_LINUX_EVENT_FLUSHED || record->payload_size < sizeof(flushed))
		return;
	memcpy(&flushed, record->payload, sizeof(flushed));
	stream->flushed = flushed.time;
	stream->has_flushed = true;
}

/* The session's records about itself that matter before they are delivered */
static void find_own(struct consumer *consumer, const struct etl_buffer *buffer)
{
	uint32_t at = ETL_FIRST_RECORD, n = 0;
	struct etl_record record;

	for (; at <= buffer->end && buffer->end - at >= 8; at += n) {
		n = step(buffer->bytes + at);
		if (n > buffer->end - at)
			return;
		if (!is_own(buffer, at, &record))
			continue;
		note_flushed(consumer->stream, &record);
		if (consume_is_monotonic(consumer))
			live_clock_queued(consumer, &record);
	}
}

/* The buffer goes to its processor. Return: its time stamp, 0 for none */
static uint64_t queue_buffer(struct consume_run *run, struct consumer *consumer)
{
	struct consume_stream *stream = consumer->stream;
	struct consume_queued *queued = stream->partial;
	struct consume_cursor *cursor;
	struct etl_buffer buffer;

	etl_buffer_at(queued->bytes, stream->fill, 0, &buffer);
	cursor = cursor_of(run, consumer, buffer.processor);
	if (!cursor)
		return 0;
	if (!buffer.compressed)
		find_own(consumer, &buffer);
	stream->partial = NULL;
	stream->fill = 0;
	stream->waiting += queued->size;
	*cursor->tail = queued;
	cursor->tail = &queued->next;
	if (!cursor->queued)
		consume_start(run, cursor);
	return buffer.header.time_stamp;
}

/* Marks are so far apart that there is always a place for one more. */
static void put_mark(struct consume_stream *stream, uint64_t time)
{
	unsigned int n = stream->nr_marks, apart = stream->linger_ms / (CONSUME_MARKS - 2);
	uint64_t now = now_ms();

	if (n && now - stream->marks[n - 1].ms <= apart) {
		stream->marks[n - 1].time = time;
		return;
	}
	if (n == CONSUME_MARKS)
		n--;
	stream->marks[n].ms = now;
	stream->marks[n].time = time;
	stream->nr_marks = n + 1;
}

static void read_buffers(struct consume_run *run, struct consumer *consumer)
{
	struct consume_stream *stream = consumer->stream;
	uint64_t time = 0;
	bool any = false;
	int n;

	stream->asked_ms = now_ms();
	stream->drained = false;
	for (n = 0; n < BATCH && stream->waiting < MOST_WAITING; n++) {
		if (!read_buffer(run, consumer)) {
			stream->drained = true;
			break;
		}
		time = queue_buffer(run, consumer);
		any = true;
		if (run->result)
			return;
	}
	if (any)
		put_mark(stream, time);
}

static void take_mark(struct consume_stream *stream)
{
	memmove(stream->marks, stream->marks + 1, --stream->nr_marks * sizeof(stream->marks[0]));
}

/*
 * Return: whether records may be delivered; up to @limit, or all of them when the
 * last buffer that came has waited long enough.
 */
static bool next_limit(struct consume_stream *stream, bool all, uint64_t *limit, bool *limited)
{
	bool late = stream->waiting >= MOST_WAITING;

	*limited = false;
	if (all || !stream->nr_marks)
		return true;
	if (!stream->drained && !late)
		return false;
	*limited = true;
	if (stream->has_flushed) {
		stream->has_flushed = false;
		*limit = stream->flushed;
		return true;
	}
	if (!late && stream->marks[0].ms + stream->linger_ms > stream->asked_ms)
		return false;
	*limit = stream->marks[0].time;
	take_mark(stream);
	*limited = stream->nr_marks;
	return true;
}

static void deliver_queued(struct consume_run *run, struct consumer *consumer, bool all)
{
	uint64_t limit = 0;
	bool limited;

	while (run->live && !run->result &&
	       next_limit(consumer->stream, all, &limit, &limited)) {
		while (run->live && !run->result) {
			if (limited && (int64_t)(consume_top(run)->clock - limit) > 0)
				break;
			consume_deliver(run, consume_top(run), false);
			consume_advance(run);
		}
	}
}

/* With one end closed the other hangs up, and poll() would not wait. */
static int wake_of(const struct consumer *consumer)
{
	return descriptor_is(consumer->wake[0], &consumer->wake_is) &&
	       descriptor_is(consumer->wake[1], &consumer->wake_is) ? consumer->wake[0] : -1;
}

/* Until there is something to read, or to deliver, or CloseTrace is called */
static void wait_for_more(struct consumer *consumer)
{
	struct consume_stream *stream = consumer->stream;
	struct pollfd fds[2] = {
		{ .fd = consumer->fd, .events = POLLIN },
		{ .fd = wake_of(consumer) },
	};
	int64_t left = LOOK_MS;

	if (stream->nr_marks) {
		left = stream->marks[0].ms + stream->linger_ms - now_ms();
		left = left < 0 ? 0 : left < LOOK_MS ? left : LOOK_MS;
	}
	/* that may be why there is nothing to wake us */
	if (atomic_load(&consumer->closing))
		return;
	poll(fds, 2, left);
}

static void pump(struct consume_run *run, struct consumer *consumer)
{
	struct consume_stream *stream = consumer->stream;
	bool closing;

	do {
		closing = atomic_load(&consumer->closing);
		if (!closing)
			read_buffers(run, consumer);
		deliver_queued(run, consumer, stream->ended || closing);
		if (stream->ended || closing || run->result)
			return;
		wait_for_more(consumer);
	} while (true);
}

void consume_stream(struct consume_run *run, struct consumer *consumer)
{
	struct consume_stream *stream = calloc(1, sizeof(*stream));
	unsigned int period = consumer->session ? consume_flush_period(consumer->session) : 0;

	if (!stream) {
		run->result = ERROR_NOT_ENOUGH_MEMORY;
		return;
	}
	if (!period)
		period = DEFAULT_PERIOD_MS;
	stream->linger_ms = LINGER_MS + (period < MOST_PERIOD_MS ? period : MOST_PERIOD_MS);
	consumer->stream = stream;
	pump(run, consumer);
	run->damaged |= stream->corrupt;
	if (stream->lost && !run->result)
		consume_lost(run, consumer);
}

/* What was read of a stream can't be read again: the next time begins anew. */
void consume_stream_end(struct consumer *consumer)
{
	struct consume_stream *stream = consumer->stream;

	if (!stream)
		return;
	consumer->stream = NULL;
	free(stream->partial);
	free(stream);
	consume_detach(consumer);
}
