// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Copies of a ring that overwrites: they cost it nothing, and are whole or refused. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include "test_ring.h"

#define UNITS	16U	/* of a buffer */

/* A copy changes no word of the ring: the open buffer stays open, with all of its room. */
static void copy_costs_nothing(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, true);
	u64 s[3], w[3], head;
	u32 i, n;

	for (n = 0; n < 20; n++) {
		KUNIT_EXPECT_TRUE(test, ring_write(t, RECORD_MIN));
		for (i = 0; i < 3; i++) {
			s[i] = atomic64_read(&t->ring.slots[i].s);
			w[i] = t->ring.slots[i].w;
		}
		head = t->ring.head;
		t->copies = 0;
		KUNIT_EXPECT_TRUE(test, ring_copy(t));
		KUNIT_EXPECT_EQ(test, t->copies, (u64)min(n / 8 + 1, 3U));
		for (i = 0; i < 3; i++) {
			KUNIT_EXPECT_EQ(test, s[i], (u64)atomic64_read(&t->ring.slots[i].s));
			KUNIT_EXPECT_EQ(test, w[i], t->ring.slots[i].w);
		}
		KUNIT_EXPECT_EQ(test, head, t->ring.head);
	}
	KUNIT_EXPECT_EQ(test, local_read(&t->ring.overwritten), 0L);
}

/* A copy has no record that is reserved and not yet written. */
static void copy_waits_for_commit(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, true);
	struct ring_record record;

	KUNIT_EXPECT_TRUE(test, ring_write(t, RECORD_MIN));
	KUNIT_EXPECT_TRUE(test, ring_reserve(t, &record, RECORD_MIN));
	KUNIT_EXPECT_FALSE(test, ring_copy(t));
	/* an interrupt over it: the place of the first is still not written */
	KUNIT_EXPECT_TRUE(test, ring_write(t, RECORD_MIN));
	KUNIT_EXPECT_FALSE(test, ring_copy(t));
	ring_commit(t, &record);
	KUNIT_EXPECT_TRUE(test, ring_copy(t));
}

/* A buffer that writers come round to while it is copied is not taken for whole. */
static void overwritten_copy_is_noticed(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, true);
	struct etw_reader_buffer open, seen;
	u32 i;

	ring_fill(t);
	KUNIT_EXPECT_TRUE(test, ring_write(t, RECORD_MIN));
	KUNIT_EXPECT_EQ(test, etw_ring_look(&t->ring, &open), 0);
	KUNIT_EXPECT_EQ(test, etw_ring_view(&t->ring, open.ordinal - 1, &seen), 0);
	ring_fill(t);
	KUNIT_EXPECT_TRUE(test, etw_ring_is_same(&t->ring, &open));
	KUNIT_EXPECT_TRUE(test, etw_ring_is_same(&t->ring, &seen));
	for (i = 0; i < 3; i++)
		ring_fill(t);
	KUNIT_EXPECT_FALSE(test, etw_ring_is_same(&t->ring, &open));
	KUNIT_EXPECT_FALSE(test, etw_ring_is_same(&t->ring, &seen));
	KUNIT_EXPECT_EQ(test, etw_ring_view(&t->ring, seen.ordinal, &seen), -ESTALE);
}

/* The oldest buffer's time; 0 until one was overwritten */
static void history_begins_with_the_oldest_buffer(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, true);
	u64 stamp[12];
	u32 n;

	KUNIT_EXPECT_EQ(test, etw_ring_since(&t->ring), 0ULL);
	for (n = 0; n < ARRAY_SIZE(stamp); n++) {
		ring_fill(t);
		stamp[n] = t->ring.clock.last;
		/* three buffers: the last stamp before the first of them */
		KUNIT_EXPECT_EQ(test, etw_ring_since(&t->ring), n < 3 ? 0 : stamp[n - 3]);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(copy_costs_nothing),
	KUNIT_CASE(copy_waits_for_commit),
	KUNIT_CASE(overwritten_copy_is_noticed),
	KUNIT_CASE(history_begins_with_the_oldest_buffer),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_ring_copy",
	.exit = ring_test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
