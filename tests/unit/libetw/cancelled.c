// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Threads that are cancelled, or end, in a call: what they held is free for the next call. */
#define _GNU_SOURCE
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <evntcons.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "check.h"
#include "ignore_control.h"
#include "properties_block.h"

/* Seconds after which a call is taken to wait for a lock that nothing will release */
#define PATIENCE	20

static const GUID guid = { 0x61, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

static bool ends(pthread_t thread, void **result)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE;
	return !pthread_timedjoin_np(thread, result, &until);
}

static TRACEHANDLE start(const char *file, ULONG mode)
{
	TRACEHANDLE session = 0;
	struct block block;

	prepare(&block);
	block.p.BufferSize = 4;
	block.p.LogFileMode = mode;
	block.p.LogFileNameOffset = sizeof(block.p) + 256;
	strcpy(block.names + 256, file);
	StartTraceA(&session, "cancelled", &block.p);
	return session;
}

static void control(TRACEHANDLE session, ULONG code)
{
	struct block block;

	prepare(&block);
	ControlTraceA(session, NULL, &block.p, code);
}

static TRACEHANDLE open_file(const char *file, PEVENT_RECORD_CALLBACK callback)
{
	EVENT_TRACE_LOGFILEA logfile = { .LogFileName = (char *)file };

	logfile.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	logfile.EventRecordCallback = callback;
	return OpenTraceA(&logfile);
}

static void register_guids(void)
{
	TRACEHANDLE handle = 0;

	RegisterTraceGuidsA(ignore_control, NULL, &guid, 0, NULL, NULL, NULL, &handle);
	UnregisterTraceGuids(handle);
}

static TRACEHANDLE registered;

static void unregister(void)
{
	UnregisterTraceGuids(registered);
	RegisterTraceGuidsA(ignore_control, NULL, &guid, 0, NULL, NULL, NULL, &registered);
}

static void start_with_file(void)
{
	TRACEHANDLE session = start("module.etl", EVENT_TRACE_FILE_MODE_SEQUENTIAL);

	if (session)
		control(session, EVENT_TRACE_CONTROL_STOP);
}

static void start_own(void)
{
	TRACEHANDLE session = start("own.etl", EVENT_TRACE_PRIVATE_LOGGER_MODE);

	control(session, EVENT_TRACE_CONTROL_FLUSH);
	EnableTrace(1, 0, 0, &guid, session);
	control(session, EVENT_TRACE_CONTROL_STOP);
}

static void query_all(void)
{
	EVENT_TRACE_PROPERTIES *array[1];
	struct block block;
	ULONG count;

	prepare(&block);
	array[0] = &block.p;
	QueryAllTracesA(array, 1, &count);
}

static void enumerate(void)
{
	TRACE_GUID_PROPERTIES properties, *array[1] = { &properties };
	ULONG count;

	EnumerateTraceGuids(array, 1, &count);
}

/* One for the thread that is cancelled, one for the next */
static TRACEHANDLE opened[2];
static int closed;

static void close_one(void)
{
	CloseTrace(opened[closed++]);
}

/**
 * struct call - a call that a thread is cancelled in
 * @call: makes it
 * @name: of the call
 * @returned: the call did, in a thread with a cancellation request
 */
struct call {
	void (*call)(void);
	const char *name;
	bool returned;
};

static struct call calls[] = {
	{ .call = register_guids, .name = "RegisterTraceGuids()" },
	{ .call = unregister, .name = "UnregisterTraceGuids()" },
	{ .call = start_with_file, .name = "StartTrace() with a file" },
	{ .call = start_own, .name = "StartTrace() of the process's own session" },
	{ .call = query_all, .name = "QueryAllTraces()" },
	{ .call = enumerate, .name = "EnumerateTraceGuids()" },
	{ .call = close_one, .name = "CloseTrace()" },
};

static void *call_cancelled(void *argument)
{
	struct call *call = argument;

	pthread_cancel(pthread_self());
	call->call();
	call->returned = true;
	pthread_testcancel();
	return NULL;
}

static void *call_plainly(void *argument)
{
	((struct call *)argument)->call();
	return NULL;
}

static void check_next(const char *name, struct call *next)
{
	char text[128];
	pthread_t thread;
	bool ended;

	snprintf(text, sizeof(text), "%s: the next call does not hang", name);
	pthread_create(&thread, NULL, call_plainly, next);
	ended = ends(thread, NULL);
	check(text, ended);
	/* a thread that hangs holds what later calls need */
	if (!ended)
		_exit(1);
}

