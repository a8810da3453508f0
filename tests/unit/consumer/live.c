// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Sessions consumed in real time: what is written is what comes, in order, to the readers that may
 * have it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <windows.h>
#include <evntrace.h>
#include <evntcons.h>
#include "tests/lib/guest/check.h"

#define THREADS		4
#define EACH		2000
#define MESSAGE_NUMBER	77

static const GUID session_guid = { 0x1a2b3c4d, 1, 2, { 3, 4, 5, 6, 7, 8, 9, 10 } };
static const GUID class_guid = { 0x5e6f7a8b, 1, 2, { 3, 4, 5, 6, 7, 8, 9, 11 } };

static struct {
	EVENT_TRACE_PROPERTIES properties;
	char names[256];
} block;

/* What the consumer's callback saw */
static struct {
	volatile ULONG events;
	volatile ULONG ours;
	ULONG headers;
	ULONG first_is_header;
	ULONG out_of_order;
	ULONG wrong;
	ULONG instances;
	ULONG messages;
	ULONG future;
	ULONG next[THREADS];
	LONGLONG last;
} seen;
static ULONG thread_ids[THREADS];
static TRACEHANDLE session, trace;

static ULONG start(const char *name)
{
	memset(&block, 0, sizeof(block));
	block.properties.Wnode.BufferSize = sizeof(block);
	block.properties.Wnode.Guid = session_guid;
	block.properties.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	block.properties.Wnode.ClientContext = 1;
	block.properties.BufferSize = 64;
	block.properties.MaximumBuffers = 32;
	block.properties.FlushTimer = 1;
	block.properties.LogFileMode = EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_USE_LOCAL_SEQUENCE;
	block.properties.LoggerNameOffset = sizeof(block.properties);
	return StartTraceA(&session, name, &block.properties);
}

static ULONG control(ULONG code)
{
	block.properties.Wnode.BufferSize = sizeof(block);
	return ControlTraceA(session, NULL, &block.properties, code);
}

/* {thread, number} of a thread's events, which come in the order of their numbers */
static void look_at(const EVENT_RECORD *event)
{
	ULONG data[2];

	if (event->UserDataLength != sizeof(data)) {
		seen.wrong++;
		return;
	}
	memcpy(data, event->UserData, sizeof(data));
	if (data[0] >= THREADS || data[1] != seen.next[data[0]]++ ||
	    event->EventHeader.ThreadId != thread_ids[data[0]] ||
	    event->EventHeader.ProcessId != GetCurrentProcessId() ||
	    event->EventHeader.EventDescriptor.Opcode != 10 + data[0] ||
	    !(event->EventHeader.Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER))
		seen.wrong++;
	seen.ours++;
}

static void look_at_instance(const EVENT_RECORD *event)
{
	const EVENT_EXTENDED_ITEM_INSTANCE *instance;

	if (!event->ExtendedDataCount ||
	    event->ExtendedData->ExtType != EVENT_HEADER_EXT_TYPE_INSTANCE_INFO)
		return;
	instance = (EVENT_EXTENDED_ITEM_INSTANCE *)(ULONG_PTR)event->ExtendedData->DataPtr;
	if (instance->InstanceId == 1 && instance->ParentInstanceId == 0)
		seen.instances++;
}

static DWORD main_thread;

static void look_at_message(const EVENT_RECORD *event)
{
	const EVENT_HEADER *header = &event->EventHeader;

	if (header->EventDescriptor.Id == MESSAGE_NUMBER &&
	    IsEqualGUID(&header->ProviderId, &class_guid) && event->UserDataLength == 9 &&
	    !memcmp(event->UserData, "abcd12345", 9) && header->ThreadId == main_thread)
		seen.messages++;
}

static VOID WINAPI on_record(PEVENT_RECORD event)
{
	const EVENT_HEADER *header = &event->EventHeader;

	if (!seen.events++)
		seen.first_is_header = header->ProviderId.Data1 == 0x68fdd900 &&
				       !header->EventDescriptor.Opcode;
	else if (header->TimeStamp.QuadPart < seen.last)
		seen.out_of_order++;
	seen.last = header->TimeStamp.QuadPart;
	if (header->ProviderId.Data1 == 0x68fdd900)
		seen.headers++;
	else if (header->Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE)
		look_at_message(event);
	else if (!IsEqualGUID(&header->ProviderId, &class_guid))
		return;
	else if (header->EventDescriptor.Opcode == 99)
		look_at_instance(event);
	else if (header->EventDescriptor.Opcode == 98)
		seen.future++;
	else
		look_at(event);
}

