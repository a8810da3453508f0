/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* EVENT_RECORD: events as consumers get them since Windows Vista. */
#ifndef _EVNTCONS_H_
#define _EVNTCONS_H_

#include "evntprov.h"
#include "evntrace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* EVENT_HEADER.Flags */
#define EVENT_HEADER_FLAG_EXTENDED_INFO		0x0001
#define EVENT_HEADER_FLAG_PRIVATE_SESSION	0x0002
#define EVENT_HEADER_FLAG_STRING_ONLY		0x0004
#define EVENT_HEADER_FLAG_TRACE_MESSAGE		0x0008
#define EVENT_HEADER_FLAG_NO_CPUTIME		0x0010
#define EVENT_HEADER_FLAG_32_BIT_HEADER		0x0020
#define EVENT_HEADER_FLAG_64_BIT_HEADER		0x0040
#define EVENT_HEADER_FLAG_DECODE_GUID		0x0080
#define EVENT_HEADER_FLAG_CLASSIC_HEADER	0x0100
#define EVENT_HEADER_FLAG_PROCESSOR_INDEX	0x0200

/* EVENT_HEADER.EventProperty */
#define EVENT_HEADER_PROPERTY_XML		0x0001
#define EVENT_HEADER_PROPERTY_FORWARDED_XML	0x0002
#define EVENT_HEADER_PROPERTY_LEGACY_EVENTLOG	0x0004
#define EVENT_HEADER_PROPERTY_RELOGGABLE	0x0008

/* EVENT_HEADER_EXTENDED_DATA_ITEM.ExtType */
#define EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID	0x0001
#define EVENT_HEADER_EXT_TYPE_SID			0x0002
#define EVENT_HEADER_EXT_TYPE_TS_ID			0x0003
#define EVENT_HEADER_EXT_TYPE_INSTANCE_INFO		0x0004
#define EVENT_HEADER_EXT_TYPE_STACK_TRACE32		0x0005
#define EVENT_HEADER_EXT_TYPE_STACK_TRACE64		0x0006
#define EVENT_HEADER_EXT_TYPE_PEBS_INDEX		0x0007
#define EVENT_HEADER_EXT_TYPE_PMC_COUNTERS		0x0008
#define EVENT_HEADER_EXT_TYPE_PSM_KEY			0x0009
#define EVENT_HEADER_EXT_TYPE_EVENT_KEY			0x000A
#define EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL		0x000B
#define EVENT_HEADER_EXT_TYPE_PROV_TRAITS		0x000C
#define EVENT_HEADER_EXT_TYPE_PROCESS_START_KEY		0x000D
#define EVENT_HEADER_EXT_TYPE_CONTROL_GUID		0x000E
#define EVENT_HEADER_EXT_TYPE_QPC_DELTA			0x000F
#define EVENT_HEADER_EXT_TYPE_CONTAINER_ID		0x0010
#define EVENT_HEADER_EXT_TYPE_STACK_KEY32		0x0011
#define EVENT_HEADER_EXT_TYPE_STACK_KEY64		0x0012
#define EVENT_HEADER_EXT_TYPE_MAX			0x0013

/* ENABLE_TRACE_PARAMETERS.EnableProperty */
#define EVENT_ENABLE_PROPERTY_SID			0x00000001
#define EVENT_ENABLE_PROPERTY_TS_ID			0x00000002
#define EVENT_ENABLE_PROPERTY_STACK_TRACE		0x00000004
#define EVENT_ENABLE_PROPERTY_PSM_KEY			0x00000008
#define EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0		0x00000010
#define EVENT_ENABLE_PROPERTY_PROVIDER_GROUP		0x00000020
#define EVENT_ENABLE_PROPERTY_ENABLE_KEYWORD_0		0x00000040
#define EVENT_ENABLE_PROPERTY_PROCESS_START_KEY		0x00000080
#define EVENT_ENABLE_PROPERTY_EVENT_KEY			0x00000100
#define EVENT_ENABLE_PROPERTY_EXCLUDE_INPRIVATE		0x00000200
#define EVENT_ENABLE_PROPERTY_ENABLE_SILOS		0x00000400
#define EVENT_ENABLE_PROPERTY_SOURCE_CONTAINER_TRACKING	0x00000800

