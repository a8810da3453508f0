// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A reader of another CPU's ring, which may just get its slots: the number first, by acquire. */
#include "test_ring.h"

static void take(struct ring_test *t)
{
	struct etw_reader_buffer held;

	if (etw_ring_take(&t->ring, &held))
		etw_ring_put_back(&t->ring, &held);
}

static void has_data(struct ring_test *t)
{
	etw_ring_has_data(&t->ring);
}

static void dirty(struct ring_test *t)
{
	etw_ring_dirty(&t->ring);
}

static void settled(struct ring_test *t)
{
	etw_ring_settled(&t->ring, ~0ULL);
}

static void buffered(struct ring_test *t)
{
	etw_ring_buffered(&t->ring, NULL);
}

static void free_ones(struct ring_test *t)
{
	etw_ring_free(&t->ring);
}

static void number_is_acquired_first(struct kunit *test)
{
	static const struct {
		const char *name;
		void (*look)(struct ring_test *t);
	} all[] = {
		{ "take", take }, { "has_data", has_data }, { "dirty", dirty },
		{ "settled", settled }, { "buffered", buffered }, { "free", free_ones },
	};
	struct ring_test *t = ring_test_start(test, 3, 16, false);
	u32 i;

	ring_fill(t);
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		t->acquired = 0;
		t->points = 0;
		all[i].look(t);
		KUNIT_EXPECT_GT_MSG(test, t->points, 0ULL, "%s looks at nothing", all[i].name);
		KUNIT_EXPECT_GT_MSG(test, t->acquired, 0U, "%s", all[i].name);
		KUNIT_EXPECT_EQ_MSG(test, t->early, 0ULL, "%s", all[i].name);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(number_is_acquired_first),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_ring_slots",
	.exit = ring_test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
