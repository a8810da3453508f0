// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EnableTraceEx2() with filters: eight sessions get exactly what their masks and filters select. */
#include <windows.h>
#include <evntcons.h>
#include "live.h"

#define SESSIONS	8
#define EVENTS		400
#define CHILD_EVENTS	100	/* the last ones are a child's */
#define IDS		20

static const GUID guid = { 0x66, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

/* EVENT_FILTER_EVENT_ID with room for all ids */
struct ids {
	BOOLEAN in;
	UCHAR reserved;
	USHORT count;
	USHORT events[IDS];
};

/* EVENT_FILTER_EVENT_NAME with room for all names */
struct names {
	ULONGLONG any;
	ULONGLONG all;
	UCHAR level;
	BOOLEAN in;
	USHORT count;
	char text[4 * IDS];
	ULONG size;	/* bytes of @text; not in the filter */
};

/**
 * struct wish - what a session wants
 * @level: of EnableTraceEx2()
 * @any: MatchAnyKeyword
 * @all: MatchAllKeyword
 * @properties: EnableProperty
 * @uses: bits: filters by process, executable, event, stack by event, by level; event by name,
 *	stack by name
 * @pid: the filter's
 * @name: the filter's
 * @events: the filter's
 * @stacks: the filter's
 * @level_kw: the filter's
 * @event_names: the filter's
 * @stack_names: the filter's
 */
struct wish {
	UCHAR level;
	ULONGLONG any;
	ULONGLONG all;
	ULONG properties;
	ULONG uses;
	ULONG pid;
	const WCHAR *name;
	struct ids events;
	struct ids stacks;
	EVENT_FILTER_LEVEL_KW level_kw;
	struct names event_names;
	struct names stack_names;
};

/**
 * struct session - one of the sessions
 * @handle: its handle
 * @wish: what it wants
 * @expected: by event number: 1: it is recorded; 2: with a stack, too
 * @found: likewise, in the file
 * @bad: events with wrong items
 * @file: path
 */
static struct session {
	TRACEHANDLE handle;
	struct wish wish;
	UCHAR expected[EVENTS];
	UCHAR found[EVENTS];
	int bad;
	char file[32];
} sessions[SESSIONS];

static REGHANDLE registration;

/* The same in each run */
static ULONG draw(void)
{
	static ULONGLONG state = 66;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return state >> 33;
}

static void draw_ids(struct ids *ids)
{
	ULONG id;

	ids->in = draw() & 1;
	for (id = 0; id < IDS; id++)
		if (draw() & 1)
			ids->events[ids->count++] = id;
	if (!ids->count)
		ids->events[ids->count++] = 0;
}

/* An event's name: its id is a letter. Return: bytes, with the terminator */
static ULONG name_of(ULONG id, char *text)
{
	text[0] = 'e';
	text[1] = 'a' + id;
	text[2] = 0;
	return 3;
}

static void draw_names(struct names *names)
{
	struct ids ids = { };
	ULONG size = 0;
	int i;

	draw_ids(&ids);
	names->any = draw() & 15;
	names->level = draw() % 6;
	names->in = ids.in;
	names->count = ids.count;
	for (i = 0; i < ids.count; i++)
		size += name_of(ids.events[i], names->text + size);
	names->size = size;
}

/* Events without metadata have no name. */
static int is_named(ULONG id)
{
	return id % 5 != 4;
}

static void draw_wish(struct wish *wish, ULONG uses, const WCHAR *name)
{
	wish->level = draw() % 6;
	wish->any = draw() & 15;
	wish->all = draw() & draw() & draw() & 15;
	wish->properties = (draw() & 1 ? EVENT_ENABLE_PROPERTY_SID : 0) |
			   (draw() & 1 ? EVENT_ENABLE_PROPERTY_STACK_TRACE : 0) |
			   (draw() & 1 ? EVENT_ENABLE_PROPERTY_PROCESS_START_KEY : 0) |
			   (draw() & 1 ? EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 : 0);
	wish->uses = uses;
	wish->pid = GetCurrentProcessId();
	wish->name = name;
	draw_ids(&wish->events);
	draw_ids(&wish->stacks);
	wish->level_kw.Level = draw() % 6;
	wish->level_kw.MatchAnyKeyword = draw() & 15;
	wish->level_kw.FilterIn = draw() & 1;
	draw_names(&wish->event_names);
	draw_names(&wish->stack_names);
}

static int has_id(const struct ids *ids, ULONG id)
{
	int i;

	for (i = 0; i < ids->count; i++)
		if (ids->events[i] == id)
			return ids->in;
	return !ids->in;
}

static int has_mask(UCHAR most, ULONGLONG any, ULONGLONG all, const EVENT_DESCRIPTOR *event)
{
	if (most && event->Level > most)
		return 0;
	return !event->Keyword || ((!any || (event->Keyword & any)) &&
				   (event->Keyword & all) == all);
}

static int has_name(const struct names *names, const EVENT_DESCRIPTOR *event)
{
	const char *at = names->text;
	int has = 0, i;
	char name[4];

	name_of(event->Id, name);
	for (i = 0; i < names->count; i++, at += strlen(at) + 1)
		has |= !strcmp(at, name);
	has &= is_named(event->Id) && has_mask(names->level, names->any, 0, event);
	return has == names->in;
}

/* Read off the documentation. Return: as @expected */
static UCHAR is_wanted(const struct wish *wish, const EVENT_DESCRIPTOR *event, int child)
{
	int stack = !!(wish->properties & EVENT_ENABLE_PROPERTY_STACK_TRACE);

	if (!has_mask(wish->level, wish->any, wish->all, event) ||
	    (!event->Keyword && (wish->properties & EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0)))
		return 0;
	if ((wish->uses & 1 && child) || (wish->uses & 2 && wish->name[0] != 's') ||
	    (wish->uses & 4 && !has_id(&wish->events, event->Id)))
		return 0;
	if (wish->uses & 32 && !has_name(&wish->event_names, event))
		return 0;
	if (wish->uses & (8 | 16 | 64))
		stack = (!(wish->uses & 64) || has_name(&wish->stack_names, event)) &&
			(!(wish->uses & 8) || has_id(&wish->stacks, event->Id)) &&
			(!(wish->uses & 16) ||
			 has_mask(wish->level_kw.Level, wish->level_kw.MatchAnyKeyword, 0, event) ==
			 wish->level_kw.FilterIn);
	return stack ? 2 : 1;
}

static void put(EVENT_FILTER_DESCRIPTOR *filter, ULONG type, const void *data, ULONG size)
{
	*filter = (EVENT_FILTER_DESCRIPTOR){ (ULONG_PTR)data, size, type };
}

static ULONG enable(TRACEHANDLE handle, const struct wish *wish)
{
	EVENT_FILTER_DESCRIPTOR filters[7];
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableProperty = wish->properties, .EnableFilterDesc = filters,
	};
	ULONG *n = &parameters.FilterDescCount;
	ULONG name = 0;

	while (wish->name[name])
		name++;
	if (wish->uses & 1)
		put(&filters[(*n)++], EVENT_FILTER_TYPE_PID, &wish->pid, 4);
	if (wish->uses & 2)
		put(&filters[(*n)++], EVENT_FILTER_TYPE_EXECUTABLE_NAME, wish->name, 2 * name + 2);
	if (wish->uses & 4)
		put(&filters[(*n)++], EVENT_FILTER_TYPE_EVENT_ID, &wish->events,
		    4 + 2 * wish->events.count);
	if (wish->uses & 8)
		put(&filters[(*n)++], EVENT_FILTER_TYPE_STACKWALK, &wish->stacks,
		    4 + 2 * wish->stacks.count);
	if (wish->uses & 16)
		put(&filters[(*n)++], EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW, &wish->level_kw,
		    sizeof(wish->level_kw));
	if (wish->uses & 32)
		put(&filters[(*n)++], EVENT_FILTER_TYPE_EVENT_NAME, &wish->event_names,
		    offsetof(struct names, text) + wish->event_names.size);
	if (wish->uses & 64)
		put(&filters[(*n)++], EVENT_FILTER_TYPE_STACKWALK_NAME, &wish->stack_names,
		    offsetof(struct names, text) + wish->stack_names.size);
	return EnableTraceEx2(handle, &guid, 1, wish->level, wish->any, wish->all, 0,
			      &parameters);
}

