// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A child that is forked while another thread registers: it may register, too. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>
#include <evntrace.h>
#include "check.h"

#define CLASSES	2000

static GUID guid = { 0x71, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
static TRACE_GUID_REGISTRATION classes[CLASSES];
static atomic_bool over;

static ULONG WINAPI control(WMIDPREQUESTCODE code, PVOID context, ULONG *size, PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	return 0;
}

static void *register_on(void *argument)
{
	TRACEHANDLE handle;

	(void)argument;
	while (!over) {
		RegisterTraceGuidsA(control, NULL, &guid, CLASSES, classes, NULL, NULL, &handle);
		UnregisterTraceGuids(handle);
	}
	return NULL;
}

static int child(void)
{
	TRACE_GUID_REGISTRATION one = { &guid, NULL };
	TRACEHANDLE handle;

	if (RegisterTraceGuidsA(control, NULL, &guid, 1, &one, NULL, NULL, &handle))
		return 1;
	return UnregisterTraceGuids(handle) ? 2 : 0;
}

int main(void)
{
	int i, status, bad = 0;
	pthread_t thread;
	pid_t pid;

	for (i = 0; i < CLASSES; i++)
		classes[i].Guid = &guid;
	pthread_create(&thread, NULL, register_on, NULL);
	for (i = 0; i < 100; i++) {
		usleep(1700 + 131 * i % 1000);
		status = -1;
		pid = fork();
		if (!pid)
			_exit(child());
		waitpid(pid, &status, 0);
		bad += !!status;
	}
	over = true;
	pthread_join(thread, NULL);
	check("children that are forked while a thread registers classes register theirs", !bad);
	return failures != 0;
}
