// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Listeners that have no port of their own, share one, or never begin. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "network.h"

/* More than the module's table of sockets has places: WAYS << BUCKET_BITS of socket_table.c */
#define PLACES	33000

/* Wait for connections on a port without a listener; another one each time */
void never_begin(void)
{
	struct sockaddr_storage at;
	socklen_t size;
	int i, fd;

	for (i = 0; i < PLACES; i++) {
		size = address(V4, 1, port(100) + i, &at);
		fd = open_socket(V4, SOCK_STREAM);
		/* one that a client has */
		if (bind(fd, (struct sockaddr *)&at, size) && errno != EADDRINUSE)
			die("bind");
		if (accept(fd, NULL, NULL) != -1 || errno != EINVAL)
			die("accept without listen");
		close(fd);
	}
}

static int port_of(int fd)
{
	struct sockaddr_storage at;
	socklen_t size = sizeof(at);

	if (getsockname(fd, (struct sockaddr *)&at, &size))
		die("getsockname");
	return ntohs(((struct sockaddr_in *)&at)->sin_port);
}

/* Listen without bind(): the kernel gives a port. No thread waits before there is a connection. */
void listen_anywhere(enum family family)
{
	int listener = open_socket(family, SOCK_STREAM), fd = open_socket(family, SOCK_STREAM);
	struct sockaddr_storage to;
	socklen_t size;

	if (listen(listener, 1))
		die("listen");
	size = address(family, 0, port_of(listener), &to);
	if (connect(fd, (struct sockaddr *)&to, size))
		die("connect");
	printf("server %d %d\n", family == V6 ? 6 : 4, port_of(listener));
	tell_info(fd, family, port_of(listener));
	close(accept(listener, NULL, NULL));
	close(fd);
	close(listener);
}

static int open_sharer(enum family family, int everywhere, int port)
{
	int fd = open_socket(family, SOCK_STREAM), one = 1;
	struct sockaddr_storage at;
	socklen_t size = address(family, everywhere, port, &at);

	setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&at, size) || listen(fd, 1))
		die("port %d", port);
	return fd;
}

/* The accepting side of a connection receives its data */
static void use(int listener, enum family family, int port)
{
	int fd = open_socket(family, SOCK_STREAM), version = family == V6 ? 6 : 4, end;
	struct sockaddr_storage to;
	socklen_t size = address(family, 0, port, &to);
	char data[16] = "";

	if (connect(fd, (struct sockaddr *)&to, size))
		die("connect to %d", port);
	tell_info(fd, family, port);
	end = accept(listener, NULL, NULL);
	if (write(fd, data, sizeof(data)) != sizeof(data) ||
	    read(end, data, sizeof(data)) != sizeof(data))
		die("data");
	printf("bytes tcp %d %d sent %zu\n", version, getpid(), sizeof(data));
	printf("bytes tcp %d %d received %zu\n", version, getpid(), sizeof(data));
	close(fd);
	close(end);
}

/* On one port, this process at one address; then another one at all: it has none of these. */
void share_port(enum family family, int port)
{
	int listener = open_sharer(family, 0, port), begun[2];
	char byte = 0;
	pid_t other;

	if (pipe(begun))
		die("pipe");
	other = fork();
	if (!other) {
		open_sharer(family, 1, port);
		if (write(begun[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	if (read(begun[0], &byte, 1) != 1)
		die("the other one");
	use(listener, family, port);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	use(listener, family, port);
	close(begun[0]);
	close(begun[1]);
	close(listener);
}
