// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Loads with many events: messages between processes, process creation, network requests. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage[] =
	"rush messages GROUPS ROUNDS   as hackbench: in each group 20 processes send 100 bytes to\n"
	"                              each of 20 others, ROUNDS times\n"
	"rush forks PARENTS CHILDREN   each parent forks a child, which exits, and waits for it\n"
	"rush requests CLIENTS ROUNDS  as redis-benchmark: each client sends a request over TCP to\n"
	"                              one server and waits for the answer\n";

#define PEERS	20
#define BYTES	100

static void die(const char *what)
{
	fprintf(stderr, "rush: %s: %s\n", what, strerror(errno));
	_exit(1);
}

/* All of @bytes, which a stream may give in parts. */
static void receive(int fd, char *to, size_t bytes)
{
	ssize_t n;

	for (; bytes; bytes -= n, to += n) {
		n = read(fd, to, bytes);
		if (n <= 0)
			die("read");
	}
}

static void transmit(int fd, const char *from, size_t bytes)
{
	if (write(fd, from, bytes) != (ssize_t)bytes)
		die("write");
}

/* Return: true in the child */
static bool child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	return !pid;
}

static int await_children(void)
{
	int status, failed = 0;

	while (wait(&status) > 0)
		failed |= status;
	return failed ? 1 : 0;
}

static void send_messages(const int *out, int rounds)
{
	char message[BYTES] = "";
	int i, peer;

	for (i = 0; i < rounds; i++)
		for (peer = 0; peer < PEERS; peer++)
			transmit(out[peer], message, sizeof(message));
}

static void receive_messages(int in, int rounds)
{
	char message[BYTES];
	int i;

	for (i = 0; i < rounds * PEERS; i++)
		receive(in, message, sizeof(message));
}

static void start_group(int rounds)
{
	int peer, pair[2], in[PEERS], out[PEERS];

	for (peer = 0; peer < PEERS; peer++) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
			die("socketpair");
		in[peer] = pair[0];
		out[peer] = pair[1];
	}
	for (peer = 0; peer < PEERS; peer++) {
		if (child()) {
			receive_messages(in[peer], rounds);
			_exit(0);
		}
		if (child()) {
			send_messages(out, rounds);
			_exit(0);
		}
	}
	for (peer = 0; peer < PEERS; peer++) {
		close(in[peer]);
		close(out[peer]);
	}
}

static int messages(int groups, int rounds)
{
	while (groups--)
		start_group(rounds);
	return await_children();
}

static int forks(int parents, int children)
{
	while (parents--) {
		if (!child())
			continue;
		while (children--) {
			if (child())
				_exit(0);
			wait(NULL);
		}
		_exit(0);
	}
	return await_children();
}

static int listen_here(struct sockaddr_in *address)
{
	socklen_t size = sizeof(*address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address->sin_family = AF_INET;
	address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)address, size) || listen(fd, 1024) ||
	    getsockname(fd, (struct sockaddr *)address, &size))
		die("listen");
	return fd;
}

/* One thread answers all clients, until the last one has gone. */
static void serve(int listener, int clients)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = listener }, events[64];
	int poller = epoll_create1(0), connected = 0, gone = 0, i, n;
	char request[BYTES];

	if (epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event))
		die("epoll_ctl");
	while (gone < clients) {
		n = epoll_wait(poller, events, 64, -1);
		for (i = 0; i < n; i++) {
			event.data.fd = events[i].data.fd;
			if (event.data.fd == listener) {
				event.data.fd = accept(listener, NULL, NULL);
				if (epoll_ctl(poller, EPOLL_CTL_ADD, event.data.fd, &event))
					die("epoll_ctl");
				connected++;
			} else if (read(event.data.fd, request, BYTES) == BYTES) {
				transmit(event.data.fd, request, BYTES);
			} else {
				close(event.data.fd);
				gone++;
			}
		}
	}
}

static void ask(const struct sockaddr_in *address, int rounds)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
	char request[BYTES] = "";

	if (fd < 0 || connect(fd, (const struct sockaddr *)address, sizeof(*address)) ||
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)))
		die("connect");
	while (rounds--) {
		transmit(fd, request, BYTES);
		receive(fd, request, BYTES);
	}
}

static int requests(int clients, int rounds)
{
	struct sockaddr_in address = { };
	int listener = listen_here(&address), i;

	if (child()) {
		serve(listener, clients);
		_exit(0);
	}
	close(listener);
	for (i = 0; i < clients; i++) {
		if (child()) {
			ask(&address, rounds);
			_exit(0);
		}
	}
	return await_children();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int processes, int rounds);
	} loads[] = { { "messages", messages }, { "forks", forks }, { "requests", requests } };
	size_t i;

	for (i = 0; argc == 4 && i < sizeof(loads) / sizeof(loads[0]); i++)
		if (!strcmp(argv[1], loads[i].name))
			return loads[i].run(atoi(argv[2]), atoi(argv[3]));
	fputs(usage, stderr);
	return 2;
}
