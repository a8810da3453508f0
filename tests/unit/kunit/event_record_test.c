// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EVENT_HEADER records, byte for byte; which of eight sessions want an event. */
#include <kunit/test.h>
#include <linux/align.h>
#include <linux/string.h>
#include "record/event_record.c"

#define TICK	0x1c4b8ff75d1ULL

/* A record that Windows wrote, with traits and schema, and the padding behind it */
static const u8 windows[] = {
	0x94, 0x00, 0x13, 0xc0, 0x01, 0x00, 0x00, 0x00, 0xa8, 0x0c, 0x00, 0x00, 0x0c, 0x19, 0x00,
	0x00, 0xd1, 0x75, 0xff, 0xb8, 0xc4, 0x01, 0x00, 0x00, 0x1d, 0x08, 0x06, 0x99, 0x5a, 0xe4,
	0x41, 0x4f, 0xa5, 0x3f, 0x2a, 0xc2, 0xe0, 0x22, 0x5d, 0xe1, 0x00, 0x00, 0x00, 0x0b, 0x04,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x20, 0x00, 0x0c, 0x00, 0x01, 0x00, 0x12, 0x00, 0x12, 0x00,
	0x53, 0x49, 0x48, 0x54, 0x72, 0x61, 0x63, 0x65, 0x4c, 0x6f, 0x67, 0x67, 0x69, 0x6e, 0x67,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x18, 0x00, 0x0b, 0x00, 0x00, 0x00, 0x0d, 0x00,
	0x0d, 0x00, 0x00, 0x53, 0x49, 0x48, 0x00, 0x49, 0x6e, 0x66, 0x6f, 0x00, 0x01, 0x00, 0x00,
	0x00, 0x77, 0x00, 0x6d, 0x00, 0x61, 0x00, 0x69, 0x00, 0x6e, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00,
};

static const struct etw_guid provider = {
	0x9906081d, 0xe45a, 0x4f41, { 0xa5, 0x3f, 0x2a, 0xc2, 0xe0, 0x22, 0x5d, 0xe1 },
};

static void of_windows(struct kunit *test)
{
	struct etw_event_body layout = {
		.size = { [ETW_DATA_USER] = 12, [ETW_DATA_SCHEMA] = 13, [ETW_DATA_TRAITS] = 18 },
	};
	const struct etw_writer writer = { .thread_id = 0xca8, .process_id = 0x190c, .bits = 64 };
	struct etw_event_record record = {
		.provider = provider, .flags = ETW_EVENT_HEADER_EXTENDED_INFO,
		.descriptor = { .channel = 11, .level = 4, .keyword = 1ULL << 22 },
	};
	u64 to[24], body[16];

	memset(to, 0x5A, sizeof(to));
	memset(body, 0x5A, sizeof(body));
	KUNIT_ASSERT_EQ(test, 0, etw_event_body_layout(&layout));
	KUNIT_ASSERT_EQ(test, 68U, layout.bytes);
	memcpy((u8 *)body + layout.at[ETW_DATA_TRAITS], windows + 0x58, 18);
	memcpy((u8 *)body + layout.at[ETW_DATA_SCHEMA], windows + 0x78, 13);
	memcpy((u8 *)body + layout.at[ETW_DATA_USER], windows + 0x88, 12);
	etw_event_body_put_items(body, &layout);
	record.body = body;
	record.size = layout.bytes;
	KUNIT_EXPECT_EQ(test, 148U, etw_encode_event_record(to, &record, NULL, &writer, TICK));
	if (memcmp(to, windows, sizeof(windows)))
		KUNIT_FAIL(test, "%*ph\n%*ph\n%*ph", 64, to, 64, to + 8, 24, to + 16);
	KUNIT_EXPECT_NULL(test, memchr_inv((u8 *)to + 152, 0x5A, sizeof(to) - 152));
}

