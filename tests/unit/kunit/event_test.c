// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events, byte for byte: both headers, both widths, a WNODE_HEADER, one of Windows' own. */
#include <kunit/test.h>
#include <linux/string.h>
#include "record/event.c"

#define TICK	0x6cd1adc0efULL

/* A record that Windows wrote (format.rst 3.7), and the padding behind it */
static const u8 windows[] = {
	0x3c, 0x00, 0x14, 0xc0, 0x23, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0xef, 0xc0, 0xad, 0xd1, 0x6c, 0x00, 0x00, 0x00, 0x91, 0xee, 0x79, 0x9b, 0xfd, 0xb5,
	0xc0, 0x41, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x5c, 0x00, 0x3f, 0x00, 0x3f, 0x00, 0x5c, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00,
};

/* What a caller leaves where the system writes must not be seen. */
static const struct event_instance_guid_header given = {
	.event = {
		.size = 0xAAAA, .header_type = 0xAA, .marker_flags = 0xAA,
		.type = 0x23, .level = 5, .version = 0x0706,
		.thread_id = 0xAAAAAAAA, .process_id = 0xAAAAAAAA,
		.time_stamp = 0x1122334455667788,
		.guid = { 0x9b79ee91, 0xb5fd, 0x41c0,
			  { 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0 } },
		.client_context = 0xAAAAAAAA, .flags = 0xAAAAAAAA,
	},
	.instance_id = 0x01020304, .parent_instance_id = 0x05060708,
	.parent_guid = { 0xf79c09b4, 0xca84, 0x44b2,
			 { 0x9a, 0x15, 0xf6, 0xe3, 0x11, 0x1c, 0x1b, 0x3e } },
};

static const u8 full[] = {
	0x33, 0x00, 0x14, 0xc0, 0x23, 0x05, 0x06, 0x07, 0x0d, 0x00, 0x00, 0x00, 0x0c, 0x00, 0x00,
	0x00, 0xef, 0xc0, 0xad, 0xd1, 0x6c, 0x00, 0x00, 0x00, 0x91, 0xee, 0x79, 0x9b, 0xfd, 0xb5,
	0xc0, 0x41, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0, 0x0e, 0x00, 0x00, 0x00, 0x0f,
	0x00, 0x00, 0x00, 'a', 'b', 'c', 0x00, 0x00, 0x00, 0x00, 0x00,
};

static const u8 instance[] = {
	0x4b, 0x00, 0x15, 0xc0, 0x23, 0x05, 0x06, 0x07, 0x0d, 0x00, 0x00, 0x00, 0x0c, 0x00, 0x00,
	0x00, 0xef, 0xc0, 0xad, 0xd1, 0x6c, 0x00, 0x00, 0x00, 0x91, 0xee, 0x79, 0x9b, 0xfd, 0xb5,
	0xc0, 0x41, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0, 0x0e, 0x00, 0x00, 0x00, 0x0f,
	0x00, 0x00, 0x00, 0x04, 0x03, 0x02, 0x01, 0x08, 0x07, 0x06, 0x05, 0xb4, 0x09, 0x9c, 0xf7,
	0x84, 0xca, 0xb2, 0x44, 0x9a, 0x15, 0xf6, 0xe3, 0x11, 0x1c, 0x1b, 0x3e, 'a', 'b', 'c',
	0x00, 0x00, 0x00, 0x00, 0x00,
};

static const u8 wnode[] = {
	0x33, 0x00, 0x00, 0x00, 0x23, 0x05, 0x06, 0x07, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa,
	0xaa, 0xef, 0xc0, 0xad, 0xd1, 0x6c, 0x00, 0x00, 0x00, 0x91, 0xee, 0x79, 0x9b, 0xfd, 0xb5,
	0xc0, 0x41, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa,
	0xaa, 0xaa, 0xaa, 'a', 'b', 'c', 0x00, 0x00, 0x00, 0x00, 0x00,
};

static struct etw_writer writer = {
	.thread_id = 13, .process_id = 12, .kernel_time = 14, .user_time = 15, .bits = 64,
};

static struct etw_event_parts parts(void)
{
	return (struct etw_event_parts){ .header = &given.event, .data = "abc", .size = 3 };
}

