// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A controller: a session with a file for a provider, some time, and its end.
 * Compiles on Windows as it is.
 *
 * controller NAME FILE SECONDS
 */
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <stdio.h>
#include <stdlib.h>

/* {6A1E6B5C-3A0F-4C8E-9D11-0C4B7A2F5E01} */
static const GUID provider_guid = {
	0x6a1e6b5c, 0x3a0f, 0x4c8e, { 0x9d, 0x11, 0x0c, 0x4b, 0x7a, 0x2f, 0x5e, 0x01 }
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
	p->properties.Wnode.ClientContext = 1;
	p->properties.LoggerNameOffset = sizeof(p->properties);
	p->properties.LogFileNameOffset = sizeof(p->properties) + NAME_ROOM;
}

static ULONG start(const char *name, const char *file, TRACEHANDLE *session)
{
	PROPERTIES p;
	ULONG error;

	prepare(&p);
	p.properties.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	p.properties.BufferSize = 64;
	p.properties.MinimumBuffers = 8;
	p.properties.MaximumBuffers = 32;
	p.properties.FlushTimer = 1;
	snprintf(p.file_name, NAME_ROOM, "%s", file);
	error = StartTrace(session, name, &p.properties);
	if (error == ERROR_SUCCESS)
		printf("started %s: %u buffers of %u KB\n", p.logger_name,
		       (unsigned int)p.properties.MaximumBuffers,
		       (unsigned int)p.properties.BufferSize);
	return error;
}

/* Those that there are, and whether ours is among them */
static ULONG list(const char *name)
{
	PEVENT_TRACE_PROPERTIES array[64];
	ULONG i, count = 0, error;
	PROPERTIES *all = (PROPERTIES *)malloc(64 * sizeof(*all));
	int found = 0;

	if (all == NULL)
		return ERROR_NOT_ENOUGH_MEMORY;
	for (i = 0; i < 64; i++) {
		prepare(&all[i]);
		array[i] = &all[i].properties;
	}
	error = QueryAllTraces(array, 64, &count);
	for (i = 0; error == ERROR_SUCCESS && i < count; i++)
		found += strcmp(all[i].logger_name, name) == 0;
	printf("%u sessions, %d of them %s\n", (unsigned int)count, found, name);
	free(all);
	return error;
}

int main(int argc, char **argv)
{
	TRACEHANDLE session = 0;
	PROPERTIES p;
	ULONG error;

	if (argc != 4)
		return 2;
	error = start(argv[1], argv[2], &session);
	if (error != ERROR_SUCCESS) {
		printf("StartTrace: %u\n", (unsigned int)error);
		return 1;
	}
	error = EnableTrace(TRUE, 0x1234, TRACE_LEVEL_INFORMATION, &provider_guid, session);
	if (error != ERROR_SUCCESS)
		printf("EnableTrace: %u\n", (unsigned int)error);
	Sleep(1000 * (DWORD)atoi(argv[3]));
	list(argv[1]);
	prepare(&p);
	error = ControlTrace(0, argv[1], &p.properties, EVENT_TRACE_CONTROL_QUERY);
	printf("query: %u, file %s\n", (unsigned int)error, p.file_name);
	EnableTrace(FALSE, 0, 0, &provider_guid, session);
	prepare(&p);
	error = ControlTrace(session, NULL, &p.properties, EVENT_TRACE_CONTROL_STOP);
	printf("stopped: %u, %u events lost\n", (unsigned int)error,
	       (unsigned int)p.properties.EventsLost);
	return error != ERROR_SUCCESS;
}