/* Without items and data; and with a related activity alone */
static void smallest(struct kunit *test)
{
	const struct etw_writer writer = {
		.thread_id = 1, .process_id = 2, .kernel_time = 3, .user_time = 4, .bits = 32,
	};
	struct etw_event_body layout = { };
	struct etw_event_record record = {
		.activity = provider, .flags = ETW_EVENT_HEADER_STRING_ONLY, .body = "",
	};
	const struct etw_event_header *header;
	u64 to[16];

	KUNIT_EXPECT_EQ(test, 0, etw_event_body_layout(&layout));
	KUNIT_EXPECT_EQ(test, 0U, layout.bytes);
	etw_event_body_put_items(to, &layout);
	KUNIT_EXPECT_EQ(test, 0x50U, etw_encode_event_record(to, &record, NULL, &writer, TICK));
	header = (void *)to;
	KUNIT_EXPECT_EQ(test, header->header_type, 0xC012);
	KUNIT_EXPECT_EQ(test, header->flags, ETW_EVENT_HEADER_STRING_ONLY);
	KUNIT_EXPECT_EQ(test, header->kernel_time, 3U);
	KUNIT_EXPECT_EQ(test, header->user_time, 4U);
	KUNIT_EXPECT_EQ(test, 0, memcmp(&header->activity_id, &provider, sizeof(provider)));
	layout.related = 1;
	KUNIT_EXPECT_EQ(test, 0, etw_event_body_layout(&layout));
	KUNIT_EXPECT_EQ(test, 24U, layout.bytes);
	etw_event_body_put_items(to, &layout);
	KUNIT_EXPECT_EQ(test, to[0], 0x0010000000010018ULL);
}

/* They come before the event's own items, and only the last one of all is marked as the last. */
static void items_of_a_session(struct kunit *test)
{
	static const u64 sid[] = {
		0x0010000100020018ULL, 0x1600000000000201ULL, 0x000003e800000001ULL,
	};
	/* with the zeros that follow it in a record */
	static const char container[40] = "01234567-89ab-cdef-0123-456789abcdef";
	const unsigned long frames[] = { 0x1111, 0x2222 };
	struct etw_event_items items = {
		.wanted = ETW_ENABLE_ITEMS, .uid = 1000, .process_key = 0x5555, .frame = frames,
		.nr_frames = 2, .bits = 64, .container = container,
	};
	const struct etw_writer writer = { .bits = 64 };
	const u64 word = 0x7777;
	struct etw_event_record record = { .body = &word, .size = 8 };
	const struct etw_event_header *header;
	u64 to[32], *at = to + 10;

	memset(to, 0x5A, sizeof(to));
	KUNIT_EXPECT_EQ(test, 24U + 16 + 48 + 32, etw_event_items_size(&items));
	KUNIT_EXPECT_EQ(test, 0x50U + 120 + 8,
			etw_encode_event_record(to, &record, &items, &writer, TICK));
	header = (void *)to;
	KUNIT_EXPECT_EQ(test, header->flags, ETW_EVENT_HEADER_EXTENDED_INFO);
	KUNIT_EXPECT_EQ(test, 0, memcmp(at, sid, sizeof(sid)));
	KUNIT_EXPECT_EQ(test, at[3], 0x00080001000d0010ULL);
	KUNIT_EXPECT_EQ(test, at[4], 0x5555ULL);
	KUNIT_EXPECT_EQ(test, at[5], 0x0024000100100030ULL);
	KUNIT_EXPECT_EQ(test, 0, memcmp(at + 6, container, sizeof(container)));
	KUNIT_EXPECT_EQ(test, at[11], 0x0018000000060020ULL);
	KUNIT_EXPECT_EQ(test, at[12], 0ULL);
	KUNIT_EXPECT_EQ(test, at[14], 0x2222ULL);
	KUNIT_EXPECT_EQ(test, at[15], word);
	/* of a 32-bit program, and items of the event behind them */
	items.wanted = ETW_ENABLE_STACK;
	items.bits = 32;
	items.nr_frames = 1;
	record.flags = ETW_EVENT_HEADER_EXTENDED_INFO;
	KUNIT_EXPECT_EQ(test, 0x50U + 24 + 8, etw_encode_event_record(to, &record, &items, &writer,
								      TICK));
	KUNIT_EXPECT_EQ(test, at[0], 0x000c000100050018ULL);
	KUNIT_EXPECT_EQ(test, at[2], 0x1111ULL);
	KUNIT_EXPECT_EQ(test, at[3], word);
	/* a stack without frames is none, and so is no container */
	items.wanted = ETW_ENABLE_STACK | ETW_ENABLE_CONTAINER_ID;
	items.nr_frames = 0;
	items.container = NULL;
	record.flags = 0;
	KUNIT_EXPECT_EQ(test, 0x58U, etw_encode_event_record(to, &record, &items, &writer, TICK));
	KUNIT_EXPECT_EQ(test, header->flags, 0);
}

