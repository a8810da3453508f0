// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Trace functions of advapi32.dll that differ from libetw's in their name. All
 * others are found in libetw itself, because it is a dependency of this library.
 */
#include "win32.h"

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
