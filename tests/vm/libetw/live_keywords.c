// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EventRegister() and EventWrite(): eight sessions get what their levels and keywords select. */
#include <windows.h>
#include <evntcons.h>
#include "live.h"

#define SESSIONS	8
#define EVENTS		512
#define TRAITS_ID	900
#define CHILD_ID	901
#define HANDLER_ID	902

static const GUID guid = { 0x57, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
static const GUID one = { 0x11111111, 0, 0, { 1 } }, two = { 0x22222222, 0, 0, { 2 } };

/**
 * struct wish - what a session wants
 * @level: of EnableTraceEx2()
 * @any: MatchAnyKeyword
 * @all: MatchAllKeyword
 * @properties: EnableProperty
 */
static const struct wish {
	UCHAR level;
	ULONGLONG any;
	ULONGLONG all;
	ULONG properties;
} wishes[SESSIONS] = {
	{ 5, 0, 0, 0 },
	{ 0, 1, 0, 0 },
	{ 2, 0, 0, 0 },
	{ 4, 6, 0, 0 },
	{ 4, 6, 4, 0 },
	{ 255, 1ULL << 63, 0, 0 },
	{ 255, 1ULL << 63 | 1, 0, EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 },
	{ 1, 8, 8, EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 },
};

static const UCHAR levels[] = { 0, 1, 2, 3, 4, 5, 6, 255 };
static const ULONGLONG keywords[] = {
	0, 1, 2, 4, 6, 7, 8, 9, 16, 1ULL << 63, 1ULL << 63 | 1, ~0ULL,
};

/**
 * struct call - calls of the enable callback
 * @count: by control code
 * @level: of the last call
 * @any: of the last call
 * @all: of the last call
 */
static struct call {
	volatile int count[3];
	volatile UCHAR level;
	volatile ULONGLONG any;
	volatile ULONGLONG all;
} calls;

/**
 * struct session - one of the sessions
 * @handle: its handle
 * @wish: what it wants
 * @expected: by event number: the session wants it
 * @found: by event number: how often it is in the file
 * @traits: events with traits, a schema and activities
 * @child: events of a child
 * @handler: events of a signal handler
 * @strings: events of EventWriteString()
 * @file: path
 */
static struct session {
	TRACEHANDLE handle;
	struct wish wish;
	BOOLEAN expected[EVENTS];
	UCHAR found[EVENTS];
	int traits, child, handler, strings;
	char file[32];
} sessions[SESSIONS];

static REGHANDLE registration;

static VOID NTAPI enabled(LPCGUID source, ULONG code, UCHAR level, ULONGLONG any, ULONGLONG all,
			  PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	(void)source;
	(void)filter;
	if (context != &calls || code > 2)
		return;
	calls.level = level;
	calls.any = any;
	calls.all = all;
	calls.count[code]++;
}

static int wait_for(int enables, int disables, int captures)
{
	int i;

	for (i = 0; i < 500; i++) {
		if (calls.count[1] >= enables && calls.count[0] >= disables &&
		    calls.count[2] >= captures)
			return 1;
		Sleep(10);
	}
	printf("   %d enables, %d disables, %d captures\n", calls.count[1], calls.count[0],
	       calls.count[2]);
	return 0;
}

/* Read off Microsoft's documentation, and nothing of ours */
static int is_wanted(const struct wish *wish, UCHAR level, ULONGLONG keyword)
{
	if (wish->level && level > wish->level)
		return 0;
	if (!keyword)
		return !(wish->properties & EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0);
	if (wish->any && !(keyword & wish->any))
		return 0;
	return (keyword & wish->all) == wish->all;
}

static ULONG enable(const struct session *session, ULONG code)
{
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableProperty = session->wish.properties,
	};

	return EnableTraceEx2(session->handle, &guid, code, session->wish.level,
			      session->wish.any, session->wish.all, 0, &parameters);
}

