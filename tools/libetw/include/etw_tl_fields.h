/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TraceLoggingProvider.h: the macros of fields with one value. */
#ifndef ETW_TL_FIELDS_H
#define ETW_TL_FIELDS_H

#include "etw_tl_list.h"

/* The type of a field's data */
enum TlgIn_t {
	TlgInNULL, TlgInUNICODESTRING, TlgInANSISTRING, TlgInINT8, TlgInUINT8, TlgInINT16,
	TlgInUINT16, TlgInINT32, TlgInUINT32, TlgInINT64, TlgInUINT64, TlgInFLOAT, TlgInDOUBLE,
	TlgInBOOL32, TlgInBINARY, TlgInGUID, TlgInFILETIME = 17, TlgInSYSTEMTIME, TlgInSID,
	TlgInHEXINT32, TlgInHEXINT64, TlgInCOUNTEDSTRING, TlgInCOUNTEDANSISTRING, TlgInSTRUCT,
	TlgInCOUNTEDBINARY,
	TlgInINTPTR = sizeof(void *) == 8 ? TlgInINT64 : TlgInINT32,
	TlgInUINTPTR = sizeof(void *) == 8 ? TlgInUINT64 : TlgInUINT32,
	TlgInPOINTER = sizeof(void *) == 8 ? TlgInHEXINT64 : TlgInHEXINT32,
	TlgInTypeMask = 0x1F,
	TlgInCcount = 0x20,	/* an array, as long as the description says */
	TlgInVcount = 0x40,	/* an array, its length is the first 16 bits of the data */
	TlgInCustom = 0x60,
	TlgInCountMask = 0x60,
	TlgInChain = 0x80,
};

/* How a field is shown */
enum TlgOut_t {
	TlgOutNULL, TlgOutNOPRINT, TlgOutSTRING, TlgOutBOOLEAN, TlgOutHEX, TlgOutPID, TlgOutTID,
	TlgOutPORT, TlgOutIPV4, TlgOutIPV6, TlgOutSOCKETADDRESS, TlgOutXML, TlgOutJSON,
	TlgOutWIN32ERROR, TlgOutNTSTATUS, TlgOutHRESULT, TlgOutFILETIME, TlgOutSIGNED,
	TlgOutUNSIGNED, TlgOutDATETIME_CULTUREINSENSITIVE = 33, TlgOutUTF8 = 35,
	TlgOutPKCS7_WITH_TYPE_INFO, TlgOutCODE_POINTER, TlgOutDATETIME_UTC,
	TlgOutChain = 0x80,
};

/*
 * Each field macro has up to three further arguments: name, description, tags.
 * The name is the text of the value if it is left out. The description is a
 * comment: it is not part of the program.
 */
#define ETW_TL_NAME(text, ...)									\
	ETW_TL_NAME_(ETW_TL_COUNT(__VA_ARGS__), text, __VA_ARGS__)
#define ETW_TL_NAME_(count, ...)	ETW_TL_NAME__(count, __VA_ARGS__)
#define ETW_TL_NAME__(count, ...)	ETW_TL_NAME_##count(__VA_ARGS__)
#define ETW_TL_NAME_1(text, value)	text
#define ETW_TL_NAME_2(text, value, name)	name
#define ETW_TL_NAME_3(text, value, name, description)	name
#define ETW_TL_NAME_4(text, value, name, description, tags)	name

#define ETW_TL_TAGS(...)	ETW_TL_TAGS_(ETW_TL_COUNT(__VA_ARGS__), __VA_ARGS__)
#define ETW_TL_TAGS_(count, ...)	ETW_TL_TAGS__(count, __VA_ARGS__)
#define ETW_TL_TAGS__(count, ...)	ETW_TL_TAGS_##count(__VA_ARGS__)
#define ETW_TL_TAGS_1(value)	0
#define ETW_TL_TAGS_2(value, name)	0
#define ETW_TL_TAGS_3(value, name, description)	0
#define ETW_TL_TAGS_4(value, name, description, tags)	(tags)

/* @...: the value, or the last of several, and the arguments above */
#define ETW_TL_META_FIELD(in, out, text, ...)							\
	(etw_field, in, out, ETW_TL_NAME(text, __VA_ARGS__), ETW_TL_TAGS(__VA_ARGS__))
