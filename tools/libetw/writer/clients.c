// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw-writer: controllers that wait for flushed buffers, or for the end of the file. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "session_file.h"

int clients_listen(struct session_file *file)
{
	struct sockaddr_un address;
	socklen_t length = writer_address(&address, file->id, file->last.info.wnode.time_stamp);
	unsigned int i;

	for (i = 0; i < MAX_CLIENTS; i++)
		file->clients[i].fd = -1;
	file->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (file->listener < 0 || bind(file->listener, (struct sockaddr *)&address, length) ||
	    listen(file->listener, MAX_CLIENTS))
		return errno;
	return 0;
}

/* Any program may connect; only root and the session's user may control the session. */
static bool may_ask(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) &&
	       (!peer.uid || peer.uid == geteuid());
}

static void add_client(struct session_file *file, int fd)
{
	unsigned int i;

	for (i = 0; i < MAX_CLIENTS && file->clients[i].fd >= 0; i++)
		;
	if (i < MAX_CLIENTS && may_ask(fd))
		file->clients[i] = (struct client){ .fd = fd };
	else
		close(fd);
}

/* At most @most: programs that connect again and again do not hold up the file. */
static void accept_clients(struct session_file *file, unsigned int most)
{
	int fd;

	while (most--) {
		fd = accept4(file->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0)
			return;
		add_client(file, fd);
	}
}

unsigned int clients_poll(const struct session_file *file, struct pollfd *fds)
{
	unsigned int i;

	fds[0] = (struct pollfd){ .fd = file->listener, .events = POLLIN };
	for (i = 0; i < MAX_CLIENTS; i++)
		fds[1 + i] = (struct pollfd){ .fd = file->clients[i].fd, .events = POLLIN };
	return 1 + MAX_CLIENTS;
}

static void drop(struct client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	client->fd = -1;
}

/* A client that does not read has asked for nothing that a full socket would delay. */
static void reply_to(struct client *client, const struct writer_reply *reply)
{
	if (send(client->fd, reply, sizeof(*reply), MSG_NOSIGNAL) != sizeof(*reply))
		drop(client);
}

void client_answer(struct client *client, ULONG error)
{
	static struct writer_reply reply;

	reply.error = error;
	client->bytes = 0;
	if (client->fd >= 0)
		reply_to(client, &reply);
}

static void answer_count(struct session_file *file, struct client *client)
{
	static struct writer_reply reply;

	reply.last.info.real_time_buffers_lost = file->realtime.lost;
	client->bytes = 0;
	reply_to(client, &reply);
}

static void read_request(struct session_file *file, struct client *client)
{
	struct writer_request request;
	ssize_t n = recv(client->fd, &request, sizeof(request), 0);

	request.path[sizeof(request.path) - 1] = '\0';
	if (n == sizeof(request))
		client->bytes = request.bytes;
	if (n == sizeof(request) && request.bytes == WRITER_COUNT)
		answer_count(file, client);
	else if (n == sizeof(request) && request.bytes == WRITER_SWITCH && !client->failed)
		switch_request(file, client, request.path);
	else if (n != sizeof(request) && (n >= 0 || errno != EAGAIN))
		drop(client);
}

void clients_serve(struct session_file *file, const struct pollfd *fds)
{
	unsigned int i;

	for (i = 0; i < MAX_CLIENTS; i++)
		if (fds[1 + i].revents)
			read_request(file, &file->clients[i]);
	if (fds[0].revents)
		accept_clients(file, MAX_CLIENTS);
	clients_report(file);
}

static void report_to(struct session_file *file, struct client *client)
{
	if (client->fd < 0 || client->failed || client->bytes == WRITER_END)
		return;
	if (file->writer.error) {
		client->failed = true;
		client_answer(client, logfile_error(file->writer.error));
	} else if (client->bytes && client->bytes <= file->taken) {
		client_answer(client, ERROR_SUCCESS);
	}
}

void clients_report(struct session_file *file)
{
	unsigned int i;

	for (i = 0; i < MAX_CLIENTS; i++)
		report_to(file, &file->clients[i]);
}

void clients_end(struct session_file *file)
{
	static struct writer_reply reply;
	unsigned int i;

	/* the kernel's queue has one place more than listen() requested */
	accept_clients(file, MAX_CLIENTS + 1);
	close(file->listener);
	reply.error = file->error;
	reply.ended = true;
	reply.last = file->last;
	for (i = 0; i < MAX_CLIENTS; i++)
		if (file->clients[i].fd >= 0)
			reply_to(&file->clients[i], &reply);
	for (i = 0; i < MAX_CLIENTS; i++)
		drop(&file->clients[i]);
}
