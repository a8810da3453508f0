// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A session consumed in real time while a processor that was idle for some periods, and then has
 * one event, hears no interrupt, so that its flush is late: still all comes in order of time.
 * On three processors: the kernel's workers are on the first, and one of them waits there for
 * the deaf one, the second, while we write and read on the third. etw_deaf.ko is there.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <windows.h>
#include <evntrace.h>
#include <evntcons.h>
#include "tests/lib/guest/check.h"

#define DEAF		"/sys/module/etw_deaf/parameters/ms"
/*
 * Shorter by far than a consumer waits for a flush, 2 s: the machine may stop us, too. The next
 * flush begins a second after the one that waited: the third after it, about 3 s after the
 * processor heard again, begins 200 ms after it is deaf again, and is 500 ms late.
 */
#define DEAF_MS		"700"
#define IDLE_MS		2800
#define MEETINGS	3
#define MOST_ROUNDS	15
/* Of events, 48 bytes each, every 10 ms */
#define BURST		100

enum what { TICKS = 1, BEFORE, AFTER };

static const GUID class_guid = { 0x5e6f7a8b, 1, 2, { 3, 4, 5, 6, 7, 8, 9, 12 } };

static struct {
	EVENT_TRACE_PROPERTIES properties;
	char names[256];
} block;

/* What the consumer's callback saw; @met: a flush began while the processor was deaf */
static struct {
	volatile ULONG ticks, rounds, met;
	ULONG wrong;
	BOOL deaf;
	LONGLONG last;
} seen;
static TRACEHANDLE session, trace;
static volatile BOOL done;

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	check_that(!sched_setaffinity(0, sizeof(set), &set), "it runs where it is to");
}

static BOOL write_event(enum what what)
{
	EVENT_TRACE_HEADER header = { .Size = sizeof(header), .Guid = class_guid,
				      .Flags = WNODE_FLAG_TRACED_GUID };

	header.Class.Type = (UCHAR)what;
	return !TraceEvent(session, &header);
}

static VOID WINAPI on_record(PEVENT_RECORD event)
{
	const EVENT_HEADER *header = &event->EventHeader;

	seen.wrong += header->TimeStamp.QuadPart < seen.last;
	seen.last = header->TimeStamp.QuadPart;
	if (header->ProviderId.Data1 == 0xf79c09b4 && header->EventDescriptor.Id == 1)
		seen.met += seen.deaf;
	if (!IsEqualGUID(&header->ProviderId, &class_guid))
		return;
	seen.ticks += header->EventDescriptor.Opcode == TICKS;
	seen.deaf = header->EventDescriptor.Opcode == BEFORE ||
		    (seen.deaf && header->EventDescriptor.Opcode != AFTER);
	seen.rounds += header->EventDescriptor.Opcode == AFTER;
}

static void *consume(void *argument)
{
	(void)argument;
	return (void *)(ULONG_PTR)ProcessTrace(&trace, 1, NULL, NULL);
}

/* So many that buffers are full before they are flushed. Return: NULL, not all were written */
static void *tick(void *argument)
{
	int i;

	(void)argument;
	while (!done) {
		for (i = 0; i < BURST; i++)
			if (!write_event(TICKS))
				return NULL;
		Sleep(10);
	}
	return &seen;
}

/*
 * A round for each byte of @orders. A process, not a thread: a process that gives back memory
 * that the deaf one has mapped, too, waits until that one knows.
 */
static int be_deaf(int orders)
{
	int fd = open(DEAF, O_WRONLY);
	BOOL good = fd >= 0;
	char order;

	run_on(1);
	while (good && read(orders, &order, 1) == 1) {
		Sleep(IDLE_MS);
		good = write_event(BEFORE) && write(fd, DEAF_MS, strlen(DEAF_MS)) > 0 &&
		       write_event(AFTER);
	}
	close(fd);
	return !good;
}

/* Until so many flushes met it: the first may begin near its end, and be hardly late */
static void have_rounds(int orders)
{
	ULONG round;

	for (round = 1; round <= MOST_ROUNDS && seen.met < MEETINGS; round++) {
		if (write(orders, "", 1) != 1)
			break;
		while (seen.rounds < round)
			Sleep(10);
	}
	close(orders);
}

static ULONG start(const char *name)
{
	EVENT_TRACE_LOGFILEA logfile = { .LoggerName = (LPSTR)name,
					 .EventRecordCallback = on_record };

	block.properties.Wnode.BufferSize = sizeof(block);
	block.properties.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	block.properties.Wnode.ClientContext = 1;
	block.properties.BufferSize = 64;
	block.properties.MaximumBuffers = 32;
	block.properties.FlushTimer = 1;
	block.properties.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	block.properties.LoggerNameOffset = sizeof(block.properties);
	logfile.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME | PROCESS_TRACE_MODE_EVENT_RECORD;
	if (StartTraceA(&session, name, &block.properties))
		return 1;
	trace = OpenTraceA(&logfile);
	return trace == INVALID_PROCESSTRACE_HANDLE;
}

int main(void)
{
	pthread_t consumer, ticker;
	void *result, *ticked;
	int orders[2], status;
	pid_t pid;

	check_that(!start("deaf") && !pipe(orders), "a session is consumed in real time");
	pid = fork();
	if (!pid) {
		close(orders[1]);
		_exit(be_deaf(orders[0]));
	}
	close(orders[0]);
	run_on(2);
	pthread_create(&consumer, NULL, consume, NULL);
	pthread_create(&ticker, NULL, tick, NULL);
	have_rounds(orders[1]);
	done = TRUE;
	pthread_join(ticker, &ticked);
	check_that(waitpid(pid, &status, 0) == pid && !status, "a processor was deaf");
	block.properties.Wnode.BufferSize = sizeof(block);
	check_that(ticked &&
		   !ControlTraceA(session, NULL, &block.properties, EVENT_TRACE_CONTROL_STOP) &&
		   !block.properties.EventsLost, "all is written and nothing lost");
	pthread_join(consumer, &result);
	printf("# %u events of the third processor, %u rounds, %u flushes met a deaf one\n",
	       seen.ticks, seen.rounds, seen.met);
	check_that(!result && seen.met >= MEETINGS && seen.ticks > 100 * BURST,
		   "flushes had to wait for a deaf processor");
	check_that(!seen.wrong, "its event, the first one for two periods, comes in order of time");
	CloseTrace(trace);
	return 0;
}
