/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TraceLoggingProvider.h: the macros of arrays. */
#ifndef ETW_TL_ARRAYS_H
#define ETW_TL_ARRAYS_H

#include "etw_tl_fields.h"

/*
 * (pValues, cValues[, name[, description[, tags]]]). The length of a FixedArray
 * is a constant and a part of the description; that of an Array is data.
 */
#define TraceLoggingInt8Array(pValues, ...)							\
	ETW_TL_ARRAY(INT8, TlgInINT8, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt8FixedArray(pValues, ...)						\
	ETW_TL_FIXED(INT8, TlgInINT8, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt8Array(pValues, ...)							\
	ETW_TL_ARRAY(UINT8, TlgInUINT8, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt8FixedArray(pValues, ...)						\
	ETW_TL_FIXED(UINT8, TlgInUINT8, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt16Array(pValues, ...)							\
	ETW_TL_ARRAY(INT16, TlgInINT16, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt16FixedArray(pValues, ...)						\
	ETW_TL_FIXED(INT16, TlgInINT16, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt16Array(pValues, ...)							\
	ETW_TL_ARRAY(UINT16, TlgInUINT16, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt16FixedArray(pValues, ...)						\
	ETW_TL_FIXED(UINT16, TlgInUINT16, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt32Array(pValues, ...)							\
	ETW_TL_ARRAY(INT32, TlgInINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt32FixedArray(pValues, ...)						\
	ETW_TL_FIXED(INT32, TlgInINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt32Array(pValues, ...)							\
	ETW_TL_ARRAY(UINT32, TlgInUINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt32FixedArray(pValues, ...)						\
	ETW_TL_FIXED(UINT32, TlgInUINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt64Array(pValues, ...)							\
	ETW_TL_ARRAY(INT64, TlgInINT64, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt64FixedArray(pValues, ...)						\
	ETW_TL_FIXED(INT64, TlgInINT64, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt64Array(pValues, ...)							\
	ETW_TL_ARRAY(UINT64, TlgInUINT64, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt64FixedArray(pValues, ...)						\
	ETW_TL_FIXED(UINT64, TlgInUINT64, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingIntPtrArray(pValues, ...)							\
	ETW_TL_ARRAY(INT_PTR, TlgInINTPTR, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingIntPtrFixedArray(pValues, ...)						\
	ETW_TL_FIXED(INT_PTR, TlgInINTPTR, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUIntPtrArray(pValues, ...)							\
	ETW_TL_ARRAY(UINT_PTR, TlgInUINTPTR, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUIntPtrFixedArray(pValues, ...)						\
	ETW_TL_FIXED(UINT_PTR, TlgInUINTPTR, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingLongArray(pValues, ...)							\
	ETW_TL_ARRAY(LONG, TlgInINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingLongFixedArray(pValues, ...)						\
	ETW_TL_FIXED(LONG, TlgInINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingULongArray(pValues, ...)							\
	ETW_TL_ARRAY(ULONG, TlgInUINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingULongFixedArray(pValues, ...)						\
	ETW_TL_FIXED(ULONG, TlgInUINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt8Array(pValues, ...)							\
	ETW_TL_ARRAY(INT8, TlgInUINT8, TlgOutHEX, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt8FixedArray(pValues, ...)						\
	ETW_TL_FIXED(INT8, TlgInUINT8, TlgOutHEX, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt8Array(pValues, ...)							\
	ETW_TL_ARRAY(UINT8, TlgInUINT8, TlgOutHEX, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt8FixedArray(pValues, ...)						\
	ETW_TL_FIXED(UINT8, TlgInUINT8, TlgOutHEX, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt16Array(pValues, ...)							\
	ETW_TL_ARRAY(INT16, TlgInUINT16, TlgOutHEX, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt16FixedArray(pValues, ...)						\
	ETW_TL_FIXED(INT16, TlgInUINT16, TlgOutHEX, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt16Array(pValues, ...)						\
	ETW_TL_ARRAY(UINT16, TlgInUINT16, TlgOutHEX, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt16FixedArray(pValues, ...)						\
	ETW_TL_FIXED(UINT16, TlgInUINT16, TlgOutHEX, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt32Array(pValues, ...)							\
	ETW_TL_ARRAY(INT32, TlgInHEXINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt32FixedArray(pValues, ...)						\
	ETW_TL_FIXED(INT32, TlgInHEXINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt32Array(pValues, ...)						\
	ETW_TL_ARRAY(UINT32, TlgInHEXINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt32FixedArray(pValues, ...)						\
	ETW_TL_FIXED(UINT32, TlgInHEXINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt64Array(pValues, ...)							\
	ETW_TL_ARRAY(INT64, TlgInHEXINT64, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt64FixedArray(pValues, ...)						\
	ETW_TL_FIXED(INT64, TlgInHEXINT64, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt64Array(pValues, ...)						\
	ETW_TL_ARRAY(UINT64, TlgInHEXINT64, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt64FixedArray(pValues, ...)						\
	ETW_TL_FIXED(UINT64, TlgInHEXINT64, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexIntPtrArray(pValues, ...)						\
	ETW_TL_ARRAY(INT_PTR, TlgInPOINTER, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexIntPtrFixedArray(pValues, ...)						\
	ETW_TL_FIXED(INT_PTR, TlgInPOINTER, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUIntPtrArray(pValues, ...)						\
	ETW_TL_ARRAY(UINT_PTR, TlgInPOINTER, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUIntPtrFixedArray(pValues, ...)						\
	ETW_TL_FIXED(UINT_PTR, TlgInPOINTER, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexLongArray(pValues, ...)							\
	ETW_TL_ARRAY(LONG, TlgInHEXINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexLongFixedArray(pValues, ...)						\
	ETW_TL_FIXED(LONG, TlgInHEXINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexULongArray(pValues, ...)							\
	ETW_TL_ARRAY(ULONG, TlgInHEXINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexULongFixedArray(pValues, ...)						\
	ETW_TL_FIXED(ULONG, TlgInHEXINT32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFloat32Array(pValues, ...)							\
	ETW_TL_ARRAY(FLOAT, TlgInFLOAT, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFloat32FixedArray(pValues, ...)						\
	ETW_TL_FIXED(FLOAT, TlgInFLOAT, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFloat64Array(pValues, ...)							\
	ETW_TL_ARRAY(DOUBLE, TlgInDOUBLE, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFloat64FixedArray(pValues, ...)						\
	ETW_TL_FIXED(DOUBLE, TlgInDOUBLE, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingBooleanArray(pValues, ...)							\
	ETW_TL_ARRAY(UINT8, TlgInUINT8, TlgOutBOOLEAN, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingBooleanFixedArray(pValues, ...)						\
	ETW_TL_FIXED(UINT8, TlgInUINT8, TlgOutBOOLEAN, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingBoolArray(pValues, ...)							\
	ETW_TL_ARRAY(INT32, TlgInBOOL32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingBoolFixedArray(pValues, ...)						\
	ETW_TL_FIXED(INT32, TlgInBOOL32, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingCharArray(pValues, ...)							\
	ETW_TL_ARRAY(char, TlgInUINT8, TlgOutSTRING, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingCharFixedArray(pValues, ...)						\
	ETW_TL_FIXED(char, TlgInUINT8, TlgOutSTRING, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingChar16Array(pValues, ...)							\
	ETW_TL_ARRAY(char16_t, TlgInUINT16, TlgOutSTRING, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingChar16FixedArray(pValues, ...)						\
	ETW_TL_FIXED(char16_t, TlgInUINT16, TlgOutSTRING, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingWCharArray(pValues, ...)							\
	ETW_TL_ARRAY(WCHAR, TlgInUINT16, TlgOutSTRING, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingWCharFixedArray(pValues, ...)						\
	ETW_TL_FIXED(WCHAR, TlgInUINT16, TlgOutSTRING, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingPointerArray(pValues, ...)							\
	ETW_TL_ARRAY(PVOID, TlgInPOINTER, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingPointerFixedArray(pValues, ...)						\
	ETW_TL_FIXED(PVOID, TlgInPOINTER, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingCodePointerArray(pValues, ...)						\
	ETW_TL_ARRAY(PVOID, TlgInPOINTER, TlgOutCODE_POINTER, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingCodePointerFixedArray(pValues, ...)						\
	ETW_TL_FIXED(PVOID, TlgInPOINTER, TlgOutCODE_POINTER, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFileTimeArray(pValues, ...)							\
	ETW_TL_ARRAY(FILETIME, TlgInFILETIME, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFileTimeFixedArray(pValues, ...)						\
	ETW_TL_FIXED(FILETIME, TlgInFILETIME, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFileTimeUtcArray(pValues, ...)						\
	ETW_TL_ARRAY(FILETIME, TlgInFILETIME, TlgOutDATETIME_UTC, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFileTimeUtcFixedArray(pValues, ...)						\
	ETW_TL_FIXED(FILETIME, TlgInFILETIME, TlgOutDATETIME_UTC, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingSystemTimeArray(pValues, ...)						\
	ETW_TL_ARRAY(SYSTEMTIME, TlgInSYSTEMTIME, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingSystemTimeFixedArray(pValues, ...)						\
	ETW_TL_FIXED(SYSTEMTIME, TlgInSYSTEMTIME, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingSystemTimeUtcArray(pValues, ...)						\
	ETW_TL_ARRAY(SYSTEMTIME, TlgInSYSTEMTIME, TlgOutDATETIME_UTC, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingSystemTimeUtcFixedArray(pValues, ...)					\
	ETW_TL_FIXED(SYSTEMTIME, TlgInSYSTEMTIME, TlgOutDATETIME_UTC, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingGuidArray(pValues, ...)							\
	ETW_TL_ARRAY(GUID, TlgInGUID, TlgOutNULL, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingGuidFixedArray(pValues, ...)						\
	ETW_TL_FIXED(GUID, TlgInGUID, TlgOutNULL, #pValues, pValues, __VA_ARGS__)

#endif /* ETW_TL_ARRAYS_H */
