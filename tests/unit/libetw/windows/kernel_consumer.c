// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A consumer of kernel events, as for Windows: EVENT_RECORD, classes by GUID, types of events by
 * name, stacks out of the extended data, the header of the trace for both sizes of pointers.
 *
 * kernel_consumer FILE, or the kernel's session in real time
 */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <evntcons.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DEFINE_GUID(ProcessGuid,
	    0x3d6fa8d0, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);
DEFINE_GUID(ThreadGuid,
	    0x3d6fa8d1, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);
DEFINE_GUID(PageFaultGuid,
	    0x3d6fa8d3, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);
DEFINE_GUID(DiskIoGuid,
	    0x3d6fa8d4, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);
DEFINE_GUID(RegistryGuid,
	    0xae53722e, 0xc863, 0x11d2, 0x86, 0x59, 0x00, 0xc0, 0x4f, 0xa3, 0x21, 0xa1);
DEFINE_GUID(TcpIpGuid,
	    0x9a280ac0, 0xc8e0, 0x11d1, 0x84, 0xe2, 0x00, 0xc0, 0x4f, 0xb9, 0x98, 0xa2);

/* IsEqualGUID() takes pointers in C, references in C++ */
#ifdef __cplusplus
#define IS(provider, guid)	IsEqualGUID(*(provider), guid)
#else
#define IS(provider, guid)	IsEqualGUID(provider, &(guid))
#endif

typedef struct {
	ULONG events;
	ULONG stacks;
	ULONGLONG bytes;
} TOTALS;

static const char *disk_type(UCHAR type)
{
	switch (type) {
	case EVENT_TRACE_TYPE_IO_READ: return "Read";
	case EVENT_TRACE_TYPE_IO_WRITE: return "Write";
	case EVENT_TRACE_TYPE_IO_READ_INIT: return "ReadInit";
	case EVENT_TRACE_TYPE_IO_WRITE_INIT: return "WriteInit";
	case EVENT_TRACE_TYPE_IO_FLUSH: return "FlushBuffers";
	case EVENT_TRACE_TYPE_IO_FLUSH_INIT: return "FlushInit";
	case EVENT_TRACE_TYPE_OPTICAL_IO_READ: return "OpticalRead";
	}
	return "?";
}

static const char *fault_type(UCHAR type)
{
	switch (type) {
	case EVENT_TRACE_TYPE_MM_TF: return "TransitionFault";
	case EVENT_TRACE_TYPE_MM_DZF: return "DemandZeroFault";
	case EVENT_TRACE_TYPE_MM_COW: return "CopyOnWrite";
	case EVENT_TRACE_TYPE_MM_GPF: return "GuardPageFault";
	case EVENT_TRACE_TYPE_MM_HPF: return "HardPageFault";
	case EVENT_TRACE_TYPE_MM_AV: return "AccessViolation";
	}
	return "?";
}

static const char *network_type(UCHAR type)
{
	switch (type) {
	case EVENT_TRACE_TYPE_SEND: return "Send";
	case EVENT_TRACE_TYPE_RECEIVE: return "Recv";
	case EVENT_TRACE_TYPE_CONNECT: return "Connect";
	case EVENT_TRACE_TYPE_DISCONNECT: return "Disconnect";
	case EVENT_TRACE_TYPE_RETRANSMIT: return "Retransmit";
	case EVENT_TRACE_TYPE_ACCEPT: return "Accept";
	case EVENT_TRACE_TYPE_RECONNECT: return "Reconnect";
	case EVENT_TRACE_TYPE_CONNFAIL: return "Fail";
	}
	return "?";
}

static const char *registry_type(UCHAR type)
{
	switch (type) {
	case EVENT_TRACE_TYPE_REGCREATE: return "Create";
	case EVENT_TRACE_TYPE_REGOPEN: return "Open";
	case EVENT_TRACE_TYPE_REGDELETE: return "Delete";
	case EVENT_TRACE_TYPE_REGQUERYVALUE: return "QueryValue";
	case EVENT_TRACE_TYPE_REGSETVALUE: return "SetValue";
	case EVENT_TRACE_TYPE_REGKCBRUNDOWNBEGIN: return "KCBRundownBegin";
	case EVENT_TRACE_TYPE_REGMOUNTHIVE: return "MountHive";
	}
	return "?";
}

