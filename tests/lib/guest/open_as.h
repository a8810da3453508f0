/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Files as another user opens them. */
#ifndef ETW_TEST_OPEN_AS_H
#define ETW_TEST_OPEN_AS_H

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a child finds when it opens a file: errno, 0 for success */
static inline int open_as(const char *file, void (*become)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		become();
		_exit(open(file, O_RDONLY) < 0 ? errno : 0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif /* ETW_TEST_OPEN_AS_H */
