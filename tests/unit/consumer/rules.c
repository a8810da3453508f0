// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What OpenTrace, ProcessTrace, CloseTrace promise and refuse: rules FILE OTHER JUNK */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>
#include <evntrace.h>
#include <evntcons.h>
#include "tests/lib/guest/check.h"

static const char *file, *other, *junk;
static const GUID event_trace = {
	0x68fdd900, 0x4a3e, 0x11d1, { 0x84, 0xf4, 0, 0, 0xf8, 0x04, 0x64, 0xe3 }
};

static ULONG events, buffers, class_events, out_of_order, others_context, header_types;
static LONGLONG last_time, first_time;
static TRACEHANDLE to_close;
static ULONG close_result, stop_after;
static int contexts[2];

/* The result, and GetLastError() the same */
static BOOL is(ULONG result, ULONG wanted)
{
	if (result == wanted && GetLastError() == wanted)
		return TRUE;
	printf("# %u, GetLastError() %u, expected %u\n", result, GetLastError(), wanted);
	return FALSE;
}

static VOID WINAPI on_record(PEVENT_RECORD event)
{
	LONGLONG time = event->EventHeader.TimeStamp.QuadPart;

	if (!events++)
		first_time = time;
	else if (events > 2 && time < last_time)
		out_of_order++;
	last_time = time;
	others_context += event->UserContext == &contexts[1];
	header_types |= event->EventHeader.HeaderType;
	if (to_close && events == stop_after)
		close_result = CloseTrace(to_close);
}

static VOID WINAPI on_trace(PEVENT_TRACE event)
{
	(void)event;
	events++;
}

static VOID WINAPI on_class(PEVENT_TRACE event)
{
	class_events += IsEqualGUID(&event->Header.Guid, &event_trace);
}

static ULONG WINAPI on_buffer(PEVENT_TRACE_LOGFILEA logfile)
{
	buffers++;
	return logfile->BuffersRead < 2;
}

static EVENT_TRACE_LOGFILEA new_logfile(const char *name)
{
	EVENT_TRACE_LOGFILEA logfile;

	memset(&logfile, 0, sizeof(logfile));
	logfile.LogFileName = (LPSTR)name;
	logfile.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	logfile.EventRecordCallback = on_record;
	logfile.Context = &contexts[0];
	events = buffers = class_events = out_of_order = others_context = 0;
	to_close = 0;
	return logfile;
}

static TRACEHANDLE open_file(const char *name)
{
	EVENT_TRACE_LOGFILEA logfile = new_logfile(name);

	return OpenTraceA(&logfile);
}

static BOOL refuses(EVENT_TRACE_LOGFILEA logfile, ULONG error)
{
	SetLastError(12345);
	return OpenTraceA(&logfile) == INVALID_PROCESSTRACE_HANDLE && is(GetLastError(), error);
}

static void test_open(void)
{
	EVENT_TRACE_LOGFILEA logfile = new_logfile(NULL);

	check_that(OpenTraceA(NULL) == INVALID_PROCESSTRACE_HANDLE &&
		   is(GetLastError(), ERROR_INVALID_PARAMETER), "OpenTrace: Logfile is NULL");
	check_that(refuses(logfile, ERROR_BAD_PATHNAME), "OpenTrace: neither name");
	logfile.LogFileName = (LPSTR)"";
	check_that(refuses(logfile, ERROR_BAD_PATHNAME), "OpenTrace: an empty name");
	logfile.LogFileName = (LPSTR)file;
	logfile.LoggerName = (LPSTR)"session";
	check_that(refuses(logfile, ERROR_INVALID_PARAMETER), "OpenTrace: both names");
	logfile.LogFileName = NULL;
	check_that(refuses(logfile, ERROR_INVALID_PARAMETER),
		   "OpenTrace: LoggerName without PROCESS_TRACE_MODE_REAL_TIME");
	logfile = new_logfile(file);
	logfile.ProcessTraceMode |= PROCESS_TRACE_MODE_REAL_TIME;
	check_that(refuses(logfile, ERROR_INVALID_PARAMETER),
		   "OpenTrace: PROCESS_TRACE_MODE_REAL_TIME without LoggerName");
	check_that(refuses(new_logfile("/no/such/file"), ERROR_FILE_NOT_FOUND),
		   "OpenTrace: there is no such file");
	check_that(refuses(new_logfile("/"), ERROR_ACCESS_DENIED), "OpenTrace: a directory");
	check_that(refuses(new_logfile(junk), ERROR_FILE_CORRUPT), "OpenTrace: no trace");
	check_that(refuses(new_logfile("/dev/null"), ERROR_FILE_CORRUPT),
		   "OpenTrace: an empty file");
}