static void start_all(void)
{
	/* each filter alone and with others; one session has the name of another program */
	static const ULONG uses[SESSIONS] = { 16, 33, 32, 4, 72, 2, 127, 92 };
	struct block block;
	char name[16];
	int i;

	for (i = 0; i < SESSIONS; i++) {
		prepare(&block, EVENT_TRACE_FILE_MODE_SEQUENTIAL);
		snprintf(name, sizeof(name), "filters%d", i);
		snprintf(sessions[i].file, sizeof(sessions[i].file), "/tmp/%s.etl", name);
		strcpy(block.file, sessions[i].file);
		block.p.BufferSize = 64;
		block.p.MinimumBuffers = 8;
		draw_wish(&sessions[i].wish, uses[i], i == 5 ? u"libetw_liv" : u"sh;libetw_live");
		check_error("a session starts",
			    StartTraceA(&sessions[i].handle, name, &block.p), 0);
		check_error("EnableTraceEx2() with filters",
			    enable(sessions[i].handle, &sessions[i].wish), 0);
	}
}

static void check_refused_filters(TRACEHANDLE handle)
{
	static const ULONG pids[9] = { 1 };
	struct {
		ULONG type, size, error;
		const void *data;
	} cases[] = {
		{ EVENT_FILTER_TYPE_PID, 36, 87, pids },
		{ EVENT_FILTER_TYPE_PID, 4, 998, BAD },
		{ EVENT_FILTER_TYPE_PAYLOAD, 4, 50, pids },
		{ EVENT_FILTER_TYPE_NONE, 4, 50, pids },
		{ EVENT_FILTER_TYPE_EVENT_ID, 4, 87, pids },
		{ EVENT_FILTER_TYPE_EVENT_NAME, 22, 87, "0123456701234567\1\1\2\0a" },
		{ EVENT_FILTER_TYPE_EVENT_NAME, 4097, 87, pids },
		{ EVENT_FILTER_TYPE_STACKWALK_NAME, 4, 87, pids },
		{ EVENT_FILTER_TYPE_EXECUTABLE_NAME, 6, 87, u"a/b" },
		{ EVENT_FILTER_TYPE_EXECUTABLE_NAME, 2, 87, u"" },
	};
	EVENT_FILTER_DESCRIPTOR filters[2];
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2, .EnableFilterDesc = filters,
		.FilterDescCount = 1,
	};
	size_t i;

	for (i = 0; i < ARRAYSIZE(cases); i++) {
		put(&filters[0], cases[i].type, cases[i].data, cases[i].size);
		check_error("a filter that is refused",
			    EnableTraceEx2(handle, &guid, 1, 5, 0, 0, 0, &parameters),
			    cases[i].error);
	}
	put(&filters[0], EVENT_FILTER_TYPE_PID, pids, 4);
	filters[1] = filters[0];
	parameters.FilterDescCount = 2;
	check_error("two filters of one type: 87",
		    EnableTraceEx2(handle, &guid, 1, 5, 0, 0, 0, &parameters), 87);
}

