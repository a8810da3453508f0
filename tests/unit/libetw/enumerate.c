// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * EnumerateTraceGuids(), EnumerateTraceGuidsEx() and EnableTraceEx2() with a device of the test's
 * own: see providers() and enable() there.
 */
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <evntcons.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"

#define ROOM	32

static TRACE_GUID_PROPERTIES properties[ROOM], *array[ROOM];

static ULONG ask(const char *name, ULONG room, ULONG want)
{
	ULONG count = 77, i;

	memset(properties, 0, sizeof(properties));
	for (i = 0; i < ROOM; i++)
		array[i] = &properties[i];
	check_error(name, EnumerateTraceGuids(array, room, &count), want);
	return count;
}

/* 2, which two sessions have; 7, which none has; then 20 that are not registered */
#define GUIDS	22

static void check_list(void)
{
	GUID guids[GUIDS + 1];
	ULONG filled = 0;

	memset(guids, 0, sizeof(guids));
	check_error("a list without room: 122",
		    EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, NULL, 0, &filled), 122);
	check("the size of the list is returned", filled == GUIDS * sizeof(GUID));
	check_error("a list with room for all but one: 122",
		    EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, guids,
					  filled - sizeof(GUID), &filled), 122);
	check("nothing is written", !guids[0].Data1);
	check_error("TraceGuidQueryList", EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, guids,
								sizeof(guids), &filled), 0);
	check("each GUID is listed once, also those that are not registered",
	      filled == GUIDS * sizeof(GUID) && guids[0].Data1 == 2 && guids[1].Data1 == 7 &&
	      guids[GUIDS - 1].Data1 == 27 && !guids[GUIDS].Data1);
	check_error("no place for the size: 87",
		    EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, guids, sizeof(guids), NULL), 87);
	check_error("providers of a process: 50",
		    EnumerateTraceGuidsEx(TraceGuidQueryProcess, NULL, 0, guids, sizeof(guids),
					  &filled), 50);
}

struct sessions {
	TRACE_GUID_INFO info;
	TRACE_PROVIDER_INSTANCE_INFO instance;
	TRACE_ENABLE_INFO enabled[3];
};

static ULONG query(ULONG number, struct sessions *sessions, ULONG room, ULONG *filled)
{
	GUID guid = { .Data1 = number };

	memset(sessions, 0, sizeof(*sessions));
	*filled = 0;
	return EnumerateTraceGuidsEx(TraceGuidQueryInfo, &guid, sizeof(guid), sessions, room, filled);
}

static void check_sessions(void)
{
	struct sessions sessions;
	ULONG filled;

	check_error("TraceGuidQueryInfo of two sessions",
		    query(2, &sessions, sizeof(sessions), &filled), 0);
	check("one instance with both", sessions.info.InstanceCount == 1 && filled == 88 &&
	      sessions.instance.EnableCount == 2 && !sessions.instance.NextOffset &&
	      sessions.instance.Flags == TRACE_PROVIDER_FLAG_LEGACY);
	check("their level and flags", sessions.enabled[0].LoggerId == 5 &&
	      sessions.enabled[1].LoggerId == 6 && sessions.enabled[1].Level == 4 &&
	      sessions.enabled[1].MatchAnyKeyword == 0x10 && sessions.enabled[1].IsEnabled);
	/* an older module's list has the flags, which are 0 */
	check("their keywords and properties", getenv("ETW_FAKE_OLD") ?
	      !sessions.enabled[0].MatchAnyKeyword && !sessions.enabled[0].EnableProperty :
	      sessions.enabled[0].MatchAnyKeyword == 0x8000000000000001 &&
	      sessions.enabled[0].EnableProperty == 0x884);
	check_error("without room: 122", query(2, &sessions, 87, &filled), 122);
	check("the size is returned, and nothing else", filled == 88 && !sessions.info.InstanceCount);
	check_error("of a provider that no session has", query(7, &sessions, 24, &filled), 0);
	check("no session", filled == 24 && !sessions.instance.EnableCount);
	check_error("of a provider that is not registered",
		    query(8, &sessions, sizeof(sessions), &filled), 0);
	check("its instance was enabled before", sessions.instance.Flags ==
	      (TRACE_PROVIDER_FLAG_LEGACY | TRACE_PROVIDER_FLAG_PRE_ENABLE));
	check_error("of an unknown provider: 4200",
		    query(99, &sessions, sizeof(sessions), &filled), 4200);
	check_error("without a GUID: 87",
		    EnumerateTraceGuidsEx(TraceGuidQueryInfo, NULL, 16, &sessions, 24, &filled), 87);
}

/* Return: whether the device got this request, and no other */
static int enabled(const char *line)
{
	FILE *file = fopen(getenv("ETW_FAKE_LOG"), "r");
	char text[256] = "";

	if (!file)
		return !*line;
	text[fread(text, 1, sizeof(text) - 1, file)] = 0;
	fclose(file);
	remove(getenv("ETW_FAKE_LOG"));
	return !strncmp(text, line, strlen(line)) && text[strlen(line)] == '\n';
}

#define ENABLE(code, any, all, parameters) \
	EnableTraceEx2(5, &(GUID){ .Data1 = 2 }, code, 4, any, all, 0, parameters)