static void test_bad_addresses(void)
{
	EVENT_TRACE_LOGFILEA logfile = new_logfile((char *)16);
	TRACEHANDLE handle = open_file(file);

	check_that(OpenTraceA((EVENT_TRACE_LOGFILEA *)16) == INVALID_PROCESSTRACE_HANDLE &&
		   is(GetLastError(), ERROR_NOACCESS), "OpenTrace: Logfile is a bad address");
	check_that(refuses(logfile, ERROR_NOACCESS), "OpenTrace: LogFileName is a bad address");
	check_that(is(ProcessTrace((TRACEHANDLE *)16, 1, NULL, NULL), ERROR_NOACCESS) &&
		   is(ProcessTrace(&handle, 1, (FILETIME *)16, NULL), ERROR_NOACCESS) &&
		   is(ProcessTrace(&handle, 1, NULL, (FILETIME *)16), ERROR_NOACCESS),
		   "ProcessTrace: bad addresses");
	check_that(is(SetTraceCallback((GUID *)16, on_trace), ERROR_NOACCESS) &&
		   is(RemoveTraceCallback((GUID *)16), ERROR_NOACCESS),
		   "SetTraceCallback, RemoveTraceCallback: bad addresses");
	CloseTrace(handle);
}

static BOOL is_text(const WCHAR *wide, const char *text)
{
	while (*text && *wide == (UCHAR)*text) {
		wide++;
		text++;
	}
	return !*wide && !*text;
}

static void test_filled_in(void)
{
	EVENT_TRACE_LOGFILEA logfile = new_logfile(file);
	TRACEHANDLE handle;

	handle = OpenTraceA(&logfile);
	check_that(handle != INVALID_PROCESSTRACE_HANDLE && logfile.BufferSize == 4096 &&
		   logfile.LogfileHeader.NumberOfProcessors == 2 &&
		   logfile.LogfileHeader.PerfFreq.QuadPart == 10000000 &&
		   logfile.LogfileHeader.StartTime.QuadPart == 133000000000000000LL &&
		   logfile.LogfileHeader.ReservedFlags == 1 && logfile.IsKernelTrace == TRUE &&
		   logfile.LogFileName == file && logfile.Context == &contexts[0],
		   "OpenTrace fills in what the header event says");
	check_that(is_text(logfile.LogfileHeader.LoggerName, "test") &&
		   is_text(logfile.LogfileHeader.LogFileName, "file.etl"),
		   "OpenTrace: LoggerName and LogFileName can be read");
	CloseTrace(handle);
}

static void test_process_arguments(void)
{
	FILETIME early = { 1, 0 }, late = { 2, 0 };
	TRACEHANDLE handle = open_file(file), handles[65];
	int i;

	for (i = 0; i < 65; i++)
		handles[i] = handle;
	check_that(is(ProcessTrace(NULL, 1, NULL, NULL), ERROR_INVALID_PARAMETER),
		   "ProcessTrace: HandleArray is NULL");
	check_that(is(ProcessTrace(&handle, 0, NULL, NULL), ERROR_BAD_LENGTH),
		   "ProcessTrace: no handle");
	check_that(is(ProcessTrace(handles, 65, NULL, NULL), ERROR_BAD_LENGTH),
		   "ProcessTrace: more than 64 handles");
	check_that(is(ProcessTrace(&handle, 1, &late, &early), ERROR_INVALID_TIME),
		   "ProcessTrace: EndTime is less than StartTime");
	handles[1] = INVALID_PROCESSTRACE_HANDLE;
	check_that(is(ProcessTrace(handles, 2, NULL, NULL), ERROR_INVALID_HANDLE),
		   "ProcessTrace: a handle is not valid");
	handles[1] = handle;
	check_that(is(ProcessTrace(handles, 2, NULL, NULL), ERROR_BUSY),
		   "ProcessTrace: a handle twice");
	check_that(!events, "ProcessTrace delivers nothing when it refuses");
	check_that(is(ProcessTrace(&handle, 1, NULL, NULL), ERROR_SUCCESS) && events,
		   "ProcessTrace takes the handle after all these");
	check_that(!header_types, "EVENT_RECORD: HeaderType is 0");
	check_that(handle > UINT32_MAX && is(CloseTrace((ULONG)handle), ERROR_INVALID_HANDLE),
		   "a trace handle is no number that a session handle can have");
	check_that(is(CloseTrace(handle), ERROR_SUCCESS), "CloseTrace: the handle");
	check_that(is(CloseTrace(handle), ERROR_INVALID_HANDLE), "CloseTrace: a second time");
	check_that(is(CloseTrace(0), ERROR_INVALID_HANDLE), "CloseTrace: NULL");
	check_that(is(CloseTrace(INVALID_PROCESSTRACE_HANDLE), ERROR_INVALID_HANDLE),
		   "CloseTrace: INVALID_PROCESSTRACE_HANDLE");
	check_that(is(ProcessTrace(&handle, 1, NULL, NULL), ERROR_INVALID_HANDLE),
		   "ProcessTrace: a handle that is closed");
}