static void *write_events(void *argument)
{
	struct {
		EVENT_TRACE_HEADER header;
		ULONG data[2];
	} event;
	ULONG thread = (ULONG)(ULONG_PTR)argument, i;

	thread_ids[thread] = GetCurrentThreadId();
	for (i = 0; i < EACH; i++) {
		memset(&event, 0, sizeof(event));
		event.header.Size = sizeof(event);
		event.header.Class.Type = (UCHAR)(10 + thread);
		event.header.Guid = class_guid;
		event.header.Flags = WNODE_FLAG_TRACED_GUID;
		event.data[0] = thread;
		event.data[1] = i;
		if (TraceEvent(session, &event.header))
			return (void *)1;
		if (i % 100 == 99)
			Sleep(10);
	}
	return NULL;
}

/* Return: whether all could be written */
static BOOL write_all(void)
{
	pthread_t threads[THREADS];
	BOOL good = TRUE;
	void *failed;
	ULONG i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, write_events, (void *)(ULONG_PTR)i);
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &failed);
		good &= !failed;
	}
	return good;
}

static void *consume(void *argument)
{
	ULONG result = ProcessTrace(&trace, 1, NULL, NULL);

	(void)argument;
	return (void *)(ULONG_PTR)result;
}

static TRACEHANDLE open_session(const char *name)
{
	EVENT_TRACE_LOGFILEA logfile;

	memset(&logfile, 0, sizeof(logfile));
	logfile.LoggerName = (LPSTR)name;
	logfile.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME | PROCESS_TRACE_MODE_EVENT_RECORD;
	logfile.EventRecordCallback = on_record;
	memset(&seen, 0, sizeof(seen));
	return OpenTraceA(&logfile);
}

static BOOL all_came(void)
{
	ULONG i;

	for (i = 0; i < THREADS; i++)
		if (seen.next[i] != EACH)
			return FALSE;
	return seen.ours == THREADS * EACH && !seen.wrong;
}

static ULONG WINAPI on_request(WMIDPREQUESTCODE code, PVOID context, ULONG *size, PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	return ERROR_SUCCESS;
}

static void write_others(void)
{
	EVENT_INSTANCE_INFO info;
	EVENT_INSTANCE_HEADER event;
	TRACE_GUID_REGISTRATION class_registration = { &class_guid, NULL };
	TRACEHANDLE registration;

	if (RegisterTraceGuidsA(on_request, NULL, &session_guid, 1, &class_registration, NULL,
				NULL, &registration))
		return;
	CreateTraceInstanceId(class_registration.RegHandle, &info);
	memset(&event, 0, sizeof(event));
	event.Size = sizeof(event);
	event.Class.Type = 99;
	event.Flags = WNODE_FLAG_TRACED_GUID;
	if (TraceEventInstance(session, &event, &info, NULL))
		printf("# TraceEventInstance: %u\n", GetLastError());
	if (TraceMessage(session, TRACE_MESSAGE_GUID | TRACE_MESSAGE_SEQUENCE |
			 TRACE_MESSAGE_TIMESTAMP | TRACE_MESSAGE_SYSTEMINFO, &class_guid,
			 MESSAGE_NUMBER, "abcd", (SIZE_T)4, "12345", (SIZE_T)5, NULL))
		printf("# TraceMessage: %u\n", GetLastError());
	UnregisterTraceGuids(registration);
}

/* Written while it is consumed; the session's end is the trace's */
static void test_all(void)
{
	pthread_t consumer;
	void *result;
	BOOL written;

	check_that(!start("live"), "a session in real time starts");
	trace = open_session("live");
	check_that(trace != INVALID_PROCESSTRACE_HANDLE, "OpenTrace finds it by its name");
	check_that(open_session("live") == INVALID_PROCESSTRACE_HANDLE &&
		   GetLastError() == ERROR_BUSY,
		   "OpenTrace of a session that has a consumer: ERROR_BUSY");
	pthread_create(&consumer, NULL, consume, NULL);
	written = write_all();
	write_others();
	check_that(written, "programs write to it");
	check_that(!control(EVENT_TRACE_CONTROL_STOP), "the session stops");
	pthread_join(consumer, &result);
	check_that(!result, "ProcessTrace ends with the session");
	check_that(seen.first_is_header, "the header event is the first");
	check_that(all_came() && !block.properties.EventsLost,
		   "every event came once, as it was written, of the thread that wrote it");
	check_that(!seen.out_of_order, "all in order of time");
	check_that(seen.instances == 1, "TraceEventInstance: INSTANCE_INFO");
	check_that(seen.messages == 1, "TraceMessage: number, GUID, thread and arguments");
	printf("# %u events, %u of them of programs, %u out of order, %u wrong\n", seen.events,
	       seen.ours, seen.out_of_order, seen.wrong);
	check_that(CloseTrace(trace) == ERROR_SUCCESS, "CloseTrace after ProcessTrace");
}

