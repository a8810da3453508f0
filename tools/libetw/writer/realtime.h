/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw-writer: consumers that get a session's buffers in real time, beside the file. */
#ifndef ETW_WRITER_REALTIME_H
#define ETW_WRITER_REALTIME_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include "etw_abi.h"
#include "libetl/unwritten.h"

/* At one time; more are refused */
#define MAX_CONSUMERS	8
/* What a consumer may leave unread: so many bytes, but two buffers at least */
#define QUEUE_BYTES	(8u << 20)
/* Buffers of the smallest size, in any case */
#define QUEUE_BUFFERS	(QUEUE_BYTES / 4096)
/* Where consumers connect: with the right to query the session, and without it */
#define LISTENERS	2
#define REALTIME_POLLS	(LISTENERS + MAX_CONSUMERS)

/**
 * struct shared - a buffer that any number of consumers wait for
 * @references: the queues that hold it, and struct realtime
 * @size: of @bytes
 * @bytes: the buffer
 */
struct shared {
	unsigned int references;
	uint32_t size;
	_Alignas(16) uint8_t bytes[];
};

/**
 * struct rt_consumer - a program that gets the session's buffers
 * @fd: to it; -1: none
 * @queue: what it has not read, a ring
 * @first: the oldest one's place in @queue
 * @count: of them
 * @bytes: of them
 * @sent: bytes of the oldest one that it has got
 * @last: header of the buffer that was queued last
 * @lost: buffers since then that did not fit
 * @unread: the events in all that did not fit
 */
struct rt_consumer {
	int fd;
	struct shared *queue[QUEUE_BUFFERS];
	unsigned int first;
	unsigned int count;
	uint64_t bytes;
	uint32_t sent;
	struct wmi_buffer_header last;
	uint64_t lost;
	struct unwritten unread;
};

/**
 * struct realtime - the consumers of a session
 * @listeners: see LISTENERS; -1: none
 * @stream: the session's node: those that may read it may be consumers
 * @size: of a buffer
 * @header: the stream's first buffer, with which each consumer begins; NULL: not in real time
 * @begun: @header was read
 * @pending: the buffer that is being read
 * @filled: bytes of that buffer that were read
 * @lost: buffers that did not reach a consumer, of all of them
 * @consumers: those that are there
 */
struct realtime {
	int listeners[LISTENERS];
	int stream;
	uint32_t size;
	struct shared *header;
	bool begun;
	struct shared *pending;
	uint32_t filled;
	uint32_t lost;
	struct rt_consumer consumers[MAX_CONSUMERS];
};

/* realtime.c */
/* Before all else; there are no consumers before realtime_begin() */
void realtime_init(struct realtime *realtime);
/* @stream: will be read from its beginning. Return: 0 or an errno */
int realtime_begin(struct realtime *realtime, int stream,
		   const struct wmi_logger_information *info);
/* REALTIME_POLLS entries for poll(), which realtime_serve() gets back */
void realtime_poll(const struct realtime *realtime, struct pollfd *fds);
void realtime_serve(struct realtime *realtime, const struct pollfd *fds);
/* What was read of the stream, in any pieces. Never waits */
void realtime_put(struct realtime *realtime, const uint8_t *bytes, size_t count);
/* No more consumers: another session may have the id as soon as the stream is closed */
void realtime_close(struct realtime *realtime);
/* Until the consumers have read what was queued, or read no more, or a signal is in @signals */
void realtime_drain(struct realtime *realtime, int signals);

/* realtime_access.c: whether the program that connected may read @stream's node */
bool realtime_may_read(int connection, int stream);

/* realtime_queue.c */
struct shared *shared_new(uint32_t size);
void shared_put(struct shared *shared);
void consumer_init(struct rt_consumer *consumer, int fd);
void consumer_drop(struct rt_consumer *consumer);
/* Whether the queue takes one more buffer */
bool consumer_has_room(const struct rt_consumer *consumer, uint32_t size);
void consumer_push(struct rt_consumer *consumer, struct shared *buffer);
/* Instead of consumer_push() */
void consumer_lose(struct rt_consumer *consumer, const struct shared *buffer);
/* Nothing comes any more: the last losses */
void consumer_end(struct rt_consumer *consumer);
/* Sends what the consumer takes without waiting. Return: whether it took something */
bool consumer_send(struct rt_consumer *consumer);

#endif /* ETW_WRITER_REALTIME_H */