/* Changes of a provider's access rights */
typedef enum {
	EventSecuritySetDACL,
	EventSecuritySetSACL,
	EventSecurityAddDACL,
	EventSecurityAddSACL,
	EventSecurityMax
} EVENTSECURITYOPERATION;

#ifndef EVENT_HEADER_DEF
#define EVENT_HEADER_DEF
/**
 * struct _EVENT_HEADER - the header of any event
 * @Size: of the record in the trace
 * @HeaderType: 0, as on Windows
 * @Flags: EVENT_HEADER_FLAG_*
 * @EventProperty: EVENT_HEADER_PROPERTY_*
 * @ThreadId: 0xFFFFFFFF: the record does not say
 * @ProcessId: likewise
 * @TimeStamp: FILETIME, or as it was with PROCESS_TRACE_MODE_RAW_TIMESTAMP
 * @ProviderId: the class of classic and kernel events; a message's GUID or, in its
 *	first 32 bits, component id
 * @EventDescriptor: see there
 * @KernelTime: of the thread, in units of TimerResolution
 * @UserTime: likewise
 * @ProcessorTime: in their place with EVENT_HEADER_FLAG_PRIVATE_SESSION
 * @ActivityId: what the event belongs to
 */
typedef struct _EVENT_HEADER {
	USHORT Size;
	USHORT HeaderType;
	USHORT Flags;
	USHORT EventProperty;
	ULONG ThreadId;
	ULONG ProcessId;
	LARGE_INTEGER TimeStamp;
	GUID ProviderId;
	EVENT_DESCRIPTOR EventDescriptor;
	__extension__ union {
		__extension__ struct {
			ULONG KernelTime;
			ULONG UserTime;
		};
		ULONG64 ProcessorTime;
	};
	GUID ActivityId;
} EVENT_HEADER, *PEVENT_HEADER;
#endif

#ifndef EVENT_HEADER_EXTENDED_DATA_ITEM_DEF
#define EVENT_HEADER_EXTENDED_DATA_ITEM_DEF
/**
 * struct _EVENT_HEADER_EXTENDED_DATA_ITEM - something that came with an event
 * @ExtType: EVENT_HEADER_EXT_TYPE_*
 * @Linkage: another item follows
 * @DataSize: bytes
 * @DataPtr: their address; aligned to 8
 */
typedef struct _EVENT_HEADER_EXTENDED_DATA_ITEM {
	USHORT Reserved1;
	USHORT ExtType;
	__extension__ struct {
		USHORT Linkage : 1;
		USHORT Reserved2 : 15;
	};
	USHORT DataSize;
	ULONGLONG DataPtr;
} EVENT_HEADER_EXTENDED_DATA_ITEM, *PEVENT_HEADER_EXTENDED_DATA_ITEM;
#endif

typedef struct _EVENT_EXTENDED_ITEM_RELATED_ACTIVITYID {
	GUID RelatedActivityId;
} EVENT_EXTENDED_ITEM_RELATED_ACTIVITYID, *PEVENT_EXTENDED_ITEM_RELATED_ACTIVITYID;

typedef struct _EVENT_EXTENDED_ITEM_TS_ID {
	ULONG SessionId;
} EVENT_EXTENDED_ITEM_TS_ID, *PEVENT_EXTENDED_ITEM_TS_ID;

typedef struct _EVENT_EXTENDED_ITEM_INSTANCE {
	ULONG InstanceId;
	ULONG ParentInstanceId;
	GUID ParentGuid;
} EVENT_EXTENDED_ITEM_INSTANCE, *PEVENT_EXTENDED_ITEM_INSTANCE;

/* The addresses go on up to DataSize. */
typedef struct _EVENT_EXTENDED_ITEM_STACK_TRACE32 {
	ULONG64 MatchId;
	ULONG Address[ANYSIZE_ARRAY];
} EVENT_EXTENDED_ITEM_STACK_TRACE32, *PEVENT_EXTENDED_ITEM_STACK_TRACE32;

