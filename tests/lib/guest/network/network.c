// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Speak over lo in every way that TCP and UDP know, and print what was sent. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "network.h"

static const char usage[] =
	"network early COMMAND...  make a connection, which COMMAND gets as 20 and 21\n"
	"network places            many listeners that never begin\n"
	"network run               the load; prints what it did, a line each (to NETWORK_HOST4,\n"
	"                          NETWORK_HOST6, ports from NETWORK_PORTS on):\n"
	"  bytes tcp|udp 4|6 PID sent|received BYTES   datagrams 4|6 PID sent|received N\n"
	"  info 4|6 PORT SERVER'S-PORT MSS OPTIONS SEND-SCALE RECEIVE-SCALE   of each client's end\n"
	"  fail 4|6 CODE SENT      of a connection; SENT: 2 a SYN, 1 it had a state, 0 neither\n"
	"  server 4|6 PORT         the kernel gave it\n"
	"                          With etw_carrier.ko a process carries packets of IPv6 sockets.\n";

#define ROUNDS	20
#define EARLY	20

static char data[1 << 18];
/* of this process: [udp][version 6][received] */
static unsigned long long bytes[2][2][2];
static unsigned long datagrams[2][2];

static int counted(long n, int udp, int family, int received)
{
	if (n < 0)
		die("%s over %d", received ? "receive" : "send", family);
	bytes[udp][family == V6][received] += n;
	if (udp)
		datagrams[family == V6][received]++;
	return n;
}

static void report(void)
{
	int udp, six, received;

	for (udp = 0; udp < 2; udp++)
		for (six = 0; six < 2; six++)
			for (received = 0; received < 2; received++)
				printf("bytes %s %d %d %s %llu\n", udp ? "udp" : "tcp",
				       six ? 6 : 4, getpid(), received ? "received" : "sent",
				       bytes[udp][six][received]);
	for (six = 0; six < 2; six++)
		for (received = 0; received < 2; received++)
			printf("datagrams %d %d %s %lu\n", six ? 6 : 4, getpid(),
			       received ? "received" : "sent", datagrams[six][received]);
	fflush(stdout);
}

static int open_client(enum family family, int port, int window)
{
	struct sockaddr_storage to;
	socklen_t size = address(family, 0, port, &to);
	int fd = open_socket(family, SOCK_STREAM);

	if (window)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &window, sizeof(window));
	if (connect(fd, (struct sockaddr *)&to, size))
		die("connect to %d", port);
	tell_info(fd, family, port);
	return fd;
}

/* A filter that lets nothing in: as if the packets were lost on their way */
static void lose_packets(int fd, int on)
{
	struct sock_filter none = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog program = { .len = 1, .filter = &none };

	if (setsockopt(fd, SOL_SOCKET, on ? SO_ATTACH_FILTER : SO_DETACH_FILTER, &program,
		       sizeof(program)))
		die("filter");
}

/* The other end of client(): what it sends until it says no more, by all ways to read */
static void serve(int fd, enum family family, int round)
{
	int pipes[2], null = open("/dev/null", O_WRONLY);
	long n = 1;

	if (pipe(pipes))
		die("pipe");
	while (n) {
		switch (round++ % 5) {
		case 0:
			recv(fd, data, 100, MSG_PEEK);
			n = counted(read(fd, data, 5000), 0, family, 1);
			break;
		case 1:
			n = counted(splice(fd, NULL, pipes[1], NULL, 8192, 0), 0, family, 1);
			if (n && splice(pipes[0], NULL, null, NULL, n, 0) != n)
				die("splice");
			break;
		case 2:
			n = counted(recv(fd, data, 9000, MSG_WAITALL), 0, family, 1);
			break;
		case 3:
			n = counted(recv(fd, NULL, 3000, MSG_TRUNC), 0, family, 1);
			break;
		default:
			recv(fd, data, sizeof(data), MSG_PEEK);
			n = counted(readv(fd, (struct iovec[]){ { data, 10 }, { data, 6000 } }, 2),
				    0, family, 1);
		}
	}
	close(pipes[0]);
	close(pipes[1]);
	close(null);
	counted(send(fd, data, 100 + round, MSG_NOSIGNAL), 0, family, 0);
}

