// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Structures of calls that enable providers and change settings, as for Windows: what a program
 * fills in for them, and what it reads out of their results. No call is made.
 */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <evntcons.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DEFINE_GUID(DiskIoGuid,
	    0x3d6fa8d4, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);

static const char *operation(ULONG code)
{
	switch (code) {
	case EVENT_CONTROL_CODE_DISABLE_PROVIDER: return "disable";
	case EVENT_CONTROL_CODE_ENABLE_PROVIDER: return "enable";
	case EVENT_CONTROL_CODE_CAPTURE_STATE: return "capture state";
	}
	return "?";
}

static void fill_parameters(PENABLE_TRACE_PARAMETERS parameters, const GUID *source)
{
	ZeroMemory(parameters, sizeof(*parameters));
	parameters->Version = ENABLE_TRACE_PARAMETERS_VERSION_2;
	parameters->EnableProperty = EVENT_ENABLE_PROPERTY_SID | EVENT_ENABLE_PROPERTY_TS_ID |
				     EVENT_ENABLE_PROPERTY_STACK_TRACE;
	parameters->SourceId = *source;
	parameters->EnableFilterDesc = NULL;
}

static void fill_properties(PEVENT_TRACE_PROPERTIES_V2 properties)
{
	ZeroMemory(properties, sizeof(*properties));
	properties->Wnode.BufferSize = sizeof(*properties);
	properties->Wnode.Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_VERSIONED_PROPERTIES;
	properties->LogFileMode = EVENT_TRACE_SYSTEM_LOGGER_MODE | EVENT_TRACE_REAL_TIME_MODE;
	properties->VersionNumber = 2;
	properties->FlushThreshold = 1;
	properties->QpcDeltaTracking = 1;
}

static void fill_stacks(CLASSIC_EVENT_ID *events)
{
	ZeroMemory(events, 2 * sizeof(*events));
	events[0].EventGuid = DiskIoGuid;
	events[0].Type = EVENT_TRACE_TYPE_IO_READ;
	events[1].EventGuid = DiskIoGuid;
	events[1].Type = EVENT_TRACE_TYPE_IO_WRITE;
}

/* The answer to TraceGuidQueryInfo */
static ULONG sessions_of(const VOID *buffer, ULONG level)
{
	const TRACE_GUID_INFO *info = (const TRACE_GUID_INFO *)buffer;
	const TRACE_PROVIDER_INSTANCE_INFO *instance =
		(const TRACE_PROVIDER_INSTANCE_INFO *)(info + 1);
	const TRACE_ENABLE_INFO *enable;
	ULONG i, j, count = 0;

	for (i = 0; i < info->InstanceCount; i++) {
		if (instance->Flags & (TRACE_PROVIDER_FLAG_LEGACY | TRACE_PROVIDER_FLAG_PRE_ENABLE))
			printf("process %lu: a classic provider\n", instance->Pid);
		enable = (const TRACE_ENABLE_INFO *)(instance + 1);
		for (j = 0; j < instance->EnableCount; j++)
			count += enable[j].IsEnabled && enable[j].Level >= level;
		instance = (const TRACE_PROVIDER_INSTANCE_INFO *)((const BYTE *)instance +
								   instance->NextOffset);
	}
	return count;
}

static BOOL is_known(TRACE_INFO_CLASS information)
{
	switch (information) {
	case TraceGuidQueryList:
	case TraceGuidQueryInfo:
	case TraceStackTracingInfo:
	case TraceSampledProfileIntervalInfo:
	case TraceProfileSourceListInfo:
	case TracePmcCounterListInfo:
	case TraceVersionInfo:
		return TRUE;
	default:
		return information < MaxTraceSetInfoClass;
	}
}

int main(void)
{
	struct {
		TRACE_GUID_INFO info;
		TRACE_PROVIDER_INSTANCE_INFO instance;
		TRACE_ENABLE_INFO enable;
	} answer;
	TRACE_PROFILE_INTERVAL interval = { 0, 10000 };
	ENABLE_TRACE_PARAMETERS parameters;
	EVENT_TRACE_PROPERTIES_V2 properties;
	CLASSIC_EVENT_ID events[2];

	fill_parameters(&parameters, &DiskIoGuid);
	fill_properties(&properties);
	fill_stacks(events);
	ZeroMemory(&answer, sizeof(answer));
	answer.info.InstanceCount = 1;
	answer.instance.EnableCount = 1;
	answer.enable.IsEnabled = TRUE;
	answer.enable.Level = TRACE_LEVEL_INFORMATION;
	printf("%s: version %lu, %lu ns, %u and %u\n", operation(EVENT_CONTROL_CODE_ENABLE_PROVIDER),
	       parameters.Version, interval.Interval * 100, events[0].Type, properties.Wow);
	return sessions_of(&answer, TRACE_LEVEL_ERROR) != 1 || !is_known(TraceVersionInfo);
}
