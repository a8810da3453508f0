// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* START blocks: what is taken, what is refused and where, and any bytes at all. */
#include <kunit/test.h>
#include <linux/slab.h>
#include "config/config.c"
#include "config/update.c"
#include "part.h"

#define MODES	(EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE)

/* A block with two names behind it */
struct block {
	struct wmi_logger_information info;
	u16 logger[4];
	u16 file[8];
};

/* A field of the block gets a value: the result and the reason */
struct change {
	u32 field;
	u64 value;
	int err;
	u32 reason;
	u32 at;		/* what is blamed, when it is another field */
};

#define SET(member, value_)	.field = ETW_FIELD(member), .value = (value_)

static u32 width_of(u32 field)
{
	switch (field) {
	case ETW_FIELD(v2_options):
	case ETW_FIELD(log_file_handle):
	case ETW_FIELD(logger_extension):
	case ETW_FIELD(logger_name.buffer):
	case ETW_FIELD(log_file_name.buffer):
		return 8;
	case ETW_FIELD(logger_name.length):
	case ETW_FIELD(log_file_name.length):
		return 2;
	}
	return field < sizeof(struct wmi_logger_information) ? 4 : 2;
}

static void fill_block(struct block *block)
{
	static const u16 name[] = { 'a', 'b', 'c', 'd' };

	*block = (struct block){
		.info = {
			.wnode.buffer_size = sizeof(*block),
			.wnode.flags = WNODE_FLAG_TRACED_GUID,
			.log_file_mode = MODES,
			.logger_name = { 8, 10, 0, offsetof(struct block, logger) },
			.log_file_name = { 6, 0, 0, offsetof(struct block, file) },
		},
	};
	memcpy(block->logger, name, sizeof(name));
	memset(block->file, 0, sizeof(block->file));
	memcpy(block->file, name, sizeof(name));
}

static void defaults(struct kunit *test)
{
	static const u16 logger[] = { 'a', 'b', 'c', 'd', 0 };
	static const u16 file[] = { 'a', 'b', 'c', 0 };
	struct etw_settings *settings = kunit_kzalloc(test, sizeof(*settings), GFP_KERNEL);
	struct etw_config_error error;
	struct block block;

	KUNIT_ASSERT_NOT_NULL(test, settings);
	fill_block(&block);
	memset(settings, 0xA5, sizeof(*settings));
	KUNIT_ASSERT_EQ(test, 0, etw_config_parse(&block, sizeof(block), settings, &error));
	KUNIT_EXPECT_EQ(test, settings->buffer_size, 65536U);
	KUNIT_EXPECT_EQ(test, settings->maximum_buffers, 0U);
	KUNIT_EXPECT_EQ(test, settings->mode, MODES);
	KUNIT_EXPECT_EQ(test, settings->flush_ms, 0U);
	KUNIT_EXPECT_EQ(test, settings->clock_type, ETW_CLOCK_QPC);
	KUNIT_EXPECT_TRUE(test, settings->kernel);
	KUNIT_EXPECT_EQ(test, 0, memcmp(settings->logger_name, logger, sizeof(logger)));
	KUNIT_EXPECT_EQ(test, 0, memcmp(settings->log_file_name, file, sizeof(file)));
	KUNIT_EXPECT_NULL(test, memchr_inv(&settings->items, 0, sizeof(settings->items)));
	KUNIT_EXPECT_EQ(test, error.reason, ETW_REASON_NONE);
}

static void try_change(struct kunit *test, const struct change *change,
		       struct etw_settings *settings)
{
	struct etw_config_error error;
	struct block block;
	int err;

	fill_block(&block);
	memcpy((u8 *)&block + change->field, &change->value, width_of(change->field));
	err = etw_config_parse(&block, sizeof(block), settings, &error);
	KUNIT_EXPECT_EQ_MSG(test, err, change->err, "field %x = %llx", change->field,
			    change->value);
	KUNIT_EXPECT_EQ_MSG(test, error.reason, change->reason, "field %x = %llx",
			    change->field, change->value);
	if (err)
		KUNIT_EXPECT_EQ_MSG(test, error.offset, change->at ? change->at : change->field,
				    "field %x = %llx", change->field, change->value);
}

