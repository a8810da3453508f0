// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Messages, byte for byte: all option flags, both widths, and one of Windows' own. */
#include <kunit/test.h>
#include <linux/string.h>
#include "record/message.c"

#define ROOM	128
#define FLAGS	(TRACE_MESSAGE_CALLER_FLAGS + 1)
#define TICK	0x01dc7086b8aa39e2ULL

/* A record that Windows wrote (format.rst 4.5), and the padding behind it */
static const u8 windows[] = {
	0x3c, 0x00, 0x00, 0x90, 0x2b, 0x00, 0xaa, 0x00, 0x08, 0xef, 0x18, 0x28,
	0x54, 0x6a, 0x6f, 0x39, 0x22, 0x44, 0x5a, 0x6e, 0xa4, 0xa9, 0x8c, 0xf0,
	0xe2, 0x39, 0xaa, 0xb8, 0x86, 0x70, 0xdc, 0x01, 0xf4, 0x00, 0x00, 0x00,
	0x04, 0x00, 0x00, 0x00, 0x10, 0x70, 0xaa, 0xb0, 0x88, 0xbb, 0xff, 0xff,
	0x10, 0x10, 0x32, 0xae, 0x88, 0xbb, 0xff, 0xff, 0x0f, 0x00, 0x1c, 0xc0,
	0x00, 0x00, 0x00, 0x00,
};

static const struct etw_guid guid = {
	0x2818ef08, 0x6a54, 0x396f, { 0x22, 0x44, 0x5a, 0x6e, 0xa4, 0xa9, 0x8c, 0xf0 },
};

/*
 * The table of format.rst 4.2, in its order: an item is there when one of
 * @any is set and none of @none.
 */
static const struct row {
	u16 any, none;
	u8 size;
	u8 bytes[16];
} rows[] = {
	{ 0x0001, 0, 4, { 0x44, 0x33, 0x22, 0x11 } },
	{ 0x0004, 0, 4, { 0x08, 0xef, 0x18, 0x28 } },
	{ 0x0002, 0x0004, 16, { 0x08, 0xef, 0x18, 0x28, 0x54, 0x6a, 0x6f, 0x39,
				0x22, 0x44, 0x5a, 0x6e, 0xa4, 0xa9, 0x8c, 0xf0 } },
	{ 0x0008, 0, 8, { 0xe2, 0x39, 0xaa, 0xb8, 0x86, 0x70, 0xdc, 0x01 } },
	{ 0x0010, 0x0008, 8, { 0 } },
	{ 0x0020, 0, 8, { 0xf4, 0, 0, 0, 0x04, 0, 0, 0 } },
};

struct bench {
	u8 due[ROOM];
	u8 record[ROOM];
};

/* What the documents want; bytes behind it are 0xA5. Returns Size */
static u32 make_due(u8 *due, u32 flags, u32 bits, const u8 *data, u32 size)
{
	const u32 options = flags | (bits == 32 ? 0x40 : 0x80);
	u32 i, at = 8;

	memset(due, 0xA5, ROOM);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!(flags & rows[i].any) || flags & rows[i].none)
			continue;
		memcpy(due + at, rows[i].bytes, rows[i].size);
		at += rows[i].size;
	}
	memcpy(due + at, data, size);
	at += size;
	due[0] = at;
	due[1] = 0;
	due[2] = 0;
	due[3] = 0x90;
	due[4] = 0x34;
	due[5] = 0x12;
	due[6] = options;
	due[7] = 0;
	for (i = at; i % 8; i++)
		due[i] = 0;
	return at;
}

static struct etw_writer writer_of(u32 bits)
{
	return (struct etw_writer){ .thread_id = 0xf4, .process_id = 4, .bits = bits };
}

/* One combination, with 0 to 8 bytes of arguments: all paddings */
static void expect_golden(struct kunit *test, struct bench *bench, u32 flags, u32 bits)
{
	const struct etw_writer writer = writer_of(bits);
	struct etw_message_parts parts = {
		.message_flags = flags, .message_number = 0x1234, .guid = guid,
		.data = "argument",
	};
	u32 size, due;

	for (size = 0; size <= 8; size++) {
		parts.size = size;
		due = make_due(bench->due, flags, bits, parts.data, size);
		memset(bench->record, 0xA5, ROOM);
		KUNIT_EXPECT_EQ(test, etw_message_record_size(&parts), due);
		KUNIT_EXPECT_EQ(test, etw_encode_message(bench->record, &parts, &writer,
							 0x11223344, TICK), due);
		KUNIT_EXPECT_EQ_MSG(test, memcmp(bench->record, bench->due, ROOM), 0,
				    "flags %02x, %u bits, %u bytes", flags, bits, size);
	}
}