static void client(enum family family, int port, int round)
{
	int fd = open_client(family, port, round % 3 ? 0 : 4096 << round % 7), pipes[2], i;
	int file = open("/w/session", O_RDONLY), one = 1, zero = 0;

	if (file < 0 || pipe(pipes))
		die("file");
	for (i = 0; i < 5; i++) {
		counted(write(fd, data, 1 + 997 * round), 0, family, 0);
		counted(sendfile(fd, file, NULL, 10000 + 100 * i), 0, family, 0);
		if (write(pipes[1], data, 3000 + i) != 3000 + i)
			die("pipe");
		counted(splice(pipes[0], NULL, fd, NULL, 3000 + i, 0), 0, family, 0);
		setsockopt(fd, IPPROTO_TCP, TCP_CORK, &one, sizeof(one));
		counted(send(fd, data, 77, MSG_MORE), 0, family, 0);
		setsockopt(fd, IPPROTO_TCP, TCP_CORK, &zero, sizeof(zero));
	}
	/* more than fits: a call that waits */
	counted(send(fd, data, sizeof(data), 0), 0, family, 0);
	shutdown(fd, SHUT_WR);
	while (counted(read(fd, data, 50), 0, family, 1))
		;
	close(fd);
	close(file);
	close(pipes[0]);
	close(pipes[1]);
}

/* What is sent while the server loses packets comes again. */
static void lossy_client(enum family family, int port)
{
	int fd = open_client(family, port, 0);

	usleep(100000);		/* the server has begun to lose */
	counted(send(fd, data, 1234, 0), 0, family, 0);
	shutdown(fd, SHUT_WR);
	while (counted(read(fd, data, 50), 0, family, 1))
		;
	close(fd);
}

static void serve_lossy(int listener, enum family family)
{
	int fd = accept(listener, NULL, NULL);

	lose_packets(fd, 1);
	usleep(900000);
	lose_packets(fd, 0);
	while (counted(read(fd, data, 500), 0, family, 1))
		;
	close(fd);
}

/* The first SYN is lost, the second one is not. */
static void reconnect(enum family family, int port)
{
	int listener = open_server(family, SOCK_STREAM, port);
	pid_t child;

	lose_packets(listener, 1);
	child = fork();
	if (!child) {
		close(open_client(family, port, 0));
		fflush(stdout);
		_exit(0);
	}
	usleep(500000);
	lose_packets(listener, 0);
	close(accept(listener, NULL, NULL));
	waitpid(child, NULL, 0);
	close(listener);
}

/* Looks with room for nothing, and a read of a datagram with and without; one of no bytes */
static void look(int fd, int server, enum family family)
{
	static const int sizes[] = { 100, 0, 100 };
	int i, round;

	for (round = 0; round < 3; round++) {
		counted(send(fd, data, sizes[round], 0), 1, family, 0);
		for (i = 0; i < 3; i++)
			if (recv(server, NULL, 0, MSG_PEEK))
				die("look");
		if (recv(server, round == 2 ? NULL : data, round == 2 ? 0 : 200, 0) < 0)
			die("read");
		counted(sizes[round], 1, family, 1);
	}
}