/* With metadata: size, tags, name */
static ULONG write_one(const EVENT_DESCRIPTOR *descriptor, ULONG number)
{
	EVENT_DATA_DESCRIPTOR data[2];
	char schema[8] = { };
	ULONG size = 3 + name_of(descriptor->Id, schema + 3);

	schema[0] = size;
	EventDataDescCreate(&data[0], &number, sizeof(number));
	EventDataDescCreate(&data[1], schema, size);
	data[1].Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	return EventWrite(registration, descriptor, is_named(descriptor->Id) ? 2 : 1, data);
}

static int write_some(ULONG from, ULONG to, int child)
{
	EVENT_DESCRIPTOR descriptor = { .Version = 1 };
	int bad = 0, i;
	ULONG number;

	for (number = from; number < to; number++) {
		descriptor.Id = draw() % IDS;
		descriptor.Level = draw() % 7;
		descriptor.Keyword = draw() & draw() & 15;
		for (i = 0; i < SESSIONS; i++)
			sessions[i].expected[number] = is_wanted(&sessions[i].wish, &descriptor,
								 child);
		/* the child draws the same numbers and writes the events */
		if (!child || child == 2)
			bad += !!write_one(&descriptor, number);
	}
	return bad;
}

static void write_all(void)
{
	int status = -1;
	pid_t child;

	check("EventWrite() of random events", !write_some(0, EVENTS - CHILD_EVENTS, 0));
	child = fork();
	if (!child)
		_exit(write_some(EVENTS - CHILD_EVENTS, EVENTS, 2));
	write_some(EVENTS - CHILD_EVENTS, EVENTS, 1);
	waitpid(child, &status, 0);
	check("EventWrite() of random events in a child", status == 0);
}

