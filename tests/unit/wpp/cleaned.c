// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The end of a provider while a session enables it: its trace points are silent afterwards. */
#define ETW_TRACE_PROVIDER	cleaned
#define ETW_TRACE_GUID		0x7c2a3d10, 0x1b5e, 0x4f7a, \
				0x91, 0x0c, 0x5a, 0x33, 0x7e, 0x1d, 0x20, 0x44
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "etw_wpp.h"

/* cleaned FILE: says how often they were not */
#define ROUNDS	40000

static const GUID guid = { 0x7c2a3d10, 0x1b5e, 0x4f7a,
			   { 0x91, 0x0c, 0x5a, 0x33, 0x7e, 0x1d, 0x20, 0x44 } };
static TRACEHANDLE session;
static atomic_int over, begun;

static void *enable_on(void *argument)
{
	unsigned int level = 0;

	(void)argument;
	while (!over) {
		EnableTrace(1, 0xFF, 1 + level++ % 4, &guid, session);
		begun = 1;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct {
		EVENT_TRACE_PROPERTIES fixed;
		char file[512];
	} block;
	int i, enabled = 0, left = 0;
	pthread_t thread;

	if (argc != 2)
		return 2;
	block.fixed.Wnode.BufferSize = sizeof(block);
	block.fixed.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	block.fixed.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE;
	block.fixed.LogFileNameOffset = sizeof(block.fixed);
	snprintf(block.file, sizeof(block.file), "%s", argv[1]);
	if (StartTraceA(&session, "cleaned", &block.fixed))
		return 2;
	pthread_create(&thread, NULL, enable_on, NULL);
	/* however late the thread comes to run */
	while (!begun)
		sched_yield();
	for (i = 0; i < ROUNDS; i++) {
		ETW_TRACE_INIT();
		enabled += ETW_TRACE_ENABLED(1, 0);
		ETW_TRACE_CLEANUP();
		left += ETW_TRACE_ENABLED(1, 0);
		ETW_TRACE_OFF();
	}
	over = 1;
	pthread_join(thread, NULL);
	StopTraceA(session, NULL, &block.fixed);
	printf("%d of %d were enabled, %d stayed so\n", enabled, ROUNDS, left);
	return 0;
}
