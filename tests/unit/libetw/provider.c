// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A provider: waits until a session enables it, then logs events and instances of
 * transactions; ends when the session lets it go. Compiles on Windows as it is.
 *
 * provider [EVENTS]
 */
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <stdio.h>
#include <stdlib.h>

/* {6A1E6B5C-3A0F-4C8E-9D11-0C4B7A2F5E01} */
static const GUID control_guid = {
	0x6a1e6b5c, 0x3a0f, 0x4c8e, { 0x9d, 0x11, 0x0c, 0x4b, 0x7a, 0x2f, 0x5e, 0x01 }
};
/* {6A1E6B5C-3A0F-4C8E-9D11-0C4B7A2F5E02} */
static const GUID class_guid = {
	0x6a1e6b5c, 0x3a0f, 0x4c8e, { 0x9d, 0x11, 0x0c, 0x4b, 0x7a, 0x2f, 0x5e, 0x02 }
};

typedef struct {
	EVENT_TRACE_HEADER header;
	ULONG number;
	CHAR text[12];
} NUMBERED_EVENT;

typedef struct {
	EVENT_TRACE_HEADER header;
	MOF_FIELD field[2];
} FIELDS_EVENT;

static volatile LONG enabled;
static TRACEHANDLE session;
static UCHAR level;
static ULONG flags;

static ULONG WINAPI control(WMIDPREQUESTCODE code, PVOID context, ULONG *size, PVOID buffer)
{
	UNREFERENCED_PARAMETER(context);
	UNREFERENCED_PARAMETER(size);
	if (code == WMI_ENABLE_EVENTS) {
		session = GetTraceLoggerHandle(buffer);
		if (session == (TRACEHANDLE)INVALID_HANDLE_VALUE)
			return GetLastError();
		level = GetTraceEnableLevel(session);
		flags = GetTraceEnableFlags(session);
		enabled = 1;
	} else if (code == WMI_DISABLE_EVENTS) {
		enabled = 0;
	}
	return ERROR_SUCCESS;
}

static ULONG log_number(ULONG number)
{
	NUMBERED_EVENT event;

	ZeroMemory(&event, sizeof(event));
	event.header.Size = sizeof(event);
	event.header.Flags = WNODE_FLAG_TRACED_GUID;
	event.header.Guid = class_guid;
	event.header.Class.Type = EVENT_TRACE_TYPE_INFO;
	event.header.Class.Level = TRACE_LEVEL_INFORMATION;
	event.number = number;
	CopyMemory(event.text, "hello", 6);
	return TraceEvent(session, &event.header);
}

static ULONG log_fields(ULONG number)
{
	static const CHAR text[] = "from somewhere else";
	FIELDS_EVENT event;

	ZeroMemory(&event, sizeof(event));
	event.header.Size = sizeof(event);
	event.header.Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_MOF_PTR |
			     WNODE_FLAG_USE_GUID_PTR;
	event.header.GuidPtr = (ULONGLONG)(ULONG_PTR)&class_guid;
	event.header.Class.Type = EVENT_TRACE_TYPE_CHECKPOINT;
	DEFINE_TRACE_MOF_FIELD(&event.field[0], &number, sizeof(number), 0);
	DEFINE_TRACE_MOF_FIELD(&event.field[1], text, sizeof(text), 0);
	return TraceEvent(session, &event.header);
}

static ULONG log_transaction(HANDLE handle)
{
	EVENT_INSTANCE_INFO whole, part;
	struct {
		EVENT_INSTANCE_HEADER header;
		ULONG state;
	} event;
	ULONG error;

	error = CreateTraceInstanceId(handle, &whole);
	if (error == ERROR_SUCCESS)
		error = CreateTraceInstanceId(handle, &part);
	if (error != ERROR_SUCCESS)
		return error;
	ZeroMemory(&event, sizeof(event));
	event.header.Size = sizeof(event.header) + sizeof(event.state);
	event.header.Flags = WNODE_FLAG_TRACED_GUID;
	event.header.Class.Type = EVENT_TRACE_TYPE_START;
	event.state = 1;
	error = TraceEventInstance(session, &event.header, &whole, NULL);
	if (error != ERROR_SUCCESS)
		return error;
	event.header.Class.Type = EVENT_TRACE_TYPE_END;
	event.state = 2;
	return TraceEventInstance(session, &event.header, &part, &whole);
}

int main(int argc, char **argv)
{
	ULONG count = argc > 1 ? (ULONG)atoi(argv[1]) : 10, i, error;
	TRACE_GUID_REGISTRATION registration;
	TRACEHANDLE handle;

	registration.Guid = &class_guid;
	error = RegisterTraceGuids(control, NULL, &control_guid, 1, &registration, NULL, NULL,
				   &handle);
	if (error != ERROR_SUCCESS) {
		printf("RegisterTraceGuids: %u\n", (unsigned int)error);
		return 1;
	}
	for (i = 0; i < 600 && !enabled; i++)
		Sleep(50);
	printf("enabled: level %u flags 0x%x\n", (unsigned int)level, (unsigned int)flags);
	for (i = 0; error == ERROR_SUCCESS && enabled && i < count; i++)
		error = log_number(i);
	if (error == ERROR_SUCCESS)
		error = log_fields(count);
	if (error == ERROR_SUCCESS)
		error = log_transaction(registration.RegHandle);
	printf("logged %u: %u\n", (unsigned int)i, (unsigned int)error);
	fflush(stdout);
	for (i = 0; i < 600 && enabled; i++)
		Sleep(50);
	printf("%s\n", enabled ? "still enabled" : "disabled");
	UnregisterTraceGuids(handle);
	return error != ERROR_SUCCESS;
}
