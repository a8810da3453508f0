// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A message logger: messages with all that they can carry, into a session of its
 * own. Compiles on Windows as it is.
 *
 * messages FILE COUNT
 */
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* {6A1E6B5C-3A0F-4C8E-9D11-0C4B7A2F5E03} */
static const GUID message_guid = {
	0x6a1e6b5c, 0x3a0f, 0x4c8e, { 0x9d, 0x11, 0x0c, 0x4b, 0x7a, 0x2f, 0x5e, 0x03 }
};

#define NAME_ROOM	512

typedef struct {
	EVENT_TRACE_PROPERTIES properties;
	CHAR logger_name[NAME_ROOM];
	CHAR file_name[NAME_ROOM];
} PROPERTIES;

static void prepare(PROPERTIES *p)
{
	ZeroMemory(p, sizeof(*p));
	p->properties.Wnode.BufferSize = sizeof(*p);
	p->properties.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	p->properties.LoggerNameOffset = sizeof(p->properties);
	p->properties.LogFileNameOffset = sizeof(p->properties) + NAME_ROOM;
}

static ULONG log_message(TRACEHANDLE session, USHORT number, ...)
{
	va_list list;
	ULONG error;

	va_start(list, number);
	error = TraceMessageVa(session, TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_GUID |
			       TRACE_MESSAGE_TIMESTAMP | TRACE_MESSAGE_SYSTEMINFO, &message_guid,
			       number, list);
	va_end(list);
	return error;
}

int main(int argc, char **argv)
{
	static const char text[] = "text";
	ULONG component = 0x1234, count, i, error;
	TRACEHANDLE session = 0;
	PROPERTIES p;

	if (argc != 3)
		return 2;
	count = (ULONG)atoi(argv[2]);
	prepare(&p);
	p.properties.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL |
				   EVENT_TRACE_USE_LOCAL_SEQUENCE;
	snprintf(p.file_name, NAME_ROOM, "%s", argv[1]);
	error = StartTrace(&session, "messages", &p.properties);
	if (error != ERROR_SUCCESS) {
		printf("StartTrace: %u\n", (unsigned int)error);
		return 1;
	}
	for (i = 0; error == ERROR_SUCCESS && i < count; i++)
		error = log_message(session, 10, &i, (ULONG)sizeof(i), text, (ULONG)sizeof(text),
				    NULL);
	if (error == ERROR_SUCCESS)
		error = TraceMessage(session, TRACE_MESSAGE_COMPONENTID | TRACE_MESSAGE_TIMESTAMP,
				     (LPCGUID)&component, 11, NULL);
	printf("logged %u: %u\n", (unsigned int)i, (unsigned int)error);
	prepare(&p);
	i = StopTrace(session, NULL, &p.properties);
	printf("stopped: %u, %u events lost\n", (unsigned int)i,
	       (unsigned int)p.properties.EventsLost);
	return error != ERROR_SUCCESS || i != ERROR_SUCCESS;
}
