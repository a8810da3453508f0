/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/*
 * Classes of information about event tracing, and their structures, for TraceSetInformation(),
 * TraceQueryInformation() and EnumerateTraceGuidsEx(). Those that libetw does not support are
 * ERROR_NOT_SUPPORTED.
 */
#ifndef ETW_EVNTRACE_QUERY_H
#define ETW_EVNTRACE_QUERY_H

#include "wmistr.h"

typedef enum _TRACE_QUERY_INFO_CLASS {
	TraceGuidQueryList,
	TraceGuidQueryInfo,
	TraceGuidQueryProcess,
	TraceStackTracingInfo,
	TraceSystemTraceEnableFlagsInfo,
	TraceSampledProfileIntervalInfo,
	TraceProfileSourceConfigInfo,
	TraceProfileSourceListInfo,
	TracePmcEventListInfo,
	TracePmcCounterListInfo,
	TraceSetDisallowList,
	TraceVersionInfo,
	TraceGroupQueryList,
	TraceGroupQueryInfo,
	TraceDisallowListQuery,
	TraceCompressionInfo,
	TracePeriodicCaptureStateListInfo,
	TracePeriodicCaptureStateInfo,
	TraceProviderBinaryTracking,
	TraceMaxLoggersQuery,
	MaxTraceSetInfoClass,
	/* of Windows 11: MaxTraceSetInfoClass is the end of the values before Windows 11. */
	TraceStackCachingInfo = 24
} TRACE_QUERY_INFO_CLASS, TRACE_INFO_CLASS;

/* TraceCompressionInfo */
typedef enum {
	EtwCompressionModeRestart = 0,
	EtwCompressionModeNoDisable = 1,
	EtwCompressionModeNoRestart = 2
} ETW_COMPRESSION_RESUMPTION_MODE;

/* TraceGuidQueryInfo: TRACE_GUID_INFO, then an instance for each process, with its sessions */
#define TRACE_PROVIDER_FLAG_LEGACY		(0x00000001)
#define TRACE_PROVIDER_FLAG_PRE_ENABLE		(0x00000002)

typedef struct _TRACE_GUID_INFO {
	ULONG InstanceCount;
	ULONG Reserved;
} TRACE_GUID_INFO, *PTRACE_GUID_INFO;

typedef struct _TRACE_PROVIDER_INSTANCE_INFO {
	ULONG NextOffset;
	ULONG EnableCount;
	ULONG Pid;
	ULONG Flags;
} TRACE_PROVIDER_INSTANCE_INFO, *PTRACE_PROVIDER_INSTANCE_INFO;

typedef struct _TRACE_ENABLE_INFO {
	ULONG IsEnabled;
	UCHAR Level;
	UCHAR Reserved1;
	USHORT LoggerId;
	ULONG EnableProperty;
	ULONG Reserved2;
	ULONGLONG MatchAnyKeyword;
	ULONGLONG MatchAllKeyword;
} TRACE_ENABLE_INFO, *PTRACE_ENABLE_INFO;

/* TraceProfileSourceListInfo */
typedef struct _PROFILE_SOURCE_INFO {
	ULONG NextEntryOffset;
	ULONG Source;
	ULONG MinInterval;
	ULONG MaxInterval;
	ULONG64 Reserved;
	WCHAR Description[ANYSIZE_ARRAY];
} PROFILE_SOURCE_INFO, *PPROFILE_SOURCE_INFO;

/* TraceStackTracingInfo, TracePmcEventListInfo: an event by its class and type */
typedef struct _CLASSIC_EVENT_ID {
	GUID EventGuid;
	UCHAR Type;
	UCHAR Reserved[7];
} CLASSIC_EVENT_ID, *PCLASSIC_EVENT_ID;

/* TraceSampledProfileIntervalInfo */
typedef struct _TRACE_PROFILE_INTERVAL {
	ULONG Source;
	ULONG Interval;
} TRACE_PROFILE_INTERVAL, *PTRACE_PROFILE_INTERVAL;

/* TraceStackCachingInfo; sizes of 0 are the defaults */
typedef struct _TRACE_STACK_CACHING_INFO {
	BOOLEAN Enabled;
	UCHAR Reserved[3];
	ULONG CacheSize;
	ULONG BucketCount;
} TRACE_STACK_CACHING_INFO, *PTRACE_STACK_CACHING_INFO;

typedef struct _TRACE_VERSION_INFO {
	UINT EtwTraceProcessingVersion;
	UINT Reserved;
} TRACE_VERSION_INFO, *PTRACE_VERSION_INFO;

typedef struct _TRACE_PERIODIC_CAPTURE_STATE_INFO {
	ULONG CaptureStateFrequencyInSeconds;
	USHORT ProviderCount;
	USHORT Reserved;
} TRACE_PERIODIC_CAPTURE_STATE_INFO, *PTRACE_PERIODIC_CAPTURE_STATE_INFO;

#endif /* ETW_EVNTRACE_QUERY_H */
