// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Prints what ProcessTrace() delivers, written as for Windows: one line for each event. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#include <evntrace.h>
#include <evntcons.h>

/*
 * consume [-twrqk] [-c BUFFERS] [-s FILETIME] [-e FILETIME] [-n SESSION] [FILE...]
 *   -t  EVENT_TRACE instead of EVENT_RECORD    -w  OpenTraceW
 *   -r  raw time stamps                        -q  no events, only sums
 *   -k  read all of an event's data, print nothing for it
 *   -c  BufferCallback says FALSE after so many buffers
 *
 * E time class type version level thread process processor session kernel user
 *   bytes sum id instance parent parent-class +type:data...
 * H what the header event says, B the last buffer, R the result
 */

static ULONG buffers_wanted = ~0u;
static BOOL quiet, touch;
static ULONG events, buffers, sum;

static ULONG add_up(const void *data, size_t size)
{
	const UCHAR *at = (const UCHAR *)data;
	ULONG hash = 0x811C9DC5u;

	while (size--)
		hash = (hash ^ *at++) * 0x01000193u;
	return hash;
}

static void print_guid(const GUID *guid)
{
	const UCHAR *d = guid->Data4;

	printf(" %08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x", guid->Data1, guid->Data2,
	       guid->Data3, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
}

static void print_id(ULONG id)
{
	if (id == 0xFFFFFFFFu)
		printf(" -");
	else
		printf(" %u", id);
}

static void print_end(ULONG id, const EVENT_EXTENDED_ITEM_INSTANCE *instance)
{
	printf(" %u %u %u", id, instance->InstanceId, instance->ParentInstanceId);
	print_guid(&instance->ParentGuid);
}

static void print_trace(PEVENT_TRACE event)
{
	const EVENT_TRACE_HEADER *header = &event->Header;
	EVENT_EXTENDED_ITEM_INSTANCE instance = {
		event->InstanceId, event->ParentInstanceId, event->ParentGuid
	};
	BOOL message = header->MarkerFlags == 0x90;

	printf("E %lld", header->TimeStamp.QuadPart);
	print_guid(&header->Guid);
	if (message)
		printf(" 0 0 0");
	else
		printf(" %u %u %u", header->Class.Type, header->Class.Version & 0xFF,
		       header->Class.Level);
	print_id(header->ThreadId);
	print_id(header->ProcessId);
	printf(" %u %u %u %u %u %08x", event->BufferContext.ProcessorNumber,
	       event->BufferContext.LoggerId, header->KernelTime, header->UserTime,
	       event->MofLength, add_up(event->MofData, event->MofLength));
	print_end(message ? header->Version & 0xFFFF : 0, &instance);
	putchar('\n');
}

static VOID WINAPI on_trace(PEVENT_TRACE event)
{
	events++;
	if (touch)
		sum += add_up(event->MofData, event->MofLength);
	if (!quiet)
		print_trace(event);
}

/* Items of files are only data; those of other headers, type 4 too, are made up. */
static void print_items(const EVENT_RECORD *event)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = event->ExtendedData;
	USHORT i, n;

	for (i = 0; i < event->ExtendedDataCount; i++, item++) {
		printf(" +%u:", item->ExtType);
		for (n = 0; n < item->DataSize; n++)
			printf("%02x", ((const UCHAR *)(ULONG_PTR)item->DataPtr)[n]);
		if (item->Linkage != (i + 1 < event->ExtendedDataCount))
			printf("!linkage");
	}
}

static void find_instance(const EVENT_RECORD *event, EVENT_EXTENDED_ITEM_INSTANCE *instance)
{
	USHORT i;

	memset(instance, 0, sizeof(*instance));
	for (i = 0; i < event->ExtendedDataCount; i++)
		if (event->ExtendedData[i].ExtType == EVENT_HEADER_EXT_TYPE_INSTANCE_INFO &&
		    event->ExtendedData[i].DataSize >= sizeof(*instance) &&
		    event->EventHeader.Flags & (EVENT_HEADER_FLAG_CLASSIC_HEADER |
						EVENT_HEADER_FLAG_TRACE_MESSAGE))
			memcpy(instance, (void *)(ULONG_PTR)event->ExtendedData[i].DataPtr,
			       sizeof(*instance));
}

static void print_record(PEVENT_RECORD event)
{
	const EVENT_HEADER *header = &event->EventHeader;
	const EVENT_DESCRIPTOR *descriptor = &header->EventDescriptor;
	EVENT_EXTENDED_ITEM_INSTANCE instance;
	BOOL message = !!(header->Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE);

	printf("E %lld", header->TimeStamp.QuadPart);
	print_guid(&header->ProviderId);
	printf(" %u %u %u", descriptor->Opcode, descriptor->Version, descriptor->Level);
	print_id(header->ThreadId);
	print_id(header->ProcessId);
	printf(" %u %u %u %u %u %08x", event->BufferContext.ProcessorNumber,
	       event->BufferContext.LoggerId, header->KernelTime, header->UserTime,
	       event->UserDataLength, add_up(event->UserData, event->UserDataLength));
	find_instance(event, &instance);
	print_end(message ? descriptor->Id : 0, &instance);
	printf(" flags=%x", header->Flags);
	print_items(event);
	putchar('\n');
}

static void touch_items(const EVENT_RECORD *event)
{
	USHORT i;

	for (i = 0; i < event->ExtendedDataCount; i++)
		sum += add_up((void *)(ULONG_PTR)event->ExtendedData[i].DataPtr,
			      event->ExtendedData[i].DataSize);
}