static void single_fields(struct kunit *test)
{
	static const struct change changes[] = {
		{ SET(buffer_size, 4) }, { SET(buffer_size, 16384) },
		{ SET(buffer_size, 3), -EINVAL, ETW_REASON_RANGE },
		{ SET(buffer_size, 6), -EINVAL, ETW_REASON_RANGE },
		{ SET(buffer_size, 16388), -EINVAL, ETW_REASON_RANGE },
		{ SET(buffer_size, 0x80000000), -EINVAL, ETW_REASON_RANGE },
		{ SET(minimum_buffers, ETW_MAX_BUFFERS) },
		{ SET(minimum_buffers, ETW_MAX_BUFFERS + 1), -EINVAL, ETW_REASON_RANGE },
		{ SET(maximum_buffers, ETW_MAX_BUFFERS) },
		{ SET(maximum_buffers, ~0U), -EINVAL, ETW_REASON_RANGE },
		{ SET(maximum_file_size, ~0U) },
		{ SET(log_file_mode, EVENT_TRACE_FILE_MODE_SEQUENTIAL) },
		{ SET(log_file_mode, EVENT_TRACE_BUFFERING_MODE), -EINVAL, ETW_REASON_CONFLICT,
		  ETW_FIELD(log_file_name) },
		{ SET(log_file_mode, 0), -EINVAL, ETW_REASON_CONFLICT },
		{ SET(log_file_mode, EVENT_TRACE_SYSTEM_LOGGER_MODE), -EINVAL,
		  ETW_REASON_CONFLICT },
		{ SET(log_file_mode, EVENT_TRACE_BUFFERING_MODE |
		      EVENT_TRACE_FILE_MODE_SEQUENTIAL), -EINVAL, ETW_REASON_CONFLICT },
		{ SET(log_file_mode, MODES | 2), -EINVAL, ETW_REASON_MISSING,
		  ETW_FIELD(maximum_file_size) },
		{ SET(log_file_mode, MODES | 4), -EOPNOTSUPP, ETW_REASON_UNSUPPORTED },
		{ SET(flush_timer, 86400) },
		{ SET(flush_timer, 86401), -EINVAL, ETW_REASON_RANGE },
		{ SET(flush_timer, ~0U), -EINVAL, ETW_REASON_RANGE },
		{ SET(enable_flags, EVENT_TRACE_FLAG_TEST) },
		{ SET(enable_flags, EVENT_TRACE_FLAG_EXTENSION), -EINVAL, ETW_REASON_RANGE },
		{ SET(enable_flags, EVENT_TRACE_FLAG_ENABLE_RESERVE), -EINVAL,
		  ETW_REASON_RANGE },
		{ SET(enable_flags, EVENT_TRACE_FLAG_FORWARD_WMI), -EINVAL, ETW_REASON_RANGE },
		{ SET(wnode.client_context, 3) },
		{ SET(wnode.client_context, 4), -EINVAL, ETW_REASON_RANGE },
		{ SET(wnode.flags, 0), -EINVAL, ETW_REASON_RANGE },
		{ SET(wnode.provider_id, 1), -EINVAL, ETW_REASON_RESERVED },
		{ SET(flush_threshold, 1), -EINVAL, ETW_REASON_RESERVED },
		{ SET(v2_options, 1), -EINVAL, ETW_REASON_RESERVED },
		{ SET(log_file_handle, 1), -EINVAL, ETW_REASON_RESERVED },
		{ SET(logger_extension, 1), -EINVAL, ETW_REASON_RESERVED },
		{ SET(wnode.buffer_size, 1), -EINVAL, ETW_REASON_SIZE },
		{ SET(logger_name.length, 0), -EINVAL, ETW_REASON_NAME },
		{ SET(logger_name.length, 7), -EINVAL, ETW_REASON_NAME },
		{ SET(logger_name.length, 512), -EINVAL, ETW_REASON_NAME },
		{ SET(logger_name.pad, 1), -EINVAL, ETW_REASON_RESERVED },
		{ SET(logger_name.buffer, 0), -EINVAL, ETW_REASON_RANGE },
		{ SET(logger_name.buffer, sizeof(struct block) - 6), -EINVAL,
		  ETW_REASON_RANGE },
		{ SET(logger_name.buffer, ~0ULL), -EINVAL, ETW_REASON_RANGE },
		{ SET(log_file_name.length, 0) },
		{ SET(log_file_name.buffer, 0x100000000ULL), -EINVAL, ETW_REASON_RANGE },
		{ .field = offsetof(struct block, logger), .value = ' ' },
		{ .field = offsetof(struct block, logger), .value = 0x1F,
		  .err = -EINVAL, .reason = ETW_REASON_NAME },
		{ .field = offsetof(struct block, logger) + 2, .value = 7,
		  .err = -EINVAL, .reason = ETW_REASON_NAME },
		{ .field = offsetof(struct block, logger) + 4, .value = 0,
		  .err = -EINVAL, .reason = ETW_REASON_NAME },
	};
	struct etw_settings *settings = kunit_kzalloc(test, sizeof(*settings), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, settings);
	for (i = 0; i < ARRAY_SIZE(changes); i++)
		try_change(test, &changes[i], settings);
}

