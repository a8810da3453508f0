// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* libetw where there is no module: what is refused, what is reported, what goes on. */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "check.h"
#include "properties_block.h"

#define BAD	((void *)0x1000)

static const GUID guid = { 1, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
static int calls;

static void check_layouts(void)
{
	check("windows.h: LONG has 32 bits, a handle 64, WCHAR 16",
	      sizeof(LONG) == 4 && sizeof(TRACEHANDLE) == 8 && sizeof(WCHAR) == 2);
	check("EVENT_TRACE_HEADER is 0x30 bytes, Guid at 0x18, Flags at 0x2C",
	      sizeof(EVENT_TRACE_HEADER) == 0x30 && offsetof(EVENT_TRACE_HEADER, Guid) == 0x18 &&
	      offsetof(EVENT_TRACE_HEADER, Flags) == 0x2C);
	check("EVENT_INSTANCE_HEADER is 0x38 bytes, RegHandle at 0x18, ParentRegHandle at 0x30",
	      sizeof(EVENT_INSTANCE_HEADER) == 0x38 &&
	      offsetof(EVENT_INSTANCE_HEADER, RegHandle) == 0x18 &&
	      offsetof(EVENT_INSTANCE_HEADER, ParentRegHandle) == 0x30);
	check("WNODE_HEADER is 0x30 bytes, HistoricalContext at 8",
	      sizeof(WNODE_HEADER) == 0x30 && offsetof(WNODE_HEADER, HistoricalContext) == 8);
	check("EVENT_TRACE_PROPERTIES is 0x78 bytes, LogFileNameOffset at 0x70",
	      sizeof(EVENT_TRACE_PROPERTIES) == 0x78 &&
	      offsetof(EVENT_TRACE_PROPERTIES, LogFileNameOffset) == 0x70);
	check("TRACE_LOGFILE_HEADER is 0x118 bytes, LoggerName at 0x38, BootTime at 0xF8",
	      sizeof(TRACE_LOGFILE_HEADER) == 0x118 &&
	      offsetof(TRACE_LOGFILE_HEADER, LoggerName) == 0x38 &&
	      offsetof(TRACE_LOGFILE_HEADER, BootTime) == 0xF8);
	check("SystemTraceControlGuid is where INITGUID is", SystemTraceControlGuid.Data1 ==
	      0x9e814aad);
}

static void *other_thread(void *last)
{
	*(DWORD *)last = GetLastError();
	SetLastError(7);
	return NULL;
}

static void check_last_error(void)
{
	pthread_t thread;
	DWORD last = 1;

	SetLastError(5);
	pthread_create(&thread, NULL, other_thread, &last);
	pthread_join(thread, NULL);
	check("each thread has its own last error", GetLastError() == 5 && !last);
}

static void check_events(void)
{
	EVENT_INSTANCE_INFO info = { NULL, 1 };
	EVENT_INSTANCE_HEADER instance = {
		.Size = sizeof(instance), .Flags = WNODE_FLAG_TRACED_GUID,
	};
	EVENT_TRACE_HEADER header = { .Size = sizeof(header) };

	check_error("TraceEvent() without an event: 87", TraceEvent(1, NULL), 87);
	check_error("TraceEvent() without the module: 6", TraceEvent(1, &header), 6);
	check_error("TraceMessage() without the module: 6",
		    TraceMessage(1, 0, NULL, 1, NULL), 6);
	check_error("TraceEventInstance() without an event: 87",
		    TraceEventInstance(1, NULL, &info, NULL), 87);
	check_error("TraceEventInstance() without an instance: 87",
		    TraceEventInstance(1, &instance, NULL, NULL), 87);
	check_error("TraceEventInstance() of a bad address: 998",
		    TraceEventInstance(1, BAD, &info, NULL), 998);
	check_error("TraceEventInstance() of a class that is not registered: 87",
		    TraceEventInstance(1, &instance, &info, NULL), 87);
	instance.Flags = 0;
	check_error("TraceEventInstance() without TRACED_GUID: 186",
		    TraceEventInstance(1, &instance, &info, NULL), 186);
}

static void check_start(void)
{
	TRACEHANDLE handle = 77;
	struct block block;

	prepare(&block);
	block.p.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE;
	check_error("StartTrace() of a private session without a file: 161",
		    StartTraceA(&handle, "a", &block.p), 161);
	check("without a session the handle is 0", !handle);
	handle = 77;
	block.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	block.p.LogFileMode = 0;
	check_error("StartTrace() without a mode and a file: 161",
		    StartTraceA(&handle, "a", &block.p), 161);
	block.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	check_error("StartTrace() without a handle: 87", StartTraceA(NULL, "a", &block.p), 87);
	check_error("StartTrace() without a name: 87", StartTraceA(&handle, NULL, &block.p), 87);
	check_error("StartTrace() with an empty name: 87", StartTraceA(&handle, "", &block.p), 87);
	check_error("StartTrace() without properties: 87", StartTraceA(&handle, "a", NULL), 87);
	check("the handle is 0 then", !handle);
	handle = 77;
	check_error("StartTrace() with bad properties: 998", StartTraceA(&handle, "a", BAD), 998);
	check_error("StartTrace() with a bad name: 998", StartTraceA(&handle, BAD, &block.p), 998);
	block.p.Wnode.BufferSize = 0x77;
	check_error("StartTrace(), BufferSize below the structure: 24",
		    StartTraceA(&handle, "a", &block.p), 24);
	prepare(&block);
	block.p.Wnode.Flags = 0;
	check_error("StartTrace() without TRACED_GUID: 87", StartTraceA(&handle, "a", &block.p),
		    87);
	prepare(&block);
	block.p.Wnode.Guid = SystemTraceControlGuid;
	check_error("StartTrace(), the kernel's GUID with another name: 87",
		    StartTraceA(&handle, "a", &block.p), 87);
	prepare(&block);
	handle = 77;
	check_error("StartTraceA() without the module: 55", StartTraceA(&handle, "a", &block.p),
		    55);
	check("the handle is 0 then, too", !handle);
	check_error("StartTraceW() without the module: 55",
		    StartTraceW(&handle, u"a", &block.p), 55);
}

static void check_file(void)
{
	TRACEHANDLE handle = 0;
	struct block block;
	struct stat stats;

	prepare(&block);
	block.p.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	check_error("StartTrace(), a file mode without a file: 161",
		    StartTraceA(&handle, "a", &block.p), 161);
	block.p.LogFileNameOffset = sizeof(block);
	check_error("StartTrace(), the file's name behind the block: 87",
		    StartTraceA(&handle, "a", &block.p), 87);
	block.p.LogFileNameOffset = sizeof(block.p);
	memset(block.names, 'a', sizeof(block.names));
	check_error("StartTrace(), a name without an end: 87",
		    StartTraceA(&handle, "a", &block.p), 87);
	strcpy(block.names, "/nowhere/at/all.etl");
	check_error("StartTrace(), a file where no directory is: 161",
		    StartTraceA(&handle, "a", &block.p), 161);
	strcpy(block.names, "not-left.etl");
	check_error("StartTrace() of a file without the module: 55",
		    StartTraceA(&handle, "a", &block.p), 55);
	check("a session that did not start leaves no file", stat("not-left.etl", &stats));
	block.p.LogFileMode |= EVENT_TRACE_REAL_TIME_MODE;
	check_error("StartTrace() of a file and real time without the module: 55",
		    StartTraceA(&handle, "a", &block.p), 55);
	block.p.LogFileMode |= EVENT_TRACE_PRIVATE_LOGGER_MODE;
	check_error("StartTrace() of a private session's file and real time: 50",
		    StartTraceA(&handle, "a", &block.p), 50);
}

static volatile sig_atomic_t children;

static void count_child(int signal)
{
	(void)signal;
	children++;
}

/* A program that waits for its own children must not find the writer of a file. */
static void check_no_child(void)
{
	TRACEHANDLE handle = 0;
	struct block block;

	prepare(&block);
	block.p.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	block.p.LogFileNameOffset = sizeof(block.p);
	strcpy(block.names, "not-left.etl");
	signal(SIGCHLD, count_child);
	check_error("StartTrace() of a file, with a handler of SIGCHLD",
		    StartTraceA(&handle, "a", &block.p), 55);
	check("the writer of a file is no child of the program",
	      waitpid(-1, NULL, 0) < 0 && errno == ECHILD && !children);
	signal(SIGCHLD, SIG_DFL);
}

/* What is read ends where the block ends, though its page is the last one. */
static void check_edges(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	EVENT_TRACE_PROPERTIES *p;
	TRACEHANDLE handle = 0;
	char *name;

	munmap(pages + page, page);
	name = pages + page - 2;
	strcpy(name, "a");
	p = (void *)(pages + page - 0x100);
	p->Wnode.BufferSize = sizeof(*p);
	p->Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	p->LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	check_error("a name may end where memory ends", StartTraceA(&handle, name, p), 55);
	name[1] = 'b';
	check_error("a name that does not end there: 998", StartTraceA(&handle, name, p), 998);
	p = (void *)(pages + page - 0x40);
	check_error("properties that do not end there: 998", StartTraceA(&handle, "a", p), 998);
	munmap(pages, page);
}

static void check_control(void)
{
	EVENT_TRACE_PROPERTIES *array[65] = { };
	struct block block;
	ULONG count = 0;

	prepare(&block);
	check_error("ControlTrace() without handle and name: 87",
		    ControlTraceA(0, NULL, &block.p, EVENT_TRACE_CONTROL_QUERY), 87);
	check_error("ControlTrace() of an unknown code: 87",
		    ControlTraceA(1, NULL, &block.p, 77), 87);
	check_error("ControlTrace() without properties: 87", StopTraceA(1, NULL, NULL), 87);
	check_error("ControlTrace() without the module: 55", StopTraceA(1, NULL, &block.p), 55);
	block.p.LogFileNameOffset = sizeof(block);
	check_error("ControlTrace(), the file's name behind the block: 87",
		    QueryTraceA(1, NULL, &block.p), 87);
	block.p.LogFileNameOffset = 8;
	check_error("ControlTrace(), the file's name inside the structure: 87",
		    QueryTraceA(1, NULL, &block.p), 87);
	prepare(&block);
	check_error("QueryAllTraces() without a place for the count: 87",
		    QueryAllTracesA(NULL, 0, NULL), 87);
	check_error("QueryAllTraces() without room: 87", QueryAllTracesA(array, 0, &count), 87);
	check_error("QueryAllTraces() of more than there can be: 87",
		    QueryAllTracesA(array, 65, &count), 87);
	array[0] = &block.p;
	check_error("QueryAllTraces() without the module: 55", QueryAllTracesA(array, 64, &count),
		    55);
	check_error("EnableTrace() without a GUID: 87", EnableTrace(1, 0, 0, NULL, 1), 87);
	check_error("EnableTrace() with a bad GUID: 998", EnableTrace(1, 0, 0, BAD, 1), 998);
	check_error("EnableTrace() without a session: 87", EnableTrace(1, 0, 0, &guid, 0), 87);
	check_error("EnableTrace() without the module: 55", EnableTrace(1, 0, 0, &guid, 1), 55);
}

static ULONG WINAPI control(WMIDPREQUESTCODE code, PVOID context, ULONG *size, PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	calls++;
	return 0;
}

static void check_instances(HANDLE class)
{
	EVENT_INSTANCE_INFO info, next;

	check_error("CreateTraceInstanceId()", CreateTraceInstanceId(class, &info), 0);
	CreateTraceInstanceId(class, &next);
	check("instances are counted from 1", info.RegHandle == class && info.InstanceId == 1 &&
	      next.InstanceId == 2);
	check_error("CreateTraceInstanceId() of no class: 87",
		    CreateTraceInstanceId(NULL, &info), 87);
	check_error("CreateTraceInstanceId() without a place: 87",
		    CreateTraceInstanceId(class, NULL), 87);
	check_error("CreateTraceInstanceId() at a bad address: 998",
		    CreateTraceInstanceId(class, BAD), 998);
}

/* What is refused without looking for a session leaves the header as it is. */
/* Whatever becomes of the event, and of its header nothing else */
static void check_refused_header(const char *what, TRACEHANDLE handle, HANDLE class, ULONG flags,
				 ULONG error)
{
	EVENT_INSTANCE_HEADER event = {
		.Size = sizeof(event), .ThreadId = 77, .Flags = WNODE_FLAG_TRACED_GUID | flags,
	};
	EVENT_INSTANCE_HEADER before = event;
	EVENT_INSTANCE_INFO info = { class, 1 };

	check_error(what, TraceEventInstance(handle, &event, &info, NULL), error);
	memcpy(&before.ThreadId, &handle, sizeof(handle));
	check("the handle stays in the header", !memcmp(&event, &before, sizeof(event)));
}

static void check_header(HANDLE class)
{
	EVENT_INSTANCE_HEADER event = { .Size = sizeof(event) - 1, .ThreadId = 77 };
	EVENT_INSTANCE_INFO info = { class, 1 };

	check_refused_header("TraceEventInstance() with handle 0: 6", 0, class, 0, 6);
	check_refused_header("TraceEventInstance() with handle 0xFFFF: 6", 0xFFFF, class, 0, 6);
	check_refused_header("TraceEventInstance() with LOG_WNODE: 50", 1, class,
			     WNODE_FLAG_LOG_WNODE, 50);
	check_refused_header("TraceEventInstance() to no session: 6", 2, class, 0, 6);
	check_error("TraceEventInstance(), Size below the header: 87",
		    TraceEventInstance(1, &event, &info, NULL), 87);
	check("the header is as it was", event.ThreadId == 77);
}

static void check_register(void)
{
	TRACE_GUID_REGISTRATION classes[2] = { { &guid, NULL }, { &guid, NULL } };
	TRACE_GUID_REGISTRATION bad = { BAD, NULL };
	EVENT_INSTANCE_INFO info;
	TRACEHANDLE handle = 0;

	check_error("RegisterTraceGuids() without a callback: 87",
		    RegisterTraceGuidsA(NULL, NULL, &guid, 0, NULL, NULL, NULL, &handle), 87);
	check_error("RegisterTraceGuids() without a GUID: 87",
		    RegisterTraceGuidsA(control, NULL, NULL, 0, NULL, NULL, NULL, &handle), 87);
	check_error("RegisterTraceGuids() without a handle: 87",
		    RegisterTraceGuidsA(control, NULL, &guid, 0, NULL, NULL, NULL, NULL), 87);
	check_error("RegisterTraceGuids() with a bad GUID: 998",
		    RegisterTraceGuidsA(control, NULL, BAD, 0, NULL, NULL, NULL, &handle), 998);
	check_error("RegisterTraceGuids() with bad classes: 998",
		    RegisterTraceGuidsA(control, NULL, &guid, 1, BAD, NULL, NULL, &handle), 998);
	check_error("RegisterTraceGuids() with a class of a bad GUID: 998",
		    RegisterTraceGuidsA(control, NULL, &guid, 1, &bad, NULL, NULL, &handle), 998);
	check_error("RegisterTraceGuids() with a bad handle: 998",
		    RegisterTraceGuidsA(control, NULL, &guid, 0, NULL, NULL, NULL, BAD), 998);
	check_error("RegisterTraceGuids() without the module: no session listens",
		    RegisterTraceGuidsA(control, NULL, &guid, 2, classes, NULL, NULL, &handle), 0);
	check("classes have handles of their own", classes[0].RegHandle && classes[1].RegHandle &&
	      classes[0].RegHandle != classes[1].RegHandle);
	check_instances(classes[1].RegHandle);
	check_header(classes[1].RegHandle);
	check_error("UnregisterTraceGuids()", UnregisterTraceGuids(handle), 0);
	check_error("UnregisterTraceGuids() again: 87", UnregisterTraceGuids(handle), 87);
	check_error("UnregisterTraceGuids() of 0: 87", UnregisterTraceGuids(0), 87);
	check_error("UnregisterTraceGuids() of what never was: 87", UnregisterTraceGuids(12345), 87);
	check_error("a class goes with its registration: 87",
		    CreateTraceInstanceId(classes[0].RegHandle, &info), 87);
	check("no callback without a session", !calls);
}

static void check_handles(void)
{
	WNODE_HEADER header = { .BufferSize = sizeof(header) };
	TRACEHANDLE handle = 0x12345678000A0003;

	header.HistoricalContext = handle;
	check("GetTraceLoggerHandle() takes it from the buffer",
	      GetTraceLoggerHandle(&header) == handle && !GetLastError());
	check("GetTraceEnableLevel()", GetTraceEnableLevel(handle) == 10);
	check("GetTraceEnableFlags()", GetTraceEnableFlags(handle) == 0x12345678);
	check("GetTraceEnableLevel() of no handle: 6",
	      !GetTraceEnableLevel(0) && GetLastError() == 6);
	check("GetTraceLoggerHandle() without a buffer: 87",
	      GetTraceLoggerHandle(NULL) == INVALID_PROCESSTRACE_HANDLE && GetLastError() == 87);
	check("GetTraceLoggerHandle() of a bad address: 998",
	      GetTraceLoggerHandle(BAD) == INVALID_PROCESSTRACE_HANDLE && GetLastError() == 998);
	header.BufferSize = 8;
	check("GetTraceLoggerHandle() of a short buffer: 24",
	      GetTraceLoggerHandle(&header) == INVALID_PROCESSTRACE_HANDLE &&
	      GetLastError() == 24);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	check_layouts();
	check_last_error();
	check_events();
	check_start();
	check_file();
	check_no_child();
	check_edges();
	check_control();
	check_register();
	check_handles();
	return failures != 0;
}
