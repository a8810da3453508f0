// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A provider, as for Windows: events with MOF_FIELDs of all types, sizes of types by their
 * numbers, levels, an answer to each error of TraceEvent().
 *
 * typed_provider [EVENTS]
 */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DEFINE_GUID(ProviderGuid,
	    0x7f1c2d40, 0x5b1e, 0x4c0a, 0x9a, 0x37, 0x2b, 0x6d, 0x10, 0xee, 0x42, 0x01);
DEFINE_GUID(ClassGuid,
	    0x7f1c2d40, 0x5b1e, 0x4c0a, 0x9a, 0x37, 0x2b, 0x6d, 0x10, 0xee, 0x42, 0x02);

typedef struct {
	EVENT_TRACE_HEADER header;
	MOF_FIELD fields[MAX_MOF_FIELDS];
} FIELDS_EVENT;

typedef struct {
	LONG stop;
	TRACEHANDLE session;
	UCHAR level;
	ULONG flags;
} PROVIDER;

/* Bytes of a value of this type; 0 for those that have a length of their own */
static ULONG size_of(ULONG type)
{
	switch (type) {
	case ETW_NULL_TYPE_VALUE:
	case ETW_HIDDEN_TYPE_VALUE:
		return 0;
	case ETW_SBYTE_TYPE_VALUE:
	case ETW_BYTE_TYPE_VALUE:
	case ETW_ASCIICHAR_TYPE_VALUE:
		return 1;
	case ETW_INT16_TYPE_VALUE:
	case ETW_UINT16_TYPE_VALUE:
	case ETW_CHAR_TYPE_VALUE:
		return sizeof(WCHAR);
	case ETW_INT32_TYPE_VALUE:
	case ETW_UINT32_TYPE_VALUE:
	case ETW_SINGLE_TYPE_VALUE:
	case ETW_BOOLEAN_TYPE_VALUE:
		return sizeof(BOOL);
	case ETW_BOOL_TYPE_VALUE:
		return 1;
	case ETW_INT64_TYPE_VALUE:
	case ETW_UINT64_TYPE_VALUE:
	case ETW_DOUBLE_TYPE_VALUE:
	case ETW_WMITIME_TYPE_VALUE:
		return sizeof(ULONGLONG);
	case ETW_DATETIME_TYPE_VALUE:
		return sizeof(FILETIME);
	case ETW_DECIMAL_TYPE_VALUE:
	case ETW_GUID_TYPE_VALUE:
		return sizeof(GUID);
	case ETW_POINTER_TYPE_VALUE:
	case ETW_SIZET_TYPE_VALUE:
		return sizeof(PVOID);
	case ETW_OBJECT_TYPE_VALUE:
	case ETW_STRING_TYPE_VALUE:
	case ETW_ASCIISTRING_TYPE_VALUE:
	case ETW_COUNTED_STRING_TYPE_VALUE:
	case ETW_COUNTED_ANSISTRING_TYPE_VALUE:
	case ETW_REVERSED_COUNTED_STRING_TYPE_VALUE:
	case ETW_REVERSED_COUNTED_ANSISTRING_TYPE_VALUE:
	case ETW_NON_NULL_TERMINATED_STRING_TYPE_VALUE:
	case ETW_REDUCED_ANSISTRING_TYPE_VALUE:
	case ETW_REDUCED_STRING_TYPE_VALUE:
	case ETW_SID_TYPE_VALUE:
	case ETW_VARIANT_TYPE_VALUE:
	case ETW_PTVECTOR_TYPE_VALUE:
	case ETW_REFRENCE_TYPE_VALUE:
		return 0;
	}
	return 0;
}

static const char *reason(ULONG error)
{
	switch (error) {
	case ERROR_SUCCESS: return "logged";
	case ERROR_INVALID_HANDLE: return "the session ended";
	case ERROR_INVALID_FLAG_NUMBER:
	case ERROR_INVALID_FLAGS: return "wrong flags in the header";
	case ERROR_INVALID_PARAMETER: return "no session";
	case ERROR_MORE_DATA: return "larger than a buffer";
	case ERROR_NOT_ENOUGH_MEMORY: return "no free buffer";
	case ERROR_OUTOFMEMORY: return "no free memory";
	case STATUS_ARRAY_BOUNDS_EXCEEDED: return "too many fields";
	case STATUS_ACCESS_VIOLATION: return "a bad pointer";
	}
	return "see winerror.h";
}

