// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Trace points in a child of fork(): as they were, and as its own registration says. */
#define ETW_TRACE_PROVIDER	forked
#define ETW_TRACE_GUID		0x6b1f02d4, 0x93ce, 0x4d08, \
				0xa4, 0x5e, 0x17, 0xf0, 0x3b, 0x62, 0xc8, 0x9d
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "etw_wpp.h"

/* A registration hears of a session by a thread of libetw's. */
static bool heard(void)
{
	int i;

	for (i = 0; i < 3000 && !ETW_TRACE_ENABLED(TRACE_LEVEL_ERROR, 0); i++)
		usleep(10000);
	return ETW_TRACE_ENABLED(TRACE_LEVEL_ERROR, 0);
}

static int child(void)
{
	ETW_TRACE(TRACE_LEVEL_ERROR, 0, "the child goes on with %d", 2);
	ETW_TRACE_CLEANUP();
	ETW_TRACE(TRACE_LEVEL_ERROR, 0, "no session hears %d", 0);
	if (ETW_TRACE_INIT() || !heard())
		return 1;
	ETW_TRACE(TRACE_LEVEL_ERROR, 0, "the child by itself is %d", 3);
	ETW_TRACE_CLEANUP();
	return 0;
}

int main(void)
{
	int status = -1;
	pid_t pid;

	if (ETW_TRACE_INIT() || !heard())
		return 1;
	ETW_TRACE(TRACE_LEVEL_ERROR, 0, "the parent is %d", 1);
	pid = fork();
	if (!pid)
		_exit(child());
	waitpid(pid, &status, 0);
	ETW_TRACE(TRACE_LEVEL_ERROR, 0, "the parent still is %d", 4);
	ETW_TRACE_CLEANUP();
	return status ? 2 : 0;
}
