// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Instances of transactions, as for Windows: a parent and its parts of two classes, and a
 * consumer of EVENT_TRACE that finds them by SetTraceCallback().
 *
 * instances [FILE]
 */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DEFINE_GUID(ProviderGuid,
	    0x2d7a1f60, 0x91c4, 0x4e55, 0xb0, 0x1c, 0x7e, 0x52, 0x88, 0x03, 0x6f, 0x10);
DEFINE_GUID(RequestGuid,
	    0x2d7a1f60, 0x91c4, 0x4e55, 0xb0, 0x1c, 0x7e, 0x52, 0x88, 0x03, 0x6f, 0x11);
DEFINE_GUID(QueryGuid,
	    0x2d7a1f60, 0x91c4, 0x4e55, 0xb0, 0x1c, 0x7e, 0x52, 0x88, 0x03, 0x6f, 0x12);

typedef struct _STATE_EVENT {
	EVENT_INSTANCE_HEADER header;
	ULONG state;
	USHORT length;
	CHAR text[10];
} STATE_EVENT, *PSTATE_EVENT;

enum { REQUEST, QUERY, CLASSES };

static TRACE_GUID_REGISTRATION classes[CLASSES] = {
	{ &RequestGuid, NULL },
	{ &QueryGuid, NULL },
};
static TRACEHANDLE session;
static ULONG requests, queries;

static ULONG WINAPI control(WMIDPREQUESTCODE code, PVOID context, ULONG *reserved, PVOID buffer)
{
	UNREFERENCED_PARAMETER(context);
	UNREFERENCED_PARAMETER(reserved);
	if (code == WMI_ENABLE_EVENTS)
		session = GetTraceLoggerHandle(buffer);
	else if (code == WMI_DISABLE_EVENTS)
		session = 0;
	else
		return ERROR_NOT_SUPPORTED;
	return ERROR_SUCCESS;
}

static ULONG log_state(UCHAR type, PEVENT_INSTANCE_INFO instance, PEVENT_INSTANCE_INFO parent)
{
	STATE_EVENT event;

	ZeroMemory(&event, sizeof(event));
	event.header.Size = sizeof(event);
	event.header.Flags = WNODE_FLAG_TRACED_GUID;
	event.header.Class.Type = type;
	event.header.Class.Level = TRACE_LEVEL_INFORMATION;
	event.state = type == EVENT_TRACE_TYPE_END;
	event.length = sizeof(event.text);
	return TraceEventInstance(session, &event.header, instance, parent);
}

static ULONG log_request(void)
{
	EVENT_INSTANCE_INFO request, query;
	ULONG error;

	error = CreateTraceInstanceId(classes[REQUEST].RegHandle, &request);
	if (error == ERROR_SUCCESS)
		error = CreateTraceInstanceId(classes[QUERY].RegHandle, &query);
	if (error == ERROR_SUCCESS)
		error = log_state(EVENT_TRACE_TYPE_START, &request, NULL);
	if (error == ERROR_SUCCESS)
		error = log_state(EVENT_TRACE_TYPE_DEQUEUE, &query, &request);
	if (error == ERROR_SUCCESS)
		error = log_state(EVENT_TRACE_TYPE_REPLY, &query, &request);
	if (error == ERROR_SUCCESS)
		error = log_state(EVENT_TRACE_TYPE_END, &request, NULL);
	return error;
}

static VOID WINAPI on_request(PEVENT_TRACE event)
{
	requests += event->Header.Class.Type == EVENT_TRACE_TYPE_START;
	printf("request %lu at %lld\n", event->InstanceId,
	       (long long)event->Header.TimeStamp.QuadPart);
}

static VOID WINAPI on_query(PEVENT_TRACE event)
{
	queries += event->MofLength >= sizeof(ULONG);
	printf("query %lu of %lu, thread %lu, CPU %u\n", event->InstanceId,
	       event->ParentInstanceId, event->Header.ThreadId,
	       event->BufferContext.ProcessorNumber);
}

static ULONG read_file(LPTSTR file)
{
	EVENT_TRACE_LOGFILE trace;
	TRACEHANDLE handle;
	ULONG error;

	ZeroMemory(&trace, sizeof(trace));
	trace.LogFileName = file;
	SetTraceCallback(&RequestGuid, on_request);
	SetTraceCallback(&QueryGuid, on_query);
	handle = OpenTrace(&trace);
	if (handle == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	error = ProcessTrace(&handle, 1, NULL, NULL);
	if (error == ERROR_SUCCESS && trace.LogfileHeader.EventsLost)
		printf("%lu events lost\n", trace.LogfileHeader.EventsLost);
	CloseTrace(handle);
	RemoveTraceCallback(&RequestGuid);
	RemoveTraceCallback(&QueryGuid);
	return error;
}

int main(int argc, char **argv)
{
	static TCHAR file[MAX_PATH];
	TRACEHANDLE handle;
	ULONG error;
	int i;

	error = RegisterTraceGuids(control, NULL, &ProviderGuid, CLASSES, classes, NULL, NULL,
				   &handle);
	if (error == ERROR_SUCCESS && session != 0)
		error = log_request();
	if (error == ERROR_SUCCESS)
		error = UnregisterTraceGuids(handle);
	if (error == ERROR_SUCCESS && argc > 1) {
		for (i = 0; argv[1][i] && i < MAX_PATH - 1; i++)
			file[i] = (TCHAR)argv[1][i];
		error = read_file(file);
	}
	printf("%lu requests, %lu queries: %lu\n", requests, queries, error);
	return error != ERROR_SUCCESS;
}
