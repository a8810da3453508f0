// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Values with a type from a description in the trace. */
#include <stdio.h>
#include <string.h>
#include "typed.h"

uint32_t typed_number_size(uint8_t in, uint8_t pointer)
{
	static const uint8_t size[] = {
		[IN_INT8] = 1, [IN_UINT8] = 1, [IN_INT16] = 2, [IN_UINT16] = 2, [IN_INT32] = 4,
		[IN_UINT32] = 4, [IN_INT64] = 8, [IN_UINT64] = 8, [IN_FLOAT] = 4, [IN_DOUBLE] = 8,
		[IN_BOOL32] = 4, [IN_FILETIME] = 8, [IN_HEX32] = 4, [IN_HEX64] = 8,
	};

	if (in == IN_POINTER)
		return pointer;
	return in < sizeof(size) ? size[in] : 0;
}

static bool is_hex(const struct typed *typed)
{
	return typed->in == IN_HEX32 || typed->in == IN_HEX64 || typed->in == IN_POINTER ||
	       typed->out == OUT_HEX || typed->out == OUT_NTSTATUS || typed->out == OUT_HRESULT ||
	       typed->out == OUT_CODE_POINTER;
}

static bool is_signed(const struct typed *typed)
{
	if (typed->out == OUT_SIGNED || typed->out == OUT_UNSIGNED)
		return typed->out == OUT_SIGNED;
	return typed->in == IN_INT8 || typed->in == IN_INT16 || typed->in == IN_INT32 ||
	       typed->in == IN_INT64;
}

static double real_of(uint8_t in, uint64_t bits)
{
	uint32_t half = bits;
	double real;
	float single;

	memcpy(&single, &half, sizeof(single));
	memcpy(&real, &bits, sizeof(real));
	return in == IN_FLOAT ? single : real;
}

static void take_number(struct cursor *cursor, const struct typed *typed, uint32_t size, bool list)
{
	struct fields *fields = cursor->fields;
	uint64_t value = take(cursor, size);
	int64_t sign = (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size);

	if (typed->in == IN_FILETIME && !list) {
		fields_time(fields, typed->name, value);
		return;
	}
	if (typed->out == OUT_PORT && size == 2)
		value = (value << 8 | value >> 8) & 0xFFFF;
	if (typed->in == IN_FLOAT || typed->in == IN_DOUBLE) {
		if (list)
			fields_list_real(fields, real_of(typed->in, value));
		else
			fields_real(fields, typed->name, real_of(typed->in, value));
	} else if (is_hex(typed)) {
		if (list)
			fields_list_hex(fields, value);
		else
			fields_hex(fields, typed->name, value);
	} else if (is_signed(typed)) {
		if (list)
			fields_list_signed(fields, sign);
		else
			fields_signed(fields, typed->name, sign);
	} else if (list) {
		fields_list_unsigned(fields, value);
	} else {
		fields_unsigned(fields, typed->name, value);
	}
}

void typed_take_counted(struct cursor *cursor, const struct typed *typed)
{
	uint32_t size = take(cursor, 2);

	if (size > cursor->left) {
		cursor->fields->truncated = true;
		size = cursor->left;
	}
	if (typed->in == IN_COUNTED_UTF16)
		fields_utf16(cursor->fields, typed->name, cursor->at, size);
	else if (typed->in == IN_COUNTED_BYTES)
		fields_bytes(cursor->fields, typed->name, cursor->at, size);
	else if (typed->out == OUT_IPV6 && size == 16)
		return take_address6(cursor, typed->name);
	else
		fields_dump(cursor->fields, typed->name, cursor->at, size);
	skip(cursor, size);
}

static void take_system_time(struct cursor *cursor, const char *name)
{
	uint16_t part[8];
	char text[64];
	int i;

	for (i = 0; i < 8; i++)
		part[i] = take(cursor, 2);
	snprintf(text, sizeof(text), "%04u-%02u-%02u %02u:%02u:%02u.%03u", part[0], part[1],
		 part[3], part[4], part[5], part[6], part[7]);
	fields_string(cursor->fields, name, text);
}

bool typed_take(struct cursor *cursor, const struct typed *typed)
{
	uint32_t size = typed_number_size(typed->in, cursor->pointer);

	switch (typed->in) {
	case IN_NULL:
		return true;
	case IN_UTF16:
		take_utf16(cursor, typed->name);
		return true;
	case IN_BYTES:
		take_bytes(cursor, typed->name);
		return true;
	case IN_GUID:
		take_guid(cursor, typed->name);
		return true;
	case IN_SYSTEMTIME:
		take_system_time(cursor, typed->name);
		return true;
	case IN_SID:
		take_sid(cursor, typed->name);
		return true;
	case IN_BINARY:
	case IN_COUNTED_BINARY:
	case IN_COUNTED_UTF16:
	case IN_COUNTED_BYTES:
		typed_take_counted(cursor, typed);
		return true;
	default:
		if (typed->out == OUT_IPV4 && size == 4)
			take_address4(cursor, typed->name);
		else if (size)
			take_number(cursor, typed, size, false);
		return size;
	}
}

bool typed_may_step(const struct cursor *cursor, unsigned int *steps)
{
	return (*steps)++ < TYPED_MAX_STEPS && !cursor->fields->truncated;
}

bool typed_take_array(struct cursor *cursor, const struct typed *typed, unsigned int count,
		      unsigned int *steps)
{
	uint32_t size = typed_number_size(typed->in, cursor->pointer);
	unsigned int i;

	if (size && typed->out != OUT_IPV4)
		fields_list(cursor->fields, typed->name);
	for (i = 0; i < count; i++) {
		if (!typed_may_step(cursor, steps))
			return false;
		if (size && typed->out != OUT_IPV4)
			take_number(cursor, typed, size, true);
		else if (!typed_take(cursor, typed))
			return false;
	}
	return true;
}
