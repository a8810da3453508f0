/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Values with a type from a description in the trace: TraceLogging and TRACE_EVENT_INFO. */
#ifndef ETW_TYPED_H
#define ETW_TYPED_H

#include "cursor.h"

/* What the bytes are: the numbers of TraceLogging and, up to here, of TDH */
enum in_type {
	IN_NULL, IN_UTF16, IN_BYTES, IN_INT8, IN_UINT8, IN_INT16, IN_UINT16, IN_INT32, IN_UINT32,
	IN_INT64, IN_UINT64, IN_FLOAT, IN_DOUBLE, IN_BOOL32, IN_BINARY, IN_GUID, IN_POINTER,
	IN_FILETIME, IN_SYSTEMTIME, IN_SID, IN_HEX32, IN_HEX64, IN_COUNTED_UTF16,
	IN_COUNTED_BYTES, IN_STRUCT, IN_COUNTED_BINARY,
};

/* How a value is best shown: the numbers of TraceLogging; TDH has others */
enum out_type {
	OUT_BOOLEAN = 3,
	OUT_HEX = 4,
	OUT_PID = 5,
	OUT_PORT = 7,
	OUT_IPV4 = 8,
	OUT_IPV6 = 9,
	OUT_NTSTATUS = 14,
	OUT_HRESULT = 15,
	OUT_SIGNED = 17,
	OUT_UNSIGNED = 18,
	OUT_UTF8 = 35,
	OUT_CODE_POINTER = 37,
};

/* Fields and members of arrays; a record can't say more than this in earnest */
#define TYPED_MAX_STEPS	16384

/**
 * struct typed - a field
 * @name: of it
 * @in: enum in_type
 * @out: enum out_type, or another number
 */
struct typed {
	const char *name;
	uint8_t in;
	uint8_t out;
};

/* Return: bytes of a number if pointers have @pointer bytes; 0: @in is no number */
uint32_t typed_number_size(uint8_t in, uint8_t pointer);
/* The next value. Return: false for an unknown type: what follows can't be found */
bool typed_take(struct cursor *cursor, const struct typed *typed);
/* A string or bytes behind the number of their bytes */
void typed_take_counted(struct cursor *cursor, const struct typed *typed);
/* Counts a step, so that no description repeats itself without end. Return: false: too many */
bool typed_may_step(const struct cursor *cursor, unsigned int *steps);
/* An array: a list of numbers, or fields of one name. Return: as typed_take() */
bool typed_take_array(struct cursor *cursor, const struct typed *typed, unsigned int count,
		      unsigned int *steps);

#endif /* ETW_TYPED_H */
