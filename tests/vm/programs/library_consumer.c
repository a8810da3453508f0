// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What sentences.txt says of consumers. */
#include "library.h"

#define FILE_NAME	"/tmp/library-consumer.etl"
#define EVENTS		5
#define YEAR_2000	125911584000000000LL

/* What the callbacks saw */
static struct seen {
	int calls;
	int events;
	int messages;
	int headers;
	int wrong;
} old, new;

static int is_first(const EVENT_TRACE_HEADER *header)
{
	static const GUID first = {
		0x68fdd900, 0x4a3e, 0x11d1, { 0x84, 0xf4, 0, 0, 0xf8, 0x04, 0x64, 0xe3 }
	};

	return !memcmp(&header->Guid, &first, sizeof(first)) && !header->Class.Type;
}

/* FULL_HEADER, MESSAGE and SYSTEM: three headers in the file, one kind here */
static VOID WINAPI old_callback(PEVENT_TRACE event)
{
	const EVENT_TRACE_HEADER *header = &event->Header;

	old.calls++;
	if (is_first(header)) {
		old.headers++;
		old.wrong += event->MofLength < 0x118;
	} else if (!memcmp(&header->Guid, &class_guid, sizeof(class_guid)) &&
		   event->MofLength == 4) {
		old.wrong += memcmp(event->MofData, "data", 4) || !header->ThreadId ||
			     header->Class.Type != 7 || header->Class.Version != 2;
		old.events++;
	} else if (event->MofLength == 3 && !memcmp(event->MofData, "msg", 3)) {
		old.messages++;
	}
	old.wrong += header->TimeStamp.QuadPart < YEAR_2000;
}

static VOID WINAPI new_callback(PEVENT_RECORD event)
{
	const EVENT_HEADER *header = &event->EventHeader;

	new.calls++;
	if (memcmp(&header->ProviderId, &class_guid, sizeof(class_guid)))
		return;
	new.wrong += header->TimeStamp.QuadPart < YEAR_2000;
	if (header->Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE) {
		new.messages++;
		new.wrong += header->EventDescriptor.Id != 9 || event->UserDataLength != 3 ||
			     memcmp(event->UserData, "msg", 3);
		return;
	}
	new.events++;
	new.wrong += event->UserDataLength != 4 || memcmp(event->UserData, "data", 4) ||
		     header->EventDescriptor.Opcode != 7 || !header->ThreadId;
}

static ULONG process(EVENT_TRACE_LOGFILEA *logfile)
{
	TRACEHANDLE handle;
	ULONG error;

	logfile->LogFileName = (char *)FILE_NAME;
	handle = OpenTraceA(logfile);
	if (handle == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	error = ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
	return error;
}

static void write_file(void)
{
	TRACEHANDLE handle = start("consumer", FILE_NAME, EVENT_TRACE_FILE_MODE_SEQUENTIAL, 8);
	struct event event;
	int i;

	/* the first has no stamp: it is not older than the trace for that */
	for (i = 0; i < EVENTS; i++) {
		TraceMessage(handle, TRACE_MESSAGE_GUID | (i ? TRACE_MESSAGE_TIMESTAMP : 0),
			     &class_guid, 9, "msg", (ULONG)3, NULL);
		fill(&event, sizeof(event.header) + 4, 0);
		memcpy(event.data, "data", 4);
		trace(handle, &event);
	}
	stop(handle);
}

void check_consumer(void)
{
	EVENT_TRACE_LOGFILEA logfile;
	ULONG error;

	write_file();
	memset(&logfile, 0, sizeof(logfile));
	logfile.EventCallback = old_callback;
	error = process(&logfile);
	row("H07", !error && old.events == EVENTS && old.messages == EVENTS,
	    "%d calls for %d and %d events, %u", old.calls, old.events, old.messages,
	    (unsigned int)error);
	row("H08", !error && !old.wrong && old.headers == 1 && old.events == EVENTS &&
	    old.messages == EVENTS, "of FULL_HEADER, MESSAGE and SYSTEM: %d wrong", old.wrong);
	memset(&logfile, 0, sizeof(logfile));
	logfile.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	logfile.EventRecordCallback = new_callback;
	error = process(&logfile);
	row("H09", !error && !new.wrong && new.events == EVENTS && new.messages == EVENTS,
	    "%d calls for %d and %d events, %d wrong, %u", new.calls, new.events, new.messages,
	    new.wrong, (unsigned int)error);
}
