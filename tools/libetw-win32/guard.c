// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * OpenTraceW(), ProcessTrace() and CloseTrace() for .NET. An exception in a managed callback ends
 * the process on Linux, and TraceEvent throws there if a payload is shorter than its class and
 * version require. So a kernel event with a malformed payload gets another class before it is
 * delivered. The first TraceLogging event of each kind is delivered behind its description.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/fields.h"
#include "self_described.h"
#include "well_formed.h"
#include "win32.h"

/* Of one ProcessTrace() */
#define MAX_HANDLES	64

/* libetw's functions, of which ours below have the names */
__asm__(".symver libetw_open_trace, OpenTraceW@ETW_1.0");
PROCESSTRACE_HANDLE libetw_open_trace(PEVENT_TRACE_LOGFILEW logfile);
__asm__(".symver libetw_process_trace, ProcessTrace@ETW_1.0");
ULONG libetw_process_trace(PROCESSTRACE_HANDLE *handles, ULONG count, LPFILETIME start,
			   LPFILETIME end);
__asm__(".symver libetw_close_trace, CloseTrace@ETW_1.0");
ULONG libetw_close_trace(PROCESSTRACE_HANDLE handle);

/* {b1e1f2a4-5d9b-4b6e-9f3e-6c1d0a7e5d21}: kernel events that are damaged */
static const GUID malformed_guid = {
	0xb1e1f2a4, 0x5d9b, 0x4b6e, { 0x9f, 0x3e, 0x6c, 0x1d, 0x0a, 0x7e, 0x5d, 0x21 }
};

/**
 * struct reader - what the traces of a source of TraceEvent share: it opens all with one callback
 * @next: in the list
 * @record: the callback
 * @guards: open traces that have it
 * @described: the kinds of events that it got
 */
struct reader {
	struct reader *next;
	PEVENT_RECORD_CALLBACK record;
	unsigned int guards;
	struct self_described described;
};

/**
 * struct guard - an open trace
 * @next: in the list
 * @handle: of it
 * @context: the caller's Context
 * @reader: has the caller's EventRecordCallback
 * @buffer: the caller's BufferCallback
 * @fields: of the event that is delivered: a trace has one ProcessTrace() at a time
 * @description: delivered before it
 * @users: calls of ProcessTrace() that have it
 * @closed: CloseTrace() was called; the last user frees it
 */
struct guard {
	struct guard *next;
	PROCESSTRACE_HANDLE handle;
	PVOID context;
	struct reader *reader;
	PEVENT_TRACE_BUFFER_CALLBACKW buffer;
	struct fields fields;
	struct event_description description;
	unsigned int users;
	bool closed;
};

static struct guard *guards;
static struct reader *readers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static VOID WINAPI on_record(PEVENT_RECORD event)
{
	struct guard *guard = event->UserContext;
	struct reader *reader = guard->reader;

	event->UserContext = guard->context;
	if (!is_well_formed(event, &guard->fields))
		event->EventHeader.ProviderId = malformed_guid;
	else if (event->ExtendedDataCount &&
		 self_described_take(&reader->described, event, &guard->description))
		reader->record(&guard->description.event);
	reader->record(event);
}

/* Under the lock. Return: NULL: no memory */
static struct reader *get_reader(PEVENT_RECORD_CALLBACK record)
{
	struct reader *reader = readers;

	while (reader && reader->record != record)
		reader = reader->next;
	if (!reader) {
		reader = calloc(1, sizeof(*reader));
		if (!reader)
			return NULL;
		pthread_mutex_init(&reader->described.lock, NULL);
		reader->record = record;
		reader->next = readers;
		readers = reader;
	}
	reader->guards++;
	return reader;
}

/* Under the lock */
static void put_reader(struct reader *reader)
{
	struct reader **at = &readers;

	if (--reader->guards)
		return;
	while (*at != reader)
		at = &(*at)->next;
	*at = reader->next;
	self_described_free(&reader->described);
	free(reader);
}

static void free_guard(struct guard *guard)
{
	if (!guard)
		return;
	pthread_mutex_lock(&lock);
	put_reader(guard->reader);
	pthread_mutex_unlock(&lock);
	free(guard->description.info);
	free(guard);
}

/* The caller finds its own context in the structure. */
static ULONG WINAPI on_buffer(PEVENT_TRACE_LOGFILEW logfile)
{
	struct guard *guard = logfile->Context;
	ULONG more;

	logfile->Context = guard->context;
	more = guard->buffer(logfile);
	logfile->Context = guard;
	return more;
}

static void add(struct guard *guard)
{
	pthread_mutex_lock(&lock);
	guard->next = guards;
	guards = guard;
	pthread_mutex_unlock(&lock);
}

/* Under the lock */
static struct guard **find_guard(PROCESSTRACE_HANDLE handle)
{
	struct guard **at = &guards;

	while (*at && (*at)->handle != handle)
		at = &(*at)->next;
	return at;
}

