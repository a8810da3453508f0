// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Extensions in whole blocks: what they override, what they contradict, and UPDATE. */
#include <kunit/test.h>
#include "config/config.h"
#include "config_cases.h"

#define FIELD(member)	offsetof(struct wmi_logger_information, member)
#define DWORD(n)	(offsetof(struct block, array) + 4 * (n))

/* A block with names and an array behind it */
struct block {
	struct wmi_logger_information info;
	u16 logger[2];
	u16 file[2];
	u32 array[20];
};

/* An array in a block of these values, and what becomes of it: see struct item_case */
struct block_case {
	const u32 *array;
	u16 nr;
	u16 at;
	u32 flags;
	int err;
	u32 reason;
	u32 item;
	bool plain;	/* it is no kernel session */
	u32 clock;	/* ClientContext */
	u32 minimum;	/* MinimumBuffers */
	u32 maximum;
};

static void fill_block(struct block *block, const struct block_case *c)
{
	*block = (struct block){
		.info = {
			.wnode.buffer_size = sizeof(*block),
			.wnode.flags = WNODE_FLAG_TRACED_GUID,
			.wnode.client_context = c->clock,
			.minimum_buffers = c->minimum,
			.maximum_buffers = c->maximum,
			.flush_timer = 2,
			.log_file_mode = EVENT_TRACE_REAL_TIME_MODE,
			.enable_flags = (c->flags ? c->flags : ITEMS) | DWORD(0),
			.logger_name = { 4, 4, 0, offsetof(struct block, logger) },
			.log_file_name = { 4, 4, 0, offsetof(struct block, file) },
		},
		.logger = { 'a', 'b' },
		.file = { 'c', 'd' },
	};
	if (!c->plain)
		block->info.log_file_mode |= EVENT_TRACE_SYSTEM_LOGGER_MODE;
	memcpy(block->array, c->array, 4 * c->nr);
}

static int parse(const struct block_case *c, struct etw_settings *settings,
		 struct etw_config_error *error)
{
	struct block block;

	fill_block(&block, c);
	memset(settings, 0xA5, sizeof(*settings));
	memset(error, 0xA5, sizeof(*error));
	return etw_config_parse(&block, sizeof(block), settings, error);
}

static struct etw_settings *new_settings(struct kunit *test)
{
	struct etw_settings *settings = kunit_kzalloc(test, sizeof(*settings), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, settings);
	return settings;
}