/* Exactly these bytes, and none behind them */
static void expect(struct kunit *test, const struct etw_event_parts *event, const u8 *bytes,
		   u32 room)
{
	u64 to[16];
	u32 size;

	memset(to, 0x5A, sizeof(to));
	size = etw_encode_event(to, event, &writer, TICK);
	KUNIT_EXPECT_EQ(test, size, etw_event_record_size(event));
	KUNIT_EXPECT_EQ(test, ALIGN(size, 8), room);
	if (memcmp(to, bytes, room))
		KUNIT_FAIL(test, "%*ph\nshould be %*ph", room, to, room, bytes);
	KUNIT_EXPECT_NULL(test, memchr_inv((u8 *)to + room, 0x5A, sizeof(to) - room));
}

static void of_windows(struct kunit *test)
{
	struct event_trace_header header = given.event;
	struct etw_event_parts event = parts();
	const struct etw_writer ours = writer;

	header.level = 0;
	header.version = 0;
	event.header = &header;
	event.data = windows + sizeof(header);
	event.size = 12;
	writer = (struct etw_writer){ .bits = 64 };
	expect(test, &event, windows, sizeof(windows));
	writer = ours;
}

static void both_headers(struct kunit *test)
{
	struct etw_event_parts event = parts();

	expect(test, &event, full, sizeof(full));
	event.instance = 1;
	expect(test, &event, instance, sizeof(instance));
}

static void narrow(struct kunit *test)
{
	struct etw_event_parts event = parts();
	u64 to[16];

	writer.bits = 32;
	etw_encode_event(to, &event, &writer, TICK);
	KUNIT_EXPECT_EQ(test, (u32)to[0], 0xC00A0033U);
	KUNIT_EXPECT_EQ(test, 0, memcmp((u32 *)to + 1, full + 4, sizeof(full) - 4));
	event.instance = 1;
	etw_encode_event(to, &event, &writer, TICK);
	KUNIT_EXPECT_EQ(test, (u32)to[0], 0xC00B004BU);
	KUNIT_EXPECT_EQ(test, 0, memcmp((u32 *)to + 1, instance + 4, sizeof(instance) - 4));
	writer.bits = 64;
}

static void whole_wnode(struct kunit *test)
{
	struct etw_event_parts event = parts();

	event.wnode = 1;
	expect(test, &event, wnode, sizeof(wnode));
}

static void stamped(struct kunit *test)
{
	struct etw_event_parts event = parts();
	u64 to[16];

	event.stamped = 1;
	etw_encode_event(to, &event, &writer, TICK);
	KUNIT_EXPECT_EQ(test, to[2], given.event.time_stamp);
	event.wnode = 1;
	etw_encode_event(to, &event, &writer, TICK);
	KUNIT_EXPECT_EQ(test, to[2], given.event.time_stamp);
}

/* No byte up to the next multiple of 8 is left as it was, none behind it touched. */
static void sizes(struct kunit *test)
{
	struct etw_event_parts event = parts();
	u8 data[24], to[128];
	u32 size;

	memset(data, 0xC3, sizeof(data));
	event.data = data;
	for (event.size = 0; event.size <= sizeof(data); event.size++) {
		memset(to, 0x5A, sizeof(to));
		size = etw_encode_event(to, &event, &writer, TICK);
		KUNIT_EXPECT_EQ(test, size, 0x30 + event.size);
		KUNIT_EXPECT_NULL(test, memchr_inv(to + 0x30, 0xC3, event.size));
		KUNIT_EXPECT_NULL(test, memchr_inv(to + size, 0, ALIGN(size, 8) - size));
		KUNIT_EXPECT_NULL(test, memchr_inv(to + ALIGN(size, 8), 0x5A,
						   sizeof(to) - ALIGN(size, 8)));
	}
	event.size = ETW_MAX_RECORD - 0x30;
	KUNIT_EXPECT_EQ(test, etw_event_record_size(&event), ETW_MAX_RECORD);
	event.size = ~0U;
	KUNIT_EXPECT_EQ(test, etw_event_record_size(&event), ~0U);
	event.size = ~0U - 0x30;
	event.instance = 1;
	KUNIT_EXPECT_EQ(test, etw_event_record_size(&event), ~0U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(of_windows),
	KUNIT_CASE(both_headers),
	KUNIT_CASE(narrow),
	KUNIT_CASE(whole_wnode),
	KUNIT_CASE(stamped),
	KUNIT_CASE(sizes),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_record_event",
	.test_cases = cases,
};

kunit_test_suite(suite);
