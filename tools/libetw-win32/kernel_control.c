// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* KernelTraceControl.dll: TraceEvent starts the session "NT Kernel Logger" by it. */
#include <stdlib.h>
#include <string.h>
#include "win32.h"

/* Nothing is loaded: the number says only that the functions exist. */
#define THE_LIBRARY	((HANDLE)0x4B5443)
#define LIBRARY_NAME	u"KernelTraceControl.dll"

static size_t length(LPCWSTR text)
{
	size_t units = 0;

	while (text[units])
		units++;
	return units;
}

/**
 * LoadLibrary() - loads a DLL
 * @name: its path, UTF-16
 *
 * TraceEvent loads KernelTraceControl.dll by the path of its package, before it calls a function
 * that .NET then finds here.
 *
 * Return: not NULL for that DLL; NULL and ERROR_MOD_NOT_FOUND for any other.
 */
HANDLE LoadLibrary(LPCWSTR name)
{
	const size_t units = sizeof(LIBRARY_NAME) / sizeof(WCHAR) - 1;
	size_t had = name ? length(name) : 0;

	if (had < units || memcmp(name + had - units, LIBRARY_NAME, units * sizeof(WCHAR))) {
		win32_result(ERROR_MOD_NOT_FOUND);
		return NULL;
	}
	win32_result(ERROR_SUCCESS);
	return THE_LIBRARY;
}

/* If its stacks are refused, the session does not stay. */
static void stop(TRACEHANDLE session)
{
	struct {
		EVENT_TRACE_PROPERTIES fixed;
		WCHAR names[2048];
	} *block = calloc(1, sizeof(*block));

	if (!block)
		return;
	block->fixed.Wnode.BufferSize = sizeof(*block);
	block->fixed.LoggerNameOffset = sizeof(block->fixed);
	block->fixed.LogFileNameOffset = sizeof(block->fixed) + sizeof(block->names) / 2;
	ControlTraceW(session, NULL, &block->fixed, EVENT_TRACE_CONTROL_STOP);
	free(block);
}

/**
 * StartKernelTrace() - starts the session "NT Kernel Logger", with stacks
 * @session: out: its handle
 * @properties: as for StartTrace()
 * @events: events that get a stack
 * @count: of them
 *
 * Return: as StartTraceW() and TraceSetInformation(); without a session @session is 0.
 */
ULONG StartKernelTrace(PTRACEHANDLE session, PEVENT_TRACE_PROPERTIES properties,
		       CLASSIC_EVENT_ID *events, LONG count)
{
	ULONG error = StartTraceW(session, KERNEL_LOGGER_NAMEW, properties);

	if (error || count <= 0)
		return error;
	error = TraceSetInformation(*session, TraceStackTracingInfo, events,
				    count * sizeof(*events));
	if (error) {
		stop(*session);
		*session = 0;
	}
	return error;
}