/* S-1-22-1-0 */
static const UCHAR root[] = { 1, 2, 0, 0, 0, 0, 0, 22, 1, 0, 0, 0, 0, 0, 0, 0 };

/* Return: as @expected, for an event that is recorded */
static UCHAR see_items(struct session *session, const EVENT_RECORD *event)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = event->ExtendedData;
	ULONG properties = 0, i;
	UCHAR found = 1;

	for (i = 0; i < event->ExtendedDataCount; i++) {
		const void *data = (void *)(ULONG_PTR)item[i].DataPtr;

		if (item[i].ExtType == EVENT_HEADER_EXT_TYPE_SID) {
			properties |= EVENT_ENABLE_PROPERTY_SID;
			session->bad += item[i].DataSize != 16 || memcmp(data, root, 16);
		} else if (item[i].ExtType == EVENT_HEADER_EXT_TYPE_PROCESS_START_KEY) {
			properties |= EVENT_ENABLE_PROPERTY_PROCESS_START_KEY;
			session->bad += item[i].DataSize != 8;
		} else if (item[i].ExtType == EVENT_HEADER_EXT_TYPE_STACK_TRACE64) {
			found = 2;
			session->bad += item[i].DataSize < 16 || item[i].DataSize % 8 ||
				*(const ULONGLONG *)data;
		} else if (item[i].ExtType == EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL) {
			session->bad += !is_named(event->EventHeader.EventDescriptor.Id);
		} else {
			session->bad++;
		}
	}
	session->bad += properties != (session->wish.properties &
				       (EVENT_ENABLE_PROPERTY_SID |
					EVENT_ENABLE_PROPERTY_PROCESS_START_KEY));
	return found;
}

static VOID WINAPI see(PEVENT_RECORD event)
{
	struct session *session = event->UserContext;
	ULONG number;

	if (!IsEqualGUID(&event->EventHeader.ProviderId, &guid))
		return;
	memcpy(&number, event->UserData, sizeof(number));
	if (event->UserDataLength != 4 || number >= EVENTS || session->found[number])
		session->bad++;
	else
		session->found[number] = see_items(session, event);
}

static void check_file(struct session *session)
{
	EVENT_TRACE_LOGFILEA file = {
		.LogFileName = session->file, .Context = session,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD, .EventRecordCallback = see,
	};
	int i, differ = 0, many = 0;
	TRACEHANDLE handle;

	check_error("StopTrace()", stop_session(session->handle), 0);
	handle = OpenTraceA(&file);
	check_error("ProcessTrace()", ProcessTrace(&handle, 1, NULL, NULL), 0);
	CloseTrace(handle);
	for (i = 0; i < EVENTS; i++) {
		differ += session->found[i] != session->expected[i];
		many += !!session->found[i];
	}
	printf("# %s: filters %u, %d events, %d differ, %d bad, %u lost\n", session->file,
	       session->wish.uses, many, differ, session->bad, file.LogfileHeader.EventsLost);
	check("a session has exactly the events and stacks that its masks and filters select",
	      !differ);
	check("they have the items that its properties select", !session->bad);
	check("an event that is filtered out is not lost", !file.LogfileHeader.EventsLost);
}

void check_filters(void)
{
	BOOLEAN types = 1;
	int i;

	check_error("EventRegister()", EventRegister(&guid, NULL, NULL, &registration), 0);
	check_error("EventSetInformation()", EventSetInformation(registration,
		    EventProviderUseDescriptorType, &types, sizeof(types)), 0);
	start_all();
	check_refused_filters(sessions[0].handle);
	write_all();
	for (i = 0; i < SESSIONS; i++)
		check_file(&sessions[i]);
	check_error("EventUnregister()", EventUnregister(registration), 0);
}