static const struct block_case block_cases[] = {
	/* what is wrong with items is wrong with the block */
	{ ARRAY(HEAD(5, 2), VENDOR(2, CLOCK), 1, ITEM(2, STACKWALK_FILTER), 0x1F00),
	  BAD(EOPNOTSUPP, UNSUPPORTED, 2, 4) },
	/* sessions that are no kernel sessions: EnableFlags */
	{ .plain = true, ARRAY(HEAD(4, 1), ITEM(3, ENABLE_FLAGS), EVENT_TRACE_FLAG_TEST, 0) },
	{ .plain = true, ARRAY(HEAD(3, 1), ITEM(2, ENABLE_FLAGS), EVENT_TRACE_FLAG_TEST |
			       EVENT_TRACE_FLAG_PROCESS), BAD(EINVAL, CONFLICT, 1, 2) },
	{ .plain = true, ARRAY(HEAD(5, 1), ITEM(4, ENABLE_FLAGS), 0, 0, 1),
	  BAD(EINVAL, CONFLICT, 1, 4) },
	{ .plain = true, ARRAY(HEAD(4, 1), ITEM(3, ENABLE_FLAGS), 0, EVENT_TRACE_FLAG_TEST),
	  BAD(EINVAL, CONFLICT, 1, 3) },
	{ .plain = true, .flags = OLD(1), ARRAY(EVENT_TRACE_FLAG_TEST) },
	{ .plain = true, .flags = OLD(1), ARRAY(1), BAD(EINVAL, CONFLICT, 0, 0) },
	{ .plain = true, .flags = OLD(3), ARRAY(0, 0, 1), BAD(EINVAL, CONFLICT, 0, 2) },
	/* and items */
	{ .plain = true, ARRAY(HEAD(19, 5), VENDOR(6, BUFFER_SETTINGS), 4, 2, 8, 1, 0,
			       VENDOR(2, CLOCK), 2, VENDOR(4, CONSUMER), 1, 1, 0400,
			       VENDOR(4, PROVIDER_UIDS), 1, 2, 3, VENDOR(2, PROVIDER_GIDS), 7) },
	{ .plain = true, ARRAY(HEAD(4, 1), VENDOR(3, PROVIDER_OPTIONS), 7, 1000) },
	{ .plain = true, ARRAY(HEAD(5, 2), VENDOR(2, CLOCK), 1, ITEM(2, PIDS), 1),
	  BAD(EINVAL, CONFLICT, 2, 3) },
	{ .plain = true, ARRAY(HEAD(3, 1), ITEM(2, STACKWALK_FILTER), 1),
	  BAD(EINVAL, CONFLICT, 1, 1) },
	{ .plain = true, ARRAY(HEAD(3, 1), ITEM(2, POOLTAG_FILTER), 1),
	  BAD(EINVAL, CONFLICT, 1, 1) },
	{ .plain = true, ARRAY(HEAD(4, 1), ITEM(3, STACK_CACHING), 1, 1),
	  BAD(EINVAL, CONFLICT, 1, 1) },
	{ .plain = true, ARRAY(HEAD(6, 1), VENDOR(5, PMC_COUNTERS), 1, 1, 1, 1),
	  BAD(EINVAL, CONFLICT, 1, 1) },
	{ .plain = true, ARRAY(HEAD(3, 1), VENDOR(2, PEBS_EVENT), 0),
	  BAD(EINVAL, CONFLICT, 1, 1) },
	{ .plain = true, ARRAY(HEAD(4, 1), VENDOR(3, SAMPLE_INTERVAL), 0, 200),
	  BAD(EINVAL, CONFLICT, 1, 1) },
	{ .plain = true, ARRAY(HEAD(3, 1), VENDOR(2, SAMPLE_SOURCES), 2),
	  BAD(EINVAL, CONFLICT, 1, 1) },
	{ .plain = true, ARRAY(HEAD(13, 2), VENDOR(7, COUNTER_ATTRS), 0, 0, 0, 0, 0, 0,
			       VENDOR(5, PMC_COUNTERS), 1, 1, 1, 1), BAD(EINVAL, CONFLICT, 2, 8) },
	{ .plain = true, ARRAY(HEAD(3, 1), VENDOR(2, FILTER_OPTIONS), 2),
	  BAD(EINVAL, CONFLICT, 1, 1) },
	{ .plain = true, ARRAY(HEAD(3, 1), VENDOR(2, HOOK_FILTER), 1),
	  BAD(EINVAL, CONFLICT, 1, 1) },
	/* 8006 and the fields that it keeps */
	{ .maximum = 4, ARRAY(HEAD(7, 1), VENDOR(6, BUFFER_SETTINGS), 0, 5, 0, 0, 0),
	  BAD(EINVAL, CONFLICT, 1, 3) },
	{ .minimum = 5, ARRAY(HEAD(7, 1), VENDOR(6, BUFFER_SETTINGS), 0, 0, 4, 0, 0),
	  BAD(EINVAL, CONFLICT, 1, 4) },
	{ .minimum = 5, .maximum = 5,
	  ARRAY(HEAD(9, 2), ITEM(2, PIDS), 1, VENDOR(6, BUFFER_SETTINGS), 0, 0, 4, 0, 0),
	  BAD(EINVAL, CONFLICT, 2, 6) },
	/* 8007 and ClientContext */
	{ .clock = 2, ARRAY(HEAD(3, 1), VENDOR(2, CLOCK), 2) },
	{ .clock = 1, ARRAY(HEAD(5, 2), ITEM(2, PIDS), 1, VENDOR(2, CLOCK), 2),
	  BAD(EINVAL, CONFLICT, 2, 4) },
};

static void conflicts(struct kunit *test)
{
	struct etw_settings *settings = new_settings(test);
	struct etw_config_error error;
	const struct block_case *c;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(block_cases); i++) {
		c = &block_cases[i];
		KUNIT_EXPECT_EQ_MSG(test, c->err, parse(c, settings, &error), "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, c->reason, error.reason, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, c->item, error.item, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, c->err ? DWORD(c->at) : 0, error.offset, "case %u", i);
	}
}