#define SEQUENTIAL	EVENT_TRACE_FILE_MODE_SEQUENTIAL
#define CIRCULAR	EVENT_TRACE_FILE_MODE_CIRCULAR
#define NEWFILE		EVENT_TRACE_FILE_MODE_NEWFILE
#define BUFFERING	EVENT_TRACE_BUFFERING_MODE
#define REAL_TIME	EVENT_TRACE_REAL_TIME_MODE
#define SYSTEM_LOGGER	EVENT_TRACE_SYSTEM_LOGGER_MODE
#define GLOBAL_SEQ	EVENT_TRACE_USE_GLOBAL_SEQUENCE
#define LOCAL_SEQ	EVENT_TRACE_USE_LOCAL_SEQUENCE
#define MODE_CONFLICT	.err = -EINVAL, .reason = ETW_REASON_CONFLICT, \
			.at = ETW_FIELD(log_file_mode)

/* format.rst 6.4, what is "not with" and what is needed */
static void modes(struct kunit *test)
{
	static const struct {
		u32 mode, megabytes;
		const char *file;
		int err;
		u32 reason, at;
	} rules[] = {
		{ SEQUENTIAL, 0, "" }, { SEQUENTIAL | REAL_TIME, 5, "a%q" },
		{ SEQUENTIAL | CIRCULAR, 1, "a", MODE_CONFLICT },
		{ SEQUENTIAL | BUFFERING, 0, "", MODE_CONFLICT },
		{ CIRCULAR, 1, "a" }, { CIRCULAR | REAL_TIME | SYSTEM_LOGGER, ~0U, "a%d%" },
		{ CIRCULAR | NEWFILE, 1, "a%d", MODE_CONFLICT },
		{ CIRCULAR | BUFFERING, 1, "", MODE_CONFLICT },
		{ CIRCULAR, 0, "a", -EINVAL, ETW_REASON_MISSING, ETW_FIELD(maximum_file_size) },
		{ NEWFILE, 1, "a%d" }, { NEWFILE | SEQUENTIAL | REAL_TIME, 1, "%d.etl" },
		/* other than on Windows, where the kernel writes the files */
		{ NEWFILE | SYSTEM_LOGGER, 1, "a%d.etl" },
		{ NEWFILE | BUFFERING, 1, "", MODE_CONFLICT },
		{ NEWFILE, 0, "a%d", -EINVAL, ETW_REASON_MISSING, ETW_FIELD(maximum_file_size) },
		{ NEWFILE, 1, "", -EINVAL, ETW_REASON_NAME, ETW_FIELD(log_file_name) },
		{ NEWFILE, 1, "a", -EINVAL, ETW_REASON_NAME, ETW_FIELD(log_file_name) },
		{ NEWFILE, 1, "%d%d", -EINVAL, ETW_REASON_NAME, ETW_FIELD(log_file_name) },
		{ NEWFILE, 1, "%d%", -EINVAL, ETW_REASON_NAME, ETW_FIELD(log_file_name) },
		{ NEWFILE, 1, "%%d", -EINVAL, ETW_REASON_NAME, ETW_FIELD(log_file_name) },
		{ NEWFILE, 1, "%3d", -EINVAL, ETW_REASON_NAME, ETW_FIELD(log_file_name) },
		{ NEWFILE, 1, "%D", -EINVAL, ETW_REASON_NAME, ETW_FIELD(log_file_name) },
		{ BUFFERING, 0, "" }, { BUFFERING | REAL_TIME | SYSTEM_LOGGER, 3, "" },
		{ BUFFERING, 0, "a", -EINVAL, ETW_REASON_CONFLICT, ETW_FIELD(log_file_name) },
		{ REAL_TIME, 0, "" }, { EVENT_TRACE_USE_MS_FLUSH_TIMER, 0, "", MODE_CONFLICT },
		{ SYSTEM_LOGGER, 1, "a%d", MODE_CONFLICT },
		{ GLOBAL_SEQ | REAL_TIME, 0, "" }, { LOCAL_SEQ | BUFFERING, 0, "" },
		{ LOCAL_SEQ | SEQUENTIAL | SYSTEM_LOGGER, 0, "a" },
		{ GLOBAL_SEQ | LOCAL_SEQ | REAL_TIME, 0, "", MODE_CONFLICT },
		{ LOCAL_SEQ, 0, "", MODE_CONFLICT },
		/* APPEND, PREALLOCATE, NONSTOPPABLE, SECURE, COMPRESSED, ADD_HEADER */
		{ 0x4, 1, "a", -EOPNOTSUPP, ETW_REASON_UNSUPPORTED, ETW_FIELD(log_file_mode) },
		{ 0x21, 1, "a", -EOPNOTSUPP, ETW_REASON_UNSUPPORTED, ETW_FIELD(log_file_mode) },
		{ 0x140, 1, "a", -EOPNOTSUPP, ETW_REASON_UNSUPPORTED, ETW_FIELD(log_file_mode) },
		{ 0x180, 1, "a", -EOPNOTSUPP, ETW_REASON_UNSUPPORTED, ETW_FIELD(log_file_mode) },
		{ 0x4000400, 1, "", -EOPNOTSUPP, ETW_REASON_UNSUPPORTED, ETW_FIELD(log_file_mode) },
		{ 0x1001, 1, "a", -EOPNOTSUPP, ETW_REASON_UNSUPPORTED, ETW_FIELD(log_file_mode) },
	};
	struct etw_settings *settings = kunit_kzalloc(test, sizeof(*settings), GFP_KERNEL);
	struct etw_config_error error;
	struct block block;
	u32 i, k;

	KUNIT_ASSERT_NOT_NULL(test, settings);
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		fill_block(&block);
		block.info.log_file_mode = rules[i].mode;
		block.info.maximum_file_size = rules[i].megabytes;
		for (k = 0; rules[i].file[k]; k++)
			block.file[k] = rules[i].file[k];
		block.info.log_file_name.length = 2 * k;
		KUNIT_EXPECT_EQ_MSG(test, rules[i].err,
				    etw_config_parse(&block, sizeof(block), settings, &error),
				    "mode %x, file %s", rules[i].mode, rules[i].file);
		KUNIT_EXPECT_EQ(test, rules[i].reason, error.reason);
		KUNIT_EXPECT_EQ(test, rules[i].at, error.offset);
	}
}

