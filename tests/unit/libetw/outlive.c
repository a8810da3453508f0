// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * One of several programs that use one session with a file, as logman and tracelog are used.
 * Compiles on Windows as it is, but for the ways to end.
 *
 * outlive start NAME FILE return|_exit|kill [MODE [KB]]
 *                                             starts a session, and ends in that way
 * outlive log NAME COUNT                      logs events into it
 * outlive flush NAME
 * outlive update NAME FILE                    another file from now on
 * outlive stop NAME
 *
 * Prints a line each: the error, and a number.
 */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM	512

static const GUID guid = { 0x0a71, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

static struct {
	EVENT_TRACE_PROPERTIES p;
	char name[ROOM];
	char file[ROOM];
} block;

static void prepare(void)
{
	memset(&block, 0, sizeof(block));
	block.p.Wnode.BufferSize = sizeof(block);
	block.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	block.p.LoggerNameOffset = sizeof(block.p);
	block.p.LogFileNameOffset = sizeof(block.p) + ROOM;
}

/* @size: of the file, in KB */
static ULONG start(const char *name, const char *file, ULONG mode, ULONG size)
{
	TRACEHANDLE handle = 0;

	prepare();
	block.p.LogFileMode = mode | EVENT_TRACE_USE_KBYTES_FOR_SIZE;
	block.p.MaximumFileSize = size;
	/* a session that may be appended to has explicit ones */
	block.p.Wnode.ClientContext = mode & EVENT_TRACE_FILE_MODE_APPEND ? 2 : 0;
	block.p.BufferSize = 64;
	block.p.MaximumBuffers = 64;
	snprintf(block.file, ROOM, "%s", file);
	return StartTraceA(&handle, name, &block.p);
}

/* An event that finds no free buffer is tried again: this is about the file. */
static ULONG log_events(const char *name, int count)
{
	struct {
		EVENT_TRACE_HEADER header;
		ULONG number;
	} event;
	ULONG error;

	prepare();
	error = QueryTraceA(0, name, &block.p);
	while (!error && count--) {
		memset(&event, 0, sizeof(event));
		event.header.Size = sizeof(event);
		event.header.Guid = guid;
		event.number = count;
		error = TraceEvent(block.p.Wnode.HistoricalContext, &event.header);
	}
	return error;
}

static ULONG update(const char *name, const char *file)
{
	prepare();
	snprintf(block.file, ROOM, "%s", file);
	return UpdateTraceA(0, name, &block.p);
}

static void end(const char *how)
{
	fflush(stdout);
	if (!strcmp(how, "_exit"))
		_exit(0);
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";
	ULONG error = ERROR_INVALID_PARAMETER;

	if (!strcmp(verb, "start") && argc > 4)
		error = start(argv[2], argv[3], argc > 5 ? strtoul(argv[5], NULL, 0) :
			      EVENT_TRACE_FILE_MODE_SEQUENTIAL,
			      argc > 6 ? strtoul(argv[6], NULL, 0) : 0);
	else if (!strcmp(verb, "log") && argc > 3)
		error = log_events(argv[2], atoi(argv[3]));
	else if (!strcmp(verb, "flush"))
		error = (prepare(), FlushTraceA(0, argv[2], &block.p));
	else if (!strcmp(verb, "update") && argc > 3)
		error = update(argv[2], argv[3]);
	else if (!strcmp(verb, "stop"))
		error = (prepare(), StopTraceA(0, argv[2], &block.p));
	printf("%s: %u, lost %u\n", verb, (unsigned int)error, (unsigned int)block.p.EventsLost);
	if (!strcmp(verb, "start") && argc > 4)
		end(argv[4]);
	return error != ERROR_SUCCESS;
}
