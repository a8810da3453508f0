// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A controller of the kernel's session, as for Windows: flags and modes by name, start, query,
 * update, flush, stop.
 *
 * kernel_controller start|query|update|flush|stop [FILE [FLAG | MODE]...]
 */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED(prefix, name)	{ #name, prefix##name }

typedef struct {
	const char *name;
	ULONG value;
} NAMED_VALUE;

static const NAMED_VALUE kernel_flags[] = {
	NAMED(EVENT_TRACE_FLAG_, PROCESS), NAMED(EVENT_TRACE_FLAG_, THREAD),
	NAMED(EVENT_TRACE_FLAG_, IMAGE_LOAD), NAMED(EVENT_TRACE_FLAG_, PROCESS_COUNTERS),
	NAMED(EVENT_TRACE_FLAG_, CSWITCH), NAMED(EVENT_TRACE_FLAG_, DPC),
	NAMED(EVENT_TRACE_FLAG_, INTERRUPT), NAMED(EVENT_TRACE_FLAG_, SYSTEMCALL),
	NAMED(EVENT_TRACE_FLAG_, DISK_IO), NAMED(EVENT_TRACE_FLAG_, DISK_FILE_IO),
	NAMED(EVENT_TRACE_FLAG_, DISK_IO_INIT), NAMED(EVENT_TRACE_FLAG_, DISPATCHER),
	NAMED(EVENT_TRACE_FLAG_, MEMORY_PAGE_FAULTS), NAMED(EVENT_TRACE_FLAG_, MEMORY_HARD_FAULTS),
	NAMED(EVENT_TRACE_FLAG_, VIRTUAL_ALLOC), NAMED(EVENT_TRACE_FLAG_, VAMAP),
	NAMED(EVENT_TRACE_FLAG_, NETWORK_TCPIP), NAMED(EVENT_TRACE_FLAG_, REGISTRY),
	NAMED(EVENT_TRACE_FLAG_, DBGPRINT), NAMED(EVENT_TRACE_FLAG_, JOB),
	NAMED(EVENT_TRACE_FLAG_, ALPC), NAMED(EVENT_TRACE_FLAG_, SPLIT_IO),
	NAMED(EVENT_TRACE_FLAG_, DEBUG_EVENTS), NAMED(EVENT_TRACE_FLAG_, DRIVER),
	NAMED(EVENT_TRACE_FLAG_, PROFILE), NAMED(EVENT_TRACE_FLAG_, FILE_IO),
	NAMED(EVENT_TRACE_FLAG_, FILE_IO_INIT), NAMED(EVENT_TRACE_FLAG_, NO_SYSCONFIG),
};

static const NAMED_VALUE modes[] = {
	NAMED(EVENT_TRACE_, FILE_MODE_SEQUENTIAL), NAMED(EVENT_TRACE_, FILE_MODE_CIRCULAR),
	NAMED(EVENT_TRACE_, FILE_MODE_APPEND), NAMED(EVENT_TRACE_, FILE_MODE_NEWFILE),
	NAMED(EVENT_TRACE_, FILE_MODE_PREALLOCATE), NAMED(EVENT_TRACE_, REAL_TIME_MODE),
	NAMED(EVENT_TRACE_, BUFFERING_MODE), NAMED(EVENT_TRACE_, SECURE_MODE),
	NAMED(EVENT_TRACE_, USE_KBYTES_FOR_SIZE), NAMED(EVENT_TRACE_, USE_PAGED_MEMORY),
	NAMED(EVENT_TRACE_, STOP_ON_HYBRID_SHUTDOWN), NAMED(EVENT_TRACE_, COMPRESSED_MODE),
	NAMED(EVENT_TRACE_, NO_PER_PROCESSOR_BUFFERING),
};

static BOOL find(const NAMED_VALUE *values, SIZE_T count, const char *name, ULONG *found)
{
	SIZE_T i;

	for (i = 0; i < count; i++) {
		if (!strcmp(values[i].name, name)) {
			*found |= values[i].value;
			return TRUE;
		}
	}
	return FALSE;
}

static const char *reason(ULONG error)
{
	switch (error) {
	case ERROR_SUCCESS: return "done";
	case ERROR_ACCESS_DENIED: return "administrators only";
	case ERROR_ALREADY_EXISTS: return "the kernel logger runs already";
	case ERROR_BAD_LENGTH: return "a structure has a wrong size";
	case ERROR_BAD_PATHNAME: return "the file name is wrong";
	case ERROR_DISK_FULL: return "the disk is full";
	case ERROR_INVALID_FLAGS: return "flags that do not go together";
	case ERROR_INVALID_PARAMETER: return "a wrong parameter";
	case ERROR_MORE_DATA: return "no room for a name";
	case ERROR_NO_SYSTEM_RESOURCES: return "too many sessions";
	case ERROR_SHARING_VIOLATION: return "the file is in use";
	case ERROR_WMI_INSTANCE_NOT_FOUND: return "the kernel logger does not run";
	}
	return "see winerror.h";
}

static PEVENT_TRACE_PROPERTIES properties_of(LPCTSTR file, SIZE_T length, ULONG flags, ULONG mode)
{
	ULONG names = 2 * 1024 * sizeof(TCHAR);
	ULONG size = sizeof(EVENT_TRACE_PROPERTIES) + names;
	PEVENT_TRACE_PROPERTIES properties = (PEVENT_TRACE_PROPERTIES)malloc(size);

	if (properties == NULL)
		return NULL;
	ZeroMemory(properties, size);
	properties->Wnode.BufferSize = size;
	properties->Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	properties->Wnode.ClientContext = 1;
	properties->Wnode.Guid = SystemTraceControlGuid;
	properties->BufferSize = 64;
	properties->MinimumBuffers = 20;
	properties->MaximumBuffers = 200;
	properties->MaximumFileSize = 100;
	properties->LogFileMode = mode;
	properties->FlushTimer = 1;
	properties->EnableFlags = flags;
	properties->LoggerNameOffset = sizeof(EVENT_TRACE_PROPERTIES);
	properties->LogFileNameOffset = sizeof(EVENT_TRACE_PROPERTIES) + names / 2;
	CopyMemory((PBYTE)properties + properties->LogFileNameOffset, file, length);
	return properties;
}

int main(int argc, char **argv)
{
	static const TCHAR file[] = TEXT("kernel.etl");
	const char *verb = argc > 1 ? argv[1] : "query";
	ULONG flags = 0, mode = 0, error;
	PEVENT_TRACE_PROPERTIES properties;
	TRACEHANDLE session = 0;
	int i;

	for (i = 2; i < argc; i++) {
		if (!find(kernel_flags, ARRAYSIZE(kernel_flags), argv[i], &flags) &&
		    !find(modes, ARRAYSIZE(modes), argv[i], &mode)) {
			fprintf(stderr, "%s: no such flag or mode\n", argv[i]);
			return 2;
		}
	}
	properties = properties_of(file, sizeof(file), flags, mode);
	if (properties == NULL)
		return ERROR_OUTOFMEMORY;
	if (!strcmp(verb, "start"))
		error = StartTrace(&session, KERNEL_LOGGER_NAME, properties);
	else if (!strcmp(verb, "update"))
		error = ControlTrace(0, KERNEL_LOGGER_NAME, properties, EVENT_TRACE_CONTROL_UPDATE);
	else if (!strcmp(verb, "flush"))
		error = ControlTrace(0, KERNEL_LOGGER_NAME, properties, EVENT_TRACE_CONTROL_FLUSH);
	else if (!strcmp(verb, "stop"))
		error = ControlTrace(0, KERNEL_LOGGER_NAME, properties, EVENT_TRACE_CONTROL_STOP);
	else
		error = QueryTrace(0, KERNEL_LOGGER_NAME, properties);
	printf("%s: %lu, %s\n", verb, error, reason(error));
	if (error == ERROR_SUCCESS)
		printf("%lu buffers, %lu free, %lu written; lost: %lu events, %lu and %lu buffers\n",
		       properties->NumberOfBuffers, properties->FreeBuffers,
		       properties->BuffersWritten, properties->EventsLost,
		       properties->LogBuffersLost, properties->RealTimeBuffersLost);
	free(properties);
	return (int)error;
}
