/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Event tracing: calls of controllers, providers and consumers. */
#ifndef _EVNTRACE_
#define _EVNTRACE_

#include "evntrace_consume.h"
#include "evntrace_query.h"
#include "evntrace_session.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Sessions. Names of the A forms are UTF-8, those of the W forms UTF-16 */
ULONG WMIAPI StartTraceA(PTRACEHANDLE TraceHandle, LPCSTR InstanceName,
			 PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI StartTraceW(PTRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			 PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI ControlTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
			   PEVENT_TRACE_PROPERTIES Properties, ULONG ControlCode);
ULONG WMIAPI ControlTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			   PEVENT_TRACE_PROPERTIES Properties, ULONG ControlCode);
ULONG WMIAPI StopTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
			PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI StopTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI QueryTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
			 PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI QueryTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			 PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI UpdateTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
			  PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI UpdateTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			  PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI FlushTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
			 PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI FlushTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			 PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI QueryAllTracesA(PEVENT_TRACE_PROPERTIES *PropertyArray, ULONG PropertyArrayCount,
			     PULONG LoggerCount);
ULONG WMIAPI QueryAllTracesW(PEVENT_TRACE_PROPERTIES *PropertyArray, ULONG PropertyArrayCount,
			     PULONG LoggerCount);
ULONG WMIAPI EnableTrace(ULONG Enable, ULONG EnableFlag, ULONG EnableLevel, LPCGUID ControlGuid,
			 TRACEHANDLE TraceHandle);
ULONG WMIAPI EnableTraceEx(LPCGUID ProviderId, LPCGUID SourceId, TRACEHANDLE TraceHandle,
			   ULONG IsEnabled, UCHAR Level, ULONGLONG MatchAnyKeyword,
			   ULONGLONG MatchAllKeyword, ULONG EnableProperty,
			   PEVENT_FILTER_DESCRIPTOR EnableFilterDesc);
ULONG WMIAPI EnableTraceEx2(TRACEHANDLE TraceHandle, LPCGUID ProviderId, ULONG ControlCode,
			    UCHAR Level, ULONGLONG MatchAnyKeyword, ULONGLONG MatchAllKeyword,
			    ULONG Timeout, PENABLE_TRACE_PARAMETERS EnableParameters);
ULONG WMIAPI EnumerateTraceGuids(PTRACE_GUID_PROPERTIES *GuidPropertiesArray,
				 ULONG PropertyArrayCount, PULONG GuidCount);
ULONG WMIAPI EnumerateTraceGuidsEx(TRACE_QUERY_INFO_CLASS TraceQueryInfoClass, PVOID InBuffer,
				   ULONG InBufferSize, PVOID OutBuffer, ULONG OutBufferSize,
				   PULONG ReturnLength);
ULONG WMIAPI TraceSetInformation(TRACEHANDLE SessionHandle, TRACE_INFO_CLASS InformationClass,
				 PVOID TraceInformation, ULONG InformationLength);
ULONG WMIAPI TraceQueryInformation(TRACEHANDLE SessionHandle, TRACE_INFO_CLASS InformationClass,
				   PVOID TraceInformation, ULONG InformationLength,
				   PULONG ReturnLength);

/* Providers */
ULONG WMIAPI RegisterTraceGuidsA(WMIDPREQUEST RequestAddress, PVOID RequestContext,
				 LPCGUID ControlGuid, ULONG GuidCount,
				 PTRACE_GUID_REGISTRATION TraceGuidReg, LPCSTR MofImagePath,
				 LPCSTR MofResourceName, PTRACEHANDLE RegistrationHandle);
ULONG WMIAPI RegisterTraceGuidsW(WMIDPREQUEST RequestAddress, PVOID RequestContext,
				 LPCGUID ControlGuid, ULONG GuidCount,
				 PTRACE_GUID_REGISTRATION TraceGuidReg, LPCWSTR MofImagePath,
				 LPCWSTR MofResourceName, PTRACEHANDLE RegistrationHandle);
