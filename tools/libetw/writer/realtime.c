// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * etw-writer: consumers that get a session's buffers in real time, beside the file. Each one has a
 * queue with a limit. A buffer that does not fit is lost for this consumer only.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "libetw/writer_protocol.h"
#include "realtime.h"

/* How long a consumer may read nothing once the session has ended */
#define PATIENCE_MS	60000

void realtime_init(struct realtime *realtime)
{
	unsigned int i;

	memset(realtime, 0, sizeof(*realtime));
	for (i = 0; i < LISTENERS; i++)
		realtime->listeners[i] = -1;
	for (i = 0; i < MAX_CONSUMERS; i++)
		realtime->consumers[i].fd = -1;
}

/* Return: 0 or an errno */
static int listen_at(uint32_t id, uint64_t started, int *listener)
{
	struct sockaddr_un address;
	socklen_t length = writer_stream_address(&address, id, started);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), err;

	if (fd < 0)
		return errno;
	if (bind(fd, (struct sockaddr *)&address, length) || listen(fd, MAX_CONSUMERS)) {
		err = errno;
		close(fd);
		return err;
	}
	*listener = fd;
	return 0;
}

int realtime_begin(struct realtime *realtime, int stream,
		   const struct wmi_logger_information *info)
{
	uint32_t id = info->wnode.historical_context & UINT16_MAX;

	realtime->stream = stream;
	realtime->size = info->buffer_size * 1024;
	realtime->header = shared_new(realtime->size);
	realtime->pending = shared_new(realtime->size);
	if (!realtime->header || !realtime->pending)
		return ENOMEM;
	/* any program may have taken this address: consumers without the right to query miss it */
	listen_at(id, 0, &realtime->listeners[1]);
	return listen_at(id, info->wnode.time_stamp, &realtime->listeners[0]);
}

static struct rt_consumer *free_place(struct realtime *realtime)
{
	unsigned int i;

	for (i = 0; i < MAX_CONSUMERS; i++)
		if (realtime->consumers[i].fd < 0)
			return &realtime->consumers[i];
	return NULL;
}

/* The answer is an errno; the stream follows a 0. */
static void add_consumer(struct realtime *realtime, int fd)
{
	struct rt_consumer *consumer = free_place(realtime);
	uint32_t answer = consumer ? 0 : ENOSPC;

	if (!realtime_may_read(fd, realtime->stream))
		answer = EACCES;
	if (send(fd, &answer, sizeof(answer), MSG_NOSIGNAL) != sizeof(answer) || answer) {
		close(fd);
		return;
	}
	consumer_init(consumer, fd);
	if (realtime->begun)
		consumer_push(consumer, realtime->header);
	consumer_send(consumer);
}

/* So many at a time that programs that connect again and again do not hold up the file */
static void accept_consumers(struct realtime *realtime, int listener)
{
	unsigned int i;
	int fd;

	for (i = 0; i < MAX_CONSUMERS; i++) {
		fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0)
			return;
		add_consumer(realtime, fd);
	}
}

void realtime_poll(const struct realtime *realtime, struct pollfd *fds)
{
	const struct rt_consumer *consumer = realtime->consumers;
	unsigned int i;

	for (i = 0; i < LISTENERS; i++)
		*fds++ = (struct pollfd){ .fd = realtime->listeners[i], .events = POLLIN };
	for (i = 0; i < MAX_CONSUMERS; i++, consumer++)
		*fds++ = (struct pollfd){
			.fd = consumer->fd, .events = consumer->count ? POLLOUT : 0,
		};
}

/* poll() reports a consumer that has ended without being asked to. */
static void serve_consumer(struct rt_consumer *consumer, short events)
{
	if (events & (POLLHUP | POLLERR))
		consumer_drop(consumer);
	else if (events)
		consumer_send(consumer);
}

void realtime_serve(struct realtime *realtime, const struct pollfd *fds)
{
	unsigned int i;

	for (i = 0; i < MAX_CONSUMERS; i++)
		serve_consumer(&realtime->consumers[i], fds[LISTENERS + i].revents);
	for (i = 0; i < LISTENERS; i++)
		if (fds[i].revents)
			accept_consumers(realtime, realtime->listeners[i]);
}

