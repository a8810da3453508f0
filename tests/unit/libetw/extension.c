// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * What StartTrace() and TraceSetInformation() make of EnableFlags and settings: the block that a
 * device of the test's own was sent.
 */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "uapi/etw_extension.h"

/* Of events that test modules write: the one that a session without kernel events may have */
#define TEST	0x08000000
#define OPTIONS	ETW_EXT_VND_PROVIDER_OPTIONS << 16 | 3, ETW_PROVIDER_TIMESTAMPS, 0

/* Dwords of the longest extension */
#define FULL	0x4000

struct block {
	EVENT_TRACE_PROPERTIES p;
	ULONG dwords[8];
	char name[64];
};

/* @length: of the extension; 0: the first dword is EnableFlags themselves */
static void start(ULONG mode, BYTE length, const ULONG *dwords, size_t size)
{
	TRACE_ENABLE_FLAG_EXTENSION extension = {
		.Offset = offsetof(struct block, dwords), .Length = length, .Flag = 0x80,
	};
	struct block block = {
		.p = {
			.Wnode = { .BufferSize = sizeof(block), .Flags = WNODE_FLAG_TRACED_GUID },
			.LogFileMode = EVENT_TRACE_REAL_TIME_MODE | mode,
			.LoggerNameOffset = offsetof(struct block, name),
		},
	};
	TRACEHANDLE handle = 0;

	memcpy(block.dwords, dwords, size);
	if (length)
		memcpy(&block.p.EnableFlags, &extension, sizeof(extension));
	else
		block.p.EnableFlags = dwords[0];
	check_error("StartTrace()", StartTraceA(&handle, "x", &block.p), 0);
}

/* Return: whether the block pointed at these, at its end, with this length */
static int sent(BYTE length, const ULONG *dwords, size_t size)
{
	FILE *file = fopen(getenv("ETW_FAKE_SENT"), "rb");
	BYTE bytes[4096];
	size_t n = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
	TRACE_ENABLE_FLAG_EXTENSION extension;

	if (file)
		fclose(file);
	if (n < 0xB0 + size)
		return 0;
	memcpy(&extension, bytes + 0x48, sizeof(extension));
	return extension.Flag == 0x80 && extension.Length == length &&
	       extension.Offset == n - size && !memcmp(bytes + n - size, dwords, size);
}

/* What was sent is what the session has, until forget_sent() */
static void keep_sent(void)
{
	static char copy[256];

	snprintf(copy, sizeof(copy), "%s.block", getenv("ETW_FAKE_SENT"));
	check("what was sent is kept", !rename(getenv("ETW_FAKE_SENT"), copy));
	setenv("ETW_FAKE_BLOCK", copy, 1);
}

static void forget_sent(void)
{
	unsetenv("ETW_FAKE_BLOCK");
}

/* UpdateTrace() of plain flags, of the session with what was sent */
static void update(ULONG flags)
{
	struct block block = {
		.p = {
			.Wnode = { .BufferSize = sizeof(block), .Flags = WNODE_FLAG_TRACED_GUID },
			.LoggerNameOffset = offsetof(struct block, name),
			.EnableFlags = flags,
		},
	};

	keep_sent();
	check_error("UpdateTrace()", UpdateTraceA(5, NULL, &block.p), 0);
	forget_sent();
}

static void check_updates(void)
{
	static const ULONG items[] = {
		0x00020006, 0x00010003, 0x1, 0x10, ETW_EXT_PIDS << 16 | 2, 1
	};
	static const ULONG updated[] = {
		0x00020006, 0x00010003, 0x2, 0, ETW_EXT_PIDS << 16 | 2, 1
	};
	static const ULONG options[] = { 0x00010004, OPTIONS };

	start(EVENT_TRACE_SYSTEM_LOGGER_MODE, 0xFF, items, sizeof(items));
	update(2);
	check("plain flags take the place of all masks, and filters stay",
	      sent(0xFF, updated, sizeof(updated)));
	start(0, 0, items, sizeof(ULONG));
	update(2);
	check("without kernel events they change nothing", sent(0xFF, options, sizeof(options)));
}

DEFINE_GUID(ThreadGuid,
	    0x3d6fa8d1, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);
DEFINE_GUID(ImageGuid,
	    0x2cb15d1d, 0x5fc1, 0x11d2, 0xab, 0xe1, 0x00, 0xa0, 0xc9, 0x11, 0xf5, 0x18);