static const struct block_case all_overridden = {
	.minimum = 2, .maximum = 4,
	ARRAY(HEAD(13, 3), VENDOR(2, CLOCK), ETW_CLOCK_SYSTEM,
	      VENDOR(6, BUFFER_SETTINGS), 128, 8, 16, 250, 0,
	      ITEM(4, ENABLE_FLAGS), EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_CSWITCH,
	      PERF_MASK_BITS(PERF_DISPATCHER), 0x10000000),
};

static const struct block_case nothing_overridden = {
	.clock = ETW_CLOCK_CYCLE, .minimum = 2, .maximum = 4,
	ARRAY(HEAD(7, 1), VENDOR(6, BUFFER_SETTINGS), 0, 0, 0, 0, 0),
};

static const struct block_case minimum_overridden = {
	ARRAY(HEAD(7, 1), VENDOR(6, BUFFER_SETTINGS), 0, 6, 0, 0, 0),
};

static void overrides(struct kunit *test)
{
	struct etw_settings *settings = new_settings(test);
	struct etw_config_error error;

	KUNIT_EXPECT_EQ(test, 0, parse(&all_overridden, settings, &error));
	KUNIT_EXPECT_EQ(test, settings->clock_type, ETW_CLOCK_SYSTEM);
	KUNIT_EXPECT_EQ(test, settings->buffer_size, 131072U);
	KUNIT_EXPECT_EQ(test, settings->minimum_buffers, 8U);
	KUNIT_EXPECT_EQ(test, settings->maximum_buffers, 16U);
	KUNIT_EXPECT_EQ(test, settings->flush_ms, 250U);
	KUNIT_EXPECT_EQ(test, settings->enable_flags,
			EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_CSWITCH);
	KUNIT_EXPECT_EQ(test, settings->masks.masks[0], EVENT_TRACE_FLAG_PROCESS);
	KUNIT_EXPECT_EQ(test, settings->masks.masks[1],
			PERF_MASK_BITS(PERF_DISPATCHER | PERF_CONTEXT_SWITCH));
	KUNIT_EXPECT_EQ(test, settings->masks.masks[2], 0x10000000U);
	KUNIT_EXPECT_EQ(test, settings->items.masks.masks[0], settings->enable_flags);
	KUNIT_EXPECT_EQ(test, 0, parse(&nothing_overridden, settings, &error));
	KUNIT_EXPECT_EQ(test, settings->clock_type, ETW_CLOCK_CYCLE);
	KUNIT_EXPECT_EQ(test, settings->buffer_size, 65536U);
	KUNIT_EXPECT_EQ(test, settings->minimum_buffers, 2U);
	KUNIT_EXPECT_EQ(test, settings->maximum_buffers, 4U);
	KUNIT_EXPECT_EQ(test, settings->flush_ms, 2000U);
	KUNIT_EXPECT_EQ(test, settings->enable_flags, 0U);
	KUNIT_EXPECT_EQ(test, 0, parse(&minimum_overridden, settings, &error));
	KUNIT_EXPECT_EQ(test, settings->minimum_buffers, 6U);
	KUNIT_EXPECT_EQ(test, settings->maximum_buffers, 6U);
}

static const struct block_case three_dwords = { ARRAY(HEAD(3, 1), ITEM(2, PIDS), 0x200020) };

static const struct block_case three_masks = { .flags = OLD(3), ARRAY(1, 1, 1) };

