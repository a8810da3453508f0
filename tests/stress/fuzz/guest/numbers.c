// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Messages from all CPUs at once: the session's sequence numbers are as many as they. */
#define _GNU_SOURCE
#include <grp.h>
#include <sched.h>
#include <sys/wait.h>
#include "tests/lib/guest/provider.h"

#define MOST_CPUS	16
#define LAST		0x5E9	/* number of the message that looks at the sequence */

static unsigned int messages, wrong;

static int send_message(__u16 number)
{
	struct etw_trace_message m = {
		.size = sizeof(m), .message_flags = TRACE_MESSAGE_SEQUENCE,
		.session_handle = session, .message_number = number,
	};

	return ioctl(provider, ETW_PROVIDER_TRACE_MESSAGE, &m) ? errno : 0;
}

/*
 * A process on a CPU of its own: User Mode Linux runs threads of one, one at a time. What
 * finds no place would have no number.
 */
static void send_many(unsigned int cpu)
{
	unsigned int i;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
	for (i = 0; i < messages; i++)
		if (send_message(1))
			wrong++;
}

/* The number of the last message; its header and it are 12 bytes */
static __u32 last_number(void)
{
	static __u8 stream[1 << 20];
	struct { __u16 size, marker, number, flags; __u32 sequence; } record;
	__u32 found = 0;
	char node[32];
	ssize_t n;
	size_t i;
	int fd;

	snprintf(node, sizeof(node), "/dev/etw/session%u", session);
	fd = open(node, O_RDONLY);
	if (fd < 0)
		die(node);
	/* records begin at multiples of 8, also of what a read() gives */
	while ((n = read(fd, stream, sizeof(stream))) > 0) {
		for (i = 0; i + sizeof(record) <= (size_t)n; i += 8) {
			memcpy(&record, stream + i, sizeof(record));
			if (record.size == sizeof(record) && record.number == LAST &&
			    record.flags & TRACE_MESSAGE_SEQUENCE)
				found = record.sequence;
		}
	}
	close(fd);
	return found;
}

int main(int argc, char **argv)
{
	struct wish wish = {
		.name = "numbers", .kb = 16, .buffers = 16,
		.mode = EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_USE_LOCAL_SEQUENCE,
	};
	unsigned int cpus = sysconf(_SC_NPROCESSORS_ONLN), i;
	int status;
	__u32 last;

	messages = argc > 1 ? strtoul(argv[1], NULL, 0) : 50000;
	if (cpus > MOST_CPUS)
		cpus = MOST_CPUS;
	control = open("/dev/etw/control", O_RDWR);
	provider = open(PROVIDER, O_RDWR);
	if (control < 0 || provider < 0)
		die(PROVIDER);
	session = start_taker(&wish, 0, ETW_NO_RATE_LIMIT);
	for (i = 0; i < cpus; i++)
		if (!fork()) {
			send_many(i);
			_exit(!!wrong);
		}
	for (i = 0; i < cpus; i++)
		if (wait(&status) < 0 || status)
			wrong++;
	result(!wrong,
	       "numbers: each message of each CPU found a place # %u messages of %u CPUs",
	       messages, cpus);
	result(!send_message(LAST), "numbers: one more");
	if (on_session(control, ETW_IOC_STOP, session, 0))
		die("STOP");
	last = last_number();
	result(last == cpus * messages + 1,
	       "numbers: the last number is the count of messages # %u of %u", last,
	       cpus * messages + 1);
	return !!failures;
}
