/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Trace Data Helper: names, types and values of the fields of events. */
#ifndef _INC_TDH
#define _INC_TDH

#include "evntcons.h"
#include "evntprov.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef ULONG TDHSTATUS;

/* EVENT_PROPERTY_INFO.nonStructType.InType: what the bytes of a field are */
enum _TDH_IN_TYPE {
	TDH_INTYPE_NULL,
	TDH_INTYPE_UNICODESTRING,
	TDH_INTYPE_ANSISTRING,
	TDH_INTYPE_INT8,
	TDH_INTYPE_UINT8,
	TDH_INTYPE_INT16,
	TDH_INTYPE_UINT16,
	TDH_INTYPE_INT32,
	TDH_INTYPE_UINT32,
	TDH_INTYPE_INT64,
	TDH_INTYPE_UINT64,
	TDH_INTYPE_FLOAT,
	TDH_INTYPE_DOUBLE,
	TDH_INTYPE_BOOLEAN,
	TDH_INTYPE_BINARY,
	TDH_INTYPE_GUID,
	TDH_INTYPE_POINTER,
	TDH_INTYPE_FILETIME,
	TDH_INTYPE_SYSTEMTIME,
	TDH_INTYPE_SID,
	TDH_INTYPE_HEXINT32,
	TDH_INTYPE_HEXINT64,
	TDH_INTYPE_MANIFEST_COUNTEDSTRING,
	TDH_INTYPE_MANIFEST_COUNTEDANSISTRING,
	TDH_INTYPE_RESERVED24,
	TDH_INTYPE_MANIFEST_COUNTEDBINARY,
	TDH_INTYPE_COUNTEDSTRING = 300,
	TDH_INTYPE_COUNTEDANSISTRING,
	TDH_INTYPE_REVERSEDCOUNTEDSTRING,
	TDH_INTYPE_REVERSEDCOUNTEDANSISTRING,
	TDH_INTYPE_NONNULLTERMINATEDSTRING,
	TDH_INTYPE_NONNULLTERMINATEDANSISTRING,
	TDH_INTYPE_UNICODECHAR,
	TDH_INTYPE_ANSICHAR,
	TDH_INTYPE_SIZET,
	TDH_INTYPE_HEXDUMP,
	TDH_INTYPE_WBEMSID
};

/* EVENT_PROPERTY_INFO.nonStructType.OutType: how a value is shown */
enum _TDH_OUT_TYPE {
	TDH_OUTTYPE_NULL,
	TDH_OUTTYPE_STRING,
	TDH_OUTTYPE_DATETIME,
	TDH_OUTTYPE_BYTE,
	TDH_OUTTYPE_UNSIGNEDBYTE,
	TDH_OUTTYPE_SHORT,
	TDH_OUTTYPE_UNSIGNEDSHORT,
	TDH_OUTTYPE_INT,
	TDH_OUTTYPE_UNSIGNEDINT,
	TDH_OUTTYPE_LONG,
	TDH_OUTTYPE_UNSIGNEDLONG,
	TDH_OUTTYPE_FLOAT,
	TDH_OUTTYPE_DOUBLE,
	TDH_OUTTYPE_BOOLEAN,
	TDH_OUTTYPE_GUID,
	TDH_OUTTYPE_HEXBINARY,
	TDH_OUTTYPE_HEXINT8,
	TDH_OUTTYPE_HEXINT16,
	TDH_OUTTYPE_HEXINT32,
	TDH_OUTTYPE_HEXINT64,
	TDH_OUTTYPE_PID,
	TDH_OUTTYPE_TID,
	TDH_OUTTYPE_PORT,
	TDH_OUTTYPE_IPV4,
	TDH_OUTTYPE_IPV6,
	TDH_OUTTYPE_SOCKETADDRESS,
	TDH_OUTTYPE_CIMDATETIME,
	TDH_OUTTYPE_ETWTIME,
	TDH_OUTTYPE_XML,
	TDH_OUTTYPE_ERRORCODE,
	TDH_OUTTYPE_WIN32ERROR,
	TDH_OUTTYPE_NTSTATUS,
	TDH_OUTTYPE_HRESULT,
	TDH_OUTTYPE_CULTURE_INSENSITIVE_DATETIME,
	TDH_OUTTYPE_JSON,
	TDH_OUTTYPE_UTF8,
	TDH_OUTTYPE_PKCS7_WITH_TYPE_INFO,
	TDH_OUTTYPE_CODE_POINTER,
	TDH_OUTTYPE_DATETIME_UTC
};

typedef enum _EVENT_FIELD_TYPE {
	EventKeywordInformation,
	EventLevelInformation,
	EventChannelInformation,
	EventTaskInformation,
	EventOpcodeInformation,
	EventInformationMax
} EVENT_FIELD_TYPE;

