/* SPDX-License-Identifier: GPL-2.0 */
/* Event tracing: sessions, providers' events and messages, consumers. */
#ifndef _EVNTRACE_
#define _EVNTRACE_

#include "wmistr.h"

/* A session, or what a provider writes to, or an open trace */
typedef ULONG64 TRACEHANDLE, *PTRACEHANDLE;
typedef ULONG64 CONTROLTRACE_ID, PROCESSTRACE_HANDLE;
#define INVALID_PROCESSTRACE_HANDLE	((TRACEHANDLE)INVALID_HANDLE_VALUE)

#define KERNEL_LOGGER_NAMEA	"NT Kernel Logger"
#define GLOBAL_LOGGER_NAMEA	"GlobalLogger"
#define EVENT_LOGGER_NAMEA	"EventLog"
#define KERNEL_LOGGER_NAMEW	__ETW_WIDE("NT Kernel Logger")
#define GLOBAL_LOGGER_NAMEW	__ETW_WIDE("GlobalLogger")
#define EVENT_LOGGER_NAMEW	__ETW_WIDE("EventLog")

DEFINE_GUID(EventTraceGuid,
	    0x68fdd900, 0x4a3e, 0x11d1, 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3);
DEFINE_GUID(SystemTraceControlGuid,
	    0x9e814aad, 0x3204, 0x11d2, 0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39);
DEFINE_GUID(EventTraceConfigGuid,
	    0x01853a65, 0x418f, 0x4f36, 0xae, 0xfc, 0xdc, 0x0f, 0x1d, 0x2f, 0xd2, 0x35);
DEFINE_GUID(DefaultTraceSecurityGuid,
	    0x0811c1af, 0x7a07, 0x4a06, 0x82, 0xed, 0x86, 0x94, 0x55, 0xcd, 0xf7, 0x13);

/* Flags of EVENT_TRACE_HEADER */
#define TRACE_HEADER_FLAG_USE_TIMESTAMP		0x00000200U
#define TRACE_HEADER_FLAG_TRACED_GUID		0x00020000U
#define TRACE_HEADER_FLAG_LOG_WNODE		0x00040000U
#define TRACE_HEADER_FLAG_USE_GUID_PTR		0x00080000U
#define TRACE_HEADER_FLAG_USE_MOF_PTR		0x00100000U

#define EVENT_TRACE_TYPE_INFO			0x00
#define EVENT_TRACE_TYPE_START			0x01
#define EVENT_TRACE_TYPE_END			0x02
#define EVENT_TRACE_TYPE_STOP			0x02
#define EVENT_TRACE_TYPE_DC_START		0x03
#define EVENT_TRACE_TYPE_DC_END			0x04
#define EVENT_TRACE_TYPE_EXTENSION		0x05
#define EVENT_TRACE_TYPE_REPLY			0x06
#define EVENT_TRACE_TYPE_DEQUEUE		0x07
#define EVENT_TRACE_TYPE_RESUME			0x07
#define EVENT_TRACE_TYPE_CHECKPOINT		0x08
#define EVENT_TRACE_TYPE_SUSPEND		0x08
#define EVENT_TRACE_TYPE_WINEVT_SEND		0x09
#define EVENT_TRACE_TYPE_WINEVT_RECEIVE		0xF0

#define TRACE_LEVEL_NONE			0
#define TRACE_LEVEL_CRITICAL			1
#define TRACE_LEVEL_FATAL			1
#define TRACE_LEVEL_ERROR			2
#define TRACE_LEVEL_WARNING			3
#define TRACE_LEVEL_INFORMATION			4
#define TRACE_LEVEL_VERBOSE			5
#define TRACE_LEVEL_RESERVED6			6
#define TRACE_LEVEL_RESERVED7			7
#define TRACE_LEVEL_RESERVED8			8
#define TRACE_LEVEL_RESERVED9			9

