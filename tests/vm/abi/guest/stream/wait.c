// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Tests of a session's stream: poll(), and read() that waits or does not. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <time.h>
#include "stream.h"

static int polled(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (poll(&p, 1, ms) < 0)
		die("poll");
	return p.revents;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void *flush_later(void *arg)
{
	usleep(300000);
	flush(*(__u32 *)arg);
	return NULL;
}

static void *stop_later(void *arg)
{
	usleep(300000);
	stop(*(__u32 *)arg, 0);
	return NULL;
}

/* Buffers so large that nothing fills them while this runs */
void test_poll(void)
{
	static char data[1024 * KB];
	__u32 id = start(1024, 16);
	int fd = open_node(id, O_NONBLOCK);
	struct wmi_buffer_header *header = (void *)data;
	pthread_t thread;
	double begin;
	ssize_t n;

	result(polled(fd, 0) == POLLIN, "poll(): the header is there at once");
	n = read(fd, data, sizeof(data));
	result(n == sizeof(data) && header->buffer_type == ETW_BUFFER_TYPE_HEADER,
	       "read() of the header buffer");
	result(read(fd, data, 1) < 0 && errno == EAGAIN, "O_NONBLOCK with nothing there: EAGAIN");
	result(polled(fd, 0) == 0, "poll(): nothing is there");

	switches(10);
	result(polled(fd, 0) == 0, "poll(): a buffer that isn't full isn't there");
	result(!flush(id), "FLUSH");
	result(polled(fd, 0) == POLLIN, "poll(): there at once after FLUSH");
	n = read(fd, data, 100);
	result(n == 100, "read() of a part");
	result(polled(fd, 0) == POLLIN, "poll(): the rest of a buffer is there");
	do
		n = read(fd, data, sizeof(data));
	while (n > 0);
	result(n < 0 && errno == EAGAIN, "O_NONBLOCK after the last flushed buffer: EAGAIN");

	begin = now();
	pthread_create(&thread, NULL, flush_later, &id);
	result(polled(fd, 20000) == POLLIN && now() - begin > 0.2, "poll() waits for FLUSH");
	pthread_join(thread, NULL);
	fcntl(fd, F_SETFL, 0);
	while (polled(fd, 0) & POLLIN)
		if (read(fd, data, sizeof(data)) <= 0)
			break;
	begin = now();
	pthread_create(&thread, NULL, flush_later, &id);
	n = read(fd, data, 100);
	result(n == 100 && now() - begin > 0.2, "read() waits for FLUSH");
	pthread_join(thread, NULL);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (read(fd, data, sizeof(data)) > 0)
		;
	fcntl(fd, F_SETFL, 0);

	/* what is left when it stops comes before the end of file */
	pthread_create(&thread, NULL, stop_later, &id);
	result(polled(fd, 20000) & POLLIN, "poll() wakes up for STOP");
	pthread_join(thread, NULL);
	result(polled(fd, 0) == (POLLIN | POLLHUP), "poll(): POLLHUP once it has stopped");
	n = take(fd, data, sizeof(data), sizeof(data));
	result(n == sizeof(data), "the last buffers come after STOP");
	while (read(fd, data, sizeof(data)) > 0)
		;
	result(read(fd, data, 1) == 0, "end of file after STOP");
	result((polled(fd, 0) & (POLLIN | POLLHUP)) == (POLLIN | POLLHUP),
	       "poll(): POLLIN and POLLHUP at the end of file");
	close(fd);
	result(!loggers(), "the session is gone when it was read");
}