static void check_call(struct call *call)
{
	void *result = NULL;
	char text[128];
	pthread_t thread;

	snprintf(text, sizeof(text), "%s returns before its thread is cancelled", call->name);
	pthread_create(&thread, NULL, call_cancelled, call);
	check(text, ends(thread, &result) && result == PTHREAD_CANCELED && call->returned);
	check_next(call->name, call);
}

static void ignore_event(PEVENT_RECORD event)
{
	(void)event;
}

static void *process(void *handle)
{
	ProcessTrace(handle, 1, NULL, NULL);
	return NULL;
}

/* What a callback, or the wait for more, was left by holds the trace no longer. */
static void check_freed(const char *name, TRACEHANDLE handle, bool is_file)
{
	char text[128];

	snprintf(text, sizeof(text), "ProcessTrace() %s: the trace can be processed again", name);
	if (is_file)
		check_error(text, ProcessTrace(&handle, 1, NULL, NULL), 0);
	snprintf(text, sizeof(text), "ProcessTrace() %s: CloseTrace()", name);
	check_error(text, CloseTrace(handle), 0);
}

static bool once;

static void cancel_once(PEVENT_RECORD event)
{
	(void)event;
	if (once)
		return;
	once = true;
	pthread_cancel(pthread_self());
	pthread_testcancel();
}

static void exit_once(PEVENT_RECORD event)
{
	(void)event;
	if (once)
		return;
	once = true;
	pthread_exit(NULL);
}

static void check_callback(const char *name, PEVENT_RECORD_CALLBACK callback)
{
	TRACEHANDLE handle = open_file("own.etl", callback);
	pthread_t thread;
	bool ended;

	once = false;
	pthread_create(&thread, NULL, process, &handle);
	ended = ends(thread, NULL);
	check("the thread has ended", ended);
	if (ended)
		check_freed(name, handle, true);
}

static int delivered[2];

static void tell_event(PEVENT_RECORD event)
{
	(void)event;
	if (write(delivered[1], "", 1) != 1)
		abort();
}

/* A pipe that has the header buffer and stays open */
static void check_wait(void)
{
	char bytes[4096];
	void *result = NULL;
	TRACEHANDLE handle;
	pthread_t thread;
	int file, fifo;

	file = open("own.etl", O_RDONLY);
	mkfifo("fifo", 0600);
	fifo = open("fifo", O_RDWR);
	if (read(file, bytes, sizeof(bytes)) != sizeof(bytes) ||
	    write(fifo, bytes, sizeof(bytes)) != sizeof(bytes) || pipe(delivered))
		abort();
	close(file);
	handle = open_file("fifo", tell_event);
	pthread_create(&thread, NULL, process, &handle);
	if (read(delivered[0], bytes, 1) != 1)
		abort();
	pthread_cancel(thread);
	check("ProcessTrace() of a stream is cancelled where it waits",
	      ends(thread, &result) && result == PTHREAD_CANCELED);
	if (result == PTHREAD_CANCELED)
		check_freed("of a stream, cancelled", handle, false);
	close(fifo);
}

static ULONG WINAPI exit_in_control(WMIDPREQUESTCODE code, PVOID context, ULONG *size, PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	pthread_exit(NULL);
}

static void *register_and_exit(void *handle)
{
	RegisterTraceGuidsA(exit_in_control, NULL, &guid, 0, NULL, NULL, NULL, handle);
	return NULL;
}

static void check_control_callback(void)
{
	TRACEHANDLE session = start("callback.etl", EVENT_TRACE_PRIVATE_LOGGER_MODE), handle = 0;
	pthread_t thread;

	EnableTrace(1, 0, 0, &guid, session);
	pthread_create(&thread, NULL, register_and_exit, &handle);
	check("the thread of a control callback that calls pthread_exit() ends", ends(thread, NULL));
	check_next("a control callback that calls pthread_exit()", &calls[0]);
	check_error("its registration is there", UnregisterTraceGuids(handle), 0);
	control(session, EVENT_TRACE_CONTROL_STOP);
}

int main(void)
{
	size_t i;

	setvbuf(stdout, NULL, _IONBF, 0);
	start_own();
	opened[0] = open_file("own.etl", ignore_event);
	opened[1] = open_file("own.etl", ignore_event);
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		check_call(&calls[i]);
	check_callback("cancelled in a callback", cancel_once);
	check_callback("left by pthread_exit() in a callback", exit_once);
	check_wait();
	check_control_callback();
	return failures != 0;
}
