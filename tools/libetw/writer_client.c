// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The other side of a session's writer: for controllers what is in the file, and how the file has
 * ended; for consumers the stream.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
#include "writer_protocol.h"

/* How long a writer may be too busy to accept or to answer a consumer, or a query */
#define PATIENCE_MS	10000

/* Any program may have taken the address; only root's and the user's own are believed. */
static bool is_trusted(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) &&
	       (!peer.uid || peer.uid == geteuid());
}

/*
 * A listener with a full backlog makes connect() wait. Return: 0 or an errno; EAGAIN: the listener
 * accepts nothing
 */
static int connect_to(int fd, const struct sockaddr_un *address, socklen_t length)
{
	struct timeval patience = { .tv_sec = PATIENCE_MS / 1000 };
	int err;

	if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)))
		return errno;
	do {
		err = connect(fd, (const struct sockaddr *)address, length) ? errno : 0;
	} while (err == EINTR);
	/* a request may take as long as it takes */
	patience.tv_sec = 0;
	if (!err && setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)))
		err = errno;
	return err;
}

int writer_connect(uint32_t id, const struct block *block)
{
	struct sockaddr_un address;
	socklen_t length = writer_address(&address, id, block->info.wnode.time_stamp);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	fd = descriptor_raise(fd);
	if (!connect_to(fd, &address, length) && is_trusted(fd))
		return fd;
	close(fd);
	return -1;
}

static bool send_request(int writer, uint64_t bytes, const char *path)
{
	struct writer_request request = { .bytes = bytes };

	snprintf(request.path, sizeof(request.path), "%s", path);
	return send(writer, &request, sizeof(request), MSG_NOSIGNAL) == sizeof(request);
}

bool writer_request(int writer, uint64_t bytes)
{
	return send_request(writer, bytes, "");
}

bool writer_has_failed(int writer)
{
	struct pollfd fd = { .fd = writer, .events = POLLIN };

	return writer >= 0 && poll(&fd, 1, 0) > 0;
}

/* Return: false: the writer has ended */
static bool read_reply(int writer, struct writer_reply *reply)
{
	ssize_t n;

	do {
		n = recv(writer, reply, sizeof(*reply), 0);
	} while (n < 0 && errno == EINTR);
	return n == sizeof(*reply);
}

static ULONG request(int writer, uint64_t bytes, const char *path)
{
	struct writer_reply *reply = malloc(sizeof(*reply));
	ULONG error = ERROR_NOT_ENOUGH_MEMORY;

	if (reply) {
		send_request(writer, bytes, path);
		error = read_reply(writer, reply) ? reply->error : ERROR_PROCESS_ABORTED;
	}
	/* the session has ended before that */
	if (!error && bytes == WRITER_SWITCH && reply->ended)
		error = ERROR_WMI_INSTANCE_NOT_FOUND;
	free(reply);
	return error;
}

ULONG writer_wait_written(int writer, uint64_t bytes)
{
	return request(writer, bytes, "");
}

ULONG writer_change_file(int writer, const char *path)
{
	return request(writer, WRITER_SWITCH, path);
}

/* Return: false: the writer is held */
static bool is_readable(int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	int n;

	do {
		n = poll(&pollfd, 1, PATIENCE_MS);
	} while (n < 0 && errno == EINTR);
	return n > 0;
}

/* Return: a socket, or -errno */
static int connect_stream(uint32_t id, uint64_t started)
{
	struct sockaddr_un address;
	socklen_t length = writer_stream_address(&address, id, started);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	fd = descriptor_raise(fd);
	err = connect_to(fd, &address, length);
	if (err == EAGAIN)
		err = EBUSY;
	if (!err && !is_trusted(fd))
		err = ECONNREFUSED;
	if (!err)
		return fd;
	close(fd);
	return -err;
}

/* A writer that ends without an answer has had a session that has ended. Return: 0 or -errno */
static int read_stream_answer(int fd)
{
	uint32_t answer;

	if (!is_readable(fd))
		return -EBUSY;
	if (recv(fd, &answer, sizeof(answer), MSG_DONTWAIT) == sizeof(answer))
		return -(int)answer;
	return -ENOENT;
}

int writer_open_stream(uint32_t id, const struct block *block)
{
	int fd = connect_stream(id, block ? block->info.wnode.time_stamp : 0), err;

	if (fd < 0)
		return fd;
	err = read_stream_answer(fd);
	if (!err && fcntl(fd, F_SETFL, O_NONBLOCK))
		err = -errno;
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* That the file has failed may be reported first. */
static bool read_count(int writer, struct writer_reply *reply)
{
	bool got;

	do {
		got = is_readable(writer) && read_reply(writer, reply);
	} while (got && reply->error);
	return got;
}

void writer_add_counts(uint32_t id, struct block *block)
{
	struct writer_reply *reply;
	int writer = -1;

	if ((block->info.log_file_mode & EVENT_TRACE_REAL_TIME_MODE) &&
	    block->info.log_file_name.length)
		writer = writer_connect(id, block);
	if (writer < 0)
		return;
	reply = malloc(sizeof(*reply));
	if (reply && writer_request(writer, WRITER_COUNT) && read_count(writer, reply))
		block->info.real_time_buffers_lost = reply->last.info.real_time_buffers_lost;
	free(reply);
	close(writer);
}

ULONG writer_wait_end(int writer, struct block *block)
{
	struct writer_reply *reply = malloc(sizeof(*reply));
	ULONG error = ERROR_NOT_ENOUGH_MEMORY;
	bool got;

	if (!reply)
		return error;
	do {
		got = read_reply(writer, reply);
	} while (got && !reply->ended);
	error = got ? reply->error : ERROR_PROCESS_ABORTED;
	if (got && reply->last.size)
		*block = reply->last;
	free(reply);
	return error;
}
