/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Providers with an enable callback, keywords and activities: EventRegister() and EventWrite(). */
#ifndef _EVNTPROV_H_
#define _EVNTPROV_H_

#include "windows.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef ULONGLONG REGHANDLE, *PREGHANDLE;

#define EVENT_MIN_LEVEL				0
#define EVENT_MAX_LEVEL				0xFF
#define EVENT_ACTIVITY_CTRL_GET_ID		1
#define EVENT_ACTIVITY_CTRL_SET_ID		2
#define EVENT_ACTIVITY_CTRL_CREATE_ID		3
#define EVENT_ACTIVITY_CTRL_GET_SET_ID		4
#define EVENT_ACTIVITY_CTRL_CREATE_SET_ID	5

#define MAX_EVENT_DATA_DESCRIPTORS		128
#define MAX_EVENT_FILTER_DATA_SIZE		1024
#define MAX_EVENT_FILTER_PAYLOAD_SIZE		4096
#define MAX_EVENT_FILTER_EVENT_NAME_SIZE	4096
#define MAX_EVENT_FILTERS_COUNT			13
#define MAX_EVENT_FILTER_PID_COUNT		8
#define MAX_EVENT_FILTER_EVENT_ID_COUNT		64

/* EVENT_FILTER_DESCRIPTOR.Type */
#define EVENT_FILTER_TYPE_NONE			0x00000000
#define EVENT_FILTER_TYPE_SCHEMATIZED		0x80000000
#define EVENT_FILTER_TYPE_SYSTEM_FLAGS		0x80000001
#define EVENT_FILTER_TYPE_TRACEHANDLE		0x80000002
#define EVENT_FILTER_TYPE_PID			0x80000004
#define EVENT_FILTER_TYPE_EXECUTABLE_NAME	0x80000008
#define EVENT_FILTER_TYPE_PACKAGE_ID		0x80000010
#define EVENT_FILTER_TYPE_PACKAGE_APP_ID	0x80000020
#define EVENT_FILTER_TYPE_PAYLOAD		0x80000100
#define EVENT_FILTER_TYPE_EVENT_ID		0x80000200
#define EVENT_FILTER_TYPE_EVENT_NAME		0x80000400
#define EVENT_FILTER_TYPE_STACKWALK		0x80001000
#define EVENT_FILTER_TYPE_STACKWALK_NAME	0x80002000
#define EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW	0x80004000
#define EVENT_FILTER_TYPE_CONTAINER		0x80008000

/* EVENT_DATA_DESCRIPTOR.Type, in programs that set traits or EventProviderUseDescriptorType */
#define EVENT_DATA_DESCRIPTOR_TYPE_NONE			0
#define EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA	1
#define EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA	2
#define EVENT_DATA_DESCRIPTOR_TYPE_TIMESTAMP_OVERRIDE	3

/* EventWriteEx() */
#define EVENT_WRITE_FLAG_NO_FAULTING		0x00000001
#define EVENT_WRITE_FLAG_INPRIVATE		0x00000002

#ifndef EVENT_DESCRIPTOR_DEF
#define EVENT_DESCRIPTOR_DEF
/**
 * struct _EVENT_DESCRIPTOR - kind of an event
 * @Id: defined by the provider; in a message its number
 * @Version: of the data
 * @Channel: 0x0B: the event describes itself (TraceLogging)
 * @Level: severity
 * @Opcode: of a classic event its type
 * @Task: defined by the provider
 * @Keyword: defined by the provider
 */
typedef struct _EVENT_DESCRIPTOR {
	USHORT Id;
	UCHAR Version;
	UCHAR Channel;
	UCHAR Level;
	UCHAR Opcode;
	USHORT Task;
	ULONGLONG Keyword;
} EVENT_DESCRIPTOR, *PEVENT_DESCRIPTOR;
typedef const EVENT_DESCRIPTOR *PCEVENT_DESCRIPTOR;
#endif

/**
 * struct _EVENT_DATA_DESCRIPTOR - one piece of an event's data
 * @Ptr: its address
 * @Size: bytes
 * @Reserved: 0
 * @Type: EVENT_DATA_DESCRIPTOR_TYPE_*
 * @Reserved1: 0
 * @Reserved2: 0
 */
typedef struct _EVENT_DATA_DESCRIPTOR {
	ULONGLONG Ptr;
	ULONG Size;
	__extension__ union {
		ULONG Reserved;
		__extension__ struct {
			UCHAR Type;
			UCHAR Reserved1;
			USHORT Reserved2;
		};
	};
} EVENT_DATA_DESCRIPTOR, *PEVENT_DATA_DESCRIPTOR;

