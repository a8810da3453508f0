/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* How the consumers of this folder read a file. */
#ifndef CONSUME_H
#define CONSUME_H

#include <windows.h>
#include <evntrace.h>
#include <stdio.h>

/* Return: the exit status of the program */
static int consume(char *file, PEVENT_RECORD_CALLBACK on_event)
{
	EVENT_TRACE_LOGFILEA logfile;
	TRACEHANDLE trace;
	ULONG status;

	ZeroMemory(&logfile, sizeof(logfile));
	logfile.LogFileName = file;
	logfile.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	logfile.EventRecordCallback = on_event;
	trace = OpenTraceA(&logfile);
	if (trace == INVALID_PROCESSTRACE_HANDLE) {
		printf("OpenTrace: %u\n", (unsigned int)GetLastError());
		return 1;
	}
	status = ProcessTrace(&trace, 1, NULL, NULL);
	CloseTrace(trace);
	return status != ERROR_SUCCESS;
}

#endif