static void fields_together(struct kunit *test)
{
	static const struct etw_guid kernel_guid = ETW_SYSTEM_TRACE_CONTROL_GUID;
	struct etw_settings *settings = kunit_kzalloc(test, sizeof(*settings), GFP_KERNEL);
	struct etw_config_error error;
	struct block block;

	KUNIT_ASSERT_NOT_NULL(test, settings);
	fill_block(&block);
	block.info.log_file_mode = EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_USE_MS_FLUSH_TIMER;
	block.info.flush_timer = 86400000;
	block.info.minimum_buffers = 8;
	KUNIT_EXPECT_EQ(test, 0, etw_config_parse(&block, sizeof(block), settings, &error));
	KUNIT_EXPECT_EQ(test, settings->flush_ms, 86400000U);
	KUNIT_EXPECT_EQ(test, settings->maximum_buffers, 8U);
	KUNIT_EXPECT_FALSE(test, settings->kernel);
	block.info.enable_flags = EVENT_TRACE_FLAG_PROCESS;
	KUNIT_EXPECT_EQ(test, -EINVAL, etw_config_parse(&block, sizeof(block), settings, &error));
	KUNIT_EXPECT_EQ(test, error.reason, ETW_REASON_CONFLICT);
	block.info.wnode.guid = kernel_guid;
	KUNIT_EXPECT_EQ(test, 0, etw_config_parse(&block, sizeof(block), settings, &error));
	KUNIT_EXPECT_TRUE(test, settings->kernel);
	block.info.maximum_buffers = 4;
	KUNIT_EXPECT_EQ(test, -EINVAL, etw_config_parse(&block, sizeof(block), settings, &error));
	KUNIT_EXPECT_EQ(test, error.offset, ETW_FIELD(minimum_buffers));
	KUNIT_EXPECT_EQ(test, error.reason, ETW_REASON_CONFLICT);
	block.info.wnode.buffer_size = ETW_MAX_INFORMATION + 1;
	KUNIT_EXPECT_EQ(test, -EINVAL,
			etw_config_parse(&block, ETW_MAX_INFORMATION + 1, settings, &error));
	KUNIT_EXPECT_EQ(test, error.reason, ETW_REASON_SIZE);
}

