// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* How many bytes of a payload are a value of a type. */
#include <string.h>
#include "tdh_private.h"

/* Types whose values all have one size; 0: see below */
static uint32_t fixed_size(USHORT in, uint8_t pointer)
{
	static const uint8_t sizes[] = {
		[TDH_INTYPE_INT8] = 1, [TDH_INTYPE_UINT8] = 1, [TDH_INTYPE_INT16] = 2,
		[TDH_INTYPE_UINT16] = 2, [TDH_INTYPE_INT32] = 4, [TDH_INTYPE_UINT32] = 4,
		[TDH_INTYPE_INT64] = 8, [TDH_INTYPE_UINT64] = 8, [TDH_INTYPE_FLOAT] = 4,
		[TDH_INTYPE_DOUBLE] = 8, [TDH_INTYPE_BOOLEAN] = 4, [TDH_INTYPE_GUID] = 16,
		[TDH_INTYPE_FILETIME] = 8, [TDH_INTYPE_SYSTEMTIME] = 16,
		[TDH_INTYPE_HEXINT32] = 4, [TDH_INTYPE_HEXINT64] = 8,
	};

	switch (in) {
	case TDH_INTYPE_POINTER:
	case TDH_INTYPE_SIZET:
		return pointer;
	case TDH_INTYPE_UNICODECHAR:
		return 2;
	case TDH_INTYPE_ANSICHAR:
		return 1;
	default:
		return in < sizeof(sizes) ? sizes[in] : 0;
	}
}

/* With its terminator; a string may end with the payload instead */
static int64_t string_size(const struct tdh_type *type, const uint8_t *at, uint32_t left,
			   uint32_t unit)
{
	uint32_t n;

	if (type->has_length)
		return (int64_t)type->length * unit;
	for (n = 0; n + unit <= left; n += unit)
		if (!at[n] && (unit == 1 || !at[n + 1]))
			return n + unit;
	return n;
}

static int64_t sid_size(const uint8_t *at, uint32_t left)
{
	return left < 8 ? -1 : 8 + 4 * at[1];
}

/* TOKEN_USER and a SID; no SID: a zero of 32 bits alone */
static int64_t token_sid_size(const struct tdh_type *type, const uint8_t *at, uint32_t left)
{
	uint32_t head = 2 * type->pointer;
	int64_t sid;

	if (left >= 4 && !get32(at))
		return 4;
	if (left < head)
		return -1;
	sid = sid_size(at + head, left - head);
	return sid < 0 ? -1 : head + sid;
}

/* The number of bytes stands before them, in two bytes */
static int64_t counted_size(const uint8_t *at, uint32_t left, bool reversed)
{
	if (left < 2)
		return -1;
	return 2 + (reversed ? at[0] << 8 | at[1] : at[0] | at[1] << 8);
}

static int64_t binary_size(const struct tdh_type *type, uint32_t left)
{
	if (type->has_length)
		return type->length;
	return type->out == TDH_OUTTYPE_IPV6 ? 16 : left;
}

static int64_t wanted_size(const struct tdh_type *type, const uint8_t *at, uint32_t left)
{
	uint32_t fixed = fixed_size(type->in, type->pointer);

	if (fixed)
		return fixed;
	switch (type->in) {
	case TDH_INTYPE_NULL:
		return 0;
	case TDH_INTYPE_UNICODESTRING:
		return string_size(type, at, left, 2);
	case TDH_INTYPE_ANSISTRING:
		return string_size(type, at, left, 1);
	case TDH_INTYPE_BINARY:
		return binary_size(type, left);
	case TDH_INTYPE_SID:
		return sid_size(at, left);
	case TDH_INTYPE_WBEMSID:
		return token_sid_size(type, at, left);
	case TDH_INTYPE_MANIFEST_COUNTEDSTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDANSISTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDBINARY:
	case TDH_INTYPE_COUNTEDSTRING:
	case TDH_INTYPE_COUNTEDANSISTRING:
		return counted_size(at, left, false);
	case TDH_INTYPE_REVERSEDCOUNTEDSTRING:
	case TDH_INTYPE_REVERSEDCOUNTEDANSISTRING:
		return counted_size(at, left, true);
	case TDH_INTYPE_NONNULLTERMINATEDSTRING:
	case TDH_INTYPE_NONNULLTERMINATEDANSISTRING:
		return left;
	case TDH_INTYPE_HEXDUMP:
		return left < 4 ? -1 : 4 + (int64_t)get32(at);
	default:
		return -1;
	}
}

int64_t tdh_value_size(const struct tdh_type *type, const uint8_t *at, uint32_t left)
{
	int64_t size = wanted_size(type, at, left);

	return size > left ? -1 : size;
}