typedef struct _EVENT_EXTENDED_ITEM_STACK_TRACE64 {
	ULONG64 MatchId;
	ULONG64 Address[ANYSIZE_ARRAY];
} EVENT_EXTENDED_ITEM_STACK_TRACE64, *PEVENT_EXTENDED_ITEM_STACK_TRACE64;

typedef struct _EVENT_EXTENDED_ITEM_STACK_KEY32 {
	ULONG64 MatchId;
	ULONG StackKey;
	ULONG Padding;
} EVENT_EXTENDED_ITEM_STACK_KEY32, *PEVENT_EXTENDED_ITEM_STACK_KEY32;

typedef struct _EVENT_EXTENDED_ITEM_STACK_KEY64 {
	ULONG64 MatchId;
	ULONG64 StackKey;
} EVENT_EXTENDED_ITEM_STACK_KEY64, *PEVENT_EXTENDED_ITEM_STACK_KEY64;

typedef struct _EVENT_EXTENDED_ITEM_PEBS_INDEX {
	ULONG64 PebsIndex;
} EVENT_EXTENDED_ITEM_PEBS_INDEX, *PEVENT_EXTENDED_ITEM_PEBS_INDEX;

/* As many as DataSize holds, in the order of the session's counters */
typedef struct _EVENT_EXTENDED_ITEM_PMC_COUNTERS {
	ULONG64 Counter[ANYSIZE_ARRAY];
} EVENT_EXTENDED_ITEM_PMC_COUNTERS, *PEVENT_EXTENDED_ITEM_PMC_COUNTERS;

typedef struct _EVENT_EXTENDED_ITEM_PROCESS_START_KEY {
	ULONG64 ProcessStartKey;
} EVENT_EXTENDED_ITEM_PROCESS_START_KEY, *PEVENT_EXTENDED_ITEM_PROCESS_START_KEY;

typedef struct _EVENT_EXTENDED_ITEM_EVENT_KEY {
	ULONG64 Key;
} EVENT_EXTENDED_ITEM_EVENT_KEY, *PEVENT_EXTENDED_ITEM_EVENT_KEY;

#ifndef EVENT_RECORD_DEF
#define EVENT_RECORD_DEF
/**
 * struct _EVENT_RECORD - an event as EventRecordCallback gets it
 * @EventHeader: see there
 * @BufferContext: processor and session
 * @ExtendedDataCount: items at @ExtendedData
 * @UserDataLength: bytes at @UserData
 * @ExtendedData: what came with the event
 * @UserData: the event's data; not aligned in a message
 * @UserContext: EVENT_TRACE_LOGFILE's Context
 *
 * Valid until the callback returns.
 */
struct _EVENT_RECORD {
	EVENT_HEADER EventHeader;
	ETW_BUFFER_CONTEXT BufferContext;
	USHORT ExtendedDataCount;
	USHORT UserDataLength;
	PEVENT_HEADER_EXTENDED_DATA_ITEM ExtendedData;
	PVOID UserData;
	PVOID UserContext;
};

typedef const EVENT_RECORD *PCEVENT_RECORD;
#endif

/* The CPU that logged the event; ProcessorNumber has 8 bits, ProcessorIndex 16 */
FORCEINLINE ULONG GetEventProcessorIndex(PCEVENT_RECORD EventRecord)
{
	if (EventRecord->EventHeader.Flags & EVENT_HEADER_FLAG_PROCESSOR_INDEX)
		return EventRecord->BufferContext.ProcessorIndex;
	return EventRecord->BufferContext.ProcessorNumber;
}

#pragma GCC visibility push(default)

/* Not supported: the rights of a session's users are set when it starts */
ULONG EVNTAPI EventAccessControl(LPGUID Guid, ULONG Operation, PSID Sid, ULONG Rights,
				 BOOLEAN AllowOrDeny);
ULONG EVNTAPI EventAccessQuery(LPGUID Guid, PSECURITY_DESCRIPTOR Buffer, PULONG BufferSize);
ULONG EVNTAPI EventAccessRemove(LPGUID Guid);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* _EVNTCONS_H_ */
