// SPDX-License-Identifier: GPL-2.0
/*
 * Trace functions of advapi32.dll that differ from libetw's in their name or last error. All
 * others are found in libetw itself, because it is a dependency of this library.
 */
#include "win32.h"

/* libetw's function, of which ours below has the name */
__asm__(".symver libetw_open_trace, OpenTraceW@ETW_1.0");
PROCESSTRACE_HANDLE libetw_open_trace(PEVENT_TRACE_LOGFILEW logfile);

/**
 * OpenTraceW() - libetw's OpenTraceW(), which also sets errno
 * @Logfile: see there
 *
 * Return: see there.
 */
WIN32_API PROCESSTRACE_HANDLE OpenTraceW(PEVENT_TRACE_LOGFILEW Logfile)
{
	PROCESSTRACE_HANDLE handle = libetw_open_trace(Logfile);

	win32_result(GetLastError());
	return handle;
}

/**
 * ControlTrace() - ControlTraceW() under the name that .NET looks up
 * @session: see there
 * @name: see there
 * @properties: see there
 * @code: see there
 *
 * Return: see there.
 */
ULONG ControlTrace(TRACEHANDLE session, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties,
		   ULONG code)
{
	return ControlTraceW(session, name, properties, code);
}

/**
 * QueryAllTraces() - QueryAllTracesW() under the name that .NET looks up
 * @array: see there
 * @room: see there
 * @count: see there
 *
 * Return: see there.
 */
ULONG QueryAllTraces(PEVENT_TRACE_PROPERTIES *array, ULONG room, PULONG count)
{
	return QueryAllTracesW(array, room, count);
}