/* Under the lock. Return: the guard, for free_guard() without the lock, if nothing uses it */
static struct guard *take_unused(struct guard **at)
{
	struct guard *guard = *at;

	if (!guard || guard->users || !guard->closed)
		return NULL;
	*at = guard->next;
	return guard;
}

static void begin_use(PROCESSTRACE_HANDLE handle)
{
	struct guard *guard;

	pthread_mutex_lock(&lock);
	guard = *find_guard(handle);
	if (guard)
		guard->users++;
	pthread_mutex_unlock(&lock);
}

static void end_use(PROCESSTRACE_HANDLE handle)
{
	struct guard **at, *unused;

	pthread_mutex_lock(&lock);
	at = find_guard(handle);
	if (*at)
		(*at)->users--;
	unused = take_unused(at);
	pthread_mutex_unlock(&lock);
	free_guard(unused);
}

static struct guard *make_guard(PEVENT_TRACE_LOGFILEW logfile)
{
	struct guard *guard = calloc(1, sizeof(*guard));

	if (!guard)
		return NULL;
	guard->context = logfile->Context;
	guard->buffer = logfile->BufferCallback;
	pthread_mutex_lock(&lock);
	guard->reader = get_reader(logfile->EventRecordCallback);
	pthread_mutex_unlock(&lock);
	if (guard->reader)
		return guard;
	free(guard);
	return NULL;
}

static PROCESSTRACE_HANDLE open_guarded(PEVENT_TRACE_LOGFILEW logfile)
{
	struct guard *guard = make_guard(logfile);
	DWORD error;

	if (!guard) {
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
		return INVALID_PROCESSTRACE_HANDLE;
	}
	logfile->Context = guard;
	logfile->EventRecordCallback = on_record;
	if (guard->buffer)
		logfile->BufferCallback = on_buffer;
	guard->handle = libetw_open_trace(logfile);
	error = GetLastError();
	logfile->Context = guard->context;
	logfile->EventRecordCallback = guard->reader->record;
	logfile->BufferCallback = guard->buffer;
	if (guard->handle == INVALID_PROCESSTRACE_HANDLE) {
		free_guard(guard);
		SetLastError(error);
		return INVALID_PROCESSTRACE_HANDLE;
	}
	add(guard);
	return guard->handle;
}

/**
 * OpenTraceW() - libetw's OpenTraceW(); EventRecordCallback gets well-formed kernel events
 * @Logfile: see there
 *
 * A kernel event with a payload that is too short for its class and version has the class
 * {b1e1f2a4-5d9b-4b6e-9f3e-6c1d0a7e5d21}, and is otherwise unchanged. A description stands before
 * the first TraceLogging event of each kind. errno is the last error.
 *
 * Return: see there.
 */
PROCESSTRACE_HANDLE OpenTraceW(PEVENT_TRACE_LOGFILEW Logfile)
{
	PROCESSTRACE_HANDLE handle;

	if (Logfile && (Logfile->ProcessTraceMode & PROCESS_TRACE_MODE_EVENT_RECORD) &&
	    Logfile->EventRecordCallback)
		handle = open_guarded(Logfile);
	else
		handle = libetw_open_trace(Logfile);
	win32_result(GetLastError());
	return handle;
}

/**
 * ProcessTrace() - libetw's ProcessTrace()
 * @HandleArray: see there
 * @HandleCount: see there
 * @StartTime: see there
 * @EndTime: see there
 *
 * Return: see there.
 */
ULONG ProcessTrace(PROCESSTRACE_HANDLE *HandleArray, ULONG HandleCount, LPFILETIME StartTime,
		   LPFILETIME EndTime)
{
	const ULONG count = HandleArray && HandleCount <= MAX_HANDLES ? HandleCount : 0;
	PROCESSTRACE_HANDLE handles[MAX_HANDLES];
	ULONG error, i;

	for (i = 0; i < count; i++) {
		handles[i] = HandleArray[i];
		begin_use(handles[i]);
	}
	error = libetw_process_trace(count ? handles : HandleArray, HandleCount, StartTime,
				     EndTime);
	for (i = 0; i < count; i++)
		end_use(handles[i]);
	return error;
}

/**
 * CloseTrace() - libetw's CloseTrace()
 * @TraceHandle: see there
 *
 * Return: see there.
 */
ULONG CloseTrace(PROCESSTRACE_HANDLE TraceHandle)
{
	ULONG error = libetw_close_trace(TraceHandle);
	struct guard **at, *unused;

	if (error != ERROR_SUCCESS && error != ERROR_CTX_CLOSE_PENDING)
		return error;
	/* while ProcessTrace() runs, its callbacks still use the guard */
	pthread_mutex_lock(&lock);
	at = find_guard(TraceHandle);
	if (*at)
		(*at)->closed = true;
	unused = take_unused(at);
	pthread_mutex_unlock(&lock);
	free_guard(unused);
	return error;
}
