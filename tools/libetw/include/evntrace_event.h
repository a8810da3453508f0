/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Structures of providers: event headers, MOF fields, message flags, registrations. */
#ifndef ETW_EVNTRACE_EVENT_H
#define ETW_EVNTRACE_EVENT_H

#include "evntrace_types.h"
#include "wmistr.h"

/* Flags of EVENT_TRACE_HEADER */
#define TRACE_HEADER_FLAG_USE_TIMESTAMP		0x00000200U
#define TRACE_HEADER_FLAG_TRACED_GUID		0x00020000U
#define TRACE_HEADER_FLAG_LOG_WNODE		0x00040000U
#define TRACE_HEADER_FLAG_USE_GUID_PTR		0x00080000U
#define TRACE_HEADER_FLAG_USE_MOF_PTR		0x00100000U

/* MessageFlags */
#define TRACE_MESSAGE_SEQUENCE			0x0001
#define TRACE_MESSAGE_GUID			0x0002
#define TRACE_MESSAGE_COMPONENTID		0x0004
#define TRACE_MESSAGE_TIMESTAMP			0x0008
#define TRACE_MESSAGE_PERFORMANCE_TIMESTAMP	0x0010
#define TRACE_MESSAGE_SYSTEMINFO		0x0020
/* Added by the system */
#define TRACE_MESSAGE_POINTER32			0x0040
#define TRACE_MESSAGE_POINTER64			0x0080
#define TRACE_MESSAGE_FLAG_MASK			0xFFFF
#define TRACE_MESSAGE_MAXIMUM_SIZE		(64 * 1024)

/* Whether an event header has CPU times */
#define EVENT_TRACE_USE_PROCTIME		0x0001
#define EVENT_TRACE_USE_NOCPUTIME		0x0002

typedef struct _EVENT_TRACE_HEADER {
	USHORT Size;
	__extension__ union {
		USHORT FieldTypeFlags;
		__extension__ struct {
			UCHAR HeaderType;
			UCHAR MarkerFlags;
		};
	};
	__extension__ union {
		ULONG Version;
		struct {
			UCHAR Type;
			UCHAR Level;
			USHORT Version;
		} Class;
	};
	ULONG ThreadId;
	ULONG ProcessId;
	LARGE_INTEGER TimeStamp;
	__extension__ union {
		GUID Guid;
		ULONGLONG GuidPtr;
	};
	__extension__ union {
		__extension__ struct {
			ULONG KernelTime;
			ULONG UserTime;
		};
		ULONG64 ProcessorTime;
		__extension__ struct {
			ULONG ClientContext;
			ULONG Flags;
		};
	};
} EVENT_TRACE_HEADER, *PEVENT_TRACE_HEADER;

typedef struct _EVENT_INSTANCE_HEADER {
	USHORT Size;
	__extension__ union {
		USHORT FieldTypeFlags;
		__extension__ struct {
			UCHAR HeaderType;
			UCHAR MarkerFlags;
		};
	};
	__extension__ union {
		ULONG Version;
		struct {
			UCHAR Type;
			UCHAR Level;
			USHORT Version;
		} Class;
	};
	ULONG ThreadId;
	ULONG ProcessId;
	LARGE_INTEGER TimeStamp;
	ULONGLONG RegHandle;
	ULONG InstanceId;
	ULONG ParentInstanceId;
	__extension__ union {
		__extension__ struct {
			ULONG KernelTime;
			ULONG UserTime;
		};
		ULONG64 ProcessorTime;
		__extension__ struct {
			ULONG EventId;
			ULONG Flags;
		};
	};
	ULONGLONG ParentRegHandle;
} EVENT_INSTANCE_HEADER, *PEVENT_INSTANCE_HEADER;

typedef struct _MOF_FIELD {
	ULONG64 DataPtr;
	ULONG Length;
	ULONG DataType;
} MOF_FIELD, *PMOF_FIELD;

#define MAX_MOF_FIELDS		16
/* Ends with a semicolon, because programs for Windows may leave theirs out */
#define DEFINE_TRACE_MOF_FIELD(MOF, ptr, length, type)		\
	do {							\
		(MOF)->DataPtr = (ULONG64)(ULONG_PTR)(ptr);	\
		(MOF)->Length = (ULONG)(length);		\
		(MOF)->DataType = (ULONG)(type);		\
	} while (0);

typedef struct _TRACE_GUID_REGISTRATION {
	LPCGUID Guid;
	HANDLE RegHandle;
} TRACE_GUID_REGISTRATION, *PTRACE_GUID_REGISTRATION;

typedef struct EVENT_INSTANCE_INFO {
	HANDLE RegHandle;
	ULONG InstanceId;
} EVENT_INSTANCE_INFO, *PEVENT_INSTANCE_INFO;

typedef ULONG (WINAPI *WMIDPREQUEST)(WMIDPREQUESTCODE RequestCode, PVOID RequestContext,
				     ULONG *BufferSize, PVOID Buffer);

#endif /* ETW_EVNTRACE_EVENT_H */