/* A value or a bit, and the offset of its name */
typedef struct _EVENT_MAP_ENTRY {
	ULONG OutputOffset;
	__extension__ union {
		ULONG Value;
		ULONG InputOffset;
	};
} EVENT_MAP_ENTRY, *PEVENT_MAP_ENTRY;

typedef enum _MAP_VALUETYPE {
	EVENTMAP_ENTRY_VALUETYPE_ULONG,
	EVENTMAP_ENTRY_VALUETYPE_STRING
} MAP_VALUETYPE;

typedef enum _MAP_FLAGS {
	EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP = 0x1,
	EVENTMAP_INFO_FLAG_MANIFEST_BITMAP = 0x2,
	EVENTMAP_INFO_FLAG_MANIFEST_PATTERNMAP = 0x4,
	EVENTMAP_INFO_FLAG_WBEM_VALUEMAP = 0x8,
	EVENTMAP_INFO_FLAG_WBEM_BITMAP = 0x10,
	EVENTMAP_INFO_FLAG_WBEM_FLAG = 0x20,
	EVENTMAP_INFO_FLAG_WBEM_NO_MAP = 0x40
} MAP_FLAGS;

/* Names of values; offsets count from its begin */
typedef struct _EVENT_MAP_INFO {
	ULONG NameOffset;
	MAP_FLAGS Flag;
	ULONG EntryCount;
	__extension__ union {
		MAP_VALUETYPE MapEntryValueType;
		ULONG FormatStringOffset;
	};
	EVENT_MAP_ENTRY MapEntryArray[ANYSIZE_ARRAY];
} EVENT_MAP_INFO, *PEVENT_MAP_INFO;

typedef enum _PROPERTY_FLAGS {
	PropertyStruct = 0x1,
	PropertyParamLength = 0x2,
	PropertyParamCount = 0x4,
	PropertyWBEMXmlFragment = 0x8,
	PropertyParamFixedLength = 0x10,
	PropertyParamFixedCount = 0x20,
	PropertyHasTags = 0x40,
	PropertyHasCustomSchema = 0x80
} PROPERTY_FLAGS;

/* A field, or a structure, whose members are other entries of the array */
typedef struct _EVENT_PROPERTY_INFO {
	PROPERTY_FLAGS Flags;
	ULONG NameOffset;
	__extension__ union {
		struct {
			USHORT InType;
			USHORT OutType;
			ULONG MapNameOffset;
		} nonStructType;
		struct {
			USHORT StructStartIndex;
			USHORT NumOfStructMembers;
			ULONG padding;
		} structType;
	};
	__extension__ union {
		USHORT count;
		USHORT countPropertyIndex;
	};
	__extension__ union {
		USHORT length;
		USHORT lengthPropertyIndex;
	};
	ULONG Reserved;
} EVENT_PROPERTY_INFO, *PEVENT_PROPERTY_INFO;

typedef enum _DECODING_SOURCE {
	DecodingSourceXMLFile,
	DecodingSourceWbem,
	DecodingSourceWPP,
	DecodingSourceTlg,
	DecodingSourceMax
} DECODING_SOURCE;

typedef enum _TDH_CONTEXT_TYPE {
	TDH_CONTEXT_WPP_TMFFILE,
	TDH_CONTEXT_WPP_TMFSEARCHPATH,
	TDH_CONTEXT_WPP_GMT,
	TDH_CONTEXT_POINTERSIZE,
	TDH_CONTEXT_PDB_PATH,
	TDH_CONTEXT_MAXIMUM
} TDH_CONTEXT_TYPE;

typedef enum _TEMPLATE_FLAGS {
	TEMPLATE_EVENT_DATA = 1,
	TEMPLATE_USER_DATA = 2,
	TEMPLATE_CONTROL_GUID = 4
} TEMPLATE_FLAGS;

/* Names and types of an event; offsets count from its begin, 0: there is no such text */
typedef struct _TRACE_EVENT_INFO {
	GUID ProviderGuid;
	GUID EventGuid;
	EVENT_DESCRIPTOR EventDescriptor;
	DECODING_SOURCE DecodingSource;
	ULONG ProviderNameOffset;
	ULONG LevelNameOffset;
	ULONG ChannelNameOffset;
	ULONG KeywordsNameOffset;
	ULONG TaskNameOffset;
	ULONG OpcodeNameOffset;
	ULONG EventMessageOffset;
	ULONG ProviderMessageOffset;
	ULONG BinaryXMLOffset;
	ULONG BinaryXMLSize;
	__extension__ union {
		ULONG ActivityIDNameOffset;
		ULONG EventNameOffset;
	};
	__extension__ union {
		ULONG RelatedActivityIDNameOffset;
		ULONG EventAttributesOffset;
	};
	ULONG PropertyCount;
	ULONG TopLevelPropertyCount;
	TEMPLATE_FLAGS Flags;
	EVENT_PROPERTY_INFO EventPropertyInfoArray[ANYSIZE_ARRAY];
} TRACE_EVENT_INFO, *PTRACE_EVENT_INFO;

