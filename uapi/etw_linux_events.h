/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* ETW_EXT_VND_LINUX_EVENTS: tracepoints, probes and user_events that a session records. */
#ifndef _UAPI_ETW_LINUX_EVENTS_H
#define _UAPI_ETW_LINUX_EVENTS_H

#include <linux/types.h>
#include "etw_format.h"

/* Entries of a session; fields and conditions of an entry */
#define ETW_MAX_LINUX_EVENTS		512
#define ETW_MAX_LINUX_EVENT_FIELDS	128
#define ETW_MAX_LINUX_EVENT_TESTS	8

/**
 * enum etw_field_copy - how a field of the kernel's record becomes a TraceLogging field
 * @ETW_FIELD_BYTES: @size bytes at @offset
 * @ETW_FIELD_ADDRESS: as ETW_FIELD_BYTES, of 4 or 8 bytes; zeros if the session's records
 *	contain no kernel addresses
 * @ETW_FIELD_STRING: @size bytes at @offset, up to the first NUL, with a NUL behind them
 * @ETW_FIELD_LOC_STRING: a __data_loc at @offset: the bytes that it names, up to the first
 *	NUL, with a NUL behind them
 * @ETW_FIELD_LOC_ARRAY: a __data_loc at @offset: a 16-bit count, then the elements, of
 *	@size bytes each
 * @ETW_FIELD_REL_LOC_STRING: as ETW_FIELD_LOC_STRING, of a __rel_loc
 * @ETW_FIELD_REL_LOC_ARRAY: as ETW_FIELD_LOC_ARRAY, of a __rel_loc
 * @ETW_FIELD_REST: as ETW_FIELD_LOC_ARRAY, of all bytes of the record from @offset on
 * @ETW_FIELD_COPIES: number of these
 *
 * A __data_loc is a dword: length << 16 | offset from the record's start. The offset of a
 * __rel_loc starts behind that dword. If it points out of the record, the field is empty.
 */
enum etw_field_copy {
	ETW_FIELD_BYTES,
	ETW_FIELD_ADDRESS,
	ETW_FIELD_STRING,
	ETW_FIELD_LOC_STRING,
	ETW_FIELD_LOC_ARRAY,
	ETW_FIELD_REL_LOC_STRING,
	ETW_FIELD_REL_LOC_ARRAY,
	ETW_FIELD_REST,
	ETW_FIELD_COPIES,
};

/**
 * struct etw_linux_event_field - one step of the copy program, in the order of the fields
 * @copy: enum etw_field_copy
 * @offset: in the kernel's record, as tracefs' format file states it
 * @size: bytes, or bytes of an element; 0 for ETW_FIELD_LOC_STRING and
 *	ETW_FIELD_REL_LOC_STRING
 */
struct etw_linux_event_field {
	__u16 copy;
	__u16 offset;
	__u16 size;
	__u16 reserved;
};

ETW_ASSERT_SIZE(struct etw_linux_event_field, 8);

/**
 * enum etw_field_test - comparison of a field with a value
 * @ETW_TEST_EQUAL: field == value
 * @ETW_TEST_NOT_EQUAL: field != value
 * @ETW_TEST_LESS: field < value
 * @ETW_TEST_LESS_EQUAL: field <= value
 * @ETW_TEST_GREATER: field > value
 * @ETW_TEST_GREATER_EQUAL: field >= value
 * @ETW_TEST_BITS: field & value
 * @ETW_TESTS: number of these
 */
enum etw_field_test {
	ETW_TEST_EQUAL,
	ETW_TEST_NOT_EQUAL,
	ETW_TEST_LESS,
	ETW_TEST_LESS_EQUAL,
	ETW_TEST_GREATER,
	ETW_TEST_GREATER_EQUAL,
	ETW_TEST_BITS,
	ETW_TESTS,
};

/**
 * struct etw_linux_event_test - a condition; an event is recorded if it meets all of them
 * @test: enum etw_field_test
 * @is_signed: 1: compare as signed numbers
 * @offset: of the field in the kernel's record
 * @size: of the field: 1, 2, 4 or 8 bytes
 * @reserved: 0
 * @value_low: value to compare with, low half
 * @value_high: its high half
 */
struct etw_linux_event_test {
	__u8 test;
	__u8 is_signed;
	__u16 offset;
	__u16 size;
	__u16 reserved;
	__u32 value_low;
	__u32 value_high;
};

ETW_ASSERT_SIZE(struct etw_linux_event_test, 16);

/* Of struct etw_ext_linux_event: a stack follows each record */
#define ETW_LINUX_EVENT_STACK		0x1U
#define ETW_LINUX_EVENT_FLAGS		0x1U

/**
 * struct etw_ext_linux_event - one entry of the item ETW_EXT_VND_LINUX_EVENTS
 * @size: bytes of the entry, with all that follows; a multiple of 4
 * @id: the number in tracefs' events/SYSTEM/NAME/id; each at most once
 * @provider: GUID of the records
 * @keyword_low: keyword of the event descriptor, low half
 * @keyword_high: its high half
 * @level: of the event descriptor
 * @flags: ETW_LINUX_EVENT_*
 * @record_size: bytes of the kernel's record without its dynamic arrays: no field and no
 *	test reaches beyond it
 * @traits_size: bytes of the provider traits
 * @schema_size: bytes of the TraceLogging event schema
 * @nr_fields: number of struct etw_linux_event_field
 * @nr_tests: number of struct etw_linux_event_test
 *
 * The tests follow, then the fields, then the traits, then the schema, then zeros up to
 * @size. Traits and schema become extended items of each record (EXT_TYPE_PROV_TRAITS,
 * EXT_TYPE_EVENT_SCHEMA_TL); both begin with their own size as a 16-bit number.
 *
 * The item replaces all Linux events of the session; one without entries removes them. UPDATE
 * keeps them if the item is missing, because QUERY does not return it: a block of QUERY has no
 * space for it.
 */
struct etw_ext_linux_event {
	__u32 size;
	__u32 id;
	struct etw_guid provider;
	__u32 keyword_low;
	__u32 keyword_high;
	__u8 level;
	__u8 flags;
	__u16 record_size;
	__u16 traits_size;
	__u16 schema_size;
	__u16 nr_fields;
	__u16 nr_tests;
};

ETW_ASSERT_SIZE(struct etw_ext_linux_event, 44);

#endif /* _UAPI_ETW_LINUX_EVENTS_H */