/* Rule 29: four bytes of name at @at, before, in and behind an array of three dwords */
static void overlaps(struct kunit *test)
{
	static const struct {
		u32 at, length;
		int err;
	} places[] = {
		{ DWORD(0) - 4, 4 }, { DWORD(0) - 2, 4, -EINVAL }, { DWORD(0), 4, -EINVAL },
		{ DWORD(1), 4, -EINVAL }, { DWORD(3) - 2, 4, -EINVAL }, { DWORD(3), 4 },
	};
	struct etw_settings *settings = new_settings(test);
	struct etw_unicode_string *name;
	struct etw_config_error error;
	struct block block;
	u32 i;

	for (i = 0; i < 4 * ARRAY_SIZE(places); i++) {
		fill_block(&block, i & 1 ? &three_dwords : &three_masks);
		block.array[3] = 0x410041;
		name = i & 2 ? &block.info.logger_name : &block.info.log_file_name;
		name->buffer = places[i / 4].at;
		KUNIT_EXPECT_EQ_MSG(test, places[i / 4].err,
				    etw_config_parse(&block, sizeof(block), settings, &error),
				    "place %u", i);
		if (!places[i / 4].err)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, error.reason, ETW_REASON_OVERLAP, "place %u", i);
		KUNIT_EXPECT_EQ_MSG(test, error.offset, FIELD(enable_flags), "place %u", i);
		KUNIT_EXPECT_EQ_MSG(test, error.item, 0U, "place %u", i);
	}
	/* no name, nothing to overlap; and one far outside is another mistake */
	fill_block(&block, &three_dwords);
	block.info.log_file_name = (struct etw_unicode_string){ 0, 0, 0, DWORD(1) };
	KUNIT_EXPECT_EQ(test, 0, etw_config_parse(&block, sizeof(block), settings, &error));
	block.info.log_file_name = (struct etw_unicode_string){ 4, 0, 0, -2ULL };
	KUNIT_EXPECT_EQ(test, -EINVAL, etw_config_parse(&block, sizeof(block), settings, &error));
	KUNIT_EXPECT_EQ(test, error.reason, ETW_REASON_RANGE);
}