ULONG WMIAPI UnregisterTraceGuids(TRACEHANDLE RegistrationHandle);
TRACEHANDLE WMIAPI GetTraceLoggerHandle(PVOID Buffer);
UCHAR WMIAPI GetTraceEnableLevel(TRACEHANDLE TraceHandle);
ULONG WMIAPI GetTraceEnableFlags(TRACEHANDLE TraceHandle);
ULONG WMIAPI CreateTraceInstanceId(HANDLE RegHandle, PEVENT_INSTANCE_INFO InstInfo);
ULONG WMIAPI TraceEvent(TRACEHANDLE TraceHandle, PEVENT_TRACE_HEADER EventTrace);
ULONG WMIAPI TraceEventInstance(TRACEHANDLE TraceHandle, PEVENT_INSTANCE_HEADER EventTrace,
				PEVENT_INSTANCE_INFO InstInfo,
				PEVENT_INSTANCE_INFO ParentInstInfo);
/* Pairs of PVOID and ULONG follow, and a NULL */
ULONG TraceMessage(TRACEHANDLE LoggerHandle, ULONG MessageFlags, LPCGUID MessageGuid,
		   USHORT MessageNumber, ...);
ULONG TraceMessageVa(TRACEHANDLE LoggerHandle, ULONG MessageFlags, LPCGUID MessageGuid,
		     USHORT MessageNumber, va_list MessageArgList);

/* Consumers */
TRACEHANDLE WMIAPI OpenTraceA(PEVENT_TRACE_LOGFILEA Logfile);
TRACEHANDLE WMIAPI OpenTraceW(PEVENT_TRACE_LOGFILEW Logfile);
ULONG WMIAPI ProcessTrace(PTRACEHANDLE HandleArray, ULONG HandleCount, LPFILETIME StartTime,
			  LPFILETIME EndTime);
ULONG WMIAPI CloseTrace(TRACEHANDLE TraceHandle);
ULONG WMIAPI SetTraceCallback(LPCGUID pGuid, PEVENT_CALLBACK EventCallback);
ULONG WMIAPI RemoveTraceCallback(LPCGUID pGuid);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#if defined(UNICODE) || defined(_UNICODE)
#define KERNEL_LOGGER_NAME	KERNEL_LOGGER_NAMEW
#define GLOBAL_LOGGER_NAME	GLOBAL_LOGGER_NAMEW
#define EVENT_LOGGER_NAME	EVENT_LOGGER_NAMEW
#define EVENT_TRACE_LOGFILE	EVENT_TRACE_LOGFILEW
#define PEVENT_TRACE_LOGFILE	PEVENT_TRACE_LOGFILEW
#define PEVENT_TRACE_BUFFER_CALLBACK	PEVENT_TRACE_BUFFER_CALLBACKW
#define StartTrace		StartTraceW
#define ControlTrace		ControlTraceW
#define StopTrace		StopTraceW
#define QueryTrace		QueryTraceW
#define UpdateTrace		UpdateTraceW
#define FlushTrace		FlushTraceW
#define QueryAllTraces		QueryAllTracesW
#define RegisterTraceGuids	RegisterTraceGuidsW
#define OpenTrace		OpenTraceW
#else
#define KERNEL_LOGGER_NAME	KERNEL_LOGGER_NAMEA
#define GLOBAL_LOGGER_NAME	GLOBAL_LOGGER_NAMEA
#define EVENT_LOGGER_NAME	EVENT_LOGGER_NAMEA
#define EVENT_TRACE_LOGFILE	EVENT_TRACE_LOGFILEA
#define PEVENT_TRACE_LOGFILE	PEVENT_TRACE_LOGFILEA
#define PEVENT_TRACE_BUFFER_CALLBACK	PEVENT_TRACE_BUFFER_CALLBACKA
#define StartTrace		StartTraceA
#define ControlTrace		ControlTraceA
#define StopTrace		StopTraceA
#define QueryTrace		QueryTraceA
#define UpdateTrace		UpdateTraceA
#define FlushTrace		FlushTraceA
#define QueryAllTraces		QueryAllTracesA
#define RegisterTraceGuids	RegisterTraceGuidsA
#define OpenTrace		OpenTraceA
#endif

#endif /* _EVNTRACE_ */