#define ETW_TL_ONE(kind, type, in, out, text, ...)						\
	ETW_TL_FIELD(ETW_TL_META_FIELD(in, out, text, __VA_ARGS__), kind, type,			\
		     ETW_TL_FIRST(__VA_ARGS__))
#define ETW_TL_SCALAR(type, in, out, text, ...)							\
	ETW_TL_ONE(etw_value, type, in, out, text, __VA_ARGS__)
#define ETW_TL_CAST(type, in, out, text, ...)							\
	ETW_TL_ONE(etw_cast, type, in, out, text, __VA_ARGS__)
/* In C the value must have an address */
#define ETW_TL_OBJECT(type, in, out, text, ...)							\
	ETW_TL_ONE(etw_object, type, in, out, text, __VA_ARGS__)
#define ETW_TL_STRING(kind, in, out, text, ...)							\
	ETW_TL_FIELD(ETW_TL_META_FIELD(in, out, text, __VA_ARGS__), kind,			\
		     ETW_TL_FIRST(__VA_ARGS__))
#define ETW_TL_COUNTED(type, in, out, text, first, ...)						\
	ETW_TL_FIELD(ETW_TL_META_FIELD(in, out, text, __VA_ARGS__), etw_counted, type, first,	\
		     ETW_TL_FIRST(__VA_ARGS__))
#define ETW_TL_BLOB(in, out, text, first, ...)							\
	ETW_TL_FIELD(ETW_TL_META_FIELD(in, out, text, __VA_ARGS__), etw_blob, first,		\
		     ETW_TL_FIRST(__VA_ARGS__))
#define ETW_TL_ARRAY(type, in, out, text, first, ...)						\
	ETW_TL_FIELD(ETW_TL_META_FIELD((in) | TlgInVcount, out, text, __VA_ARGS__), etw_array,	\
		     type, first, ETW_TL_FIRST(__VA_ARGS__))
#define ETW_TL_FIXED(type, in, out, text, first, ...)						\
	ETW_TL_FIELD((etw_fixed, (in) | TlgInCcount, out, ETW_TL_NAME(text, __VA_ARGS__),	\
		      ETW_TL_TAGS(__VA_ARGS__), ETW_TL_FIRST(__VA_ARGS__)), etw_fixed, type,	\
		     first, ETW_TL_FIRST(__VA_ARGS__))