static void set(const char *name, TRACE_INFO_CLASS what, const void *value, ULONG size)
{
	keep_sent();
	check_error(name, TraceSetInformation(5, what, (PVOID)value, size), 0);
	forget_sent();
}

/* A setting takes the place of its item, and all other items stay. */
static void check_information(void)
{
	static const ULONG items[] = {
		0x00020006, 0x00010003, 0x1, 0x10, ETW_EXT_PIDS << 16 | 2, 1
	};
	static const CLASSIC_EVENT_ID events[] = {
		{ ThreadGuid, 0x24, { 1 } }, { ImageGuid, 0x0A, { 0 } }, { ThreadGuid, 0x24, { 0 } },
	};
	static const ULONG stacks[] = {
		0x00030009, 0x00010003, 0x1, 0x10, ETW_EXT_PIDS << 16 | 2, 1,
		ETW_EXT_STACKWALK_FILTER << 16 | 3, 0x0524, 0x030A,
	};
	static const TRACE_STACK_CACHING_INFO caching = { .Enabled = TRUE, .CacheSize = 0x4000 };
	static const ULONG cached[] = {
		0x00030009, 0x00010003, 0x1, 0x10, ETW_EXT_PIDS << 16 | 2, 1,
		ETW_EXT_STACK_CACHING << 16 | 3, 0x4000, 0x400,
	};
	static const ULONG masks[] = { 0x5, 0, 0x7 };
	static const ULONG flags[] = {
		0x00020007, ETW_EXT_PIDS << 16 | 2, 1, 0x00010004, 0x5, 0, 0x7,
	};
	static const ULONG of_plain[] = {
		0x00020006, 0x00010002, 0x1, ETW_EXT_STACKWALK_FILTER << 16 | 3, 0x0524, 0x030A,
	};

	start(EVENT_TRACE_SYSTEM_LOGGER_MODE, 0xFF, items, sizeof(items));
	set("TraceStackTracingInfo", TraceStackTracingInfo, events, sizeof(events));
	check("events are hook ids, each once", sent(0xFF, stacks, sizeof(stacks)));
	set("TraceStackTracingInfo without events", TraceStackTracingInfo, NULL, 0);
	check("switches the stacks off", sent(0xFF, items, sizeof(items)));
	set("TraceStackCachingInfo", TraceStackCachingInfo, &caching, sizeof(caching));
	check("a number of buckets of 0 is the default", sent(0xFF, cached, sizeof(cached)));
	start(EVENT_TRACE_SYSTEM_LOGGER_MODE, 0xFF, items, sizeof(items));
	set("TraceSystemTraceEnableFlagsInfo", TraceSystemTraceEnableFlagsInfo, masks, sizeof(masks));
	check("takes the place of all masks", sent(0xFF, flags, sizeof(flags)));
	start(EVENT_TRACE_SYSTEM_LOGGER_MODE, 0, items + 2, sizeof(ULONG));
	set("TraceStackTracingInfo of plain flags", TraceStackTracingInfo, events, sizeof(events));
	check("plain flags become an item", sent(0xFF, of_plain, sizeof(of_plain)));
}

static void check_refused(void)
{
	TRACE_PROFILE_INTERVAL interval = { 0, 199 };
	ULONG sources[] = { 10, 10, 0 };

	check_error("an interval that is too short: 87",
		    TraceSetInformation(0, TraceSampledProfileIntervalInfo, &interval,
					sizeof(interval)), 87);
	interval.Source = 1;
	check_error("the interval of a source that no perf event counts: 50",
		    TraceSetInformation(0, TraceSampledProfileIntervalInfo, &interval,
					sizeof(interval)), 50);
	check_error("an interval of 4 bytes: 24",
		    TraceSetInformation(0, TraceSampledProfileIntervalInfo, &interval, 4), 24);
	check_error("a source twice: 87",
		    TraceSetInformation(0, TraceProfileSourceConfigInfo, sources, 8), 87);
	check_error("the timer is no such source: 50",
		    TraceSetInformation(0, TraceProfileSourceConfigInfo, sources + 2, 4), 50);
	check_error("settings of no session: 87",
		    TraceSetInformation(0, TraceStackTracingInfo, NULL, 0), 87);
	check_error("counters: 50", TraceSetInformation(5, TracePmcCounterListInfo, sources, 4), 50);
	check_error("another class of TraceQueryInformation(): 50",
		    TraceQueryInformation(0, TraceVersionInfo, &interval, 8, NULL), 50);
}