static void start_all(void)
{
	struct block block;
	char name[16];
	int i;

	for (i = 0; i < SESSIONS; i++) {
		prepare(&block, EVENT_TRACE_FILE_MODE_SEQUENTIAL);
		snprintf(name, sizeof(name), "keywords%d", i);
		snprintf(sessions[i].file, sizeof(sessions[i].file), "/tmp/%s.etl", name);
		strcpy(block.file, sessions[i].file);
		block.p.BufferSize = 64;
		block.p.MinimumBuffers = 4;
		sessions[i].wish = wishes[i];
		check_error("a session starts", StartTraceA(&sessions[i].handle, name, &block.p), 0);
	}
}

static void enable_all(void)
{
	TRACEHANDLE ninth;
	int i;

	for (i = 0; i < SESSIONS; i++)
		check_error("EnableTraceEx2() with keywords", enable(&sessions[i], 1), 0);
	ninth = start_session("ninth");
	check_error("EnableTraceEx2() by a ninth session: 1450",
		    EnableTraceEx2(ninth, &guid, 1, 5, 0, 0, 0, NULL), 1450);
	check_error("EnableTraceEx2(), CAPTURE_STATE by a session that has it not enabled: 4201",
		    EnableTraceEx2(ninth, &guid, 2, 0, 0, 0, 0, NULL), 4201);
	stop_session(ninth);
}

/* Return: number of the next event */
static ULONG write_all(ULONG number)
{
	EVENT_DESCRIPTOR descriptor = { .Version = 1, .Opcode = 2, .Task = 3 };
	EVENT_DATA_DESCRIPTOR data;
	int bad = 0, i, any;
	size_t l, k;

	for (l = 0; l < ARRAYSIZE(levels); l++)
		for (k = 0; k < ARRAYSIZE(keywords); k++, number++) {
			descriptor.Id = number;
			descriptor.Level = levels[l];
			descriptor.Keyword = keywords[k];
			EventDataDescCreate(&data, &number, sizeof(number));
			for (any = i = 0; i < SESSIONS; i++) {
				sessions[i].expected[number] = is_wanted(&sessions[i].wish,
									 levels[l], keywords[k]);
				any |= sessions[i].expected[number];
			}
			/* a superset: each session's conditions, combined */
			bad += any && !EventEnabled(registration, &descriptor);
			bad += !!EventWrite(registration, &descriptor, 1, &data);
		}
	check("EventWrite() of each level and keyword, EventEnabled() misses no wanted one", !bad);
	return number;
}

static void write_traits(void)
{
	/* size, tags, name, and a field of type UINT32 */
	static const UCHAR schema[] = { 12, 0, 0, 'E', 'v', 'e', 'n', 't', 0, 'x', 0, 8 };
	static const UCHAR traits[] = { 10, 0, 'M', 'i', 'n', 'e', '.', 'I', 't', 0 };
	const EVENT_DESCRIPTOR descriptor = { .Id = TRAITS_ID, .Channel = 11, .Level = 1 };
	EVENT_DATA_DESCRIPTOR data[2];
	ULONG value = 77;

	check_error("EventSetInformation(), traits",
		    EventSetInformation(registration, EventProviderSetTraits, (PVOID)traits, 10), 0);
	check_error("EventSetInformation(), traits once more: 183",
		    EventSetInformation(registration, EventProviderSetTraits, (PVOID)traits, 10),
		    183);
	EventDataDescCreate(&data[0], schema, sizeof(schema));
	data[0].Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	EventDataDescCreate(&data[1], &value, sizeof(value));
	check_error("EventWriteTransfer() with both activities",
		    EventWriteTransfer(registration, &descriptor, &one, &two, 2, data), 0);
	data[0].Type = 4;
	check_error("EventWrite() with an unknown type of a piece: 87",
		    EventWrite(registration, &descriptor, 2, data), 87);
}

static const EVENT_DESCRIPTOR in_child = { .Id = CHILD_ID, .Level = 1, .Keyword = 15 };
static const EVENT_DESCRIPTOR in_handler = { .Id = HANDLER_ID, .Level = 1, .Keyword = 15 };

