// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Sessions of the process's own, which take no module, their providers, and fork() over them. */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <sys/stat.h>
#include "child.h"
#include "properties_block.h"

static const GUID guid = { 1, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

/**
 * struct logged - what a callback received
 * @code: request
 * @handle: of the buffer
 * @calls: how often
 */
static struct logged {
	WMIDPREQUESTCODE code;
	TRACEHANDLE handle;
	int calls;
} logged;

static ULONG WINAPI remember(WMIDPREQUESTCODE code, PVOID context, ULONG *size, PVOID buffer)
{
	(void)context;
	(void)size;
	logged.calls++;
	logged.code = code;
	logged.handle = GetTraceLoggerHandle(buffer);
	return 0;
}

/* For a session of the process's own: the file's name has the second half of the room */
static void prepare_own(struct block *block, const char *file)
{
	prepare(block);
	block->p.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE;
	block->p.LogFileNameOffset = sizeof(block->p) + 256;
	strcpy(block->names + 256, file);
}

static TRACEHANDLE start_own(const char *file)
{
	TRACEHANDLE session = 0;
	struct block block;

	prepare_own(&block, file);
	check_error("StartTrace() of the process's own session",
		    StartTraceA(&session, "own", &block.p), 0);
	return session;
}

static TRACEHANDLE inherited;
static HANDLE inherited_class;

/* Its own session enables what it registered itself, of the same GUID. */
static void child_registers(void)
{
	TRACEHANDLE session = start_own("child.etl"), own = 0;
	EVENT_INSTANCE_INFO info;

	check_error("a class of the parent's goes on",
		    CreateTraceInstanceId(inherited_class, &info), 0);
	logged.calls = 0;
	check_error("a child's session enables a provider", EnableTrace(1, 1, 1, &guid, session),
		    0);
	check("the parent's callback is not called in the child", !logged.calls);
	check_error("a child may register of its own",
		    RegisterTraceGuidsA(remember, NULL, &guid, 0, NULL, NULL, NULL, &own), 0);
	EnableTrace(1, 1, 1, &guid, session);
	check("its own one is called, once", logged.calls == 1);
	check_error("and unregister it", UnregisterTraceGuids(own), 0);
	check_error("a handle of the parent's is none in a child: 6",
		    UnregisterTraceGuids(inherited), 6);
}

/* A child starts with nothing registered, and is not stuck. */
static void check_fork(void)
{
	TRACE_GUID_REGISTRATION class = { &guid, NULL };

	RegisterTraceGuidsA(remember, NULL, &guid, 1, &class, NULL, NULL, &inherited);
	inherited_class = class.RegHandle;
	check("a child of fork() ended in order", !child_of(child_registers));
	check_error("its parent's registration is still there", UnregisterTraceGuids(inherited),
		    0);
}

static void check_private_provider(TRACEHANDLE session)
{
	TRACE_GUID_REGISTRATION class = { &guid, NULL };
	EVENT_TRACE_HEADER event = { .Size = sizeof(event), .Guid = guid };
	EVENT_INSTANCE_HEADER instance = {
		.Size = sizeof(instance), .Flags = WNODE_FLAG_TRACED_GUID,
	};
	EVENT_INSTANCE_INFO info;
	TRACEHANDLE handle;
	struct block block;

	RegisterTraceGuidsA(remember, NULL, &guid, 1, &class, NULL, NULL, &handle);
	check_error("EnableTrace(), to disable what is not enabled: 4201",
		    EnableTrace(0, 0, 0, &guid, session), 4201);
	check_error("EnableTrace() by the process's own session",
		    EnableTrace(1, 0x55, 3, &guid, session), 0);
	check("the callback gets a handle with its bit, level and flags",
	      logged.code == WMI_ENABLE_EVENTS && (logged.handle & 0x01000000) &&
	      GetTraceEnableLevel(logged.handle) == 3 && GetTraceEnableFlags(logged.handle) == 0x55);
	check_error("TraceEvent() with that handle", TraceEvent(logged.handle, &event), 0);
	CreateTraceInstanceId(class.RegHandle, &info);
	check_error("TraceEventInstance() with it",
		    TraceEventInstance(logged.handle, &instance, &info, NULL), 0);
	check_error("TraceMessage() with it", TraceMessage(logged.handle, 0, NULL, 1, NULL), 0);
	prepare(&block);
	check_error("StopTrace() of it, by name", StopTraceA(0, "own", &block.p), 0);
	check("no event of it is lost", !block.p.EventsLost);
	check("the callback is called for the disable", logged.code == WMI_DISABLE_EVENTS);
	check_error("EnableTrace() by a session that has ended: 6",
		    EnableTrace(1, 1, 1, &guid, session), 6);
	UnregisterTraceGuids(handle);
}

/* A start that fails leaves neither session nor file. */
static void check_no_room(void)
{
	TRACEHANDLE session = 0;
	struct block block;
	struct stat stats;

	prepare_own(&block, "unstarted.etl");
	block.p.LoggerNameOffset = sizeof(block);
	check_error("StartTrace(), the session's name behind the block: 87",
		    StartTraceA(&session, "own", &block.p), 87);
	block.p.LoggerNameOffset = 8;
	check_error("StartTrace(), the session's name inside the structure: 87",
		    StartTraceA(&session, "own", &block.p), 87);
	block.p.LoggerNameOffset = sizeof(block.p) + 253;
	check_error("StartTrace() without room for the session's name: 24",
		    StartTraceA(&session, "own", &block.p), 24);
	prepare(&block);
	check_error("none of these runs: 55", QueryTraceA(0, "own", &block.p), 55);
	check("none of these made a file", stat("unstarted.etl", &stats));
}

/* As samples size it: room for the name as it is given */
static void check_exact_room(void)
{
	TRACEHANDLE session = 0;
	struct block block;
	struct stat stats;

	prepare_own(&block, "exact.etl");
	block.p.Wnode.BufferSize = sizeof(block.p) + 256 + sizeof("exact.etl");
	check_error("StartTrace() with room for the file's name, and no more",
		    StartTraceA(&session, "own", &block.p), 0);
	check("the name is as it was", !strcmp(block.names + 256, "exact.etl"));
	check("the file is there", !stat("exact.etl", &stats));
	prepare(&block);
	block.p.LogFileNameOffset = sizeof(block.p) + 256;
	check_error("QueryTrace() of it", QueryTraceA(0, "own", &block.p), 0);
	check("its path is returned whole where there is room", block.names[256] == '/' &&
	      strstr(block.names + 256, "/exact.etl"));
	check_error("it stops", StopTraceA(session, NULL, &block.p), 0);
}

/* It takes no module. */
static void check_private(void)
{
	EVENT_TRACE_PROPERTIES *array[1];
	TRACEHANDLE session;
	struct block block;
	ULONG count = 0;

	check_no_room();
	check_exact_room();
	session = start_own("own.etl");
	check("its handle has the bit of private sessions", (session & 0x01000000) != 0);
	prepare(&block);
	array[0] = &block.p;
	check_error("QueryAllTraces() returns it", QueryAllTracesA(array, 1, &count), 0);
	check("by its name", count == 1 && !strcmp(block.names, "own"));
	check_private_provider(session);
}
int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	check_private();
	check_fork();
	return failures != 0;
}
