// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TraceSetInformation(), EnableTraceEx2() and EnumerateTraceGuidsEx() with running sessions. */
#include "live.h"
#include <evntcons.h>

static const GUID guid = { 0x57, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
DEFINE_GUID(ThreadGuid,
	    0x3d6fa8d1, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);

static ULONG flags_of(TRACEHANDLE handle)
{
	struct block block;

	prepare(&block, 0);
	QueryTraceA(handle, NULL, &block.p);
	return block.p.EnableFlags;
}

static void check_stacks(TRACEHANDLE handle)
{
	/* the context switch twice: it is one event */
	CLASSIC_EVENT_ID events[] = {
		{ ThreadGuid, 36, { 0 } }, { ThreadGuid, 50, { 0 } }, { ThreadGuid, 36, { 0 } },
	};
	TRACE_STACK_CACHING_INFO caching = { .Enabled = TRUE };

	check_error("TraceStackTracingInfo",
		    TraceSetInformation(handle, TraceStackTracingInfo, events, sizeof(events)), 0);
	check_error("an event of 23 bytes: 24",
		    TraceSetInformation(handle, TraceStackTracingInfo, events, 23), 24);
	check_error("events at a bad address: 998",
		    TraceSetInformation(handle, TraceStackTracingInfo, BAD, 24), 998);
	check_error("TraceStackCachingInfo with default sizes",
		    TraceSetInformation(handle, TraceStackCachingInfo, &caching,
					sizeof(caching)), 0);
	caching.BucketCount = 0x10001;
	check_error("too many buckets: 87",
		    TraceSetInformation(handle, TraceStackCachingInfo, &caching,
					sizeof(caching)), 87);
	caching.Enabled = FALSE;
	check_error("TraceStackCachingInfo, off",
		    TraceSetInformation(handle, TraceStackCachingInfo, &caching,
					sizeof(caching)), 0);
	check_error("no stacks any more",
		    TraceSetInformation(handle, TraceStackTracingInfo, NULL, 0), 0);
	events[0].EventGuid = guid;
	check_error("a class that no kernel event has: 4200",
		    TraceSetInformation(handle, TraceStackTracingInfo, events, 24), 4200);
}

static void check_flags(TRACEHANDLE handle)
{
	ULONG masks[9] = { EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_CSWITCH };

	check_error("TraceSystemTraceEnableFlagsInfo, as 64 bits",
		    TraceSetInformation(handle, TraceSystemTraceEnableFlagsInfo, masks, 8), 0);
	check("the session has these flags", flags_of(handle) == masks[0]);
	masks[0] = EVENT_TRACE_FLAG_REGISTRY;
	check_error("flags that the module lacks: 50",
		    TraceSetInformation(handle, TraceSystemTraceEnableFlagsInfo, masks, 4), 50);
	check("and the session keeps its flags",
	      flags_of(handle) == (EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_CSWITCH));
	check_error("nine masks: 24",
		    TraceSetInformation(handle, TraceSystemTraceEnableFlagsInfo, masks, 36), 24);
	check_error("LBR: 50", TraceSetInformation(handle, (TRACE_INFO_CLASS)20, masks, 4), 50);
}

void check_settings(void)
{
	TRACEHANDLE handle = 0, other = start_session("programs");
	ULONG flags = EVENT_TRACE_FLAG_PROCESS;
	struct block block;

	prepare(&block, EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE);
	check_error("a session with SYSTEM_LOGGER_MODE",
		    StartTraceA(&handle, "system", &block.p), 0);
	check_stacks(handle);
	check_flags(handle);
	check_error("flags of a session without kernel events: 87",
		    TraceSetInformation(other, TraceSystemTraceEnableFlagsInfo, &flags, 4), 87);
	stop_session(handle);
	check_error("flags of a stopped session: 4201",
		    TraceSetInformation(handle, TraceSystemTraceEnableFlagsInfo, &flags, 4), 4201);
	stop_session(other);
}

/* The sessions that have the provider, in the one instance */
static ULONG sessions_of(TRACE_ENABLE_INFO *first)
{
	struct {
		TRACE_GUID_INFO info;
		TRACE_PROVIDER_INSTANCE_INFO instance;
		TRACE_ENABLE_INFO enabled[8];
	} answer = { };
	ULONG filled = 0;
	GUID asked = guid;

	check_error("TraceGuidQueryInfo",
		    EnumerateTraceGuidsEx(TraceGuidQueryInfo, &asked, sizeof(asked), &answer,
					  sizeof(answer), &filled), 0);
	check("one instance of a classic provider that is not registered yet",
	      answer.info.InstanceCount == 1 && answer.instance.Flags ==
	      (TRACE_PROVIDER_FLAG_LEGACY | TRACE_PROVIDER_FLAG_PRE_ENABLE) &&
	      filled == 24 + answer.instance.EnableCount * sizeof(TRACE_ENABLE_INFO));
	*first = answer.enabled[0];
	return answer.instance.EnableCount;
}

static int is_listed(void)
{
	GUID guids[64];
	ULONG filled = 0, i;

	check_error("TraceGuidQueryList",
		    EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, guids, sizeof(guids),
					  &filled), 0);
	for (i = 0; i < filled / sizeof(GUID); i++)
		if (IsEqualGUID(&guids[i], &guid))
			return 1;
	return 0;
}

static void check_refused(TRACEHANDLE session)
{
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableProperty = EVENT_ENABLE_PROPERTY_PSM_KEY,
	};

	check_error("another property: 50",
		    EnableTraceEx2(session, &guid, 1, 4, 1, 0, 0, &parameters), 50);
	parameters.Version = 3;
	check_error("another version of the parameters: 87",
		    EnableTraceEx2(session, &guid, 1, 4, 1, 0, 0, &parameters), 87);
	check_error("another control code: 87",
		    EnableTraceEx2(session, &guid, 3, 4, 1, 0, 0, NULL), 87);
	check_error("the state of a provider that is not enabled: 4201",
		    EnableTraceEx2(session, &guid, 2, 4, 1, 0, 0, NULL), 4201);
	check("and nothing is enabled", !is_listed());
}

void check_keywords(void)
{
	TRACEHANDLE session = start_session("programs");
	TRACE_ENABLE_INFO first;
	ULONG filled = 0;

	check_refused(session);
	check_error("EnableTraceEx2(), all keywords",
		    EnableTraceEx2(session, &guid, 1, 5, ~0ull, 0, 1000, NULL), 0);
	check("a session has the provider, with level and flags", sessions_of(&first) == 1 &&
	      first.LoggerId == session && first.Level == 5 && first.MatchAnyKeyword == ~0ull);
	check_error("EnableTraceEx()", EnableTraceEx(&guid, NULL, session, 1, 3, 0x11, 0, 0, NULL), 0);
	check("changes level and flags", sessions_of(&first) == 1 && first.Level == 3 &&
	      first.MatchAnyKeyword == 0x11);
	check("the provider is listed", is_listed());
	check_error("a list without room: 122",
		    EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, NULL, 0, &filled), 122);
	check("returns its size", filled && filled % sizeof(GUID) == 0);
	check_error("its state", EnableTraceEx2(session, &guid, 2, 5, 0, 0, 0, NULL), 0);
	check_error("EnableTraceEx2() disables",
		    EnableTraceEx2(session, &guid, 0, 0, 0, 0, 0, NULL), 0);
	check("the provider is listed no more", !is_listed());
	stop_session(session);
}
