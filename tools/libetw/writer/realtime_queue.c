// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw-writer: what a consumer has not read yet, and what did not fit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "realtime.h"

struct shared *shared_new(uint32_t size)
{
	struct shared *shared = malloc(sizeof(*shared) + size);

	if (!shared)
		return NULL;
	shared->references = 1;
	shared->size = size;
	return shared;
}

void shared_put(struct shared *shared)
{
	if (shared && !--shared->references)
		free(shared);
}

void consumer_init(struct rt_consumer *consumer, int fd)
{
	memset(consumer, 0, sizeof(*consumer));
	consumer->fd = fd;
}

static void pop(struct rt_consumer *consumer)
{
	struct shared *oldest = consumer->queue[consumer->first];

	consumer->first = (consumer->first + 1) % QUEUE_BUFFERS;
	consumer->count--;
	consumer->bytes -= oldest->size;
	consumer->sent = 0;
	shared_put(oldest);
}

void consumer_drop(struct rt_consumer *consumer)
{
	while (consumer->count)
		pop(consumer);
	unwritten_free(&consumer->unread);
	close(consumer->fd);
	consumer->fd = -1;
}

/* Leaves places for the last buffer of the stream, and a loss record before each of the two. */
bool consumer_has_room(const struct rt_consumer *consumer, uint32_t size)
{
	return consumer->count + 4 <= QUEUE_BUFFERS &&
	       (consumer->count < 2 || consumer->bytes + size <= QUEUE_BYTES);
}

static void put(struct rt_consumer *consumer, struct shared *buffer)
{
	consumer->queue[(consumer->first + consumer->count++) % QUEUE_BUFFERS] = buffer;
	consumer->bytes += buffer->size;
	memcpy(&consumer->last, buffer->bytes, sizeof(consumer->last));
}

/*
 * The loss records stand behind what the consumer got last, with the time of that: in front of
 * later buffers of its processor. Without memory they come before a later buffer.
 */
static void report_lost(struct rt_consumer *consumer)
{
	uint32_t size = unwritten_size(&consumer->unread);
	struct shared *buffer;

	/* only the session's records about itself: a buffer without a record would be invalid */
	if (size == sizeof(consumer->last)) {
		consumer->lost = 0;
		return;
	}
	buffer = shared_new(size);
	if (!buffer)
		return;
	consumer->last.buffer_size = size;
	memcpy(buffer->bytes, &consumer->last, sizeof(consumer->last));
	unwritten_report(&consumer->unread, buffer->bytes, size);
	unwritten_continue(&consumer->unread);
	put(consumer, buffer);
	consumer->lost = 0;
}

void consumer_push(struct rt_consumer *consumer, struct shared *buffer)
{
	if (consumer->lost)
		report_lost(consumer);
	buffer->references++;
	put(consumer, buffer);
}

void consumer_lose(struct rt_consumer *consumer, const struct shared *buffer)
{
	consumer->lost++;
	unwritten_count(&consumer->unread, buffer->bytes, buffer->size);
	unwritten_count_losses(&consumer->unread, buffer->bytes, buffer->size);
}

void consumer_end(struct rt_consumer *consumer)
{
	if (consumer->lost)
		report_lost(consumer);
}

bool consumer_send(struct rt_consumer *consumer)
{
	bool sent = false;
	struct shared *oldest;
	ssize_t n;

	while (consumer->fd >= 0 && consumer->count) {
		oldest = consumer->queue[consumer->first];
		n = send(consumer->fd, oldest->bytes + consumer->sent,
			 oldest->size - consumer->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n < 0) {
			consumer_drop(consumer);
			break;
		}
		sent = true;
		consumer->sent += n;
		if (consumer->sent == oldest->size)
			pop(consumer);
	}
	return sent;
}
