// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processes as no other test has them: many, locked, with I/O priorities, helpers. */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "tests/lib/guest/requests.h"

/* cover [helper|exit]: without a word the larger ones, with the module loaded */

#define LARGE		(256UL << 20)

static int control = -1;

/* Return: its id; 0: there is none */
static __u32 start(__u32 flags, __u32 kb, __u32 buffers, __u32 start_flags)
{
	const struct wish wish = {
		.name = "cover", .kb = kb, .buffers = buffers, .flags = flags,
		.start = start_flags,
	};
	__u32 id;

	start_session(control, &wish, &id);
	return id;
}

/* Until @child is killed it forks, and a fork locks all that it maps. */
static int fork_for_ever(void)
{
	int child = fork();
	char *memory;

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	memory = mmap(NULL, LARGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (memory == MAP_FAILED)
		_exit(1);
	/* pages of their own: small ones, so that there are many to copy */
	madvise(memory, LARGE, MADV_NOHUGEPAGE);
	for (;;) {
		child = fork();
		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
}

static int wait_with_io_priority(int class, int data)
{
	int child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (syscall(SYS_ioprio_set, 1, 0, class << 13 | data))
		_exit(1);
	for (;;)
		pause();
}

static void end(int child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* So many that their names compete for places in the table */
static void many_processes(void)
{
	static int children[600];
	int i, n;
	__u32 id = start(EVENT_TRACE_FLAG_PROCESS, 64, 64, ETW_START_NO_RUNDOWN);

	for (i = 0; i < 600; i++) {
		children[i] = fork();
		if (!children[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pause();
			_exit(0);
		}
		if (children[i] < 0)
			break;
	}
	result(id && i == 600, "many processes at once");
	/* more than the table has places: names of those that ended make room */
	for (n = 0; n < 6000; n++) {
		int child = fork();

		if (!child)
			_exit(0);
		if (waitpid(child, NULL, 0) != child)
			break;
	}
	result(n == 6000, "many more, one after the other");
	while (i--)
		end(children[i]);
	result(!discard_session(control, id), "their session stops");
}

/* The kernel looks for a module of this family, by a program of its own. */
static int ask_for_helper(void)
{
	int fd = socket(9, SOCK_DGRAM, 0);

	return fd >= 0;
}

/* exit() ends all threads of a process, this only the leader that is alone. */
static int end_leader(void)
{
	int status, child = fork();

	if (!child)
		syscall(SYS_exit, 77);
	return waitpid(child, &status, 0) != child || status != 77 << 8;
}

/* A rundown records all of them, whatever they do. */
static void odd_processes(void)
{
	int children[] = {
		fork_for_ever(), wait_with_io_priority(1, 4), wait_with_io_priority(2, 0),
		wait_with_io_priority(2, 7), wait_with_io_priority(3, 0),
	};
	size_t i;
	__u32 id;

	sleep_ms(1000);
	for (i = 0; i < 8; i++) {
		id = start(EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD, 64, 64, 0);
		if (!id || discard_session(control, id))
			break;
	}
	result(i == 8, "rundowns of processes that fork and have I/O priorities");
	for (i = 0; i < sizeof(children) / sizeof(children[0]); i++)
		end(children[i]);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return strcmp(argv[1], "exit") ? ask_for_helper() : end_leader();
	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (control < 0) {
		perror("cover: /dev/etw/control");
		return 2;
	}
	odd_processes();
	many_processes();
	close(control);
	return !!failures;
}