/**
 * struct _EVENT_FILTER_DESCRIPTOR - a filter for EnableTraceEx2() or the enable callback
 * @Ptr: address of its data
 * @Size: bytes of the data
 * @Type: EVENT_FILTER_TYPE_*
 */
struct _EVENT_FILTER_DESCRIPTOR {
	ULONGLONG Ptr;
	ULONG Size;
	ULONG Type;
};

#ifndef DEFINED_PEVENT_FILTER_DESC
#define DEFINED_PEVENT_FILTER_DESC
typedef struct _EVENT_FILTER_DESCRIPTOR EVENT_FILTER_DESCRIPTOR, *PEVENT_FILTER_DESCRIPTOR;
#endif

/* Data of EVENT_FILTER_TYPE_SCHEMATIZED */
typedef struct _EVENT_FILTER_HEADER {
	USHORT Id;
	UCHAR Version;
	UCHAR Reserved[5];
	ULONGLONG InstanceId;
	ULONG Size;
	ULONG NextOffset;
} EVENT_FILTER_HEADER, *PEVENT_FILTER_HEADER;

/* Data of EVENT_FILTER_TYPE_EVENT_ID and EVENT_FILTER_TYPE_STACKWALK */
typedef struct _EVENT_FILTER_EVENT_ID {
	BOOLEAN FilterIn;
	UCHAR Reserved;
	USHORT Count;
	USHORT Events[ANYSIZE_ARRAY];
} EVENT_FILTER_EVENT_ID, *PEVENT_FILTER_EVENT_ID;

/* Data of EVENT_FILTER_TYPE_EVENT_NAME and EVENT_FILTER_TYPE_STACKWALK_NAME */
typedef struct _EVENT_FILTER_EVENT_NAME {
	ULONGLONG MatchAnyKeyword;
	ULONGLONG MatchAllKeyword;
	UCHAR Level;
	BOOLEAN FilterIn;
	USHORT NameCount;
	UCHAR Names[ANYSIZE_ARRAY];
} EVENT_FILTER_EVENT_NAME, *PEVENT_FILTER_EVENT_NAME;

/* Data of EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW */
typedef struct _EVENT_FILTER_LEVEL_KW {
	ULONGLONG MatchAnyKeyword;
	ULONGLONG MatchAllKeyword;
	UCHAR Level;
	BOOLEAN FilterIn;
} EVENT_FILTER_LEVEL_KW, *PEVENT_FILTER_LEVEL_KW;

/* EventSetInformation() */
typedef enum _EVENT_INFO_CLASS {
	EventProviderBinaryTrackInfo,
	EventProviderSetReserved1,
	EventProviderSetTraits,
	EventProviderUseDescriptorType,
	MaxEventInfo
} EVENT_INFO_CLASS;

/*
 * Called when sessions enable or disable the provider. Level and keywords combine those of all
 * sessions: the highest level, any of the MatchAnyKeyword, and what all MatchAllKeyword have in
 * common. With a level of 0 a session takes all levels, and with a MatchAnyKeyword of 0 all
 * keywords; the callback gets 0xFF and all ones then.
 */
typedef VOID (NTAPI *PENABLECALLBACK)(LPCGUID SourceId, ULONG IsEnabled, UCHAR Level,
				      ULONGLONG MatchAnyKeyword, ULONGLONG MatchAllKeyword,
				      PEVENT_FILTER_DESCRIPTOR FilterData, PVOID CallbackContext);

#pragma GCC visibility push(default)

ULONG EVNTAPI EventRegister(LPCGUID ProviderId, PENABLECALLBACK EnableCallback,
			    PVOID CallbackContext, PREGHANDLE RegHandle);
ULONG EVNTAPI EventUnregister(REGHANDLE RegHandle);
ULONG EVNTAPI EventSetInformation(REGHANDLE RegHandle, EVENT_INFO_CLASS InformationClass,
				  PVOID EventInformation, ULONG InformationLength);
BOOLEAN EVNTAPI EventEnabled(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor);
BOOLEAN EVNTAPI EventProviderEnabled(REGHANDLE RegHandle, UCHAR Level, ULONGLONG Keyword);
ULONG EVNTAPI EventWrite(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor,
			 ULONG UserDataCount, PEVENT_DATA_DESCRIPTOR UserData);
ULONG EVNTAPI EventWriteTransfer(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor,
				 LPCGUID ActivityId, LPCGUID RelatedActivityId,
				 ULONG UserDataCount, PEVENT_DATA_DESCRIPTOR UserData);