static struct bench *bench_make(struct kunit *test)
{
	struct bench *bench = kunit_kzalloc(test, sizeof(*bench), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, bench);
	return bench;
}

static void golden_64(struct kunit *test)
{
	struct bench *bench = bench_make(test);
	u32 flags;

	for (flags = 0; flags < FLAGS; flags++)
		expect_golden(test, bench, flags, 64);
}

static void golden_32(struct kunit *test)
{
	struct bench *bench = bench_make(test);
	u32 flags;

	for (flags = 0; flags < FLAGS; flags++)
		expect_golden(test, bench, flags, 32);
}

static void as_in_windows(struct kunit *test)
{
	const struct etw_writer writer = writer_of(64);
	const struct etw_message_parts parts = {
		.message_flags = TRACE_MESSAGE_GUID | TRACE_MESSAGE_TIMESTAMP |
				 TRACE_MESSAGE_SYSTEMINFO,
		.message_number = 0x2b, .guid = guid, .data = windows + 40, .size = 20,
	};
	struct bench *bench = bench_make(test);

	memset(bench->record, 0xA5, ROOM);
	KUNIT_EXPECT_EQ(test, etw_encode_message(bench->record, &parts, &writer, 7, TICK), 0x3c);
	KUNIT_EXPECT_EQ(test, memcmp(bench->record, windows, sizeof(windows)), 0);
	KUNIT_EXPECT_EQ(test, bench->record[sizeof(windows)], 0xA5);
}

/* Arguments that are somewhere else: their place is left alone, what is behind is not. */
static void items_alone(struct kunit *test)
{
	const struct etw_writer writer = writer_of(64);
	const struct etw_message_parts parts = {
		.message_flags = TRACE_MESSAGE_SEQUENCE, .message_number = 0x1234, .size = 5,
	};
	struct bench *bench = bench_make(test);
	void *at;

	memset(bench->record, 0xA5, ROOM);
	at = etw_encode_message_items(bench->record, &parts, &writer, 0x11223344, TICK);
	KUNIT_EXPECT_PTR_EQ(test, at, (void *)(bench->record + 12));
	make_due(bench->due, TRACE_MESSAGE_SEQUENCE, 64, "\xA5\xA5\xA5\xA5\xA5", 5);
	KUNIT_EXPECT_EQ(test, memcmp(bench->record, bench->due, ROOM), 0);
}

/* What a caller may not say is not believed. */
static void other_flags(struct kunit *test)
{
	const struct etw_writer writer = writer_of(32);
	const struct etw_message_parts parts = {
		.message_flags = ~(u32)TRACE_MESSAGE_CALLER_FLAGS, .message_number = 0x1234,
	};
	struct bench *bench = bench_make(test);

	KUNIT_EXPECT_EQ(test, etw_encode_message(bench->record, &parts, &writer, 1, 1), 8);
	make_due(bench->due, 0, 32, "", 0);
	KUNIT_EXPECT_EQ(test, memcmp(bench->record, bench->due, 8), 0);
}

static void sizes(struct kunit *test)
{
	struct etw_message_parts parts = { .message_flags = TRACE_MESSAGE_CALLER_FLAGS };

	KUNIT_EXPECT_EQ(test, etw_message_record_size(&parts), 32);
	parts.message_flags &= ~TRACE_MESSAGE_COMPONENT_ID;
	KUNIT_EXPECT_EQ(test, etw_message_record_size(&parts), ETW_MAX_MESSAGE_ITEMS);
	parts.size = ETW_MAX_RECORD - ETW_MAX_MESSAGE_ITEMS;
	KUNIT_EXPECT_EQ(test, etw_message_record_size(&parts), ETW_MAX_RECORD);
	parts.size = U32_MAX - ETW_MAX_MESSAGE_ITEMS;
	KUNIT_EXPECT_EQ(test, etw_message_record_size(&parts), U32_MAX);
	parts.size++;
	KUNIT_EXPECT_EQ(test, etw_message_record_size(&parts), U32_MAX);
	parts.size = U32_MAX;
	KUNIT_EXPECT_EQ(test, etw_message_record_size(&parts), U32_MAX);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(golden_64),
	KUNIT_CASE(golden_32),
	KUNIT_CASE(as_in_windows),
	KUNIT_CASE(items_alone),
	KUNIT_CASE(other_flags),
	KUNIT_CASE(sizes),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_record_message",
	.test_cases = cases,
};

kunit_test_suite(suite);
