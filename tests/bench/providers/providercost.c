// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A program's event of 16 bytes, thousands of times, by libetw: providercost HOW CALLS. HOW: loop
 * (an empty function), write (EventWrite), tracelogging (TraceLoggingWrite), marker (write() to
 * ftrace's trace_marker). Prints "eventcost calls=N failed=N ns=N ticks=N".
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <windows.h>
#include <TraceLoggingProvider.h>
#include "tests/lib/guest/ticks.h"

#define DATA	16
#define MARKER	"/sys/kernel/tracing/trace_marker"

/* {66000000-0001-0002-0304-050607080910}: bench.sh enables it */
static const GUID guid = { 0x66000000, 1, 2, { 3, 4, 5, 6, 7, 8, 9, 0x10 } };
TRACELOGGING_DEFINE_PROVIDER(logging, "Bench",
	(0x66000000, 0x0001, 0x0002, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x10));
static REGHANDLE registration;
static const char data[DATA] = "0123456789abcde";
static int marker;

static __attribute__((noinline)) int do_loop(void)
{
	__asm__ volatile("" ::: "memory");
	return 0;
}

/* As a header of 'etw mc' does it: the check stands before the pieces are put together. */
static __attribute__((noinline)) int do_write(void)
{
	static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4, .Keyword = 1 };
	EVENT_DATA_DESCRIPTOR piece;

	if (!EventEnabled(registration, &descriptor))
		return 0;
	EventDataDescCreate(&piece, data, sizeof(data));
	return EventWrite(registration, &descriptor, 1, &piece) != ERROR_SUCCESS;
}

static __attribute__((noinline)) int do_tracelogging(void)
{
	TraceLoggingWrite(logging, "Bench", TraceLoggingLevel(4), TraceLoggingKeyword(1),
			  TraceLoggingBinary(data, DATA, "data"));
	return 0;
}

static __attribute__((noinline)) int do_marker(void)
{
	return write(marker, data, DATA) != DATA;
}

static const struct way {
	const char *name;
	int (*call)(void);
} ways[] = {
	{ "loop", do_loop }, { "write", do_write }, { "tracelogging", do_tracelogging },
	{ "marker", do_marker },
};

static const struct way *find_way(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(ways[i].name, name))
			return &ways[i];
	return NULL;
}

static int begin(const char *name)
{
	const struct sched_param fifo = { .sched_priority = 50 };

	if (!strcmp(name, "marker")) {
		marker = open(MARKER, O_WRONLY);
		if (marker < 0)
			return 1;
	}
	return EventRegister(&guid, NULL, NULL, &registration) || TraceLoggingRegister(logging) ||
	       sched_setscheduler(0, SCHED_FIFO, &fifo);
}

int main(int argc, char **argv)
{
	const struct way *way = argc > 2 ? find_way(argv[1]) : NULL;
	int calls = argc > 2 ? atoi(argv[2]) : 0, i, failed = 0;
	uint64_t ticks, ns;

	if (!way || begin(argv[1])) {
		perror("providercost");
		return 1;
	}
	for (i = 0; i < 100; i++)
		failed += way->call();
	ns = nanoseconds();
	ticks = tick();
	for (i = 0; i < calls; i++)
		failed += way->call();
	ticks = tick() - ticks;
	ns = nanoseconds() - ns;
	printf("eventcost calls=%d failed=%d ns=%llu ticks=%llu\n", calls, failed,
	       (unsigned long long)ns, (unsigned long long)ticks);
	return failed != 0;
}