static VOID WINAPI on_record(PEVENT_RECORD event)
{
	events++;
	if (touch) {
		sum += add_up(event->UserData, event->UserDataLength);
		touch_items(event);
	}
	if (!quiet)
		print_record(event);
	if (event->UserContext != &events)
		abort();
}

/* Either form: only what both have at the same place is looked at. */
static ULONG on_buffer(ULONG read, ULONG filled, ULONG size, ULONG lost, LONGLONG last)
{
	buffers++;
	if (!quiet)
		printf("B %u %u %u %u %lld\n", read, filled, size, lost, last);
	return read < buffers_wanted;
}

static ULONG WINAPI on_buffer_a(PEVENT_TRACE_LOGFILEA file)
{
	return on_buffer(file->BuffersRead, file->Filled, file->BufferSize, file->EventsLost,
			 file->CurrentEvent.Header.TimeStamp.QuadPart);
}

static ULONG WINAPI on_buffer_w(PEVENT_TRACE_LOGFILEW file)
{
	return on_buffer(file->BuffersRead, file->Filled, file->BufferSize, file->EventsLost,
			 file->CurrentEvent.Header.TimeStamp.QuadPart);
}

static void print_header(const TRACE_LOGFILE_HEADER *header, ULONG kernel)
{
	const WCHAR *at = header->LoggerName;

	printf("H %lld %u %u %u %lld kernel=%u ", header->StartTime.QuadPart,
	       header->NumberOfProcessors, header->BufferSize, header->PointerSize,
	       header->PerfFreq.QuadPart, kernel);
	for (; at && *at; at++)
		putchar(*at < 0x80 ? (int)*at : '?');
	putchar('\n');
}

static TRACEHANDLE opened(TRACEHANDLE handle, const TRACE_LOGFILE_HEADER *header,
			  const ULONG *kernel)
{
	if (handle != INVALID_PROCESSTRACE_HANDLE)
		print_header(header, *kernel);
	return handle;
}

static TRACEHANDLE open_wide(const char *file, const char *session, ULONG mode)
{
	static WCHAR name[4096];
	const char *from = file ? file : session;
	EVENT_TRACE_LOGFILEW logfile;
	size_t i;

	for (i = 0; from[i] && i < 4095; i++)
		name[i] = (UCHAR)from[i];
	name[i] = 0;
	memset(&logfile, 0, sizeof(logfile));
	if (file)
		logfile.LogFileName = name;
	else
		logfile.LoggerName = name;
	logfile.ProcessTraceMode = mode;
	logfile.BufferCallback = on_buffer_w;
	logfile.Context = &events;
	if (mode & PROCESS_TRACE_MODE_EVENT_RECORD)
		logfile.EventRecordCallback = on_record;
	else
		logfile.EventCallback = on_trace;
	return opened(OpenTraceW(&logfile), &logfile.LogfileHeader, &logfile.IsKernelTrace);
}

static TRACEHANDLE open_narrow(const char *file, const char *session, ULONG mode)
{
	EVENT_TRACE_LOGFILEA logfile;

	memset(&logfile, 0, sizeof(logfile));
	logfile.LogFileName = (LPSTR)file;
	logfile.LoggerName = (LPSTR)session;
	logfile.ProcessTraceMode = mode;
	logfile.BufferCallback = on_buffer_a;
	logfile.Context = &events;
	if (mode & PROCESS_TRACE_MODE_EVENT_RECORD)
		logfile.EventRecordCallback = on_record;
	else
		logfile.EventCallback = on_trace;
	return opened(OpenTraceA(&logfile), &logfile.LogfileHeader, &logfile.IsKernelTrace);
}

static FILETIME filetime(const char *text)
{
	ULONGLONG value = strtoull(text, NULL, 10);
	FILETIME time = { (DWORD)value, (DWORD)(value >> 32) };

	return time;
}

int main(int argc, char **argv)
{
	ULONG mode = PROCESS_TRACE_MODE_EVENT_RECORD, result, count = 0, i;
	const char *session = NULL;
	FILETIME from, to, *start = NULL, *end = NULL;
	TRACEHANDLE handles[65];
	BOOL wide = FALSE;
	int c;

	while ((c = getopt(argc, argv, "twrqkc:s:e:n:")) != -1) {
		if (c == 't')
			mode &= ~PROCESS_TRACE_MODE_EVENT_RECORD;
		if (c == 'r')
			mode |= PROCESS_TRACE_MODE_RAW_TIMESTAMP;
		wide |= c == 'w';
		touch |= c == 'k';
		quiet |= c == 'q' || c == 'k';
		if (c == 'c')
			buffers_wanted = strtoul(optarg, NULL, 10);
		if (c == 'n')
			session = optarg;
		if (c == 's') {
			from = filetime(optarg);
			start = &from;
		}
		if (c == 'e') {
			to = filetime(optarg);
			end = &to;
		}
		if (c == '?')
			return 2;
	}
	if (session)
		handles[count++] = (wide ? open_wide : open_narrow)(NULL, session, mode |
								   PROCESS_TRACE_MODE_REAL_TIME);
	for (; optind < argc && count < 65; optind++)
		handles[count++] = (wide ? open_wide : open_narrow)(argv[optind], NULL, mode);
	for (i = 0; i < count; i++) {
		if (handles[i] == INVALID_PROCESSTRACE_HANDLE) {
			printf("R open %u\n", GetLastError());
			return 1;
		}
	}
	result = ProcessTrace(handles, count, start, end);
	for (i = 0; i < count; i++)
		CloseTrace(handles[i]);
	printf("R %u %u %u %u\n", result, events, buffers, touch ? sum : 0);
	return result != ERROR_SUCCESS;
}