static const char *plain_type(UCHAR type)
{
	switch (type) {
	case EVENT_TRACE_TYPE_START: return "Start";
	case EVENT_TRACE_TYPE_END: return "End";
	case EVENT_TRACE_TYPE_DC_START: return "DCStart";
	case EVENT_TRACE_TYPE_DC_END: return "DCEnd";
	case EVENT_TRACE_TYPE_LOAD: return "Load";
	case EVENT_TRACE_TYPE_TERMINATE: return "Terminate";
	}
	return "?";
}

static void trace_header(const EVENT_RECORD *record)
{
	if (record->EventHeader.Flags & EVENT_HEADER_FLAG_32_BIT_HEADER) {
		const TRACE_LOGFILE_HEADER32 *header = (const TRACE_LOGFILE_HEADER32 *)record->UserData;

		if (record->UserDataLength >= FIELD_OFFSET(TRACE_LOGFILE_HEADER32, LoggerName))
			printf("%lu CPUs, 32 bits\n", header->NumberOfProcessors);
	} else {
		const TRACE_LOGFILE_HEADER64 *header = (const TRACE_LOGFILE_HEADER64 *)record->UserData;

		if (record->UserDataLength >= FIELD_OFFSET(TRACE_LOGFILE_HEADER64, LoggerName))
			printf("%lu CPUs, %lu events lost\n", header->NumberOfProcessors,
			       header->EventsLost);
	}
}

static ULONG stack_depth(const EVENT_RECORD *record)
{
	USHORT i;

	for (i = 0; i < record->ExtendedDataCount; i++) {
		const EVENT_HEADER_EXTENDED_DATA_ITEM *item = &record->ExtendedData[i];

		if (item->ExtType == EVENT_HEADER_EXT_TYPE_STACK_TRACE64)
			return (item->DataSize - sizeof(ULONG64)) / sizeof(ULONG64);
		if (item->ExtType == EVENT_HEADER_EXT_TYPE_STACK_TRACE32)
			return (item->DataSize - sizeof(ULONG64)) / sizeof(ULONG);
	}
	return 0;
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	const GUID *provider = &record->EventHeader.ProviderId;
	UCHAR type = record->EventHeader.EventDescriptor.Opcode;
	TOTALS *totals = (TOTALS *)record->UserContext;
	const char *name;

	totals->events++;
	totals->bytes += record->UserDataLength;
	totals->stacks += stack_depth(record) != 0;
	if (IS(provider, EventTraceGuid)) {
		if (type == EVENT_TRACE_TYPE_INFO)
			trace_header(record);
		return;
	}
	if (IS(provider, DiskIoGuid))
		name = disk_type(type);
	else if (IS(provider, PageFaultGuid))
		name = fault_type(type);
	else if (IS(provider, TcpIpGuid))
		name = network_type(type);
	else if (IS(provider, RegistryGuid))
		name = registry_type(type);
	else if (IS(provider, ProcessGuid) || IS(provider, ThreadGuid))
		name = plain_type(type);
	else
		return;
	printf("%lld CPU %lu process %lu %s\n", (long long)record->EventHeader.TimeStamp.QuadPart,
	       GetEventProcessorIndex(record), record->EventHeader.ProcessId, name);
}

static ULONG WINAPI on_buffer(PEVENT_TRACE_LOGFILE trace)
{
	return trace->EventsLost < MAXLONG;
}

int main(int argc, char **argv)
{
	static TCHAR file[MAX_PATH], session[] = KERNEL_LOGGER_NAME;
	EVENT_TRACE_LOGFILE trace;
	TOTALS totals = { 0, 0, 0 };
	TRACEHANDLE handle;
	ULONG error;
	int i;

	ZeroMemory(&trace, sizeof(trace));
	trace.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	if (argc > 1) {
		for (i = 0; argv[1][i] && i < MAX_PATH - 1; i++)
			file[i] = (TCHAR)argv[1][i];
		trace.LogFileName = file;
	} else {
		trace.LoggerName = session;
		trace.ProcessTraceMode |= PROCESS_TRACE_MODE_REAL_TIME;
	}
	trace.EventRecordCallback = on_event;
	trace.BufferCallback = on_buffer;
	trace.Context = &totals;
	handle = OpenTrace(&trace);
	if (handle == INVALID_PROCESSTRACE_HANDLE) {
		printf("OpenTrace: %lu\n", GetLastError());
		return 1;
	}
	error = ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
	printf("%lu events, %lu with stacks: %lu\n", totals.events, totals.stacks, error);
	return error != ERROR_SUCCESS;
}
