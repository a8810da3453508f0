// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Errors of events that hang on the session or on the node: each by its Win32 code. */
#include <sys/ioctl.h>
#include "live.h"
#include "tests/unit/libetw/child.h"
#include "uapi/etw_extension.h"
#include "uapi/etw_provider.h"

static const GUID guid = { 0x57, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

struct event {
	EVENT_TRACE_HEADER header;
	char data[1000];
};

/* Return: the first error of so many events */
static ULONG send(TRACEHANDLE handle, int count)
{
	struct event event = { .header = { .Size = sizeof(event), .Guid = guid } };
	ULONG error = 0;

	while (!error && count--)
		error = TraceEvent(handle, &event.header);
	return error;
}

/* It has no reader. */
static void check_full(void)
{
	TRACEHANDLE handle = 0;
	struct block block;

	prepare(&block, EVENT_TRACE_REAL_TIME_MODE);
	block.p.BufferSize = 4;
	block.p.MaximumBuffers = 4;
	StartTraceA(&handle, "full", &block.p);
	check_error("TraceEvent() when no buffer is free: 8", send(handle, 10000), 8);
	prepare(&block, 0);
	QueryTraceA(handle, NULL, &block.p);
	check("it is counted as lost", block.p.EventsLost >= 1);
	stop_session(handle);
}

static void check_rate(void)
{
	TRACE_ENABLE_FLAG_EXTENSION extension = {
		.Offset = offsetof(struct block, dwords), .Length = 0xFF, .Flag = 0x80,
	};
	/* one item, of three dwords: what programs may do, events a second */
	const ULONG dwords[] = { 0x00010004, ETW_EXT_VND_PROVIDER_OPTIONS << 16 | 3, 0, 1 };
	TRACEHANDLE handle = 0;
	struct block block;

	prepare(&block, EVENT_TRACE_REAL_TIME_MODE);
	memcpy(block.dwords, dwords, sizeof(dwords));
	memcpy(&block.p.EnableFlags, &extension, sizeof(extension));
	check_error("StartTrace() of a session with a rate limit",
		    StartTraceA(&handle, "limited", &block.p), 0);
	check_error("TraceEvent() over the rate limit: 1816", send(handle, 50), 1816);
	stop_session(handle);
}

/* Those of Windows 2000, of our own node, to which libetw has no call */
static void live_by_old_rules(void)
{
	struct etw_provider_rules rules = { .size = sizeof(rules), .version = ETW_RULES_5_0 };
	TRACEHANDLE handle = start_session("old");
	int fd, ruled = 0;

	check_error("TraceEvent() without TRACED_GUID", send(handle, 1), 0);
	for (fd = 3; fd < 1024; fd++)
		ruled += !ioctl(fd, ETW_PROVIDER_SET_RULES, &rules);
	check("the provider node of libetw's takes rules", ruled == 1);
	check_error("TraceEvent() without TRACED_GUID by rules of 5.0: 186", send(handle, 1), 186);
	stop_session(handle);
}

void check_losses(void)
{
	check_full();
	check_rate();
	check("rules of Windows 2000", !child_of(live_by_old_rules));
}
