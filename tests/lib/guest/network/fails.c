// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Connections that fail. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "network.h"

static void fails(int fd, const struct sockaddr_storage *to, socklen_t size, int err)
{
	if (!connect(fd, (const struct sockaddr *)to, size) || errno != err)
		die("a connection that must fail by %s", strerror(err));
	close(fd);
}

void refused(enum family family)
{
	struct sockaddr_storage to;
	socklen_t size = address(family, 0, 9, &to);

	fails(open_socket(family, SOCK_STREAM), &to, size, ECONNREFUSED);
	printf("fail %d 5 2\n", family == V6 ? 6 : 4);
}

/* To an address that no stream goes to */
void no_way(enum family family)
{
	struct sockaddr_storage to;
	socklen_t size = address(family, 0, 9, &to);

	if (family == V4)
		inet_pton(AF_INET, "224.0.0.1", &((struct sockaddr_in *)&to)->sin_addr);
	else
		inet_pton(AF_INET6, family == V6 ? "ff02::1" : "::ffff:224.0.0.1",
			  &((struct sockaddr_in6 *)&to)->sin6_addr);
	fails(open_socket(family, SOCK_STREAM), &to, size, ENETUNREACH);
	printf("fail %d 4 0\n", family == V6 ? 6 : 4);
}

/* Twice from one port to one place */
void no_port(enum family family, int port)
{
	int listener = open_server(family, SOCK_STREAM, port), one = 1, fd[2], i;
	const struct linger at_once = { .l_onoff = 1 };
	struct sockaddr_storage to, from;
	socklen_t size = address(family, 1, port + 10, &from);

	address(family, 0, port, &to);
	for (i = 0; i < 2; i++) {
		fd[i] = open_socket(family, SOCK_STREAM);
		setsockopt(fd[i], SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		/* nothing of it waits */
		setsockopt(fd[i], SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
		if (bind(fd[i], (struct sockaddr *)&from, size))
			die("bind");
		if (!i && connect(fd[i], (struct sockaddr *)&to, size))
			die("connect");
	}
	tell_info(fd[0], family, port);
	fails(fd[1], &to, size, EADDRNOTAVAIL);
	printf("fail %d 4 1\n", family == V6 ? 6 : 4);
	close(accept(listener, NULL, NULL));
	close(fd[0]);
	close(listener);
}
