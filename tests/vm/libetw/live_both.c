// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EventWrite() to a session of the module and to the process's own: both have the same records. */
#include <windows.h>
#include <TraceLoggingProvider.h>
#include <evntcons.h>
#include "live.h"

#define EVENTS	512

TRACELOGGING_DEFINE_PROVIDER(logging, "Both.Ways",
	(0x00000059, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
static const GUID guid = { 0x58, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
static const GUID by_logging = { 0x59, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
static const GUID one = { 0x11111111, 0, 0, { 1 } }, two = { 0x22222222, 0, 0, { 2 } };
static REGHANDLE registration;

/**
 * struct taken - the events of a file, without their times and processors
 * @count: number of events
 * @hash: by event: of all that it contains
 */
struct taken {
	ULONG count;
	ULONGLONG hash[EVENTS];
};

static ULONGLONG add(ULONGLONG hash, const void *data, size_t size)
{
	const UCHAR *bytes = data;

	while (size--)
		hash = (hash ^ *bytes++) * 0x100000001B3;
	return hash;
}

static VOID WINAPI see(PEVENT_RECORD event)
{
	struct taken *taken = event->UserContext;
	EVENT_HEADER header = event->EventHeader;
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = event->ExtendedData;
	ULONGLONG hash = 0xCBF29CE484222325;
	int i;

	if ((!IsEqualGUID(&header.ProviderId, &guid) &&
	     !IsEqualGUID(&header.ProviderId, &by_logging)) || taken->count == EVENTS)
		return;
	/* what the session decides */
	header.TimeStamp.QuadPart = 0;
	header.ProcessorTime = 0;
	header.Flags &= ~(EVENT_HEADER_FLAG_PRIVATE_SESSION | EVENT_HEADER_FLAG_PROCESSOR_INDEX);
	hash = add(hash, &header, sizeof(header));
	for (i = 0; i < event->ExtendedDataCount; i++) {
		hash = add(hash, &item[i].ExtType, sizeof(item[i].ExtType));
		hash = add(hash, (void *)(ULONG_PTR)item[i].DataPtr, item[i].DataSize);
	}
	taken->hash[taken->count++] = add(hash, event->UserData, event->UserDataLength);
}

static void read_file(const char *name, struct taken *taken)
{
	EVENT_TRACE_LOGFILEA file = {
		.LogFileName = (char *)name, .Context = taken,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD, .EventRecordCallback = see,
	};
	TRACEHANDLE handle = OpenTraceA(&file);

	check_error("ProcessTrace()", ProcessTrace(&handle, 1, NULL, NULL), 0);
	CloseTrace(handle);
}

static TRACEHANDLE start_with(const char *name, const char *file, ULONG mode)
{
	TRACEHANDLE handle = 0;
	struct block block;

	prepare(&block, EVENT_TRACE_FILE_MODE_SEQUENTIAL | mode);
	strcpy(block.file, file);
	block.p.Wnode.ClientContext = 1;
	check_error("a session starts", StartTraceA(&handle, name, &block.p), 0);
	check_error("EnableTraceEx2()", EnableTraceEx2(handle, &guid, 1, 4, 6, 2, 0, NULL), 0);
	check_error("EnableTraceEx2(), TraceLogging",
		    EnableTraceEx2(handle, &by_logging, 1, 4, 6, 2, 0, NULL), 0);
	return handle;
}

/* Return: how many calls failed. Data and items of all kinds, and masks that let some pass */
static int write_number(UCHAR number)
{
	static UCHAR bytes[1024];
	const EVENT_DESCRIPTOR descriptor = {
		.Id = number, .Version = 1, .Channel = 11, .Level = number % 6, .Opcode = 2,
		.Task = 3, .Keyword = number % 8,
	};
	EVENT_DATA_DESCRIPTOR data[3];

	memset(bytes, number, sizeof(bytes));
	EventDataDescCreate(&data[0], bytes, number);
	EventDataDescCreate(&data[1], "\x0A\0\0Event\0", 9 + number % 3);
	data[1].Type = number % 2 ? EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA : 0;
	EventDataDescCreate(&data[2], bytes, 3 * number);
	return !!EventWriteEx(registration, &descriptor, 0, 0, number % 3 ? &one : NULL,
			      number % 5 ? NULL : &two, number % 4, data);
}

static int write_all(void)
{
	static const UCHAR traits[] = { 10, 0, 'M', 'i', 'n', 'e', '.', 'I', 't', 0 };
	int i, bad = 0;

	for (i = 0; i < 100; i++)
		bad += write_number(i);
	bad += !!EventWriteString(registration, 1, 2, u"Ok");
	bad += !!EventSetInformation(registration, EventProviderSetTraits, (PVOID)traits, 10);
	for (i = 0; i < 100; i++)
		bad += write_number(i);
	for (i = 0; i < 50; i++)
		TraceLoggingWrite(logging, "Sample", TraceLoggingLevel(3), TraceLoggingKeyword(2),
				  TraceLoggingInt32(i, "i"), TraceLoggingString("text", "s"),
				  TraceLoggingGuid(two, "g"));
	TraceLoggingWrite(logging, "Unwanted", TraceLoggingLevel(5), TraceLoggingKeyword(2));
	return bad;
}

void check_both(void)
{
	static struct taken taken[2];
	TRACEHANDLE modules, own;

	check_error("EventRegister()", EventRegister(&guid, NULL, NULL, &registration), 0);
	TraceLoggingRegister(logging);
	modules = start_with("both", "/tmp/both.etl", 0);
	own = start_with("own", "/tmp/own.etl", EVENT_TRACE_PRIVATE_LOGGER_MODE);
	/* a callback of the module's session comes in a while */
	while (!TraceLoggingProviderEnabled(logging, 3, 2))
		Sleep(10);
	check("each event is written to the module's session and to the process's own",
	      !write_all());
	check_error("the module's session stops", stop_session(modules), 0);
	check_error("the process's own session stops", stop_session(own), 0);
	TraceLoggingUnregister(logging);
	EventUnregister(registration);
	read_file("/tmp/both.etl", &taken[0]);
	read_file("/tmp/own.etl", &taken[1]);
	printf("# %u and %u events\n", taken[0].count, taken[1].count);
	check("both files have the same events, with the same items and data", taken[0].count > 50 &&
	      !memcmp(&taken[0], &taken[1], sizeof(taken[0])));
}