/* Of a session with these, and with an update to those */
static const struct update_case {
	const struct block_case now, next;
	int err;
	u32 item, at;
	u32 reason;	/* with an error; 0: ETW_REASON_FIXED */
} update_cases[] = {
	/* what may change, also come or go */
	{ { ARRAY(HEAD(9, 3), ITEM(2, PIDS), 1, VENDOR(2, FILTER_OPTIONS), 1,
		  ITEM(4, ENABLE_FLAGS), 1, 2, 3) }, { ARRAY(HEAD(1, 0)) } },
	{ { ARRAY(HEAD(1, 0)) },
	  { ARRAY(HEAD(18, 6), ITEM(3, PIDS), 1, 2, ITEM(2, STACKWALK_FILTER), 0x524,
		  ITEM(2, POOLTAG_FILTER), 9, ITEM(3, STACK_CACHING), 99, 9,
		  VENDOR(5, HOOK_FILTER), 1, 2, 3, 4, VENDOR(2, FILTER_OPTIONS), 2) } },
	{ { .minimum = 4, .maximum = 8, ARRAY(HEAD(1, 0)) },
	  { .minimum = 0, .maximum = 16, ARRAY(HEAD(7, 1), VENDOR(6, BUFFER_SETTINGS),
					       64, 0, 12, 1, 0) } },
	{ { .minimum = 4, .maximum = 8, ARRAY(HEAD(1, 0)) },
	  { ARRAY(HEAD(9, 2), VENDOR(2, CLOCK), 1, VENDOR(6, BUFFER_SETTINGS),
		  0, 4, 4, 0, 0) } },
	/* what may not: in the block */
	{ { .clock = 1, ARRAY(HEAD(1, 0)) }, { .clock = 2, ARRAY(HEAD(1, 0)) },
	  -EINVAL, 0, FIELD(wnode.client_context) },
	{ { .minimum = 4, ARRAY(HEAD(1, 0)) }, { .minimum = 5, ARRAY(HEAD(1, 0)) },
	  -EINVAL, 0, FIELD(minimum_buffers) },
	{ { .minimum = 4, ARRAY(HEAD(1, 0)) },
	  { .minimum = 5, ARRAY(HEAD(7, 1), VENDOR(6, BUFFER_SETTINGS), 64, 0, 9, 1, 0) },
	  -EINVAL, 0, FIELD(minimum_buffers) },
	{ { ARRAY(HEAD(1, 0)) }, { .plain = true, ARRAY(HEAD(1, 0)) },
	  -EINVAL, 0, FIELD(log_file_mode) },
	/* by an item that takes a field's place */
	{ { .clock = 1, ARRAY(HEAD(1, 0)) },
	  { ARRAY(HEAD(5, 2), ITEM(2, PIDS), 1, VENDOR(2, CLOCK), 2) }, -EINVAL, 2, DWORD(4) },
	{ { ARRAY(HEAD(1, 0)) },
	  { ARRAY(HEAD(7, 1), VENDOR(6, BUFFER_SETTINGS), 4, 0, 0, 0, 0) },
	  -EINVAL, 1, DWORD(2) },
	{ { .minimum = 4, ARRAY(HEAD(1, 0)) },
	  { .minimum = 4, ARRAY(HEAD(7, 1), VENDOR(6, BUFFER_SETTINGS), 0, 5, 0, 0, 0) },
	  -EINVAL, 1, DWORD(3) },
	/* the other items: left out, the same, another, new */
	{ { ARRAY(HEAD(9, 2), VENDOR(4, CONSUMER), 1, 2, 0444, VENDOR(4, PROVIDER_UIDS), 1, 2, 3)
	  }, { ARRAY(HEAD(1, 0)) } },
	{ { ARRAY(HEAD(8, 2), VENDOR(4, CONSUMER), 1, 2, 0444, VENDOR(3, PROVIDER_UIDS), 1, 2) },
	  { ARRAY(HEAD(10, 3), ITEM(2, PIDS), 1, VENDOR(3, PROVIDER_UIDS), 1, 2,
		  VENDOR(4, CONSUMER), 1, 2, 0444) } },
	{ { ARRAY(HEAD(5, 1), VENDOR(4, CONSUMER), 1, 2, 0444) },
	  { ARRAY(HEAD(7, 2), ITEM(2, PIDS), 1, VENDOR(4, CONSUMER), 1, 2, 0440) },
	  -EINVAL, 2, DWORD(3) },
	{ { ARRAY(HEAD(1, 0)) }, { ARRAY(HEAD(3, 1), VENDOR(2, PEBS_EVENT), 0) },
	  -EINVAL, 1, DWORD(1) },
	{ { ARRAY(HEAD(6, 1), VENDOR(5, PMC_COUNTERS), 1, 2, 3, 4) },
	  { ARRAY(HEAD(6, 1), VENDOR(5, PMC_COUNTERS), 1, 2, 3, 5) }, -EINVAL, 1, DWORD(1) },
	{ { ARRAY(HEAD(6, 1), VENDOR(5, PMC_COUNTERS), 1, 2, 3, 4) },
	  { ARRAY(HEAD(8, 2), VENDOR(5, PMC_COUNTERS), 1, 2, 3, 4, VENDOR(2, PMC_HOOKS), 0x524) },
	  -EINVAL, 2, DWORD(6) },
	{ { ARRAY(HEAD(3, 1), VENDOR(2, SAMPLE_SOURCES), 2) },
	  { ARRAY(HEAD(3, 1), VENDOR(2, SAMPLE_SOURCES), 19) }, -EINVAL, 1, DWORD(1) },
	{ { ARRAY(HEAD(13, 2), VENDOR(5, PMC_COUNTERS), 1, 2, 3, 4,
		  VENDOR(7, COUNTER_ATTRS), 1, 0, 0, 0, 0, 0) },
	  { ARRAY(HEAD(13, 2), VENDOR(5, PMC_COUNTERS), 1, 2, 3, 4,
		  VENDOR(7, COUNTER_ATTRS), 1, 0, 0, 0, 0, 1) }, -EINVAL, 2, DWORD(6) },
	/* intervals: another, more, from the start on, and none again */
	{ { ARRAY(HEAD(4, 1), VENDOR(3, SAMPLE_INTERVAL), 0, 900) },
	  { ARRAY(HEAD(4, 1), VENDOR(3, SAMPLE_INTERVAL), 0, 1000) } },
	{ { ARRAY(HEAD(4, 1), VENDOR(3, SAMPLE_INTERVAL), 0, 900) },
	  { ARRAY(HEAD(6, 1), VENDOR(5, SAMPLE_INTERVAL), 0, 900, 1, 900) } },
	{ { ARRAY(HEAD(1, 0)) }, { ARRAY(HEAD(4, 1), VENDOR(3, SAMPLE_INTERVAL), 0, 900) } },
	{ { ARRAY(HEAD(4, 1), VENDOR(3, SAMPLE_INTERVAL), 0, 900) }, { ARRAY(HEAD(1, 0)) } },
	/* the profile by overflow: the session's sources do, new ones can't come */
	{ { ARRAY(HEAD(3, 1), VENDOR(2, SAMPLE_SOURCES), 2) },
	  { ARRAY(HEAD(4, 1), ITEM(3, ENABLE_FLAGS), 0, 0x400) } },
	{ { ARRAY(HEAD(3, 1), VENDOR(2, SAMPLE_SOURCES), 2) },
	  { ARRAY(HEAD(6, 2), ITEM(3, ENABLE_FLAGS), 0, 0x400, VENDOR(2, SAMPLE_SOURCES), 2) } },
	{ { ARRAY(HEAD(6, 2), ITEM(3, ENABLE_FLAGS), 0, 0x400, VENDOR(2, SAMPLE_SOURCES), 2) },
	  { ARRAY(HEAD(4, 1), ITEM(3, ENABLE_FLAGS), 0, 0) } },
	{ { ARRAY(HEAD(1, 0)) },
	  { ARRAY(HEAD(6, 2), ITEM(2, PIDS), 1, ITEM(3, ENABLE_FLAGS), 0, 0x400) },
	  -EINVAL, 2, DWORD(5), ETW_REASON_MISSING },
	{ { ARRAY(HEAD(1, 0)) }, { .flags = OLD(2), ARRAY(0, 0x400) },
	  -EINVAL, 0, DWORD(1), ETW_REASON_MISSING },
	{ { ARRAY(HEAD(3, 1), VENDOR(2, PROVIDER_GIDS), 1) },
	  { ARRAY(HEAD(3, 1), VENDOR(2, PROVIDER_GIDS), 2) }, -EINVAL, 1, DWORD(1) },
	{ { ARRAY(HEAD(4, 1), VENDOR(3, PROVIDER_OPTIONS), 2, 1000) }, { ARRAY(HEAD(1, 0)) } },
	{ { ARRAY(HEAD(4, 1), VENDOR(3, PROVIDER_OPTIONS), 2, 1000) },
	  { ARRAY(HEAD(4, 1), VENDOR(3, PROVIDER_OPTIONS), 2, 1001) }, -EINVAL, 1, DWORD(1) },
	{ { ARRAY(HEAD(9, 2), VENDOR(5, PMC_COUNTERS), 1, 2, 3, 4,
		  VENDOR(3, COUNTER_NAMES), 1, 0x61) },
	  { ARRAY(HEAD(9, 2), VENDOR(5, PMC_COUNTERS), 1, 2, 3, 4,
		  VENDOR(3, COUNTER_NAMES), 1, 0x62) }, -EINVAL, 2, DWORD(6) },
};