/* EnableFlags of the kernel's session */
#define EVENT_TRACE_FLAG_PROCESS		0x00000001U
#define EVENT_TRACE_FLAG_THREAD			0x00000002U
#define EVENT_TRACE_FLAG_IMAGE_LOAD		0x00000004U
#define EVENT_TRACE_FLAG_PROCESS_COUNTERS	0x00000008U
#define EVENT_TRACE_FLAG_CSWITCH		0x00000010U
#define EVENT_TRACE_FLAG_DPC			0x00000020U
#define EVENT_TRACE_FLAG_INTERRUPT		0x00000040U
#define EVENT_TRACE_FLAG_SYSTEMCALL		0x00000080U
#define EVENT_TRACE_FLAG_DISK_IO		0x00000100U
#define EVENT_TRACE_FLAG_DISK_FILE_IO		0x00000200U
#define EVENT_TRACE_FLAG_DISK_IO_INIT		0x00000400U
#define EVENT_TRACE_FLAG_DISPATCHER		0x00000800U
#define EVENT_TRACE_FLAG_MEMORY_PAGE_FAULTS	0x00001000U
#define EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS	0x00002000U
#define EVENT_TRACE_FLAG_VIRTUAL_ALLOC		0x00004000U
#define EVENT_TRACE_FLAG_NETWORK_TCPIP		0x00010000U
#define EVENT_TRACE_FLAG_REGISTRY		0x00020000U
#define EVENT_TRACE_FLAG_DBGPRINT		0x00040000U
#define EVENT_TRACE_FLAG_ALPC			0x00100000U
#define EVENT_TRACE_FLAG_SPLIT_IO		0x00200000U
#define EVENT_TRACE_FLAG_DRIVER			0x00800000U
#define EVENT_TRACE_FLAG_PROFILE		0x01000000U
#define EVENT_TRACE_FLAG_FILE_IO		0x02000000U
#define EVENT_TRACE_FLAG_FILE_IO_INIT		0x04000000U
#define EVENT_TRACE_FLAG_NO_SYSCONFIG		0x10000000U
#define EVENT_TRACE_FLAG_ENABLE_RESERVE		0x20000000U
#define EVENT_TRACE_FLAG_FORWARD_WMI		0x40000000U
#define EVENT_TRACE_FLAG_EXTENSION		0x80000000U

/* LogFileMode */
#define EVENT_TRACE_FILE_MODE_NONE		0x00000000U
#define EVENT_TRACE_FILE_MODE_SEQUENTIAL	0x00000001U
#define EVENT_TRACE_FILE_MODE_CIRCULAR		0x00000002U
#define EVENT_TRACE_FILE_MODE_APPEND		0x00000004U
#define EVENT_TRACE_FILE_MODE_NEWFILE		0x00000008U
#define EVENT_TRACE_USE_MS_FLUSH_TIMER		0x00000010U
#define EVENT_TRACE_FILE_MODE_PREALLOCATE	0x00000020U
#define EVENT_TRACE_NONSTOPPABLE_MODE		0x00000040U
#define EVENT_TRACE_SECURE_MODE			0x00000080U
#define EVENT_TRACE_REAL_TIME_MODE		0x00000100U
#define EVENT_TRACE_DELAY_OPEN_FILE_MODE	0x00000200U
#define EVENT_TRACE_BUFFERING_MODE		0x00000400U
#define EVENT_TRACE_PRIVATE_LOGGER_MODE		0x00000800U
#define EVENT_TRACE_ADD_HEADER_MODE		0x00001000U
#define EVENT_TRACE_USE_KBYTES_FOR_SIZE		0x00002000U
#define EVENT_TRACE_USE_GLOBAL_SEQUENCE		0x00004000U
#define EVENT_TRACE_USE_LOCAL_SEQUENCE		0x00008000U
#define EVENT_TRACE_RELOG_MODE			0x00010000U
#define EVENT_TRACE_PRIVATE_IN_PROC		0x00020000U
#define EVENT_TRACE_MODE_RESERVED		0x00100000U
#define EVENT_TRACE_STOP_ON_HYBRID_SHUTDOWN	0x00400000U
#define EVENT_TRACE_PERSIST_ON_HYBRID_SHUTDOWN	0x00800000U
#define EVENT_TRACE_USE_PAGED_MEMORY		0x01000000U
#define EVENT_TRACE_SYSTEM_LOGGER_MODE		0x02000000U
#define EVENT_TRACE_INDEPENDENT_SESSION_MODE	0x08000000U
#define EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING	0x10000000U
#define EVENT_TRACE_ADDTO_TRIAGE_DUMP		0x80000000U