static void test_session(void)
{
	EVENT_TRACE_LOGFILEA logfile = new_logfile(NULL);
	TRACEHANDLE handle;

	logfile.LoggerName = (LPSTR)"no session has this name";
	logfile.ProcessTraceMode |= PROCESS_TRACE_MODE_REAL_TIME;
	handle = OpenTraceA(&logfile);
	check_that(handle != INVALID_PROCESSTRACE_HANDLE &&
		   is(ProcessTrace(&handle, 1, NULL, NULL), ERROR_WMI_INSTANCE_NOT_FOUND),
		   "ProcessTrace: no session has the name");
	CloseTrace(handle);
}

static void test_again(void)
{
	EVENT_TRACE_LOGFILEA logfile = new_logfile(file);
	TRACEHANDLE handle;
	ULONG all;

	handle = open_file(file);
	ProcessTrace(&handle, 1, NULL, NULL);
	all = events;
	events = 0;
	check_that(is(ProcessTrace(&handle, 1, NULL, NULL), ERROR_SUCCESS) && all && events == all,
		   "ProcessTrace: a file can be processed again");
	CloseTrace(handle);
	logfile.BufferCallback = on_buffer;
	handle = OpenTraceA(&logfile);
	events = 0;
	check_that(is(ProcessTrace(&handle, 1, NULL, NULL), ERROR_CANCELLED) && buffers == 2 &&
		   events && events < all, "BufferCallback: FALSE ends it with ERROR_CANCELLED");
	CloseTrace(handle);
	logfile = new_logfile(file);
	logfile.EventRecordCallback = NULL;
	handle = OpenTraceA(&logfile);
	check_that(is(ProcessTrace(&handle, 1, NULL, NULL), ERROR_SUCCESS) && !events,
		   "EventRecordCallback may be NULL");
	CloseTrace(handle);
}

static FILETIME filetime(LONGLONG time)
{
	FILETIME result = { (DWORD)time, (DWORD)((ULONGLONG)time >> 32) };

	return result;
}

static void test_times(void)
{
	FILETIME from = filetime(133000000000000018LL), to = filetime(133000000000000030LL);
	TRACEHANDLE handle = open_file(file);

	ProcessTrace(&handle, 1, &from, NULL);
	check_that(events > 1 && first_time == 133000000000000000LL &&
		   last_time > 133000000000000030LL && !out_of_order,
		   "StartTime: the header event, then nothing before it");
	events = 0;
	ProcessTrace(&handle, 1, &from, &to);
	check_that(events == 5 && last_time == 133000000000000030LL,
		   "StartTime and EndTime: both ends are inside");
	CloseTrace(handle);
}

static void test_merge(void)
{
	EVENT_TRACE_LOGFILEA logfile = new_logfile(other);
	TRACEHANDLE handles[2];
	ULONG one;

	handles[0] = open_file(file);
	ProcessTrace(handles, 1, NULL, NULL);
	one = events;
	events = out_of_order = 0;
	logfile.Context = &contexts[1];
	handles[1] = OpenTraceA(&logfile);
	check_that(is(ProcessTrace(handles, 2, NULL, NULL), ERROR_SUCCESS) && others_context &&
		   events == one + others_context && !out_of_order,
		   "two files: all events of both, by time, each with its Context");
	events = others_context = 0;
	to_close = handles[1];
	stop_after = 2;
	check_that(is(ProcessTrace(handles, 2, NULL, NULL), ERROR_SUCCESS) &&
		   close_result == ERROR_CTX_CLOSE_PENDING && others_context == 1 &&
		   events == one + 1, "CloseTrace in a callback ends one file, not the other");
	check_that(is(CloseTrace(handles[1]), ERROR_INVALID_HANDLE),
		   "CloseTrace: what was pending is closed");
	events = 0;
	to_close = handles[0];
	stop_after = 3;
	check_that(is(ProcessTrace(handles, 1, NULL, NULL), ERROR_SUCCESS) && events == 3,
		   "CloseTrace in a callback: no more events of a file");
	to_close = 0;
}

