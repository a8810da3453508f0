// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Events of one process in several control groups, and what ProcessTrace() delivers of them.
 *
 * contained enable SESSION		enables the provider with items, by EnableTraceEx2()
 * contained write GROUP...		writes two events in each group, once a session listens
 * contained read FILE			prints each event: its text, and the items of a container
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <windows.h>
#include <evntprov.h>
#include <evntcons.h>
#include "tests/unit/libetw/properties_block.h"

static const GUID guid = { 0xc0a1, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

static int enable(const char *name)
{
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableProperty = EVENT_ENABLE_PROPERTY_SID | EVENT_ENABLE_PROPERTY_STACK_TRACE |
				  EVENT_ENABLE_PROPERTY_SOURCE_CONTAINER_TRACKING,
	};
	struct block block;

	prepare(&block);
	if (ControlTraceA(0, name, &block.p, EVENT_TRACE_CONTROL_QUERY))
		return 1;
	return EnableTraceEx2(block.p.Wnode.HistoricalContext, &guid,
			      EVENT_CONTROL_CODE_ENABLE_PROVIDER, 5, 0, 0, 0, &parameters) ? 2 : 0;
}

static volatile LONG sessions;

static VOID NTAPI on_change(LPCGUID source, ULONG code, UCHAR level, ULONGLONG any, ULONGLONG all,
			    PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	(void)source, (void)level, (void)any, (void)all, (void)filter, (void)context;
	sessions = code == EVENT_CONTROL_CODE_ENABLE_PROVIDER;
}

static int write_text(REGHANDLE provider, const char *text)
{
	const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, text, strlen(text) + 1);
	return EventWrite(provider, &descriptor, 1, &data) ? 1 : 0;
}

static int enter(const char *group)
{
	char path[512];
	int fd, bad;

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	fd = open(path, O_WRONLY);
	bad = fd < 0 || write(fd, "0", 1) != 1;
	if (bad)
		perror(path);
	close(fd);
	return bad;
}

/* A child that sees its own group as the root, as programs in containers do */
static int in_namespace(REGHANDLE provider, const char *group)
{
	char text[512];
	int status = 0;
	pid_t child = fork();

	if (!child) {
		snprintf(text, sizeof(text), "child %s", group);
		_exit(unshare(CLONE_NEWCGROUP) || write_text(provider, text));
	}
	waitpid(child, &status, 0);
	return status;
}

static int write_in(char **group)
{
	REGHANDLE provider;
	int i, bad = 0;

	if (EventRegister(&guid, on_change, NULL, &provider))
		return 1;
	for (i = 0; i < 1000 && !sessions; i++)
		usleep(10000);
	for (; *group; group++)
		bad |= enter(*group) || write_text(provider, *group) ||
		       in_namespace(provider, *group);
	EventUnregister(provider);
	return bad;
}

static VOID WINAPI see(PEVENT_RECORD event)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = event->ExtendedData;
	int i;

	if (!IsEqualGUID(&event->EventHeader.ProviderId, &guid))
		return;
	printf("%s", (const char *)event->UserData);
	for (i = 0; i < event->ExtendedDataCount; i++)
		if (item[i].ExtType == EVENT_HEADER_EXT_TYPE_CONTAINER_ID)
			printf(" %.*s", item[i].DataSize, (const char *)(ULONG_PTR)item[i].DataPtr);
	putchar('\n');
}

static int read_file(char *name)
{
	EVENT_TRACE_LOGFILEA file = {
		.LogFileName = name, .ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
	};
	TRACEHANDLE handle = OpenTraceA(&file);

	return ProcessTrace(&handle, 1, NULL, NULL) || CloseTrace(handle);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "enable"))
		return enable(argv[2]);
	if (argc > 2 && !strcmp(argv[1], "write"))
		return write_in(argv + 2);
	if (argc == 3 && !strcmp(argv[1], "read"))
		return read_file(argv[2]);
	return 3;
}