static ULONG interval_of(ULONG source)
{
	TRACE_PROFILE_INTERVAL interval = { source, 0 };
	ULONG filled = 0;

	check_error("TraceQueryInformation() of an interval",
		    TraceQueryInformation(0, TraceSampledProfileIntervalInfo, &interval,
					  sizeof(interval), &filled), 0);
	return filled == sizeof(interval) ? interval.Interval : 0;
}

/* Return: what StartTrace() returns for as many dwords as an extension may have */
static ULONG start_full(void)
{
	static struct {
		EVENT_TRACE_PROPERTIES p;
		ULONG dwords[FULL];
		char name[64];
	} full;
	const TRACE_ENABLE_FLAG_EXTENSION extension = {
		.Offset = sizeof(full.p), .Length = 0xFF, .Flag = 0x80,
	};
	TRACEHANDLE handle;

	full.p.Wnode.BufferSize = sizeof(full);
	full.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	full.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE;
	full.p.LoggerNameOffset = offsetof(__typeof__(full), name);
	full.dwords[0] = 1 << 16 | FULL;
	full.dwords[1] = ETW_EXT_PIDS << 16 | (FULL - 1);
	memcpy(&full.p.EnableFlags, &extension, sizeof(extension));
	return StartTraceA(&handle, "x", &full.p);
}

/* Settings of the profile are items of kernel sessions that start later. */
static void check_profile(void)
{
	static const TRACE_PROFILE_INTERVAL timer = { 0, 20000 }, misses = { 10, 5000 },
		usual = { 0, 10000 };
	static const ULONG sources[] = { 10, 19 }, plain[] = { 1 };
	static const ULONG items[] = {
		0x0003000B, 0x00010002, 0x1, ETW_EXT_VND_SAMPLE_SOURCES << 16 | 3, 10, 19,
		ETW_EXT_VND_SAMPLE_INTERVAL << 16 | 5, 0, 20000, 10, 5000,
	};
	static const ULONG masks[] = { TEST, 0 };

	check("the default of the timer is 1 ms", interval_of(0) == 10000);
	TraceSetInformation(0, TraceSampledProfileIntervalInfo, (PVOID)&timer, sizeof(timer));
	TraceSetInformation(0, TraceSampledProfileIntervalInfo, (PVOID)&misses, sizeof(misses));
	check_error("TraceProfileSourceConfigInfo",
		    TraceSetInformation(0, TraceProfileSourceConfigInfo, (PVOID)sources,
					sizeof(sources)), 0);
	check("an interval that was set is returned", interval_of(10) == 5000);
	start(EVENT_TRACE_SYSTEM_LOGGER_MODE, 0, plain, sizeof(plain));
	check("a kernel session gets sources and intervals", sent(0xFF, items, sizeof(items)));
	check("without room for them: 87", start_full() == ERROR_INVALID_PARAMETER);
	check("nothing is sent then", sent(0xFF, items, sizeof(items)));
	TraceSetInformation(0, TraceProfileSourceConfigInfo, NULL, 0);
	TraceSetInformation(0, TraceSampledProfileIntervalInfo, (PVOID)&usual, sizeof(usual));
	start(EVENT_TRACE_SYSTEM_LOGGER_MODE, 2, masks, sizeof(masks));
	check("defaults add nothing", sent(2, masks, sizeof(masks)));
}

static void check_source_list(void)
{
	union {
		PROFILE_SOURCE_INFO info;
		BYTE bytes[4096];
	} list;
	const PROFILE_SOURCE_INFO *first = &list.info, *at = first;
	ULONG filled = 0, size, timers = 0;

	check_error("the list of sources without room: 24",
		    TraceQueryInformation(0, TraceProfileSourceListInfo, NULL, 0, &filled), 24);
	size = filled;
	check_error("the list of sources",
		    TraceQueryInformation(0, TraceProfileSourceListInfo, &list, sizeof(list),
					  &filled), 0);
	check("has the size that was returned", size == filled && size >= sizeof(list.info));
	check("begins with the timer", !first->Source && !memcmp(first->Description, u"Timer", 12) &&
	      first->MinInterval == 200 && first->MaxInterval == 10000000);
	for (;; at = (const PROFILE_SOURCE_INFO *)((const BYTE *)at + at->NextEntryOffset)) {
		timers += !at->Source;
		if (!at->NextEntryOffset)
			break;
	}
	check("and ends in its size", timers == 1 && (const BYTE *)at < list.bytes + filled);
}