static void test_class_callback(void)
{
	EVENT_TRACE_LOGFILEA logfile = new_logfile(file);
	TRACEHANDLE handle;

	logfile.ProcessTraceMode = 0;
	logfile.EventCallback = on_trace;
	handle = OpenTraceA(&logfile);
	check_that(is(SetTraceCallback(NULL, on_class), ERROR_INVALID_PARAMETER) &&
		   is(SetTraceCallback(&event_trace, NULL), ERROR_INVALID_PARAMETER) &&
		   is(RemoveTraceCallback(NULL), ERROR_INVALID_PARAMETER) &&
		   is(RemoveTraceCallback(&event_trace), ERROR_WMI_GUID_NOT_FOUND),
		   "SetTraceCallback, RemoveTraceCallback: NULL, and what was not set");
	check_that(is(SetTraceCallback(&event_trace, on_class), ERROR_SUCCESS) &&
		   is(ProcessTrace(&handle, 1, NULL, NULL), ERROR_SUCCESS) && class_events == 3 &&
		   events > 3, "SetTraceCallback: the events of its class, EventCallback all");
	class_events = 0;
	check_that(is(RemoveTraceCallback(&event_trace), ERROR_SUCCESS) &&
		   is(ProcessTrace(&handle, 1, NULL, NULL), ERROR_SUCCESS) && !class_events,
		   "RemoveTraceCallback: no more of them");
	SetTraceCallback(&event_trace, on_class);
	CloseTrace(handle);
	handle = OpenTraceA(&logfile);
	ProcessTrace(&handle, 1, NULL, NULL);
	check_that(!class_events, "CloseTrace of the last trace forgets class callbacks");
	CloseTrace(handle);
}

static void *close_later(void *argument)
{
	Sleep(200);
	close_result = CloseTrace(*(TRACEHANDLE *)argument);
	return NULL;
}

/* A pipe that has the header buffer, a data buffer, and stays open */
static void test_stream(const char *pipe_name)
{
	static UCHAR bytes[8192];
	TRACEHANDLE handles[2];
	pthread_t thread;
	int from, to;

	from = open(file, O_RDONLY);
	if (mkfifo(pipe_name, 0600) || read(from, bytes, sizeof(bytes)) != sizeof(bytes)) {
		check_that(FALSE, "a pipe can be made");
		return;
	}
	close(from);
	to = open(pipe_name, O_RDWR);
	if (write(to, bytes, sizeof(bytes)) != sizeof(bytes)) {
		check_that(FALSE, "a pipe can be filled");
		return;
	}
	handles[0] = open_file(pipe_name);
	handles[1] = open_file(file);
	check_that(is(ProcessTrace(handles, 2, NULL, NULL), ERROR_INVALID_PARAMETER),
		   "ProcessTrace: a stream and a file");
	events = 0;
	pthread_create(&thread, NULL, close_later, &handles[0]);
	check_that(is(ProcessTrace(handles, 1, NULL, NULL), ERROR_SUCCESS) && events == 12,
		   "CloseTrace in another thread ends a stream, after what was read of it");
	pthread_join(thread, NULL);
	check_that(close_result == ERROR_CTX_CLOSE_PENDING,
		   "CloseTrace while ProcessTrace runs: ERROR_CTX_CLOSE_PENDING");
	CloseTrace(handles[1]);
	close(to);
}

/* Each event of the file cuts it shorter: what is gone can't be delivered. */
static VOID WINAPI on_record_cut(PEVENT_RECORD event)
{
	(void)event;
	if (++events == 3 && truncate(junk, 6000))
		events = 1000;
}

static void test_cut(void)
{
	EVENT_TRACE_LOGFILEA logfile = new_logfile(junk);
	TRACEHANDLE handle;
	ULONG result;

	logfile.EventRecordCallback = on_record_cut;
	handle = OpenTraceA(&logfile);
	result = ProcessTrace(&handle, 1, NULL, NULL);
	check_that(is(result, ERROR_FILE_CORRUPT) && events >= 3 && events < 1000,
		   "a file that is cut while it is read: no crash, and it is reported");
	CloseTrace(handle);
}

static int copy(const char *from, const char *to)
{
	static UCHAR bytes[1 << 16];
	int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_TRUNC);
	ssize_t n = read(in, bytes, sizeof(bytes));
	int done = n > 0 && write(out, bytes, n) == n;

	close(in);
	close(out);
	return done;
}

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	file = argv[1];
	other = argv[2];
	junk = argv[3];
	test_open();
	test_bad_addresses();
	test_filled_in();
	test_process_arguments();
	test_session();
	test_again();
	test_times();
	test_merge();
	test_class_callback();
	test_stream(argv[4]);
	if (copy(file, junk))
		test_cut();
	return 0;
}