static void write_in_child(void)
{
	int status = -1;
	pid_t child = fork();

	if (!child)
		_exit(!EventEnabled(registration, &in_child) ||
		      EventWrite(registration, &in_child, 0, NULL));
	waitpid(child, &status, 0);
	check("EventWrite() in a child of fork()", status == 0);
}

static void handle_signal(int signal)
{
	(void)signal;
	EventWrite(registration, &in_handler, 0, NULL);
}

static void write_in_handler(void)
{
	signal(SIGUSR1, handle_signal);
	raise(SIGUSR1);
	signal(SIGUSR1, SIG_DFL);
}

static void check_errors(void)
{
	static const EVENT_DESCRIPTOR descriptor = { .Level = 1, .Keyword = 15 };
	static UCHAR much[0x10000];
	EVENT_DATA_DESCRIPTOR data;

	check_error("EventWrite() with handle 0: 6", EventWrite(0, &descriptor, 0, NULL), 6);
	check_error("EventWrite() without a descriptor: 87",
		    EventWrite(registration, NULL, 0, NULL), 87);
	check_error("EventWrite() of 129 pieces: 87",
		    EventWrite(registration, &descriptor, 129, &data), 87);
	check_error("EventWrite() with pieces at a bad address: 998",
		    EventWrite(registration, &descriptor, 1, BAD), 998);
	EventDataDescCreate(&data, BAD, 8);
	check_error("EventWrite() of data at a bad address: 998",
		    EventWrite(registration, &descriptor, 1, &data), 998);
	EventDataDescCreate(&data, much, sizeof(much));
	check_error("EventWrite() over 64 KB: 534", EventWrite(registration, &descriptor, 1, &data),
		    534);
	check_error("EventWriteTransfer() with a bad activity: 998",
		    EventWriteTransfer(registration, &descriptor, BAD, NULL, 0, NULL), 998);
	check_error("EventWriteEx() with a filter: 50",
		    EventWriteEx(registration, &descriptor, 1, 0, NULL, NULL, 0, NULL), 50);
	check_error("EventRegister() without a GUID: 87", EventRegister(NULL, NULL, NULL,
								       &registration), 87);
	check_error("EventUnregister() of handle 0: 6", EventUnregister(0), 6);
	check_error("EventAccessRemove(): 50", EventAccessRemove((LPGUID)&guid), 50);
}

static void check_activity(void)
{
	GUID id = one, before;

	EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &id);
	check_error("EventActivityIdControl(), CREATE_SET_ID",
		    EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_SET_ID, &id), 0);
	check("it returns the id before", IsEqualGUID(&id, &one));
	EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_ID, &before);
	check("and sets another one", !IsEqualGUID(&before, &one));
	check_error("EventActivityIdControl(), code 6: 87", EventActivityIdControl(6, &id), 87);
	EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &id);
}

static void see_traits(struct session *session, const EVENT_RECORD *event)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = event->ExtendedData;
	static const USHORT types[] = { 1, 12, 11 };
	int i, good = event->ExtendedDataCount == 3 && event->UserDataLength == 4 &&
		IsEqualGUID(&event->EventHeader.ActivityId, &one);

	for (i = 0; good && i < 3; i++)
		good = item[i].ExtType == types[i];
	good = good && !memcmp((void *)(ULONG_PTR)item[0].DataPtr, &two, sizeof(two)) &&
		item[1].DataSize == 10 && item[2].DataSize == 12;
	session->traits += good;
}