/* ControlTrace() */
#define EVENT_TRACE_CONTROL_QUERY		0
#define EVENT_TRACE_CONTROL_STOP		1
#define EVENT_TRACE_CONTROL_UPDATE		2
#define EVENT_TRACE_CONTROL_FLUSH		3
#define EVENT_TRACE_CONTROL_INCREMENT_FILE	4

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
#define DEFINE_TRACE_MOF_FIELD(MOF, ptr, length, type)		\
	do {							\
		(MOF)->DataPtr = (ULONG64)(ULONG_PTR)(ptr);	\
		(MOF)->Length = (ULONG)(length);		\
		(MOF)->DataType = (ULONG)(type);		\
	} while (0)

typedef struct _EVENT_TRACE_PROPERTIES {
	WNODE_HEADER Wnode;
	ULONG BufferSize;
	ULONG MinimumBuffers;
	ULONG MaximumBuffers;
	ULONG MaximumFileSize;
	ULONG LogFileMode;
	ULONG FlushTimer;
	ULONG EnableFlags;
	__extension__ union {
		LONG AgeLimit;
		LONG FlushThreshold;
	};
	ULONG NumberOfBuffers;
	ULONG FreeBuffers;
	ULONG EventsLost;
	ULONG BuffersWritten;
	ULONG LogBuffersLost;
	ULONG RealTimeBuffersLost;
	HANDLE LoggerThreadId;
	ULONG LogFileNameOffset;
	ULONG LoggerNameOffset;
} EVENT_TRACE_PROPERTIES, *PEVENT_TRACE_PROPERTIES;

/* What EnableFlags are with EVENT_TRACE_FLAG_EXTENSION; Offset in bytes, Length in ULONGs */
typedef struct _TRACE_ENABLE_FLAG_EXTENSION {
	USHORT Offset;
	UCHAR Length;
	UCHAR Flag;
} TRACE_ENABLE_FLAG_EXTENSION, *PTRACE_ENABLE_FLAG_EXTENSION;

typedef struct _TRACE_GUID_REGISTRATION {
	LPCGUID Guid;
	HANDLE RegHandle;
} TRACE_GUID_REGISTRATION, *PTRACE_GUID_REGISTRATION;

typedef struct _TRACE_GUID_PROPERTIES {
	GUID Guid;
	ULONG GuidType;
	ULONG LoggerId;
	ULONG EnableLevel;
	ULONG EnableFlags;
	BOOLEAN IsEnable;
} TRACE_GUID_PROPERTIES, *PTRACE_GUID_PROPERTIES;

typedef struct _EVENT_INSTANCE_INFO {
	HANDLE RegHandle;
	ULONG InstanceId;
} EVENT_INSTANCE_INFO, *PEVENT_INSTANCE_INFO;

typedef struct _ETW_BUFFER_CONTEXT {
	__extension__ union {
		__extension__ struct {
			UCHAR ProcessorNumber;
			UCHAR Alignment;
		};
		USHORT ProcessorIndex;
	};
	USHORT LoggerId;
} ETW_BUFFER_CONTEXT, *PETW_BUFFER_CONTEXT;

typedef struct _TRACE_LOGFILE_HEADER {
	ULONG BufferSize;
	__extension__ union {
		ULONG Version;
		struct {
			UCHAR MajorVersion;
			UCHAR MinorVersion;
			UCHAR SubVersion;
			UCHAR SubMinorVersion;
		} VersionDetail;
	};
	ULONG ProviderVersion;
	ULONG NumberOfProcessors;
	LARGE_INTEGER EndTime;
	ULONG TimerResolution;
	ULONG MaximumFileSize;
	ULONG LogFileMode;
	ULONG BuffersWritten;
	__extension__ union {
		GUID LogInstanceGuid;
		__extension__ struct {
			ULONG StartBuffers;
			ULONG PointerSize;
			ULONG EventsLost;
			ULONG CpuSpeedInMHz;
		};
	};
	LPWSTR LoggerName;
	LPWSTR LogFileName;
	TIME_ZONE_INFORMATION TimeZone;
	LARGE_INTEGER BootTime;
	LARGE_INTEGER PerfFreq;
	LARGE_INTEGER StartTime;
	ULONG ReservedFlags;
	ULONG BuffersLost;
} TRACE_LOGFILE_HEADER, *PTRACE_LOGFILE_HEADER;