static void udp(enum family family, int port)
{
	int server = open_server(family, SOCK_DGRAM, port), fd = open_socket(family, SOCK_DGRAM);
	struct sockaddr_storage to;
	socklen_t size = address(family, 0, port, &to);
	int i;

	for (i = 0; i < ROUNDS; i++) {
		counted(sendto(fd, data, 10 + 1700 * i, 0, (struct sockaddr *)&to, size), 1, family,
			0);
		recv(server, data, 5, MSG_PEEK);
		counted(recv(server, data, 100, MSG_TRUNC), 1, family, 1);
	}
	if (connect(fd, (struct sockaddr *)&to, size))
		die("connect");
	for (i = 0; i < ROUNDS; i++) {
		/* one datagram of two calls; one of no bytes */
		if (send(fd, data, 300, MSG_MORE) != 300 || send(fd, data, i, 0) != i)
			die("cork");
		counted(300 + i, 1, family, 0);
		counted(read(server, data, sizeof(data)), 1, family, 1);
		counted(send(fd, data, 0, 0), 1, family, 0);
		counted(read(server, data, sizeof(data)), 1, family, 1);
	}
	look(fd, server, family);
	close(fd);
	close(server);
}

static void switch_option(const char *name, const char *value)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/sys/net/ipv4/%s", name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, 1) != 1)
		die("%s", path);
	close(fd);
}

static void all_clients(enum family family, int port)
{
	static const char *const option[] = { "tcp_sack", "tcp_timestamps", "tcp_window_scaling" };
	int i;

	for (i = 0; i < ROUNDS; i++) {
		if (i < 3)
			switch_option(option[i], "0");
		client(family, port, i);
		if (i < 3)
			switch_option(option[i], "1");
	}
	lossy_client(family, port);
}

/* A server of its own process for each family, clients in another one */
static void tcp(enum family family, int port)
{
	int listener = open_server(family, SOCK_STREAM, port), i, fd;
	pid_t child = fork();

	if (!child) {
		close(listener);
		memset(bytes, 0, sizeof(bytes));
		memset(datagrams, 0, sizeof(datagrams));
		all_clients(family, port);
		report();
		_exit(0);
	}
	for (i = 0; i < ROUNDS; i++) {
		fd = accept(listener, NULL, NULL);
		serve(fd, family, i);
		close(fd);
	}
	serve_lossy(listener, family);
	close(listener);
	waitpid(child, &i, 0);
	if (i)
		exit(1);
}

/* A connection that is older than the session: a look first, before anything is read */
static void use_early(void)
{
	counted(send(EARLY, data, 4321, 0), 0, V4, 0);
	recv(EARLY + 1, data, sizeof(data), MSG_PEEK);
	counted(recv(EARLY + 1, data, 4000, MSG_WAITALL), 0, V4, 1);
	counted(recv(EARLY + 1, data, 321, MSG_WAITALL), 0, V4, 1);
	close(EARLY);
	close(EARLY + 1);
}

static int early(char **command)
{
	int listener = open_server(V4, SOCK_STREAM, port(0)), fd = open_client(V4, port(0), 0);
	int other = accept(listener, NULL, NULL);

	close(listener);
	if (dup2(fd, EARLY) < 0 || dup2(other, EARLY + 1) < 0)
		die("dup2");
	close(fd);
	close(other);
	fflush(stdout);
	execvp(command[0], command);
	die("%s", command[0]);
}

int main(int argc, char **argv)
{
	enum family family;
	pid_t carrier = 0;

	if (argc > 2 && !strcmp(argv[1], "early"))
		return early(argv + 2);
	if (argc == 2 && !strcmp(argv[1], "places")) {
		never_begin();
		return 0;
	}
	if (argc != 2 || strcmp(argv[1], "run")) {
		fputs(usage, stderr);
		return 2;
	}
	/* no child has lines of ours to say again */
	setvbuf(stdout, NULL, _IOLBF, 0);
	use_early();
	for (family = V4; family < FAMILIES; family++) {
		if (family == V6)
			carrier = carry();
		tcp(family, port(1) + family);
		udp(family, port(11) + family);
		reconnect(family, port(21) + family);
		refused(family);
		no_way(family);
		no_port(family, port(31) + family);
		listen_anywhere(family);
		share_port(family, port(41) + family);
	}
	report();
	if (carrier) {
		/* what ends meanwhile is on its way */
		usleep(300000);
		kill(carrier, SIGKILL);
		waitpid(carrier, NULL, 0);
	}
	return 0;
}
