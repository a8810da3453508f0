// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* libetw with the module: sessions, updates, events, providers, files. */
#include <fcntl.h>
#include "live.h"

static const GUID guid = { 0x51, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

static void check_start(TRACEHANDLE *handle)
{
	struct block block;

	prepare(&block, EVENT_TRACE_REAL_TIME_MODE);
	block.p.BufferSize = 61;
	block.p.MinimumBuffers = 8;
	block.p.MaximumBuffers = 4;
	block.p.EnableFlags = 0x1234;
	check_error("StartTrace()", StartTraceA(handle, "Grüße", &block.p), 0);
	check("the handle is the logger id, HistoricalContext the handle",
	      *handle >= 1 && *handle <= 64 && block.p.Wnode.HistoricalContext == *handle);
	check("BufferSize is rounded up, MaximumBuffers is not below MinimumBuffers",
	      block.p.BufferSize == 64 && block.p.MaximumBuffers >= block.p.MinimumBuffers);
	check("a real-time session flushes every second, when it does not say otherwise",
	      block.p.FlushTimer == 1);
	check("the name is where LoggerNameOffset says", !strcmp(block.name, "Grüße"));
	check("a session without a GUID gets one", block.p.Wnode.Guid.Data1 ||
	      block.p.Wnode.Guid.Data2);
	prepare(&block, EVENT_TRACE_REAL_TIME_MODE);
	check_error("StartTrace() of a name that is taken: 183",
		    StartTraceA(handle, "Grüße", &block.p), 183);
	check_error("StartTrace() of an unknown mode: 50",
		    (block.p.LogFileMode = EVENT_TRACE_RELOG_MODE,
		     StartTraceA(handle, "other", &block.p)), 50);
}

/* A start that fails leaves no session. */
static void check_refused(void)
{
	TRACEHANDLE handle = 0;
	struct block block;

	prepare(&block, EVENT_TRACE_REAL_TIME_MODE);
	block.p.LoggerNameOffset = sizeof(block);
	check_error("StartTrace(), the name behind the block: 87",
		    StartTraceA(&handle, "refused", &block.p), 87);
	block.p.LoggerNameOffset = sizeof(block) - 7;
	check_error("StartTrace() without room for the name: 24",
		    StartTraceA(&handle, "refused", &block.p), 24);
	prepare(&block, EVENT_TRACE_REAL_TIME_MODE);
	check_error("StartTrace() that can't return the handle: 998",
		    StartTraceA(BAD, "refused", &block.p), 998);
	check_error("none of these runs: 4201", QueryTraceA(0, "refused", &block.p), 4201);
}

static void check_wide(TRACEHANDLE handle)
{
	struct {
		EVENT_TRACE_PROPERTIES p;
		WCHAR name[ROOM];
	} wide;

	memset(&wide, 0, sizeof(wide));
	wide.p.Wnode.BufferSize = sizeof(wide);
	wide.p.LoggerNameOffset = sizeof(wide.p);
	check_error("QueryTraceW() by a name in UTF-16", QueryTraceW(0, u"Grüße", &wide.p), 0);
	check("it returns the name in UTF-16", !memcmp(wide.name, u"Grüße", sizeof(u"Grüße")));
	check_error("QueryTraceW() by handle", QueryTraceW(handle, NULL, &wide.p), 0);
	wide.p.Wnode.BufferSize = sizeof(wide.p) + 6;
	check_error("QueryTrace() without room for the name: 234",
		    QueryTraceW(handle, NULL, &wide.p), 234);
}

static void check_all(TRACEHANDLE handle)
{
	TRACEHANDLE second = start_session("second"), refused = 0;
	EVENT_TRACE_PROPERTIES *array[2];
	struct block blocks[2];
	ULONG count = 0;

	prepare(&blocks[0], EVENT_TRACE_REAL_TIME_MODE);
	prepare(&blocks[1], 0);
	array[0] = &blocks[0].p;
	array[1] = &blocks[1].p;
	check_error("QueryAllTraces()", QueryAllTracesA(array, 2, &count), 0);
	check("it returns every session", count == 2 && !strcmp(blocks[0].name, "Grüße") &&
	      !strcmp(blocks[1].name, "second") &&
	      blocks[0].p.Wnode.HistoricalContext == handle &&
	      blocks[1].p.Wnode.HistoricalContext == second);
	check_error("StartTrace() of a name that is taken in other case: 183",
		    StartTraceA(&refused, "SECOND", &blocks[0].p), 183);
	check_error("QueryAllTraces() with too little room: 234",
		    QueryAllTracesA(array, 1, &count), 234);
	check("it returns the number of sessions; a name in another case is not one more",
	      count == 2);
	array[1] = BAD;
	check_error("QueryAllTraces() with a bad pointer in the array: 998",
		    QueryAllTracesA(array, 2, &count), 998);
	stop_session(second);
}

static void check_stop(TRACEHANDLE handle)
{
	struct block block;

	prepare(&block, 0);
	check_error("StopTrace() by name", StopTraceA(0, "Grüße", &block.p), 0);
	check_error("StopTrace() of what is stopped: 4201", StopTraceA(0, "Grüße", &block.p),
		    4201);
	check_error("StopTrace() by a handle of no session: 4201",
		    StopTraceA(handle, NULL, &block.p), 4201);
	handle = start_session("Grüße");
	check("a session without a reader does not keep the name", handle != 0);
	check_error("the name wins over the handle", StopTraceA(63, "Grüße", &block.p), 0);
}

/* The reader of a stopped session has yet to read it. */
static void check_stopped(void)
{
	EVENT_TRACE_HEADER event = { .Size = sizeof(event), .Flags = WNODE_FLAG_TRACED_GUID };
	TRACEHANDLE handle = start_session("stopped");
	char node[64], bytes[65536];
	struct block block;
	int reader;

	snprintf(node, sizeof(node), "/dev/etw/session%u", (unsigned int)handle);
	reader = open(node, O_RDONLY);
	TraceEvent(handle, &event);
	prepare(&block, 0);
	check_error("StopTrace() of a session that has a reader",
		    StopTraceA(handle, NULL, &block.p), 0);
	check_error("StopTrace() of a session that is stopped and has a reader: 4201",
		    StopTraceA(handle, NULL, &block.p), 4201);
	check_error("and by name: 4201", StopTraceA(0, "stopped", &block.p), 4201);
	check("its reader still gets what it holds", read(reader, bytes, sizeof(bytes)) > 0);
	close(reader);
	check_error("StopTrace() when the reader has left: 4201", StopTraceA(handle, NULL, &block.p),
		    4201);
	check_error("nothing of the session is left: 4201", QueryTraceA(handle, NULL, &block.p), 4201);
}

void check_sessions(void)
{
	TRACEHANDLE handle = 0;

	check_start(&handle);
	check_refused();
	if (!handle)
		handle = 1;
	check_wide(handle);
	check_all(handle);
	check_stop(handle);
	check_stopped();
}

void check_updates(void)
{
	TRACEHANDLE handle = start_session("updated");
	struct block block;

	prepare(&block, 0);
	block.p.FlushTimer = 7;
	check_error("UpdateTrace() of FlushTimer", UpdateTraceA(handle, NULL, &block.p), 0);
	prepare(&block, 0);
	QueryTraceA(handle, NULL, &block.p);
	check("QueryTrace() returns it", block.p.FlushTimer == 7);
	strcpy(block.file, "/tmp/other.etl");
	check_error("UpdateTrace() to another file: 50", UpdateTraceA(handle, NULL, &block.p), 50);
	prepare(&block, 0);
	check_error("UpdateTrace() of nothing", UpdateTraceA(handle, NULL, &block.p), 0);
	check("it changes nothing", block.p.FlushTimer == 7);
	check_error("FlushTrace()", FlushTraceA(handle, NULL, &block.p), 0);
	check_error("ControlTrace(), INCREMENT_FILE: 50",
		    ControlTraceA(handle, NULL, &block.p, EVENT_TRACE_CONTROL_INCREMENT_FILE), 50);
	stop_session(handle);
}

/* Items behind the properties: one process, and a group mask */
static void put_items(struct block *block, ULONG offset)
{
	static const ULONG dwords[] = {
		0x00020005, 0x00010002, EVENT_TRACE_FLAG_PROCESS, 0x00020002, 1,
	};
	TRACE_ENABLE_FLAG_EXTENSION extension = {
		.Offset = offset, .Length = 0xFF, .Flag = 0x80,
	};

	memcpy(block->dwords, dwords, sizeof(dwords));
	memcpy(&block->p.EnableFlags, &extension, sizeof(extension));
}

void check_kernel_session(void)
{
	TRACEHANDLE handle = 0;
	struct block block;

	prepare(&block, EVENT_TRACE_REAL_TIME_MODE);
	put_items(&block, offsetof(struct block, dwords));
	check_error("the kernel's session with an extension behind the properties",
		    StartTraceA(&handle, KERNEL_LOGGER_NAME, &block.p), 0);
	check("its name stands for its GUID",
	      IsEqualGUID(&block.p.Wnode.Guid, &SystemTraceControlGuid));
	check("EnableFlags contain the flags of the extension",
	      block.p.EnableFlags == EVENT_TRACE_FLAG_PROCESS);
	prepare(&block, 0);
	block.p.EnableFlags = EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD;
	check_error("UpdateTrace() of EnableFlags", UpdateTraceA(handle, NULL, &block.p), 0);
	prepare(&block, 0);
	QueryTraceA(0, KERNEL_LOGGER_NAME, &block.p);
	check("QueryTrace() returns them", block.p.EnableFlags ==
	      (EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD));
	check_error("a program's event into the kernel's session: 5",
		    TraceEvent(handle, &(EVENT_TRACE_HEADER){ .Size = 0x30, .Guid = guid }), 5);
	stop_session(handle);
	prepare(&block, EVENT_TRACE_REAL_TIME_MODE);
	put_items(&block, sizeof(block) - 4);
	block.dwords[63] = 0x00020005;
	check_error("an extension that runs past the block: 87",
		    StartTraceA(&handle, KERNEL_LOGGER_NAME, &block.p), 87);
	prepare(&block, EVENT_TRACE_REAL_TIME_MODE);
	put_items(&block, offsetof(struct block, dwords));
	block.p.EnableFlags |= 0x40000000;
	check_error("an extension's flag with more bits than the highest: 87",
		    StartTraceA(&handle, KERNEL_LOGGER_NAME, &block.p), 87);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	(void)argv;
	if (argc > 1)
		return start_session("left") == 0;
	check_sessions();
	check_updates();
	check_kernel_session();
	check_events();
	check_providers();
	check_files();
	check_taken();
	check_wide_forms();
	check_losses();
	check_beside();
	check_settings();
	check_keywords();
	check_both();
	check_event_write();
	check_filters();
	check_live_clock();
	return failures != 0;
}