/* The longest names, which end where the block does; and the smallest blocks */
static void sizes(struct kunit *test)
{
	const u32 names = 2 * (ETW_MAX_LOGGER_NAME + ETW_MAX_LOG_FILE_NAME);
	struct etw_settings *settings = kunit_kzalloc(test, sizeof(*settings), GFP_KERNEL);
	struct wmi_logger_information *info = kunit_kzalloc(test, ETW_MAX_INFORMATION, GFP_KERNEL);
	struct etw_config_error error;

	KUNIT_ASSERT_TRUE(test, settings && info);
	memset(info + 1, 'x', names);
	info->wnode.flags = WNODE_FLAG_TRACED_GUID;
	info->log_file_mode = MODES;
	info->logger_name.length = 2 * ETW_MAX_LOGGER_NAME;
	info->logger_name.buffer = sizeof(*info);
	info->log_file_name.length = 2 * ETW_MAX_LOG_FILE_NAME;
	info->log_file_name.buffer = sizeof(*info) + 2 * ETW_MAX_LOGGER_NAME;
	info->wnode.buffer_size = sizeof(*info) + names;
	KUNIT_EXPECT_EQ(test, 0, etw_config_parse(info, sizeof(*info) + names, settings, &error));
	KUNIT_EXPECT_EQ(test, settings->logger_name[ETW_MAX_LOGGER_NAME - 1], 0x7878);
	KUNIT_EXPECT_EQ(test, settings->log_file_name[ETW_MAX_LOG_FILE_NAME - 1], 0x7878);
	info->wnode.buffer_size = ETW_MAX_INFORMATION;
	KUNIT_EXPECT_EQ(test, 0, etw_config_parse(info, ETW_MAX_INFORMATION, settings, &error));
	info->wnode.buffer_size = sizeof(*info);
	KUNIT_EXPECT_EQ(test, -EINVAL, etw_config_parse(info, sizeof(*info), settings, &error));
	KUNIT_EXPECT_EQ(test, error.reason, ETW_REASON_RANGE);
	KUNIT_EXPECT_EQ(test, error.offset, ETW_FIELD(logger_name.buffer));
	/* at the end, but empty */
	info->logger_name.length = 0;
	info->log_file_name.length = 0;
	KUNIT_EXPECT_EQ(test, -EINVAL, etw_config_parse(info, sizeof(*info), settings, &error));
	KUNIT_EXPECT_EQ(test, error.reason, ETW_REASON_NAME);
	KUNIT_EXPECT_EQ(test, -EINVAL, etw_config_parse(info, sizeof(*info) - 1, settings, &error));
	KUNIT_EXPECT_EQ(test, error.reason, ETW_REASON_SIZE);
	KUNIT_EXPECT_EQ(test, error.offset, 0);
}

/* kernel-events.rst 1.5 */
static void flags_and_aliases(struct kunit *test)
{
	struct perfinfo_groupmask masks;

	KUNIT_EXPECT_EQ(test, 0, etw_config_masks(EVENT_TRACE_FLAG_PROCESS |
						  EVENT_TRACE_FLAG_CSWITCH |
						  EVENT_TRACE_FLAG_DISPATCHER |
						  EVENT_TRACE_FLAG_PROFILE |
						  EVENT_TRACE_FLAG_SYSTEMCALL |
						  EVENT_TRACE_FLAG_TEST, &masks));
	KUNIT_EXPECT_EQ(test, masks.masks[0], EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_TEST);
	KUNIT_EXPECT_EQ(test, masks.masks[1], 0x206U);
	KUNIT_EXPECT_EQ(test, masks.masks[2], 0x40U);
	KUNIT_EXPECT_EQ(test, -EINVAL,
			etw_config_masks(EVENT_TRACE_FLAG_ENABLE_RESERVE, &masks));
	KUNIT_EXPECT_EQ(test, 0, etw_config_masks(0, &masks));
	KUNIT_EXPECT_NULL(test, memchr_inv(&masks, 0, sizeof(masks)));
}