/* Integers, floating-point numbers, truth values and characters */
#define TraceLoggingInt8(...)									\
	ETW_TL_SCALAR(INT8, TlgInINT8, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUInt8(...)									\
	ETW_TL_SCALAR(UINT8, TlgInUINT8, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingInt16(...)									\
	ETW_TL_SCALAR(INT16, TlgInINT16, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUInt16(...)									\
	ETW_TL_SCALAR(UINT16, TlgInUINT16, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingInt32(...)									\
	ETW_TL_SCALAR(INT32, TlgInINT32, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUInt32(...)									\
	ETW_TL_SCALAR(UINT32, TlgInUINT32, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingInt64(...)									\
	ETW_TL_SCALAR(INT64, TlgInINT64, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUInt64(...)									\
	ETW_TL_SCALAR(UINT64, TlgInUINT64, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingIntPtr(...)									\
	ETW_TL_SCALAR(INT_PTR, TlgInINTPTR, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUIntPtr(...)								\
	ETW_TL_SCALAR(UINT_PTR, TlgInUINTPTR, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingLong(...)									\
	ETW_TL_SCALAR(LONG, TlgInINT32, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingULong(...)									\
	ETW_TL_SCALAR(ULONG, TlgInUINT32, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexInt8(...)								\
	ETW_TL_SCALAR(INT8, TlgInUINT8, TlgOutHEX, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexUInt8(...)								\
	ETW_TL_SCALAR(UINT8, TlgInUINT8, TlgOutHEX, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexInt16(...)								\
	ETW_TL_SCALAR(INT16, TlgInUINT16, TlgOutHEX, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexUInt16(...)								\
	ETW_TL_SCALAR(UINT16, TlgInUINT16, TlgOutHEX, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexInt32(...)								\
	ETW_TL_SCALAR(INT32, TlgInHEXINT32, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexUInt32(...)								\
	ETW_TL_SCALAR(UINT32, TlgInHEXINT32, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexInt64(...)								\
	ETW_TL_SCALAR(INT64, TlgInHEXINT64, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexUInt64(...)								\
	ETW_TL_SCALAR(UINT64, TlgInHEXINT64, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexIntPtr(...)								\
	ETW_TL_SCALAR(INT_PTR, TlgInPOINTER, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexUIntPtr(...)								\
	ETW_TL_SCALAR(UINT_PTR, TlgInPOINTER, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexLong(...)								\
	ETW_TL_SCALAR(LONG, TlgInHEXINT32, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexULong(...)								\
	ETW_TL_SCALAR(ULONG, TlgInHEXINT32, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingFloat32(...)								\
	ETW_TL_SCALAR(FLOAT, TlgInFLOAT, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingFloat64(...)								\
	ETW_TL_SCALAR(DOUBLE, TlgInDOUBLE, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingBoolean(...)								\
	ETW_TL_SCALAR(UINT8, TlgInUINT8, TlgOutBOOLEAN, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingBool(...)									\
	ETW_TL_SCALAR(INT32, TlgInBOOL32, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingChar(...)									\
	ETW_TL_SCALAR(char, TlgInUINT8, TlgOutSTRING, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingChar16(...)									\
	ETW_TL_SCALAR(char16_t, TlgInUINT16, TlgOutSTRING, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingWChar(...)									\
	ETW_TL_SCALAR(WCHAR, TlgInUINT16, TlgOutSTRING, #__VA_ARGS__, __VA_ARGS__)

/* Pointers; of an address the program's symbol is shown */
#define TraceLoggingPointer(...)								\
	ETW_TL_CAST(UINT_PTR, TlgInPOINTER, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingCodePointer(...)								\
	ETW_TL_CAST(UINT_PTR, TlgInPOINTER, TlgOutCODE_POINTER, #__VA_ARGS__, __VA_ARGS__)

/* Numbers with a meaning; addresses and ports are in the byte order of the network */
#define TraceLoggingPid(...)									\
	ETW_TL_SCALAR(UINT32, TlgInUINT32, TlgOutPID, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingTid(...)									\
	ETW_TL_SCALAR(UINT32, TlgInUINT32, TlgOutTID, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingIPv4Address(...)								\
	ETW_TL_SCALAR(UINT32, TlgInUINT32, TlgOutIPV4, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingPort(...)									\
	ETW_TL_SCALAR(UINT16, TlgInUINT16, TlgOutPORT, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingWinError(...)								\
	ETW_TL_SCALAR(UINT32, TlgInUINT32, TlgOutWIN32ERROR, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingNTStatus(...)								\
	ETW_TL_SCALAR(INT32, TlgInUINT32, TlgOutNTSTATUS, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHResult(...)								\
	ETW_TL_SCALAR(INT32, TlgInINT32, TlgOutHRESULT, #__VA_ARGS__, __VA_ARGS__)

/* Structures of Windows */
#define TraceLoggingFileTime(...)								\
	ETW_TL_OBJECT(FILETIME, TlgInFILETIME, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingFileTimeUtc(...)								\
	ETW_TL_OBJECT(FILETIME, TlgInFILETIME, TlgOutDATETIME_UTC, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingSystemTime(...)								\
	ETW_TL_OBJECT(SYSTEMTIME, TlgInSYSTEMTIME, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingSystemTimeUtc(...)								\
	ETW_TL_OBJECT(SYSTEMTIME, TlgInSYSTEMTIME, TlgOutDATETIME_UTC, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingGuid(...)									\
	ETW_TL_OBJECT(GUID, TlgInGUID, TlgOutNULL, #__VA_ARGS__, __VA_ARGS__)

/* The type of the value decides */
#define TraceLoggingValue(...)									\
	ETW_TL_STRING(etw_auto, ETW_TL_AUTO_IN(ETW_TL_FIRST(__VA_ARGS__)),			\
		      ETW_TL_AUTO_OUT(ETW_TL_FIRST(__VA_ARGS__)), #__VA_ARGS__, __VA_ARGS__)

#endif /* ETW_TL_FIELDS_H */
