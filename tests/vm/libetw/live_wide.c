// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Every W form with success: names in UTF-16, which come back as they were given. */
#include "live.h"

#define NAME		u"Gr\u00fc\u00dfe \u20ac \U0001F600"
#define NAME_UTF8	"Gr\u00fc\u00dfe \u20ac \U0001F600"
#define FILE_NAME	u"/tmp/\u00fcber.etl"

static const GUID guid = { 0x56, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

/**
 * struct wide - properties of a session, as struct block
 * @p: fixed part
 * @name: LoggerName
 * @file: LogFileName
 */
struct wide {
	EVENT_TRACE_PROPERTIES p;
	WCHAR name[ROOM];
	WCHAR file[ROOM];
};

static void prepare_wide(struct wide *wide, ULONG mode)
{
	memset(wide, 0, sizeof(*wide));
	wide->p.Wnode.BufferSize = sizeof(*wide);
	wide->p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	wide->p.LogFileMode = mode;
	wide->p.LoggerNameOffset = offsetof(struct wide, name);
	wide->p.LogFileNameOffset = offsetof(struct wide, file);
}

/* Both, with what ends them */
static int has_names(const struct wide *wide)
{
	return !memcmp(wide->name, NAME, sizeof(NAME)) &&
	       !memcmp(wide->file, FILE_NAME, sizeof(FILE_NAME));
}

static void start_it(TRACEHANDLE *handle)
{
	struct wide wide;

	prepare_wide(&wide, EVENT_TRACE_FILE_MODE_SEQUENTIAL);
	memcpy(wide.file, FILE_NAME, sizeof(FILE_NAME));
	check_error("StartTraceW()", StartTraceW(handle, NAME, &wide.p), 0);
	check("it returns the names as they were given", has_names(&wide));
}

static void ask_it(TRACEHANDLE handle)
{
	struct block block;
	struct wide wide;

	prepare_wide(&wide, 0);
	check_error("QueryTraceW() by name", QueryTraceW(0, NAME, &wide.p), 0);
	check("it returns them", has_names(&wide) && wide.p.Wnode.HistoricalContext == handle);
	prepare_wide(&wide, 0);
	check_error("ControlTraceW() by handle",
		    ControlTraceW(handle, NULL, &wide.p, EVENT_TRACE_CONTROL_QUERY), 0);
	check("it returns them, too", has_names(&wide));
	prepare(&block, 0);
	check_error("QueryTraceA() of the name in UTF-8", QueryTraceA(0, NAME_UTF8, &block.p), 0);
	check("it is the same session", block.p.Wnode.HistoricalContext == handle &&
	      !strcmp(block.name, NAME_UTF8));
}

static void change_it(TRACEHANDLE handle)
{
	struct wide wide;

	prepare_wide(&wide, 0);
	wide.p.FlushTimer = 9;
	check_error("UpdateTraceW()", UpdateTraceW(0, NAME, &wide.p), 0);
	check("it returns names and what it changed", has_names(&wide) && wide.p.FlushTimer == 9);
	prepare_wide(&wide, 0);
	check_error("FlushTraceW()", FlushTraceW(handle, NULL, &wide.p), 0);
	check("it returns names", has_names(&wide));
}

/* Among others, which tests before may have left */
static void find_it(TRACEHANDLE handle)
{
	static struct wide wide[4];
	EVENT_TRACE_PROPERTIES *array[4];
	ULONG count = 0, i, found = 0;

	for (i = 0; i < 4; i++) {
		prepare_wide(&wide[i], 0);
		array[i] = &wide[i].p;
	}
	check_error("QueryAllTracesW()", QueryAllTracesW(array, 4, &count), 0);
	for (i = 0; i < count && i < 4; i++)
		found += has_names(&wide[i]) && wide[i].p.Wnode.HistoricalContext == handle;
	check("it finds the session by its names", found == 1);
}

static ULONG WINAPI count_enables(WMIDPREQUESTCODE code, PVOID context, ULONG *size, PVOID buffer)
{
	(void)size;
	(void)buffer;
	*(int *)context += code == WMI_ENABLE_EVENTS;
	return 0;
}

static void provide(TRACEHANDLE session)
{
	TRACE_GUID_REGISTRATION class = { &guid, NULL };
	TRACEHANDLE registration = 0;
	int enables = 0;

	EnableTrace(1, 1, 1, &guid, session);
	check_error("RegisterTraceGuidsW()",
		    RegisterTraceGuidsW(count_enables, &enables, &guid, 1, &class, u"/\u00fc",
					u"resource", &registration), 0);
	check("its callback is called for the enable, and has its class",
	      enables == 1 && class.RegHandle);
	check_error("UnregisterTraceGuids() of it", UnregisterTraceGuids(registration), 0);
}

void check_wide_forms(void)
{
	TRACEHANDLE handle = 0;
	struct wide wide;

	start_it(&handle);
	ask_it(handle);
	change_it(handle);
	find_it(handle);
	provide(handle);
	prepare_wide(&wide, 0);
	check_error("StopTraceW()", StopTraceW(0, NAME, &wide.p), 0);
	check("it returns names", has_names(&wide));
	check("its file has its name", file_size("/tmp/\u00fcber.etl") > 0);
	check_error("it is gone: 4201", QueryTraceW(0, NAME, &wide.p), 4201);
}