static LONGLONG milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Closed while the session goes on: what was read by then comes, then nothing */
static void test_close(void)
{
	pthread_t consumer;
	void *result;
	LONGLONG begin;
	ULONG first;

	check_that(!start("live"), "the name is free again");
	trace = open_session("live");
	pthread_create(&consumer, NULL, consume, NULL);
	write_all();
	control(EVENT_TRACE_CONTROL_FLUSH);
	begin = milliseconds();
	while (!all_came() && milliseconds() - begin < 20000)
		Sleep(10);
	check_that(all_came(), "events come while the session runs");
	check_that(CloseTrace(trace) == ERROR_CTX_CLOSE_PENDING,
		   "CloseTrace while ProcessTrace runs: ERROR_CTX_CLOSE_PENDING");
	pthread_join(consumer, &result);
	check_that(!result, "ProcessTrace ends then");
	first = seen.ours;
	trace = open_session("live");
	pthread_create(&consumer, NULL, consume, NULL);
	write_all();
	control(EVENT_TRACE_CONTROL_STOP);
	pthread_join(consumer, &result);
	check_that(!result && first == THREADS * EACH && all_came(),
		   "the next consumer gets what came since");
	CloseTrace(trace);
}

/* An event that says of itself that it comes in some centuries holds nothing back. */
static void test_future(void)
{
	EVENT_TRACE_HEADER event;
	pthread_t consumer;
	LONGLONG begin;
	void *result;

	start("live");
	trace = open_session("live");
	pthread_create(&consumer, NULL, consume, NULL);
	memset(&event, 0, sizeof(event));
	event.Size = sizeof(event);
	event.Class.Type = 98;
	event.Guid = class_guid;
	event.Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_TIMESTAMP;
	event.TimeStamp.QuadPart = 1LL << 62;
	check_that(!TraceEvent(session, &event), "an event of the future is written");
	write_all();
	begin = milliseconds();
	while (!(all_came() && seen.future) && milliseconds() - begin < 20000)
		Sleep(10);
	check_that(all_came() && seen.future == 1,
		   "it and all after it come while the session runs");
	control(EVENT_TRACE_CONTROL_STOP);
	pthread_join(consumer, &result);
	check_that(!result && all_came() && seen.future == 1, "and once");
	CloseTrace(trace);
}

static void test_later(void)
{
	TRACEHANDLE early = open_session("later");
	pthread_t consumer;
	void *result;

	check_that(early != INVALID_PROCESSTRACE_HANDLE, "OpenTrace before there is a session");
	check_that(ProcessTrace(&early, 1, NULL, NULL) == ERROR_WMI_INSTANCE_NOT_FOUND,
		   "ProcessTrace: there is none yet");
	start("later");
	trace = early;
	pthread_create(&consumer, NULL, consume, NULL);
	while (!seen.events)
		Sleep(10);
	write_all();
	control(EVENT_TRACE_CONTROL_STOP);
	pthread_join(consumer, &result);
	check_that(!result && all_came() && seen.first_is_header, "ProcessTrace when there is one");
	CloseTrace(early);
}

/* The nodes have the rights to read; the name is found without the right to control. */
static int as_user(void)
{
	TRACEHANDLE handle;
	ULONG error;

	if (setgid(1000) || setuid(1000))
		return 1;
	handle = open_session("theirs");
	error = GetLastError();
	check_that(handle == INVALID_PROCESSTRACE_HANDLE && error == ERROR_ACCESS_DENIED,
		   "OpenTrace: a session that a user may not read: ERROR_ACCESS_DENIED");
	handle = open_session("mine");
	check_that(handle != INVALID_PROCESSTRACE_HANDLE &&
		   !ProcessTrace(&handle, 1, NULL, NULL) && seen.first_is_header,
		   "a user consumes a session with a node of the user's, by its name");
	return 0;
}

int main(int argc, char **argv)
{
	main_thread = GetCurrentThreadId();
	if (argc > 1 && !strcmp(argv[1], "user"))
		return as_user();
	test_all();
	test_close();
	test_future();
	test_later();
	return 0;
}
