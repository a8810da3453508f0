// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Sockets of the load: owners, destinations, what the load prints about them. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "network.h"

void die(const char *format, ...)
{
	int err = errno;
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(": %s\n", strerror(err));
	exit(1);
}

static const char *host(const char *variable, const char *otherwise)
{
	const char *given = getenv(variable);

	return given ? given : otherwise;
}

int port(int number)
{
	return atoi(host("NETWORK_PORTS", "7000")) + number;
}

/* The address of a family's server, as a client says it, or as the server does */
socklen_t address(enum family family, int server, int port, struct sockaddr_storage *to)
{
	struct sockaddr_in *in = (struct sockaddr_in *)to;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)to;
	char mapped[64];

	memset(to, 0, sizeof(*to));
	if (family == V4) {
		in->sin_family = AF_INET;
		in->sin_port = htons(port);
		if (!server)
			inet_pton(AF_INET, host("NETWORK_HOST4", "127.0.0.1"), &in->sin_addr);
		return sizeof(*in);
	}
	in6->sin6_family = AF_INET6;
	in6->sin6_port = htons(port);
	snprintf(mapped, sizeof(mapped), "::ffff:%s", host("NETWORK_HOST4", "127.0.0.1"));
	if (!server)
		inet_pton(AF_INET6, family == V6 ? host("NETWORK_HOST6", "::1") : mapped,
			  &in6->sin6_addr);
	return sizeof(*in6);
}

int open_socket(enum family family, int type)
{
	int fd = socket(family == V4 ? AF_INET : AF_INET6, type, 0);

	if (fd < 0)
		die("socket");
	return fd;
}

int open_server(enum family family, int type, int port)
{
	struct sockaddr_storage to;
	socklen_t size = address(family, 1, port, &to);
	int one = 1, fd = open_socket(family, type);

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&to, size) || (type == SOCK_STREAM && listen(fd, 64)))
		die("port %d", port);
	return fd;
}

/* With both ports: another server's client may get the same one */
void tell_info(int fd, enum family family, int server)
{
	struct sockaddr_storage from;
	socklen_t size = sizeof(from);
	struct tcp_info info;
	int port;

	getsockname(fd, (struct sockaddr *)&from, &size);
	port = ntohs(((struct sockaddr_in *)&from)->sin_port);
	size = sizeof(info);
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size))
		die("TCP_INFO");
	printf("info %d %d %d %u %u %u %u\n", family == V6 ? 6 : 4, port, server,
	       info.tcpi_snd_mss, info.tcpi_options & 7, info.tcpi_snd_wscale,
	       info.tcpi_rcv_wscale);
}
