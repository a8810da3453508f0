// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* ns per event of 16 bytes: the private logger; and of its clock alone. */
#include <evntrace.h>
#include <string.h>
#include "batches.h"

static TRACEHANDLE handle;

static struct {
	EVENT_TRACE_HEADER header;
	uint64_t data[2];
} event;

/* Filled in anew each time, as a program does */
static void write_event(uint64_t number)
{
	event.header.Size = sizeof(event);
	event.header.Class.Type = 1;
	event.header.Flags = WNODE_FLAG_TRACED_GUID;
	event.data[0] = number;
	event.data[1] = ~number;
	TraceEvent(handle, &event.header);
}

static void read_clock(uint64_t number)
{
	(void)number;
#if defined(__x86_64__)
	__asm__ volatile("lfence; rdtsc" : : : "rax", "rdx", "memory");
#elif defined(__aarch64__)
	__asm__ volatile("isb; mrs x0, cntvct_el0" : : : "x0", "memory");
#endif
}

int main(int argc, char **argv)
{
	struct {
		EVENT_TRACE_PROPERTIES fixed;
		char name[16];
		char file[256];
	} session = { };

	if (argc != 2)
		return 2;
	session.fixed.Wnode.BufferSize = sizeof(session);
	session.fixed.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	session.fixed.Wnode.ClientContext = 1;
	session.fixed.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE;
	session.fixed.BufferSize = 64;
	session.fixed.MinimumBuffers = 16;
	session.fixed.LoggerNameOffset = (char *)session.name - (char *)&session;
	session.fixed.LogFileNameOffset = (char *)session.file - (char *)&session;
	strncpy(session.file, argv[1], sizeof(session.file) - 1);
	if (StartTraceA(&handle, "bench", &session.fixed))
		return 1;
	bench_run("etw", write_event);
	bench_run("etw-clock", read_clock);
	ControlTraceA(handle, NULL, &session.fixed, EVENT_TRACE_CONTROL_STOP);
	printf("etw-lost %u 0\n", session.fixed.EventsLost);
	return 0;
}
