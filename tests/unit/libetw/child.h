/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Checks in a child: what they do to a process ends with it, and so does a hang. */
#ifndef CHILD_H
#define CHILD_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"

/* seconds, times TIMES of the environment: what takes a few, but for ever when it hangs */
#define CHILD_HANGS	300

/* Return: what waitpid() says of a child that does it; SIGALRM: it hung */
static inline int child_of(void (*live)(void))
{
	const char *times = getenv("TIMES");
	int status = -1;
	pid_t child = fork();

	if (!child) {
		alarm(CHILD_HANGS * (times ? atoi(times) : 1));
		failures = 0;
		live();
		_exit(failures);
	}
	waitpid(child, &status, 0);
	if (WIFSIGNALED(status))
		printf("# a child ended by signal %d\n", WTERMSIG(status));
	return status;
}

#endif /* CHILD_H */
