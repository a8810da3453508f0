// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A program with system calls that are counted by ptrace: traced FILE
 *
 * FILE gets the thread's id, and then a line for each call, in order: its number and its
 * result, "-" for the one that does not return.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/lib/guest/result.h"

#define MOST	4096

static struct {
	uint64_t number;
	int64_t result;
	bool returned;
} calls[MOST];
static unsigned int count;

/* Some that work, some that fail, some that wait */
static void call(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int i;

	for (i = 0; i < 300; i++)
		syscall(SYS_getppid);
	for (i = 0; i < 70; i++)
		syscall(SYS_close, -1);
	for (i = 0; i < 50; i++)
		syscall(SYS_read, -1, NULL, 0);
	for (i = 0; i < 20; i++)
		syscall(SYS_kill, 99999, 0);
	for (i = 0; i < 10; i++)
		syscall(SYS_nanosleep, &pause, NULL);
	for (i = 0; i < 10; i++)
		syscall(SYS_sched_yield);
}

static void note(pid_t pid)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) < 0)
		die("PTRACE_GET_SYSCALL_INFO");
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY && count < MOST)
		calls[count++].number = info.entry.nr;
	if (info.op != PTRACE_SYSCALL_INFO_EXIT || !count)
		return;
	calls[count - 1].result = info.exit.rval;
	calls[count - 1].returned = true;
}

static void trace(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))
		die("ptrace");
	for (;;) {
		if (ptrace(PTRACE_SYSCALL, pid, 0, 0) || waitpid(pid, &status, 0) != pid)
			die("PTRACE_SYSCALL");
		if (!WIFSTOPPED(status))
			break;
		if (WSTOPSIG(status) == (SIGTRAP | 0x80))
			note(pid);
	}
}

int main(int argc, char **argv)
{
	FILE *to = argc == 2 ? fopen(argv[1], "w") : NULL;
	pid_t pid = to ? fork() : -1;
	unsigned int i;

	if (pid < 0)
		die("traced FILE");
	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0))
			_exit(1);
		raise(SIGSTOP);
		call();
		_exit(0);
	}
	trace(pid);
	fprintf(to, "%d\n", pid);
	for (i = 0; i < count; i++) {
		fprintf(to, "%" PRIu64 " ", calls[i].number);
		if (calls[i].returned)
			fprintf(to, "%" PRId64 "\n", calls[i].result);
		else
			fputs("-\n", to);
	}
	return fclose(to) ? 1 : 0;
}
