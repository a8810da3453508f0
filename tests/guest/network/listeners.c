// SPDX-License-Identifier: GPL-2.0
/* Listeners that have no port of their own, or never begin. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
#include "network.h"

/* More than the module's table of sockets has places */
#define PLACES	33000

/* Wait for connections on a port that nobody listens on; another one each time */
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

/* Listen without bind(): the kernel gives a port. Nobody waits before there is a connection. */
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