/* As the module refuses a session without kernel events: what would have no effect */
static ULONG start_private(BYTE length, const ULONG *dwords, size_t size, ULONG *flags)
{
	TRACE_ENABLE_FLAG_EXTENSION extension = {
		.Offset = offsetof(struct block, dwords), .Length = length, .Flag = 0x80,
	};
	struct block block = {
		.p = {
			.Wnode = { .BufferSize = sizeof(block), .Flags = WNODE_FLAG_TRACED_GUID },
			.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE,
			.LogFileNameOffset = offsetof(struct block, name),
		},
		.name = "private.etl",
	};
	TRACEHANDLE handle;
	ULONG error;

	memcpy(block.dwords, dwords, size);
	memcpy(&block.p.EnableFlags, length ? (const void *)&extension : dwords, 4);
	error = StartTraceA(&handle, "x", &block.p);
	if (error)
		return error;
	*flags = block.p.EnableFlags;
	StopTraceA(handle, NULL, &block.p);
	unlink(block.name);
	return error;
}

static void check_private(void)
{
	static const ULONG unknown[] = { 0x00010003, 0x77770002, 0 };
	static const ULONG pids[] = { 0x00010003, ETW_EXT_PIDS << 16 | 2, 1 };
	static const ULONG options[] = { 0x00010004, OPTIONS };
	static const ULONG test[] = { 0x00010004, 0x00010003, TEST, 0 };
	static const ULONG switches[] = { 0x00010003, 0x00010002, 0x10 };
	static const ULONG masks[] = { TEST, 0 }, kernel[] = { 0, 0x10 }, plain[] = { 0x12345 };
	static const ULONG long_item[] = { 0x00010003, 0x00010009, 0 };
	ULONG flags = 0;

	check("a private session: an unknown item is 50",
	      start_private(0xFF, unknown, sizeof(unknown), &flags) == ERROR_NOT_SUPPORTED);
	check("one for kernel events is 87",
	      start_private(0xFF, pids, sizeof(pids), &flags) == ERROR_INVALID_PARAMETER);
	check("one that only the module heeds is 87",
	      start_private(0xFF, options, sizeof(options), &flags) == ERROR_INVALID_PARAMETER);
	check("one that is longer than the rest is 87",
	      start_private(0xFF, long_item, sizeof(long_item), &flags) == ERROR_INVALID_PARAMETER);
	check("kernel events are 87, as an item and as masks alone",
	      start_private(0xFF, switches, sizeof(switches), &flags) == ERROR_INVALID_PARAMETER &&
	      start_private(2, kernel, sizeof(kernel), &flags) == ERROR_INVALID_PARAMETER);
	check("masks without any are taken, and returned as flags",
	      !start_private(0xFF, test, sizeof(test), &flags) && flags == TEST);
	check("the older form, too",
	      !start_private(2, masks, sizeof(masks), &flags) && flags == TEST);
	check("plain flags are taken, whatever they are",
	      !start_private(0, plain, sizeof(plain), &flags) && flags == 0x12345);
}

int main(void)
{
	static const ULONG masks[] = { TEST, 0 };
	static const ULONG items[] = { 0x00010004, 0x00010003, TEST, 0 };
	static const ULONG with_options[] = { 0x00020007, 0x00010003, TEST, 0, OPTIONS };
	static const ULONG options_alone[] = { 0x00010004, OPTIONS };

	setvbuf(stdout, NULL, _IONBF, 0);
	start(0, 0xFF, items, sizeof(items));
	check("items of a program's session: its options are one more",
	      sent(0xFF, with_options, sizeof(with_options)));
	start(0, 2, masks, sizeof(masks));
	check("masks alone, of such a session: an item, and its options",
	      sent(0xFF, with_options, sizeof(with_options)));
	start(0, 0, masks, sizeof(masks));
	check("plain flags of such a session: its options alone",
	      sent(0xFF, options_alone, sizeof(options_alone)));
	start(EVENT_TRACE_SYSTEM_LOGGER_MODE, 2, masks, sizeof(masks));
	check("masks of a session with kernel events stay what they are",
	      sent(2, masks, sizeof(masks)));
	start(EVENT_TRACE_SYSTEM_LOGGER_MODE, 0xFF, items, sizeof(items));
	check("and so do items", sent(0xFF, items, sizeof(items)));
	check_updates();
	check_information();
	check_refused();
	check_profile();
	check_source_list();
	check_private();
	return failures != 0;
}
