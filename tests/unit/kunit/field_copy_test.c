// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Copy programs of Linux events: each kind of step, conditions, records that lie. */
#include <kunit/test.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "record/field_copy.c"

/**
 * struct copy_case - one step, and what it makes of the record of copies()
 * @says: the statement
 * @step: copy, offset, size
 * @size: bytes of the result
 * @bytes: the result
 */
struct copy_case {
	const char *says;
	struct etw_linux_event_field step;
	u32 size;
	const char *bytes;
};

/* A number, text of 8 bytes, locations at 12, 16, 20 and 24, text of 4 bytes */
static const char record[32] __aligned(4) =
	"\1\2\3\4abc\0defg\34\0\4\0\4\0\5\0\35\0\4\0\0\0\3\0xy\0z";

static const struct copy_case copy_cases[] = {
	{ "bytes", { ETW_FIELD_BYTES, 1, 3 }, 3, "\2\3\4" },
	{ "an address", { ETW_FIELD_ADDRESS, 0, 4 }, 4, "\1\2\3\4" },
	{ "a string ends at its NUL", { ETW_FIELD_STRING, 4, 8 }, 4, "abc" },
	{ "a string without NUL gets one", { ETW_FIELD_STRING, 8, 4 }, 5, "defg" },
	{ "a dynamic string ends at its NUL", { ETW_FIELD_LOC_STRING, 12, 0 }, 3, "xy" },
	{ "a dynamic array has a count", { ETW_FIELD_LOC_ARRAY, 12, 1 }, 6, "\4\0xy\0z" },
	{ "the count is that of elements", { ETW_FIELD_LOC_ARRAY, 12, 2 }, 6, "\2\0xy\0z" },
	{ "a rest that is no element is left out",
	  { ETW_FIELD_LOC_ARRAY, 12, 3 }, 5, "\1\0xy\0" },
	{ "a relative array", { ETW_FIELD_REL_LOC_ARRAY, 24, 1 }, 5, "\3\0xy\0" },
	{ "a relative string", { ETW_FIELD_REL_LOC_STRING, 24, 0 }, 3, "xy" },
	{ "a string that ends behind the record is empty",
	  { ETW_FIELD_LOC_STRING, 20, 0 }, 1, "" },
	{ "the rest of the record", { ETW_FIELD_REST, 29, 1 }, 5, "\3\0y\0z" },
	{ "the rest in elements", { ETW_FIELD_REST, 29, 2 }, 4, "\1\0y\0" },
	{ "no rest", { ETW_FIELD_REST, 32, 1 }, 2, "\0" },
	{ "an array that ends behind the record is empty",
	  { ETW_FIELD_LOC_ARRAY, 20, 1 }, 2, "\0" },
	{ "an array that begins behind the record is empty",
	  { ETW_FIELD_LOC_ARRAY, 0, 1 }, 2, "\0" },
};

static void copies(struct kunit *test)
{
	u8 *data = kmemdup(record, sizeof(record), GFP_KERNEL);
	const struct etw_raw_record raw = { .data = data, .size = sizeof(record) };
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, data);
	for (i = 0; i < ARRAY_SIZE(copy_cases); i++) {
		const struct copy_case *c = &copy_cases[i];
		u32 size = etw_fields_size(&c->step, 1, &raw);
		u8 to[16] = { };

		KUNIT_EXPECT_EQ_MSG(test, size, c->size, "%s", c->says);
		if (size != c->size)
			continue;
		etw_fields_copy(to, &c->step, 1, &raw, 1);
		KUNIT_EXPECT_EQ_MSG(test, 0, memcmp(to, c->bytes, size), "%s", c->says);
	}
	kfree(data);
}

static void hidden_addresses(struct kunit *test)
{
	const struct etw_linux_event_field steps[] = {
		{ ETW_FIELD_ADDRESS, 0, 4 }, { ETW_FIELD_BYTES, 0, 4 },
	};
	const struct etw_raw_record raw = { .data = (const u8 *)record, .size = sizeof(record) };
	u8 to[8];

	etw_fields_copy(to, steps, ARRAY_SIZE(steps), &raw, 0);
	KUNIT_EXPECT_EQ(test, 0, memcmp(to, "\0\0\0\0\1\2\3\4", sizeof(to)));
}

static bool passes_one(u8 kind, u8 is_signed, u16 size, s64 field, s64 value)
{
	const struct etw_linux_event_test one = {
		.test = kind, .is_signed = is_signed, .size = size,
		.value_low = value, .value_high = (u64)value >> 32,
	};
	const struct etw_raw_record raw = { .data = (const u8 *)&field, .size = sizeof(field) };

	return etw_tests_pass(&one, 1, &raw);
}

static void conditions(struct kunit *test)
{
	static const u16 sizes[] = { 1, 2, 4, 8 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		u16 size = sizes[i];

		KUNIT_EXPECT_TRUE(test, passes_one(ETW_TEST_LESS, 1, size, -1, 1));
		KUNIT_EXPECT_FALSE(test, passes_one(ETW_TEST_LESS, 0, size, -1, 1));
		KUNIT_EXPECT_TRUE(test, passes_one(ETW_TEST_LESS_EQUAL, 1, size, -2, -2));
		KUNIT_EXPECT_TRUE(test, passes_one(ETW_TEST_GREATER, 0, size, -1, 1));
		KUNIT_EXPECT_FALSE(test, passes_one(ETW_TEST_GREATER, 1, size, -1, 1));
		KUNIT_EXPECT_TRUE(test, passes_one(ETW_TEST_GREATER_EQUAL, 1, size, 3, 3));
		KUNIT_EXPECT_TRUE(test, passes_one(ETW_TEST_EQUAL, 1, size, -5, -5));
		KUNIT_EXPECT_FALSE(test, passes_one(ETW_TEST_NOT_EQUAL, 1, size, -5, -5));
		KUNIT_EXPECT_TRUE(test, passes_one(ETW_TEST_BITS, 0, size, 6, 2));
		KUNIT_EXPECT_FALSE(test, passes_one(ETW_TEST_BITS, 0, size, 6, 8));
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(copies),
	KUNIT_CASE(hidden_addresses),
	KUNIT_CASE(conditions),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_field_copy",
	.test_cases = cases,
};

kunit_test_suite(suite);