static ULONG log_fields(const PROVIDER *provider, ULONG number)
{
	static const CHAR text[] = "eight bits";
	static const WCHAR wide[] = { 's', 'i', 'x', 't', 'e', 'e', 'n', 0 };
	ULONGLONG large = (ULONGLONG)number << 32;
	const VOID *pointer = &large;
	double part = number / 3.0;
	BOOL even = !(number & 1);
	FIELDS_EVENT event;
	ULONG count = 0;

	ZeroMemory(&event, sizeof(event));
	DEFINE_TRACE_MOF_FIELD(&event.fields[count++], &number, sizeof(number),
			       ETW_UINT32_TYPE_VALUE);
	DEFINE_TRACE_MOF_FIELD(&event.fields[count++], &large, size_of(ETW_UINT64_TYPE_VALUE),
			       ETW_UINT64_TYPE_VALUE);
	DEFINE_TRACE_MOF_FIELD(&event.fields[count++], &part, sizeof(part), ETW_DOUBLE_TYPE_VALUE)
	DEFINE_TRACE_MOF_FIELD(&event.fields[count++], &even, sizeof(even), ETW_BOOLEAN_TYPE_VALUE)
	DEFINE_TRACE_MOF_FIELD(&event.fields[count++], &pointer, sizeof(pointer),
			       ETW_POINTER_TYPE_VALUE);
	DEFINE_TRACE_MOF_FIELD(&event.fields[count++], text, sizeof(text),
			       ETW_ASCIISTRING_TYPE_VALUE);
	DEFINE_TRACE_MOF_FIELD(&event.fields[count++], wide, sizeof(wide), ETW_STRING_TYPE_VALUE);
	DEFINE_TRACE_MOF_FIELD(&event.fields[count++], &ClassGuid, sizeof(ClassGuid),
			       ETW_GUID_TYPE_VALUE);
	event.header.Size = (USHORT)(sizeof(event.header) + count * sizeof(MOF_FIELD));
	event.header.Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_MOF_PTR |
			     WNODE_FLAG_USE_GUID_PTR;
	event.header.GuidPtr = (ULONGLONG)(ULONG_PTR)&ClassGuid;
	event.header.Class.Type = EVENT_TRACE_TYPE_CHECKPOINT;
	event.header.Class.Level = TRACE_LEVEL_VERBOSE;
	event.header.Class.Version = 1;
	if (provider->level < TRACE_LEVEL_VERBOSE)
		event.header.Flags |= TRACE_HEADER_FLAG_USE_TIMESTAMP;
	return TraceEvent(provider->session, &event.header);
}

static ULONG WINAPI control(_In_ WMIDPREQUESTCODE code, _In_opt_ PVOID context,
			    _Inout_ ULONG *reserved, _Inout_ PVOID buffer)
{
	PROVIDER *provider = (PROVIDER *)context;
	PWNODE_HEADER node = (PWNODE_HEADER)buffer;

	*reserved = 0;
	switch (code) {
	case WMI_ENABLE_EVENTS:
		SetLastError(ERROR_SUCCESS);
		provider->session = GetTraceLoggerHandle(buffer);
		if (provider->session == (TRACEHANDLE)INVALID_HANDLE_VALUE)
			return GetLastError();
		provider->level = GetTraceEnableLevel(provider->session);
		provider->flags = GetTraceEnableFlags(provider->session);
		return ERROR_SUCCESS;
	case WMI_DISABLE_EVENTS:
		provider->session = 0;
		provider->stop = node->BufferSize != 0;
		return ERROR_SUCCESS;
	default:
		return ERROR_INVALID_PARAMETER;
	}
}

int main(int argc, char **argv)
{
	ULONG count = argc > 1 ? (ULONG)atoi(argv[1]) : 10, i, error;
	TRACE_GUID_REGISTRATION classes[] = { { &ClassGuid, NULL } };
	PROVIDER provider;
	TRACEHANDLE handle;

	ZeroMemory(&provider, sizeof(provider));
	error = RegisterTraceGuids(control, &provider, &ProviderGuid, ARRAYSIZE(classes), classes,
				   NULL, NULL, &handle);
	if (error != ERROR_SUCCESS) {
		printf("RegisterTraceGuids: %lu\n", error);
		return 1;
	}
	for (i = 0; i < count && provider.session && !provider.stop; i++) {
		error = log_fields(&provider, i);
		if (error != ERROR_SUCCESS)
			printf("event %lu: %lu, %s\n", i, error, reason(error));
	}
	printf("%lu events, level %u, flags %lx\n", i, provider.level, provider.flags);
	return UnregisterTraceGuids(handle) != ERROR_SUCCESS;
}
