// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Copy program and conditions of a Linux event, see etw_linux_events.h. Pure. */
#include <linux/string.h>
#include "field_copy.h"

/* A dynamic array of the record: __data_loc or __rel_loc */
struct span {
	const __u8 *from;
	__u32 size;
};

static __u64 load(const __u8 *from, __u32 size)
{
	__u64 value8;
	__u32 value4;
	__u16 value2;

	switch (size) {
	case 8:
		memcpy(&value8, from, sizeof(value8));
		return value8;
	case 4:
		memcpy(&value4, from, sizeof(value4));
		return value4;
	case 2:
		memcpy(&value2, from, sizeof(value2));
		return value2;
	default:
		return *from;
	}
}

/* Compares after both were shifted, so that unsigned order is the order wanted. */
static int passes(const struct etw_linux_event_test *test, __u64 value)
{
	__u64 with = test->value_low | (__u64)test->value_high << 32;
	__u64 sign = 1ULL << (8 * test->size - 1);

	if (test->is_signed) {
		value = (value ^ sign) - sign;
		if (test->test != ETW_TEST_BITS) {
			value ^= 1ULL << 63;
			with ^= 1ULL << 63;
		}
	}
	switch (test->test) {
	case ETW_TEST_EQUAL:
		return value == with;
	case ETW_TEST_NOT_EQUAL:
		return value != with;
	case ETW_TEST_LESS:
		return value < with;
	case ETW_TEST_LESS_EQUAL:
		return value <= with;
	case ETW_TEST_GREATER:
		return value > with;
	case ETW_TEST_GREATER_EQUAL:
		return value >= with;
	default:
		return !!(value & with);
	}
}

/**
 * etw_tests_pass() - whether an event meets all of its conditions
 * @tests: conditions, checked
 * @nr: number of conditions
 * @raw: the kernel's record
 */
int etw_tests_pass(const struct etw_linux_event_test *tests, __u32 nr,
		   const struct etw_raw_record *raw)
{
	__u32 i;

	for (i = 0; i < nr; i++)
		if (!passes(&tests[i], load(raw->data + tests[i].offset, tests[i].size)))
			return 0;
	return 1;
}

/* Empty, if it points out of the record */
static struct span locate(const struct etw_linux_event_field *field,
			  const struct etw_raw_record *raw)
{
	__u32 location = load(raw->data + field->offset, sizeof(location));
	__u32 at = location & 0xFFFF, size = location >> 16;

	if (field->copy == ETW_FIELD_REL_LOC_STRING || field->copy == ETW_FIELD_REL_LOC_ARRAY)
		at += field->offset + sizeof(location);
	if (at > raw->size || size > raw->size - at)
		return (struct span){ .from = raw->data };
	return (struct span){ .from = raw->data + at, .size = size };
}

/* The bytes of the field, without the NUL or the count that the copy adds */
static struct span span_of(const struct etw_linux_event_field *field,
			   const struct etw_raw_record *raw)
{
	struct span span = { .from = raw->data + field->offset, .size = field->size };

	switch (field->copy) {
	case ETW_FIELD_BYTES:
	case ETW_FIELD_ADDRESS:
		break;
	case ETW_FIELD_STRING:
		span.size = strnlen((const char *)span.from, span.size);
		break;
	case ETW_FIELD_LOC_STRING:
	case ETW_FIELD_REL_LOC_STRING:
		span = locate(field, raw);
		span.size = strnlen((const char *)span.from, span.size);
		break;
	case ETW_FIELD_REST:
		span.size = raw->size - field->offset;
		span.size -= span.size % field->size;
		break;
	default:
		span = locate(field, raw);
		span.size -= span.size % field->size;
	}
	return span;
}

static int is_array(const struct etw_linux_event_field *field)
{
	return field->copy == ETW_FIELD_LOC_ARRAY || field->copy >= ETW_FIELD_REL_LOC_ARRAY;
}

static int is_fixed(const struct etw_linux_event_field *field)
{
	return field->copy <= ETW_FIELD_ADDRESS;
}

/**
 * etw_fields_size() - bytes of data that the copy program makes of a record
 * @fields: the program, checked
 * @nr: number of its steps
 * @raw: the kernel's record
 */
__u32 etw_fields_size(const struct etw_linux_event_field *fields, __u32 nr,
		      const struct etw_raw_record *raw)
{
	__u32 size = 0, i;

	for (i = 0; i < nr; i++) {
		if (is_fixed(&fields[i])) {
			size += fields[i].size;
			continue;
		}
		size += span_of(&fields[i], raw).size;
		size += is_array(&fields[i]) ? sizeof(__u16) : 1;
	}
	return size;
}

static __u8 *put(__u8 *to, const void *from, __u32 size)
{
	/* constant sizes, for which the compiler makes no call */
	if (size == 4)
		memcpy(to, from, 4);
	else if (size == 8)
		memcpy(to, from, 8);
	else
		memcpy(to, from, size);
	return to + size;
}

static __u8 *copy_field(__u8 *to, const struct etw_linux_event_field *field,
			const struct etw_raw_record *raw)
{
	const struct span span = span_of(field, raw);
	__u16 count;

	if (is_array(field)) {
		count = span.size / field->size;
		to = put(to, &count, sizeof(count));
	}
	to = put(to, span.from, span.size);
	if (!is_array(field) && !is_fixed(field))
		*to++ = 0;
	return to;
}

/**
 * etw_fields_copy() - run the copy program
 * @to: etw_fields_size() bytes
 * @fields: the program, checked
 * @nr: number of its steps
 * @raw: the kernel's record, unchanged since etw_fields_size()
 * @addresses: kernel addresses are shown, else they are zeros
 */
void etw_fields_copy(void *to, const struct etw_linux_event_field *fields, __u32 nr,
		     const struct etw_raw_record *raw, int addresses)
{
	__u8 *at = to;
	__u32 i;

	for (i = 0; i < nr; i++) {
		if (fields[i].copy == ETW_FIELD_ADDRESS && !addresses) {
			memset(at, 0, fields[i].size);
			at += fields[i].size;
		} else {
			at = copy_field(at, &fields[i], raw);
		}
	}
}