/* The last buffer of a stream has the session's losses: there is always room for it. */
static bool is_last(const struct shared *buffer)
{
	struct wmi_buffer_header header;

	memcpy(&header, buffer->bytes, sizeof(header));
	return header.buffer_flag & ETW_BUFFER_FLAG_FLUSH_MARKER;
}

static bool is_wanted(const struct realtime *realtime)
{
	unsigned int i;

	for (i = 0; i < MAX_CONSUMERS; i++)
		if (realtime->consumers[i].fd >= 0 &&
		    consumer_has_room(&realtime->consumers[i], realtime->size))
			return true;
	return false;
}

/*
 * A buffer that cannot be replaced by another one, for lack of memory, is lost for all. Nothing
 * comes behind the last one.
 */
static void hand_on(struct realtime *realtime)
{
	struct shared *buffer = realtime->pending;
	bool last = is_last(buffer);
	struct shared *next = !last && is_wanted(realtime) ? shared_new(realtime->size) : NULL;
	struct rt_consumer *consumer = realtime->consumers;
	unsigned int i;

	for (i = 0; i < MAX_CONSUMERS; i++, consumer++) {
		if (consumer->fd < 0)
			continue;
		if (last || (next && consumer_has_room(consumer, buffer->size))) {
			consumer_push(consumer, buffer);
			consumer_send(consumer);
		} else {
			consumer_lose(consumer, buffer);
			realtime->lost++;
		}
	}
	if (next) {
		shared_put(buffer);
		realtime->pending = next;
	}
}

static void begin_stream(struct realtime *realtime)
{
	unsigned int i;

	memcpy(realtime->header->bytes, realtime->pending->bytes, realtime->size);
	realtime->begun = true;
	for (i = 0; i < MAX_CONSUMERS; i++)
		if (realtime->consumers[i].fd >= 0)
			consumer_push(&realtime->consumers[i], realtime->header);
}

void realtime_put(struct realtime *realtime, const uint8_t *bytes, size_t count)
{
	uint32_t part;

	while (realtime->header && count) {
		part = realtime->size - realtime->filled;
		part = count < part ? count : part;
		memcpy(realtime->pending->bytes + realtime->filled, bytes, part);
		realtime->filled += part;
		bytes += part;
		count -= part;
		if (realtime->filled < realtime->size)
			continue;
		realtime->filled = 0;
		if (realtime->begun)
			hand_on(realtime);
		else
			begin_stream(realtime);
	}
}

void realtime_close(struct realtime *realtime)
{
	unsigned int i;

	for (i = 0; i < LISTENERS; i++) {
		if (realtime->listeners[i] >= 0)
			close(realtime->listeners[i]);
		realtime->listeners[i] = -1;
	}
}

/* Return: whether a consumer has something to read */
static bool end_those_with_all(struct realtime *realtime)
{
	struct rt_consumer *consumer = realtime->consumers;
	bool waits = false;
	unsigned int i;

	for (i = 0; i < MAX_CONSUMERS; i++, consumer++) {
		if (consumer->fd >= 0 && !consumer->count)
			consumer_drop(consumer);
		waits |= consumer->fd >= 0;
	}
	return waits;
}

void realtime_drain(struct realtime *realtime, int signals)
{
	struct pollfd fds[1 + REALTIME_POLLS];
	unsigned int i;

	for (i = 0; i < MAX_CONSUMERS; i++)
		if (realtime->consumers[i].fd >= 0)
			consumer_end(&realtime->consumers[i]);
	while (end_those_with_all(realtime)) {
		fds[0] = (struct pollfd){ .fd = signals, .events = POLLIN };
		realtime_poll(realtime, fds + 1);
		if (poll(fds, 1 + REALTIME_POLLS, PATIENCE_MS) <= 0 || fds[0].revents)
			return;
		realtime_serve(realtime, fds + 1);
	}
}