static void largest(struct kunit *test)
{
	struct etw_event_body layout = { .size = { ETW_MAX_RECORD - 0x50 } };

	KUNIT_EXPECT_EQ(test, 0, etw_event_body_layout(&layout));
	layout.related = 1;
	KUNIT_EXPECT_EQ(test, -EOVERFLOW, etw_event_body_layout(&layout));
	layout.size[ETW_DATA_USER] -= 24;
	KUNIT_EXPECT_EQ(test, 0, etw_event_body_layout(&layout));
	layout.size[ETW_DATA_SCHEMA] = 1;
	KUNIT_EXPECT_EQ(test, -EOVERFLOW, etw_event_body_layout(&layout));
	/* sums that would wrap */
	layout.size[ETW_DATA_SCHEMA] = U32_MAX;
	KUNIT_EXPECT_EQ(test, -EOVERFLOW, etw_event_body_layout(&layout));
	layout.size[ETW_DATA_SCHEMA] = 0;
	layout.size[ETW_DATA_TRAITS] = U32_MAX - 7;
	KUNIT_EXPECT_EQ(test, -EOVERFLOW, etw_event_body_layout(&layout));
}

static const struct etw_enable sessions[] = {
	{ .level = 5 },
	{ .level = 0, .match_any = 1 },
	{ .level = 2, .match_any = ~0ULL, .match_all = 6 },
	{ .level = 4, .match_any = 6 },
	{ .level = 4, .match_any = 6, .match_all = 4 },
	{ .level = 255, .match_any = 1ULL << 63 },
	{ .level = 255, .match_any = 9, .match_all = 8, .properties = ETW_ENABLE_IGNORE_KEYWORD_0 },
	{ .level = 1, .match_all = 1ULL << 63, .properties = ETW_ENABLE_IGNORE_KEYWORD_0 },
};

/* The model, in the words of Microsoft's documentation of EnableTraceEx2() */
static bool model(const struct etw_enable *session, u8 level, u64 keyword)
{
	u32 bit;
	bool any = !session->match_any;

	if (session->level != 0 && level > session->level)
		return false;
	if (keyword == 0)
		return !(session->properties & ETW_ENABLE_IGNORE_KEYWORD_0);
	for (bit = 0; bit < 64; bit++) {
		const u64 one = 1ULL << bit;

		any |= (keyword & one) && (session->match_any & one);
		if ((session->match_all & one) && !(keyword & one))
			return false;
	}
	return any;
}

/* As programs check it: libetw's is_enabled() */
static bool passes(const struct etw_event_state *state, u8 level, u64 keyword)
{
	const struct etw_event_mask mask = {
		.match_any = state->match_any, .match_all = state->match_all,
		.level = state->level, .keyword_0 = state->keyword_0,
	};

	return etw_event_mask_has(&mask, level, keyword);
}

/* Return: whether a session of @set wants the event; @bad: out: where the model differs */
static bool wanted_by(u32 set, u8 level, u64 keyword, u32 *bad)
{
	struct etw_event_mask mask;
	bool wanted = false, has;
	u32 i;

	for (i = 0; i < 8; i++) {
		mask = etw_event_mask_of(&sessions[i]);
		has = etw_event_mask_has(&mask, level, keyword);
		*bad += has != model(&sessions[i], level, keyword);
		wanted |= (set >> i & 1) && has;
	}
	return wanted;
}

/* All sets of the eight sessions: each decides alone, and the combined state misses no event. */
static void eight_sessions(struct kunit *test)
{
	static const u64 high[] = { 0, 1ULL << 63, ~0ULL << 8 };
	struct etw_event_state state;
	struct etw_event_mask mask;
	u32 set, i, level, keyword, bad = 0;

	for (set = 0; set < 256; set++) {
		memset(&state, 0, sizeof(state));
		for (i = 0; i < 8; i++) {
			mask = etw_event_mask_of(&sessions[i]);
			if (set >> i & 1)
				etw_event_state_add(&state, &mask);
		}
		KUNIT_EXPECT_EQ(test, state.sessions, hweight32(set));
		for (level = 0; level < 8; level++)
			for (keyword = 0; keyword < 48; keyword++) {
				const u64 all = (keyword & 15) | high[keyword >> 4];

				if (wanted_by(set, level, all, &bad))
					bad += !passes(&state, level, all);
				bad += !set && passes(&state, level, all);
			}
	}
	KUNIT_EXPECT_EQ(test, bad, 0U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(of_windows),
	KUNIT_CASE(smallest),
	KUNIT_CASE(items_of_a_session),
	KUNIT_CASE(largest),
	KUNIT_CASE(eight_sessions),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_event_record",
	.test_cases = cases,
};

kunit_test_suite(suite);