ULONG EVNTAPI EventWriteEx(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor,
			   ULONG64 Filter, ULONG Flags, LPCGUID ActivityId,
			   LPCGUID RelatedActivityId, ULONG UserDataCount,
			   PEVENT_DATA_DESCRIPTOR UserData);
ULONG EVNTAPI EventWriteString(REGHANDLE RegHandle, UCHAR Level, ULONGLONG Keyword,
			       PCWSTR String);
ULONG EVNTAPI EventActivityIdControl(ULONG ControlCode, LPGUID ActivityId);

#pragma GCC visibility pop

FORCEINLINE VOID EventDataDescCreate(PEVENT_DATA_DESCRIPTOR EventDataDescriptor,
				     const VOID *DataPtr, ULONG DataSize)
{
	EventDataDescriptor->Ptr = (ULONGLONG)(ULONG_PTR)DataPtr;
	EventDataDescriptor->Size = DataSize;
	EventDataDescriptor->Reserved = 0;
}

FORCEINLINE VOID EventDescZero(PEVENT_DESCRIPTOR EventDescriptor)
{
	memset(EventDescriptor, 0, sizeof(*EventDescriptor));
}

FORCEINLINE VOID EventDescCreate(PEVENT_DESCRIPTOR EventDescriptor, USHORT Id, UCHAR Version,
				 UCHAR Channel, UCHAR Level, USHORT Task, UCHAR Opcode,
				 ULONGLONG Keyword)
{
	EventDescriptor->Id = Id;
	EventDescriptor->Version = Version;
	EventDescriptor->Channel = Channel;
	EventDescriptor->Level = Level;
	EventDescriptor->Task = Task;
	EventDescriptor->Opcode = Opcode;
	EventDescriptor->Keyword = Keyword;
}

FORCEINLINE USHORT EventDescGetId(PCEVENT_DESCRIPTOR EventDescriptor)
{
	return EventDescriptor->Id;
}

FORCEINLINE UCHAR EventDescGetVersion(PCEVENT_DESCRIPTOR EventDescriptor)
{
	return EventDescriptor->Version;
}

FORCEINLINE USHORT EventDescGetTask(PCEVENT_DESCRIPTOR EventDescriptor)
{
	return EventDescriptor->Task;
}

FORCEINLINE UCHAR EventDescGetOpcode(PCEVENT_DESCRIPTOR EventDescriptor)
{
	return EventDescriptor->Opcode;
}

FORCEINLINE UCHAR EventDescGetChannel(PCEVENT_DESCRIPTOR EventDescriptor)
{
	return EventDescriptor->Channel;
}

FORCEINLINE UCHAR EventDescGetLevel(PCEVENT_DESCRIPTOR EventDescriptor)
{
	return EventDescriptor->Level;
}

FORCEINLINE ULONGLONG EventDescGetKeyword(PCEVENT_DESCRIPTOR EventDescriptor)
{
	return EventDescriptor->Keyword;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetId(PEVENT_DESCRIPTOR EventDescriptor, USHORT Id)
{
	EventDescriptor->Id = Id;
	return EventDescriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetVersion(PEVENT_DESCRIPTOR EventDescriptor,
						  UCHAR Version)
{
	EventDescriptor->Version = Version;
	return EventDescriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetTask(PEVENT_DESCRIPTOR EventDescriptor, USHORT Task)
{
	EventDescriptor->Task = Task;
	return EventDescriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetOpcode(PEVENT_DESCRIPTOR EventDescriptor, UCHAR Opcode)
{
	EventDescriptor->Opcode = Opcode;
	return EventDescriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetLevel(PEVENT_DESCRIPTOR EventDescriptor, UCHAR Level)
{
	EventDescriptor->Level = Level;
	return EventDescriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetChannel(PEVENT_DESCRIPTOR EventDescriptor,
						  UCHAR Channel)
{
	EventDescriptor->Channel = Channel;
	return EventDescriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetKeyword(PEVENT_DESCRIPTOR EventDescriptor,
						  ULONGLONG Keyword)
{
	EventDescriptor->Keyword = Keyword;
	return EventDescriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescOrKeyword(PEVENT_DESCRIPTOR EventDescriptor,
						 ULONGLONG Keyword)
{
	EventDescriptor->Keyword |= Keyword;
	return EventDescriptor;
}

#ifdef __cplusplus
}
#endif

#endif /* _EVNTPROV_H_ */
