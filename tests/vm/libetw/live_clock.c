// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Raw stamps of a session that is read in real time are CLOCK_MONOTONIC, payloads' stamps too. */
#include <string.h>
#include <time.h>
#include "live.h"
#include <evntcons.h>

DEFINE_GUID(StackGuid,
	    0xdef2fe46, 0x7bd6, 0x4b80, 0xbd, 0x94, 0xf5, 0x7f, 0xe2, 0x0d, 0x0c, 0xe3);
DEFINE_GUID(SwitchGuid,
	    0x3d6fa8d1, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);

#define CSWITCH		36
#define STACK		32
#define THREAD_START	1
#define LIMIT_NS	10000000
#define SWITCHES	0x10000

/**
 * struct seen - what the consumer has seen
 * @began: before a thread was created
 * @ended: after it
 * @thread: its id
 * @in_time: its event's stamp is between them
 * @switches: stamps of context switches, in a ring
 * @nr_switches: of them
 * @first: stamp of the first one
 * @stacks: of context switches
 * @matched: of them, those with the stamp of a switch that was delivered before
 * @cut: of them, those of switches before the first one
 */
static struct seen {
	long long began;
	long long ended;
	DWORD thread;
	int in_time;
	long long switches[SWITCHES];
	unsigned int nr_switches;
	long long first;
	unsigned int stacks;
	unsigned int matched;
	unsigned int cut;
} seen;

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void on_switch(long long stamp)
{
	if (!seen.nr_switches)
		seen.first = stamp;
	seen.switches[seen.nr_switches++ % SWITCHES] = stamp;
}

static void on_stack(PEVENT_RECORD event)
{
	long long stamp;
	unsigned int i;

	memcpy(&stamp, event->UserData, sizeof(stamp));
	seen.stacks++;
	seen.cut += !seen.nr_switches || stamp < seen.first;
	for (i = 0; i < SWITCHES && i < seen.nr_switches; i++)
		if (seen.switches[i] == stamp) {
			seen.matched++;
			break;
		}
}

/* The data begin with the ids of process and thread. */
static void on_thread(PEVENT_RECORD event)
{
	long long stamp = event->EventHeader.TimeStamp.QuadPart;
	DWORD thread;

	memcpy(&thread, (const char *)event->UserData + sizeof(DWORD), sizeof(thread));
	if (thread == seen.thread && stamp >= seen.began - LIMIT_NS &&
	    stamp <= seen.ended + LIMIT_NS)
		seen.in_time++;
}

static VOID WINAPI on_record(PEVENT_RECORD event)
{
	const EVENT_HEADER *header = &event->EventHeader;
	long long stamp = header->TimeStamp.QuadPart;
	UCHAR type = header->EventDescriptor.Opcode;

	if (IsEqualGUID(&header->ProviderId, &SwitchGuid) && type == CSWITCH)
		on_switch(stamp);
	else if (IsEqualGUID(&header->ProviderId, &StackGuid) && type == STACK)
		on_stack(event);
	else if (IsEqualGUID(&header->ProviderId, &SwitchGuid) && type == THREAD_START)
		on_thread(event);
}

static void *note_thread(void *unused)
{
	seen.thread = GetCurrentThreadId();
	return unused;
}

static void *consume(void *handle)
{
	ProcessTrace(handle, 1, NULL, NULL);
	return NULL;
}

static TRACEHANDLE start(void)
{
	CLASSIC_EVENT_ID event = { SwitchGuid, CSWITCH, { 0 } };
	ULONG flags = EVENT_TRACE_FLAG_THREAD | EVENT_TRACE_FLAG_CSWITCH;
	TRACEHANDLE handle = 0;
	struct block block;

	prepare(&block, EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE);
	block.p.Wnode.ClientContext = 1;
	check_error("a session is started", StartTraceA(&handle, "clock", &block.p), 0);
	check_error("with stacks", TraceSetInformation(handle, TraceStackTracingInfo, &event,
						       sizeof(event)), 0);
	check_error("of switches", TraceSetInformation(handle, TraceSystemTraceEnableFlagsInfo,
						       &flags, sizeof(flags)), 0);
	return handle;
}

void check_live_clock(void)
{
	EVENT_TRACE_LOGFILEA logfile = {
		.LoggerName = (char *)"clock", .EventRecordCallback = on_record,
		.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME |
			PROCESS_TRACE_MODE_EVENT_RECORD | PROCESS_TRACE_MODE_RAW_TIMESTAMP,
	};
	TRACEHANDLE session = start(), trace = OpenTraceA(&logfile);
	pthread_t reader, thread;
	struct block block;

	check("the header has 1,000,000,000 ticks a second of clock 1",
	      logfile.LogfileHeader.PerfFreq.QuadPart == 1000000000 &&
	      logfile.LogfileHeader.ReservedFlags == 1);
	seen.began = now();
	pthread_create(&thread, NULL, note_thread, NULL);
	pthread_join(thread, NULL);
	seen.ended = now();
	pthread_create(&reader, NULL, consume, &trace);
	prepare(&block, 0);
	StopTraceA(session, NULL, &block.p);
	pthread_join(reader, NULL);
	CloseTrace(trace);
	check("the stamp of a live event is within 10 ms of CLOCK_MONOTONIC", seen.in_time == 1);
	printf("   %u switches, %u stacks, %u of them with a switch, %u cut off, %u events lost\n",
	       seen.nr_switches, seen.stacks, seen.matched, seen.cut, block.p.EventsLost);
	check("stacks have the stamps of their events", seen.matched > seen.cut &&
	      seen.matched + seen.cut + block.p.EventsLost >= seen.stacks);
}
