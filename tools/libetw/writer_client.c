// SPDX-License-Identifier: GPL-2.0
/* The controllers' side of a session's writer: what is in the file, and how the file has ended. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>
#include "writer_protocol.h"

/* Any program may have taken the address; only root's and the user's own are believed. */
static bool is_trusted(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) &&
	       (!peer.uid || peer.uid == geteuid());
}

static int connect_to(int fd, const struct sockaddr_un *address, socklen_t length)
{
	int err;

	do {
		err = connect(fd, (const struct sockaddr *)address, length) ? errno : 0;
	} while (err == EINTR);
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