typedef struct _EVENT_TRACE {
	EVENT_TRACE_HEADER Header;
	ULONG InstanceId;
	ULONG ParentInstanceId;
	GUID ParentGuid;
	PVOID MofData;
	ULONG MofLength;
	__extension__ union {
		ULONG ClientContext;
		ETW_BUFFER_CONTEXT BufferContext;
	};
} EVENT_TRACE, *PEVENT_TRACE;

/* ProcessTraceMode; the first is LogFileMode's */
#define PROCESS_TRACE_MODE_REAL_TIME		0x00000100U
#define PROCESS_TRACE_MODE_RAW_TIMESTAMP	0x00001000U
#define PROCESS_TRACE_MODE_EVENT_RECORD		0x10000000U

typedef struct _EVENT_RECORD EVENT_RECORD, *PEVENT_RECORD;
typedef struct _EVENT_TRACE_LOGFILEA EVENT_TRACE_LOGFILEA, *PEVENT_TRACE_LOGFILEA;
typedef struct _EVENT_TRACE_LOGFILEW EVENT_TRACE_LOGFILEW, *PEVENT_TRACE_LOGFILEW;

typedef VOID (WINAPI *PEVENT_CALLBACK)(PEVENT_TRACE Event);
typedef VOID (WINAPI *PEVENT_RECORD_CALLBACK)(PEVENT_RECORD EventRecord);
typedef ULONG (WINAPI *PEVENT_TRACE_BUFFER_CALLBACKA)(PEVENT_TRACE_LOGFILEA Logfile);
typedef ULONG (WINAPI *PEVENT_TRACE_BUFFER_CALLBACKW)(PEVENT_TRACE_LOGFILEW Logfile);

struct _EVENT_TRACE_LOGFILEA {
	LPSTR LogFileName;
	LPSTR LoggerName;
	LONGLONG CurrentTime;
	ULONG BuffersRead;
	__extension__ union {
		ULONG LogFileMode;
		ULONG ProcessTraceMode;
	};
	EVENT_TRACE CurrentEvent;
	TRACE_LOGFILE_HEADER LogfileHeader;
	PEVENT_TRACE_BUFFER_CALLBACKA BufferCallback;
	ULONG BufferSize;
	ULONG Filled;
	ULONG EventsLost;
	__extension__ union {
		PEVENT_CALLBACK EventCallback;
		PEVENT_RECORD_CALLBACK EventRecordCallback;
	};
	ULONG IsKernelTrace;
	PVOID Context;
};

struct _EVENT_TRACE_LOGFILEW {
	LPWSTR LogFileName;
	LPWSTR LoggerName;
	LONGLONG CurrentTime;
	ULONG BuffersRead;
	__extension__ union {
		ULONG LogFileMode;
		ULONG ProcessTraceMode;
	};
	EVENT_TRACE CurrentEvent;
	TRACE_LOGFILE_HEADER LogfileHeader;
	PEVENT_TRACE_BUFFER_CALLBACKW BufferCallback;
	ULONG BufferSize;
	ULONG Filled;
	ULONG EventsLost;
	__extension__ union {
		PEVENT_CALLBACK EventCallback;
		PEVENT_RECORD_CALLBACK EventRecordCallback;
	};
	ULONG IsKernelTrace;
	PVOID Context;
};

typedef ULONG (WINAPI *WMIDPREQUEST)(WMIDPREQUESTCODE RequestCode, PVOID RequestContext,
				     ULONG *BufferSize, PVOID Buffer);

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
ULONG WMIAPI EnumerateTraceGuids(PTRACE_GUID_PROPERTIES *GuidPropertiesArray,
				 ULONG PropertyArrayCount, PULONG GuidCount);

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
ULONG WMIAPI ProcessTrace(PTRACEHANDLE HandleArray, ULONG HandleCount, FILETIME *StartTime,
			  FILETIME *EndTime);
ULONG WMIAPI CloseTrace(TRACEHANDLE TraceHandle);
ULONG WMIAPI SetTraceCallback(LPCGUID pGuid, PEVENT_CALLBACK EventCallback);
ULONG WMIAPI RemoveTraceCallback(LPCGUID pGuid);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
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