/* A step to a field: address of its name, and which one of an array; ULONG_MAX: all */
typedef struct _PROPERTY_DATA_DESCRIPTOR {
	ULONGLONG PropertyName;
	ULONG ArrayIndex;
	ULONG Reserved;
} PROPERTY_DATA_DESCRIPTOR, *PPROPERTY_DATA_DESCRIPTOR;

/* @SchemaSource: 0: a manifest; 1: MOF classes */
typedef struct _TRACE_PROVIDER_INFO {
	GUID ProviderGuid;
	ULONG SchemaSource;
	ULONG ProviderNameOffset;
} TRACE_PROVIDER_INFO;

typedef struct _PROVIDER_ENUMERATION_INFO {
	ULONG NumberOfProviders;
	ULONG Padding;
	TRACE_PROVIDER_INFO TraceProviderInfoArray[ANYSIZE_ARRAY];
} PROVIDER_ENUMERATION_INFO, *PPROVIDER_ENUMERATION_INFO;

typedef struct _PROVIDER_FIELD_INFO {
	ULONG NameOffset;
	ULONG DescriptionOffset;
	ULONGLONG Value;
} PROVIDER_FIELD_INFO;

typedef struct _PROVIDER_FIELD_INFOARRAY {
	ULONG NumberOfElements;
	EVENT_FIELD_TYPE FieldType;
	PROVIDER_FIELD_INFO FieldInfoArray[ANYSIZE_ARRAY];
} PROVIDER_FIELD_INFOARRAY, *PPROVIDER_FIELD_INFOARRAY;

typedef struct _TDH_CONTEXT {
	ULONGLONG ParameterValue;
	TDH_CONTEXT_TYPE ParameterType;
	ULONG ParameterSize;
} TDH_CONTEXT, *PTDH_CONTEXT;

/* The filters that a provider accepts */
typedef struct _PROVIDER_FILTER_INFO {
	UCHAR Id;
	UCHAR Version;
	ULONG MessageOffset;
	ULONG Reserved;
	ULONG PropertyCount;
	EVENT_PROPERTY_INFO EventPropertyInfoArray[ANYSIZE_ARRAY];
} PROVIDER_FILTER_INFO, *PPROVIDER_FILTER_INFO;

ULONG TdhEnumerateProviderFieldInformation(LPGUID Guid, EVENT_FIELD_TYPE EventFieldType,
					   PPROVIDER_FIELD_INFOARRAY Buffer, ULONG *BufferSize);
ULONG TdhEnumerateProviders(PPROVIDER_ENUMERATION_INFO Buffer, ULONG *BufferSize);
TDHSTATUS TdhFormatProperty(PTRACE_EVENT_INFO EventInfo, PEVENT_MAP_INFO MapInfo,
			    ULONG PointerSize, USHORT PropertyInType, USHORT PropertyOutType,
			    USHORT PropertyLength, USHORT UserDataLength, PBYTE UserData,
			    PULONG BufferSize, PWCHAR Buffer, PUSHORT UserDataConsumed);
ULONG TdhGetEventInformation(PEVENT_RECORD Event, ULONG TdhContextCount,
			     PTDH_CONTEXT TdhContext, PTRACE_EVENT_INFO Buffer,
			     ULONG *BufferSize);
ULONG TdhGetEventMapInformation(PEVENT_RECORD Event, LPWSTR MapName, PEVENT_MAP_INFO Buffer,
				ULONG *BufferSize);
ULONG TdhGetProperty(PEVENT_RECORD Event, ULONG TdhContextCount, PTDH_CONTEXT TdhContext,
		     ULONG PropertyDataCount, PPROPERTY_DATA_DESCRIPTOR PropertyData,
		     ULONG BufferSize, PBYTE Buffer);
ULONG TdhGetPropertySize(PEVENT_RECORD Event, ULONG TdhContextCount, PTDH_CONTEXT TdhContext,
			 ULONG PropertyDataCount, PPROPERTY_DATA_DESCRIPTOR PropertyData,
			 ULONG *PropertySize);
TDHSTATUS TdhLoadManifest(PWSTR Manifest);
TDHSTATUS TdhLoadManifestFromBinary(PWSTR BinaryPath);
TDHSTATUS TdhUnloadManifest(PWSTR Manifest);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* _INC_TDH */
