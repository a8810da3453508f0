/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TraceLoggingProvider.h: the macros of strings, bytes, structures and packed data. */
#ifndef ETW_TL_TEXTS_H
#define ETW_TL_TEXTS_H

#include "etw_tl_fields.h"

/* Strings that end with a zero; NULL is an empty string. Those of 8 bits are UTF-8 here. */
#define TraceLoggingString(...)									\
	ETW_TL_STRING(etw_string, TlgInANSISTRING, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUtf8String(...)								\
	ETW_TL_STRING(etw_string, TlgInANSISTRING, TlgOutUTF8, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingString16(...)								\
	ETW_TL_STRING(etw_string16, TlgInUNICODESTRING, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingWideString(...)								\
	ETW_TL_STRING(etw_string16, TlgInUNICODESTRING, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)

/* (pchValue, cchValue, ...): the count is one of characters */
#define TraceLoggingCountedString(pchValue, ...)						\
	ETW_TL_COUNTED(char, TlgInCOUNTEDANSISTRING, TlgOutNULL, #pchValue, pchValue, __VA_ARGS__)
#define TraceLoggingCountedUtf8String(pchValue, ...)						\
	ETW_TL_COUNTED(char, TlgInCOUNTEDANSISTRING, TlgOutUTF8, #pchValue, pchValue, __VA_ARGS__)
#define TraceLoggingCountedString16(pchValue, ...)						\
	ETW_TL_COUNTED(char16_t, TlgInCOUNTEDSTRING, TlgOutNULL, #pchValue, pchValue, __VA_ARGS__)
#define TraceLoggingCountedWideString(pchValue, ...)						\
	ETW_TL_COUNTED(WCHAR, TlgInCOUNTEDSTRING, TlgOutNULL, #pchValue, pchValue, __VA_ARGS__)

/* ANSI_STRING and UNICODE_STRING of Windows: Buffer, and Length in bytes */
#define TraceLoggingAnsiString(...)								\
	ETW_TL_ONE(etw_buffer, ANSI_STRING, TlgInCOUNTEDANSISTRING, TlgOutNULL, #__VA_ARGS__,	\
		   __VA_ARGS__)
#define TraceLoggingUnicodeString(...)								\
	ETW_TL_ONE(etw_buffer, UNICODE_STRING, TlgInCOUNTEDSTRING, TlgOutNULL, #__VA_ARGS__,	\
		   __VA_ARGS__)

#define TraceLoggingSid(...)									\
	ETW_TL_STRING(etw_sid, TlgInSID, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)

/* Bytes: (pValue, cbValue, ...) */
#define TraceLoggingBinary(pValue, ...)								\
	ETW_TL_BLOB(TlgInBINARY, TlgOutNULL, #pValue, pValue, __VA_ARGS__)
#define TraceLoggingSocketAddress(pValue, ...)							\
	ETW_TL_BLOB(TlgInBINARY, TlgOutSOCKETADDRESS, #pValue, pValue, __VA_ARGS__)
/* (pValue, ...): 16 bytes */
#define TraceLoggingIPv6Address(...)								\
	ETW_TL_FIELD(ETW_TL_META_FIELD(TlgInBINARY, TlgOutIPV6, #__VA_ARGS__, __VA_ARGS__),	\
		     etw_blob, ETW_TL_FIRST(__VA_ARGS__), 16)
/* (pValue, cbValue, outType, ...) */
#define TraceLoggingBinaryEx(pValue, cbValue, ...)						\
	ETW_TL_FIELD(ETW_TL_META_FIELD(TlgInBINARY, ETW_TL_FIRST(__VA_ARGS__), #pValue,		\
				       __VA_ARGS__), etw_blob, pValue, cbValue)
/* (pValue, StructType, ...): a structure with the members Buffer and Length */
#define TraceLoggingBinaryBuffer(pValue, ...)							\
	ETW_TL_FIELD(ETW_TL_META_FIELD(TlgInBINARY, TlgOutNULL, #pValue, __VA_ARGS__),		\
		     etw_buffer, ETW_TL_FIRST(__VA_ARGS__), pValue)
/* (pValue, StructType, outType, ...) */
#define TraceLoggingBinaryBufferEx(pValue, StructType, ...)					\
	ETW_TL_FIELD(ETW_TL_META_FIELD(TlgInBINARY, ETW_TL_FIRST(__VA_ARGS__), #pValue,		\
				       __VA_ARGS__), etw_buffer, StructType, pValue)

/* (pValue, cbValue, protocol, (bytes of the schema), cbSchema, ...) */
#define TraceLoggingCustom(pValue, cbValue, protocol, bSchema, ...)				\
	ETW_TL_FIELD((etw_custom, protocol, ETW_TL_NAME(#pValue, __VA_ARGS__),			\
		      ETW_TL_TAGS(__VA_ARGS__), bSchema, ETW_TL_FIRST(__VA_ARGS__)),		\
		     etw_blob, pValue, cbValue)

/* (fieldCount, name, ...): the next fields are members; an inner structure is one of them */
#define TraceLoggingStruct(fieldCount, ...)							\
	ETW_TL_FIELD(ETW_TL_META_STRUCT(TlgInSTRUCT, fieldCount, __VA_ARGS__), etw_none, 0)
#define ETW_TL_META_STRUCT(in, fieldCount, ...)							\
	ETW_TL_META_FIELD(in, fieldCount, "", fieldCount, __VA_ARGS__)

/* Descriptions and data that the program makes itself */
#define TraceLoggingPackedField(pValue, cbValue, ...)						\
	ETW_TL_FIELD(ETW_TL_META_FIELD(ETW_TL_FIRST(__VA_ARGS__), TlgOutNULL, #pValue,		\
				       __VA_ARGS__), etw_raw, pValue, cbValue, 0)
#define TraceLoggingPackedFieldEx(pValue, cbValue, inType, ...)					\
	ETW_TL_FIELD(ETW_TL_META_FIELD(inType, ETW_TL_FIRST(__VA_ARGS__), #pValue,		\
				       __VA_ARGS__), etw_raw, pValue, cbValue, 0)
#define TraceLoggingPackedMetadata(...)								\
	ETW_TL_FIELD(ETW_TL_META_FIELD(ETW_TL_FIRST(__VA_ARGS__), TlgOutNULL, #__VA_ARGS__,	\
				       __VA_ARGS__), etw_none, 0)
#define TraceLoggingPackedMetadataEx(inType, ...)						\
	ETW_TL_FIELD(ETW_TL_META_FIELD(inType, ETW_TL_FIRST(__VA_ARGS__), #inType,		\
				       __VA_ARGS__), etw_none, 0)
#define TraceLoggingPackedStruct(fieldCount, ...)						\
	ETW_TL_FIELD(ETW_TL_META_STRUCT(TlgInSTRUCT, fieldCount, __VA_ARGS__), etw_none, 0)
#define TraceLoggingPackedStructArray(fieldCount, ...)						\
	ETW_TL_FIELD(ETW_TL_META_STRUCT(TlgInSTRUCT | TlgInVcount, fieldCount, __VA_ARGS__),	\
		     etw_none, 0)
#define TraceLoggingPackedData(pValue, cbValue)							\
	ETW_TL_FIELD((etw_none, 0), etw_raw, pValue, cbValue, 0)
#define TraceLoggingPackedDataEx(pValue, cbValue, dataDescType)					\
	ETW_TL_FIELD((etw_none, 0), etw_raw, pValue, cbValue, dataDescType)

#endif /* ETW_TL_TEXTS_H */