static void updates(struct kunit *test)
{
	struct etw_settings *now = new_settings(test), *next = new_settings(test);
	struct etw_config_error error;
	const struct update_case *c;
	u32 i, due;

	for (i = 0; i < ARRAY_SIZE(update_cases); i++) {
		c = &update_cases[i];
		KUNIT_EXPECT_EQ_MSG(test, 0, parse(&c->now, now, &error), "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, 0, parse(&c->next, next, &error), "case %u", i);
		memset(&error, 0xA5, sizeof(error));
		KUNIT_EXPECT_EQ_MSG(test, c->err, etw_config_check_update(now, next, &error),
				    "case %u", i);
		due = c->reason ? c->reason : c->err ? ETW_REASON_FIXED : ETW_REASON_NONE;
		KUNIT_EXPECT_EQ_MSG(test, error.reason, due, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, c->item, error.item, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, c->at, error.offset, "case %u", i);
	}
}

/* PERF_PMC_PROFILE in the masks, with sources and without: a new session's rule */
static const struct block_case profile_cases[] = {
	{ ARRAY(HEAD(4, 1), ITEM(3, ENABLE_FLAGS), 0x400, 0x3BF) },
	{ ARRAY(HEAD(6, 2), ITEM(3, ENABLE_FLAGS), 0, 0x400, VENDOR(2, SAMPLE_SOURCES), 2) },
	{ ARRAY(HEAD(3, 1), VENDOR(2, SAMPLE_SOURCES), 2) },
	{ ARRAY(HEAD(4, 1), ITEM(3, ENABLE_FLAGS), 0, 0x402), BAD(EINVAL, MISSING, 1, 3) },
	{ ARRAY(HEAD(11, 3), ITEM(2, PIDS), 1, VENDOR(5, PMC_COUNTERS), 2, 0, 1, 0,
		ITEM(3, ENABLE_FLAGS), 0, 0x400), BAD(EINVAL, MISSING, 3, 10) },
	{ .flags = OLD(2), ARRAY(1, 0x400), BAD(EINVAL, MISSING, 0, 1) },
};

static void profiles(struct kunit *test)
{
	struct etw_settings *settings = new_settings(test);
	struct etw_config_error error;
	const struct block_case *c;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(profile_cases); i++) {
		c = &profile_cases[i];
		KUNIT_EXPECT_EQ_MSG(test, 0, parse(c, settings, &error), "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, c->err, etw_config_check_sources(settings, NULL, &error),
				    "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, c->reason, error.reason, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, c->item, error.item, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, c->err ? DWORD(c->at) : 0, error.offset, "case %u", i);
	}
}

static const struct block_case plain_empty = { .plain = true, ARRAY(HEAD(1, 0)) };

/* Fields of the block, one at a time */
static void update_fields(struct kunit *test)
{
	static const struct {
		u32 at;
		u32 value;
		bool free;
	} fields[] = {
		{ FIELD(wnode.guid), 1 }, { FIELD(wnode.guid) + 12, 0x80 },
		{ FIELD(wnode.client_context), ETW_CLOCK_CYCLE },
		{ FIELD(buffer_size), 128 }, { FIELD(buffer_size), 64, true },
		{ FIELD(minimum_buffers), 3 }, { FIELD(maximum_buffers), 3, true },
		{ FIELD(maximum_file_size), 1 },
		{ FIELD(log_file_mode), EVENT_TRACE_BUFFERING_MODE },
		{ FIELD(log_file_mode), EVENT_TRACE_REAL_TIME_MODE |
		  EVENT_TRACE_USE_MS_FLUSH_TIMER },
		{ FIELD(flush_timer), 9, true }, { FIELD(flush_timer), 0, true },
		{ FIELD(enable_flags), EVENT_TRACE_FLAG_TEST, true },
		{ FIELD(logger_name), 2 }, { FIELD(log_file_name), 2, true },
		{ FIELD(log_file_name), 0 },
	};
	struct etw_settings *now = new_settings(test), *next = new_settings(test);
	struct etw_config_error error;
	struct block block;
	u32 i, at;

	KUNIT_ASSERT_EQ(test, 0, parse(&plain_empty, now, &error));
	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		fill_block(&block, &plain_empty);
		memcpy((u8 *)&block + fields[i].at, &fields[i].value, 4);
		if (block.info.log_file_mode == EVENT_TRACE_BUFFERING_MODE)
			block.info.log_file_name.length = 0;
		KUNIT_EXPECT_EQ(test, 0, etw_config_parse(&block, sizeof(block), next, &error));
		KUNIT_EXPECT_EQ_MSG(test, fields[i].free ? 0 : -EINVAL,
				    etw_config_check_update(now, next, &error), "field %u", i);
		at = fields[i].at == FIELD(wnode.guid) + 12 ? FIELD(wnode.guid) : fields[i].at;
		KUNIT_EXPECT_EQ_MSG(test, error.offset, fields[i].free ? 0 : at, "field %u", i);
		KUNIT_EXPECT_EQ_MSG(test, error.reason,
				    fields[i].free ? ETW_REASON_NONE : ETW_REASON_FIXED,
				    "field %u", i);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(conflicts),
	KUNIT_CASE(overrides),
	KUNIT_CASE(overlaps),
	KUNIT_CASE(updates),
	KUNIT_CASE(profiles),
	KUNIT_CASE(update_fields),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_config_extension",
	.test_cases = cases,
};

kunit_test_suite(suite);
