// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Makes system calls with addresses of sockets, and prints each: call, address, -, error number. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>
#include "call_list.h"

#define TEXT	160

#define CALL(call, address, ...) say(#call, address, NULL, syscall(SYS_##call, __VA_ARGS__))

static int open_socket(int family, int type)
{
	int fd = socket(family, type, 0);

	if (fd < 0)
		exit(1);
	return fd;
}

static struct sockaddr_in local(unsigned int port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

/* The address that the socket has by now */
static struct sockaddr_in own_address(int fd, char text[TEXT])
{
	socklen_t size = sizeof(struct sockaddr_in);
	struct sockaddr_in address;

	if (getsockname(fd, (struct sockaddr *)&address, &size))
		exit(1);
	snprintf(text, TEXT, "127.0.0.1:%u", ntohs(address.sin_port));
	return address;
}

static void streams(void)
{
	int server = open_socket(AF_INET, SOCK_STREAM), fd = open_socket(AF_INET, SOCK_STREAM);
	int first = open_socket(AF_INET, SOCK_STREAM);
	char there[TEXT], here[TEXT];
	struct sockaddr_in address = local(0);
	socklen_t size = sizeof(address);

	CALL(bind, "127.0.0.1:0", server, &address, sizeof(address));
	address = own_address(server, there);
	CALL(getsockname, there, server, &address, &size);
	CALL(listen, NULL, server, 2);
	CALL(connect, there, fd, &address, sizeof(address));
	own_address(fd, here);
	CALL(accept4, here, server, &address, &size, 0);
	CALL(getpeername, there, fd, &address, &size);
	/* without room for an address, none is copied */
	if (connect(first, (struct sockaddr *)&address, sizeof(address)))
		exit(1);
	CALL(accept4, NULL, server, NULL, NULL, 0);
	CALL(sendto, NULL, fd, "x", 1, 0, NULL, 0);
	CALL(write, NULL, fd, "y", 1);
	/* no program listens at this port */
	address = local(1);
	CALL(connect, "127.0.0.1:1", open_socket(AF_INET, SOCK_STREAM), &address, sizeof(address));
	address.sin_family = AF_UNSPEC;
	CALL(connect, "family 0", fd, &address, sizeof(address));
	/* the kernel gets no address of these */
	CALL(connect, NULL, fd, (void *)8, sizeof(address));
	CALL(bind, NULL, -1, &address, sizeof(address));
	CALL(bind, NULL, fd, &address, 4096);
}

static void messages(void)
{
	int one = open_socket(AF_INET, SOCK_DGRAM), two = open_socket(AF_INET, SOCK_DGRAM);
	struct sockaddr_in address = local(0), peer;
	struct iovec part = { .iov_base = "text", .iov_len = 4 };
	struct msghdr message = {
		.msg_name = &peer, .msg_namelen = sizeof(peer), .msg_iov = &part, .msg_iovlen = 1,
	};
	struct mmsghdr some[2] = { { .msg_hdr = message }, { .msg_hdr = message } };
	char here[TEXT], there[TEXT], text[8];
	socklen_t size = sizeof(address);

	if (bind(one, (struct sockaddr *)&address, size) ||
	    bind(two, (struct sockaddr *)&address, size))
		exit(1);
	own_address(one, here);
	peer = own_address(two, there);
	CALL(sendto, there, one, "to", 2, 0, &peer, sizeof(peer));
	CALL(sendmsg, there, one, &message, 0);
	CALL(sendmmsg, there, one, some, 2, 0);
	CALL(recvfrom, here, two, text, sizeof(text), 0, &address, &size);
	part.iov_base = text;
	message.msg_name = &address;
	CALL(recvmsg, here, two, &message, 0);
	CALL(recvfrom, NULL, two, text, sizeof(text), 0, NULL, NULL);
	CALL(recvfrom, NULL, two, text, sizeof(text), MSG_DONTWAIT | MSG_PEEK, NULL, NULL);
}

static void unix_sockets(void)
{
	struct sockaddr_un file = { .sun_family = AF_UNIX, .sun_path = "/tmp/socket \xc3\xa4" };
	struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "\0of\0no file" };
	const socklen_t start = sizeof(file.sun_family);
	int server = open_socket(AF_UNIX, SOCK_STREAM);
	struct sockaddr_un longest = file, none = { };
	socklen_t size = sizeof(none);
	char text[TEXT] = "unix:";
	int fd;

	CALL(bind, "unix:/tmp/socket \xc3\xa4", server, &file, sizeof(file));
	CALL(listen, NULL, server, 1);
	fd = open_socket(AF_UNIX, SOCK_STREAM);
	CALL(connect, "unix:/tmp/socket \xc3\xa4", fd, &file, sizeof(file));
	/* the peer has no name */
	CALL(accept4, "unix:", server, &none, &size, 0);
	CALL(bind, "unix:@of\\x00no file", open_socket(AF_UNIX, SOCK_DGRAM), &name, start + 11);
	/* without a zero behind it */
	memset(longest.sun_path, 'p', sizeof(longest.sun_path));
	memset(text + strlen(text), 'p', sizeof(longest.sun_path));
	CALL(connect, text, open_socket(AF_UNIX, SOCK_STREAM), &longest, sizeof(longest));
	CALL(sendto, text, open_socket(AF_UNIX, SOCK_DGRAM), "x", 1, 0, &longest, sizeof(longest));
}

static void version_6(void)
{
	struct sockaddr_in6 address = {
		.sin6_family = AF_INET6, .sin6_port = htons(4660),
		.sin6_addr = IN6ADDR_LOOPBACK_INIT,
	};

	CALL(bind, "[::1]:4660", open_socket(AF_INET6, SOCK_DGRAM), &address, sizeof(address));
	inet_pton(AF_INET6, "fe80::12:0:ff", &address.sin6_addr);
	address.sin6_scope_id = 7;
	CALL(connect, "[fe80::12:0:ff%7]:4660", open_socket(AF_INET6, SOCK_DGRAM), &address,
	     sizeof(address));
}

/* socket_calls FILE: writes to FILE */
int main(int argc, char **argv)
{
	if (argc != 2 || open_list(argv[1]))
		return 1;
	streams();
	messages();
	unix_sockets();
	version_6();
	return fclose(out);
}