static void buffers_per_cpu(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_config_buffers_per_cpu(0, 4), ETW_DEFAULT_BUFFERS);
	KUNIT_EXPECT_EQ(test, etw_config_buffers_per_cpu(1, 4), ETW_MIN_BUFFERS);
	KUNIT_EXPECT_EQ(test, etw_config_buffers_per_cpu(8, 4), 2);
	KUNIT_EXPECT_EQ(test, etw_config_buffers_per_cpu(9, 4), 3);
	KUNIT_EXPECT_EQ(test, etw_config_buffers_per_cpu(65536, 1), 65536);
	KUNIT_EXPECT_EQ(test, etw_config_buffers_per_cpu(65536, 12), 5461);
	KUNIT_EXPECT_EQ(test, etw_config_buffers_per_cpu(65535, 2048), 32);
}

/* Buffers of CPU 2048 would be CPU 0's to a reader. */
static void processors(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_config_check_processors(1), 0);
	KUNIT_EXPECT_EQ(test, etw_config_check_processors(2048), 0);
	KUNIT_EXPECT_EQ(test, etw_config_check_processors(2049), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, etw_config_check_processors(8192), -EOPNOTSUPP);
}

static u64 chance(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void check_result(struct kunit *test, int err, u32 size,
			 const struct etw_settings *settings,
			 const struct etw_config_error *error)
{
	if (err) {
		KUNIT_EXPECT_TRUE(test, err == -EINVAL || err == -EOPNOTSUPP || err == -E2BIG);
		KUNIT_EXPECT_NE(test, error->reason, ETW_REASON_NONE);
		KUNIT_EXPECT_LE(test, error->offset, size);
		return;
	}
	KUNIT_EXPECT_GE(test, settings->buffer_size, 4096U);
	KUNIT_EXPECT_EQ(test, settings->buffer_size % 4096, 0U);
	KUNIT_EXPECT_LE(test, settings->maximum_buffers, ETW_MAX_BUFFERS);
	KUNIT_EXPECT_LE(test, settings->flush_ms, ETW_MAX_FLUSH_MS);
	KUNIT_EXPECT_NE(test, settings->logger_name[0], 0);
	KUNIT_EXPECT_EQ(test, settings->logger_name[ETW_MAX_LOGGER_NAME], 0);
	KUNIT_EXPECT_EQ(test, settings->log_file_name[ETW_MAX_LOG_FILE_NAME], 0);
}

/* The block ends where its memory ends, so that KASAN sees a read behind it. */
static void any_bytes(struct kunit *test)
{
	struct etw_settings *settings = kunit_kzalloc(test, sizeof(*settings), GFP_KERNEL);
	struct etw_config_error error;
	struct block block;
	u64 state = 20260104;
	u32 i, k, size, taken = 0;
	int err;
	u8 *at;

	KUNIT_ASSERT_NOT_NULL(test, settings);
	for (i = 0; i < part_of(10000); i++) {
		fill_block(&block);
		for (k = chance(&state) % 4; k--;)
			((u8 *)&block)[chance(&state) % sizeof(block)] = chance(&state) >> 16;
		size = i % 4 ? sizeof(block) : chance(&state) % (sizeof(block) + 1);
		at = kmemdup(&block, size, GFP_KERNEL);
		if (size && ZERO_OR_NULL_PTR(at))
			break;
		err = etw_config_parse(at, size, settings, &error);
		check_result(test, err, size, settings, &error);
		taken += !err;
		kfree(at);
	}
	KUNIT_EXPECT_GT(test, taken, part_of(500));
	KUNIT_EXPECT_LT(test, taken, part_of(9500));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(defaults),
	KUNIT_CASE(single_fields),
	KUNIT_CASE(modes),
	KUNIT_CASE(fields_together),
	KUNIT_CASE(sizes),
	KUNIT_CASE(flags_and_aliases),
	KUNIT_CASE(buffers_per_cpu),
	KUNIT_CASE(processors),
	KUNIT_CASE(any_bytes),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_config",
	.test_cases = cases,
};

kunit_test_suite(suite);
