/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Whether a session with system calls is offered those of a process, whatever its number. */
#ifndef SEEN_H
#define SEEN_H

#include <sys/syscall.h>
#include <sys/wait.h>
#include "tests/lib/guest/sessions.h"

#define CALLS		20000
/* Tries to get a number: others may take it first, and keep it */
#define TRIES		1000

static int control;

static __u64 offered(__u32 id)
{
	struct etw_statistics s;

	if (session_statistics(control, id, &s))
		die("STATISTICS");
	return s.read + s.overwritten + s.discarded + s.buffered + all_lost(&s);
}

/* Whether a session is offered the system calls of this process: no other process makes so many */
static int is_seen(__u32 id)
{
	__u64 before = offered(id);
	int i;

	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	return offered(id) - before >= CALLS;
}

#define LAST_PID	"/proc/sys/kernel/ns_last_pid"

/* Not every kernel lets root say which number comes next (CONFIG_CHECKPOINT_RESTORE). */
static int are_numbers_to_be_had(void)
{
	if (!access(LAST_PID, W_OK))
		return 1;
	skip("the process with a number that was another's # no %s", LAST_PID);
	return 0;
}

/* As fork(), for a child with a number; -1: another process keeps it */
static pid_t fork_as(pid_t number)
{
	int i;

	for (i = 0; i < TRIES; i++) {
		FILE *last = fopen(LAST_PID, "w");
		pid_t pid;

		if (!last || fprintf(last, "%d", number - 1) < 0 || fclose(last))
			die(LAST_PID);
		pid = fork();
		if (!pid && getpid() != number)
			_exit(0);
		if (!pid || pid == number)
			return pid;
		waitpid(pid, NULL, 0);
	}
	return -1;
}

#endif /* SEEN_H */