static VOID WINAPI see(PEVENT_RECORD event)
{
	struct session *session = event->UserContext;
	const EVENT_HEADER *header = &event->EventHeader;
	ULONG number = header->EventDescriptor.Id;

	if (!IsEqualGUID(&header->ProviderId, &guid))
		return;
	if (header->Flags & EVENT_HEADER_FLAG_STRING_ONLY)
		session->strings += event->UserDataLength == 6 &&
			!memcmp(event->UserData, u"Ok", 6);
	else if (number == TRAITS_ID)
		see_traits(session, event);
	else if (number == CHILD_ID)
		session->child += header->ProcessId != GetCurrentProcessId();
	else if (number == HANDLER_ID)
		session->handler += IsEqualGUID(&header->ActivityId, &one);
	else if (number < EVENTS && event->UserDataLength == 4 &&
		 !memcmp(event->UserData, &number, 4) && header->EventDescriptor.Task == 3)
		session->found[number]++;
}

static void check_file(struct session *session)
{
	EVENT_TRACE_LOGFILEA file = {
		.LogFileName = session->file, .Context = session,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD, .EventRecordCallback = see,
	};
	TRACEHANDLE handle;
	int i, bad = 0;

	check_error("StopTrace()", stop_session(session->handle), 0);
	handle = OpenTraceA(&file);
	check_error("ProcessTrace()", ProcessTrace(&handle, 1, NULL, NULL), 0);
	CloseTrace(handle);
	for (i = 0; i < EVENTS; i++)
		bad += session->found[i] != session->expected[i];
	if (bad)
		printf("# %s: %d events differ\n", session->file, bad);
	check("a session has exactly the events that its level and keywords select", !bad);
	check("the event with traits, schema and activities is recorded with its items",
	      session->traits == is_wanted(&session->wish, 1, 0));
	check("the event of a child is recorded",
	      session->child == is_wanted(&session->wish, 1, 15));
	check("the event of a signal handler is recorded, with the thread's activity",
	      session->handler == is_wanted(&session->wish, 1, 15));
	check("the string is recorded", session->strings == is_wanted(&session->wish, 1, 15));
}

static void check_combined(void)
{
	check("the callback is called for each session", wait_for(1, 0, 0));
	/* the last change is what counts: callbacks of changes in quick succession are one */
	while (!(calls.any == ~0ULL && calls.level == 255) && wait_for(calls.count[1] + 1, 0, 0))
		;
	check("it gets the highest level, any keyword of all sessions, and what all require",
	      calls.level == 255 && calls.any == ~0ULL && calls.all == 0);
	check_error("EnableTraceEx2(), CAPTURE_STATE", enable(&sessions[3], 2), 0);
	check("the callback is asked for the provider's state", wait_for(1, 0, 1));
}

static void disable_all(void)
{
	static const EVENT_DESCRIPTOR descriptor = { .Level = 1 };
	int i;

	for (i = 0; i < SESSIONS; i++)
		check_error("EnableTraceEx2(), disable", enable(&sessions[i], 0), 0);
	check("no event is enabled any more", !EventEnabled(registration, &descriptor) &&
	      !EventProviderEnabled(registration, 0, 0));
	check_error("EventWrite() of an event that no session wants",
		    EventWrite(registration, &descriptor, 1, BAD), 0);
	check("the callback is called for the disable", wait_for(1, 1, 1));
}

void check_event_write(void)
{
	static const EVENT_DESCRIPTOR descriptor = { .Level = 1 };
	GUID id = one;
	int i;

	check_error("EventRegister()", EventRegister(&guid, enabled, &calls, &registration), 0);
	check("before a session enables it, no event is enabled, and no callback runs",
	      !EventEnabled(registration, &descriptor) && !calls.count[0] && !calls.count[1]);
	start_all();
	enable_all();
	check_combined();
	EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &id);
	write_all(0);
	write_traits();
	check_errors();
	check_activity();
	write_in_child();
	write_in_handler();
	check_error("EventWriteString()", EventWriteString(registration, 1, 15, u"Ok"), 0);
	disable_all();
	for (i = 0; i < SESSIONS; i++)
		check_file(&sessions[i]);
	check_error("EventUnregister()", EventUnregister(registration), 0);
	check_error("EventWrite() after it: 6", EventWrite(registration, &descriptor, 0, NULL), 6);
}
