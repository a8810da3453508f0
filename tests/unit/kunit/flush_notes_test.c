// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Flushes under way: found near where their task's hash leads, however many there are or were. */
#include <kunit/test.h>
#include "source/storage/flush_notes.c"

/* Tasks and files of which only the addresses matter */
static const struct task_struct *task_of(u32 i)
{
	return (const struct task_struct *)(0x10000UL + i * 0x2440UL);
}

static const struct file *file_of(u32 i)
{
	return (const struct file *)(0x20000000UL + i * 0x100UL);
}

static struct etw_flush_note *noted[ETW_FILE_ASKED_FLUSHES];

static u32 strangers(u32 count)
{
	u32 i, n = 0;

	for (i = 0; i < count; i++)
		n += (noted[i] - notes) / WAYS != bucket_of(task_of(i));
	return n;
}

static void begin_all(struct kunit *test, u32 count)
{
	u32 i;

	etw_flush_notes_clear();
	for (i = 0; i < count; i++) {
		noted[i] = etw_flush_note(task_of(i), file_of(i));
		KUNIT_ASSERT_NOT_NULL(test, noted[i]);
	}
}

/* So many that a search through all places would take long */
static void near_its_hash(struct kunit *test)
{
	u32 i, all = 0;

	begin_all(test, 1024);
	KUNIT_EXPECT_LT(test, strangers(1024), 16U);
	for (i = 0; i < BUCKETS; i++)
		all += atomic_read(&spilled[i]);
	KUNIT_EXPECT_EQ(test, all, strangers(1024));
}

static void found_until_it_ends(struct kunit *test)
{
	u32 i;

	begin_all(test, ETW_FILE_ASKED_FLUSHES);
	for (i = 0; i < ETW_FILE_ASKED_FLUSHES; i++) {
		KUNIT_EXPECT_TRUE(test, etw_flush_is_noted(task_of(i), file_of(i)));
		KUNIT_EXPECT_FALSE(test, etw_flush_is_noted(task_of(i), file_of(i + 1)));
		etw_flush_forget(noted[i]);
		KUNIT_EXPECT_FALSE(test, etw_flush_is_noted(task_of(i), file_of(i)));
	}
}

/* Of one task, as of flushes within flushes, more than its bucket has places for */
static void more_than_a_bucket(struct kunit *test)
{
	u32 i;

	etw_flush_notes_clear();
	for (i = 0; i < 2 * WAYS; i++)
		noted[i] = etw_flush_note(task_of(7), file_of(i));
	KUNIT_EXPECT_EQ(test, atomic_read(&spilled[bucket_of(task_of(7))]), WAYS);
	for (i = 0; i < 2 * WAYS; i++)
		KUNIT_EXPECT_TRUE(test, etw_flush_is_noted(task_of(7), file_of(i)));
	for (i = 0; i < 2 * WAYS; i++)
		etw_flush_forget(noted[i]);
	/* and a search is as short again as before */
	KUNIT_EXPECT_EQ(test, atomic_read(&spilled[bucket_of(task_of(7))]), 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(spilled, 0, sizeof(spilled)));
}

static void no_place_at_all(struct kunit *test)
{
	u32 i;

	etw_flush_notes_clear();
	for (i = 0; i < NOTES; i++)
		KUNIT_ASSERT_NOT_NULL(test, etw_flush_note(task_of(i), file_of(i)));
	KUNIT_EXPECT_NULL(test, etw_flush_note(task_of(i), file_of(i)));
	etw_flush_notes_clear();
	KUNIT_EXPECT_FALSE(test, etw_flush_is_noted(task_of(0), file_of(0)));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(near_its_hash),
	KUNIT_CASE(found_until_it_ends),
	KUNIT_CASE(more_than_a_bucket),
	KUNIT_CASE(no_place_at_all),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_flush_notes",
	.test_cases = cases,
};

kunit_test_suite(suite);
