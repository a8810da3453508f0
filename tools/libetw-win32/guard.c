// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * OpenTraceW() and CloseTrace() for .NET. An exception in a managed callback ends the process on
 * Linux, and TraceEvent throws there if a payload is shorter than its class and version require.
 * So a kernel event with a malformed payload gets another class before it is delivered.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/fields.h"
#include "well_formed.h"
#include "win32.h"

/* libetw's functions, of which ours below have the names */
__asm__(".symver libetw_open_trace, OpenTraceW@ETW_1.0");
PROCESSTRACE_HANDLE libetw_open_trace(PEVENT_TRACE_LOGFILEW logfile);
__asm__(".symver libetw_close_trace, CloseTrace@ETW_1.0");
ULONG libetw_close_trace(PROCESSTRACE_HANDLE handle);

/* {b1e1f2a4-5d9b-4b6e-9f3e-6c1d0a7e5d21}: kernel events that are damaged */
static const GUID malformed_guid = {
	0xb1e1f2a4, 0x5d9b, 0x4b6e, { 0x9f, 0x3e, 0x6c, 0x1d, 0x0a, 0x7e, 0x5d, 0x21 }
};

/**
 * struct guard - an open trace
 * @next: in the list
 * @handle: of it
 * @context: the caller's Context
 * @record: the caller's EventRecordCallback
 * @buffer: the caller's BufferCallback
 * @fields: of the event that is delivered: a trace has one ProcessTrace() at a time
 */
struct guard {
	struct guard *next;
	PROCESSTRACE_HANDLE handle;
	PVOID context;
	PEVENT_RECORD_CALLBACK record;
	PEVENT_TRACE_BUFFER_CALLBACKW buffer;
	struct fields fields;
};

static struct guard *guards;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static VOID WINAPI on_record(PEVENT_RECORD event)
{
	struct guard *guard = event->UserContext;

	event->UserContext = guard->context;
	if (!is_well_formed(event, &guard->fields))
		event->EventHeader.ProviderId = malformed_guid;
	guard->record(event);
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

static void remove_guard(PROCESSTRACE_HANDLE handle)
{
	struct guard **at, *guard;

	pthread_mutex_lock(&lock);
	for (at = &guards; *at && (*at)->handle != handle; at = &(*at)->next)
		;
	guard = *at;
	if (guard)
		*at = guard->next;
	pthread_mutex_unlock(&lock);
	free(guard);
}

static PROCESSTRACE_HANDLE open_guarded(PEVENT_TRACE_LOGFILEW logfile)
{
	struct guard *guard = malloc(sizeof(*guard));
	DWORD error;

	if (!guard) {
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
		return INVALID_PROCESSTRACE_HANDLE;
	}
	guard->context = logfile->Context;
	guard->record = logfile->EventRecordCallback;
	guard->buffer = logfile->BufferCallback;
	logfile->Context = guard;
	logfile->EventRecordCallback = on_record;
	if (guard->buffer)
		logfile->BufferCallback = on_buffer;
	guard->handle = libetw_open_trace(logfile);
	error = GetLastError();
	logfile->Context = guard->context;
	logfile->EventRecordCallback = guard->record;
	logfile->BufferCallback = guard->buffer;
	if (guard->handle == INVALID_PROCESSTRACE_HANDLE) {
		free(guard);
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
 * {b1e1f2a4-5d9b-4b6e-9f3e-6c1d0a7e5d21}, and is otherwise unchanged. errno is the last error.
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
 * CloseTrace() - libetw's CloseTrace()
 * @TraceHandle: see there
 *
 * Return: see there.
 */
ULONG CloseTrace(PROCESSTRACE_HANDLE TraceHandle)
{
	ULONG error = libetw_close_trace(TraceHandle);

	/* while ProcessTrace() runs, its callbacks still use the guard */
	if (error == ERROR_SUCCESS)
		remove_guard(TraceHandle);
	return error;
}