static void check_enable(void)
{
	ENABLE_TRACE_PARAMETERS parameters = { .Version = ENABLE_TRACE_PARAMETERS_VERSION };

	enabled("");
	check_error("EnableTraceEx2(), all keywords", ENABLE(1, ~0ull, 0, &parameters), 0);
	check("they are all flags",
	      enabled("enable 5 of 00000002-0000-0000-0000: 1 level 4 flags ffffffff "
		      "any ffffffffffffffff all 0"));
	parameters.EnableProperty = EVENT_ENABLE_PROPERTY_ENABLE_SILOS;
	check_error("EnableTraceEx2(), keywords", ENABLE(1, 0x80000001, 0, &parameters), 0);
	check("they are the flags",
	      enabled("enable 5 of 00000002-0000-0000-0000: 1 level 4 flags 80000001 "
		      "any 80000001 all 0"));
	check_error("EnableTraceEx2(), keywords above 32 bits, and MatchAllKeyword",
		    ENABLE(1, 3ull << 32, 1ull << 32, NULL), 0);
	check("the device gets them",
	      enabled("enable 5 of 00000002-0000-0000-0000: 1 level 4 flags 0 "
		      "any 300000000 all 100000000"));
	parameters.EnableProperty = EVENT_ENABLE_PROPERTY_SOURCE_CONTAINER_TRACKING;
	check_error("EnableTraceEx2(), a property", ENABLE(1, 1, 0, &parameters), 0);
	check("the device gets it",
	      enabled("enable 5 of 00000002-0000-0000-0000: 1 level 4 flags 1 any 1 all 0\n"
		      "properties 800"));
	check_error("disables", ENABLE(0, 0, 0, NULL), 0);
	check("without a level",
	      enabled("enable 5 of 00000002-0000-0000-0000: 0 level 0 flags 0 any 0 all 0"));
	check_error("EnableTraceEx()", EnableTraceEx(&(GUID){ .Data1 = 2 }, NULL, 5, 1, 3, 0x11, 0,
						     0, NULL), 0);
	check("is the same", enabled("enable 5 of 00000002-0000-0000-0000: 1 level 3 flags 11 "
				    "any 11 all 0"));
}

static void check_refused(void)
{
	ENABLE_TRACE_PARAMETERS parameters = { .Version = ENABLE_TRACE_PARAMETERS_VERSION_2 };

	parameters.EnableProperty = EVENT_ENABLE_PROPERTY_TS_ID;
	check_error("a property: 50", ENABLE(1, 1, 0, &parameters), 50);
	parameters.EnableProperty = 0;
	parameters.EnableFilterDesc = (PEVENT_FILTER_DESCRIPTOR)&parameters;
	parameters.FilterDescCount = 1;
	check_error("a filter: 50", ENABLE(1, 1, 0, &parameters), 50);
	parameters.EnableFilterDesc = NULL;
	check_error("a filter that is missing: 87", ENABLE(1, 1, 0, &parameters), 87);
	parameters = (ENABLE_TRACE_PARAMETERS){ .Version = 3 };
	check_error("another version: 87", ENABLE(1, 1, 0, &parameters), 87);
	parameters = (ENABLE_TRACE_PARAMETERS){ .Version = 1, .ControlFlags = 1 };
	check_error("ControlFlags: 87", ENABLE(1, 1, 0, &parameters), 87);
	check_error("parameters at a bad address: 998",
		    ENABLE(1, 1, 0, (PENABLE_TRACE_PARAMETERS)0x1000), 998);
	check_error("another code: 87", ENABLE(3, 1, 0, NULL), 87);
	check_error("EnableTraceEx() with such a code: 87",
		    EnableTraceEx(&(GUID){ .Data1 = 2 }, NULL, 5, 2, 3, 0x11, 0, 0, NULL), 87);
	check("the device got none of these", enabled(""));
}

/* An older module has no filters; all else is as above. */
static void check_filter(void)
{
	const ULONG pid = 3, refused = getenv("ETW_FAKE_OLD") ? 50 : 0;
	EVENT_FILTER_DESCRIPTOR filter = {
		.Ptr = (ULONG_PTR)&pid, .Size = sizeof(pid), .Type = EVENT_FILTER_TYPE_PID,
	};
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2, .EnableFilterDesc = &filter,
		.FilterDescCount = 1,
	};

	check_error("a filter of a module that has filters, or 50",
		    ENABLE(1, 1, 0, &parameters), refused);
	remove(getenv("ETW_FAKE_LOG"));
}

static void check_state(void)
{
	check_error("the state of a provider that the session has", ENABLE(2, 0, 0, NULL), 0);
	check_error("of one that it has not: 4201",
		    EnableTraceEx2(5, &(GUID){ .Data1 = 7 }, 2, 4, 0, 0, 0, NULL), 4201);
	check_error("without a provider: 87", EnableTraceEx2(5, NULL, 2, 4, 0, 0, 0, NULL), 87);
	check("the device got the request for the state",
	      enabled("enable 5 of 00000002-0000-0000-0000: 2 level 4 flags 0 any 0 all 0"));
}

int main(void)
{
	check("no room at all: the count stays as it was",
	      ask("EnumerateTraceGuids() without room: 87", 0, 87) == 77);
	check("each registered GUID is counted once", ask("EnumerateTraceGuids()", ROOM, 0) == 2);
	check("of two sessions the first is returned", properties[0].Guid.Data1 == 2 &&
	      properties[0].IsEnable && properties[0].LoggerId == 5);
	check("a provider without a session is returned", properties[1].Guid.Data1 == 7 &&
	      !properties[1].IsEnable && !properties[1].LoggerId);
	check("nothing follows", !properties[2].Guid.Data1);
	check("the count is the same without room for all",
	      ask("EnumerateTraceGuids() with room for one: 234", 1, 234) == 2);
	check("what there is room for is returned", properties[0].Guid.Data1 == 2 &&
	      !properties[1].Guid.Data1);
	check_list();
	check_sessions();
	check_enable();
	check_refused();
	check_filter();
	check_state();
	return failures != 0;
}
