// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The pitfalls of a ring, one by one: nesting, exact fill, order, loss, laps. */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "test_ring.h"

#define UNITS	16U	/* of a buffer */

/* At the nth point of a kind: once, what to do there */
struct injection {
	enum ring_point point;
	u32 nth;
	void (*what)(struct ring_test *t);
	bool done;
};

static void inject_now(struct ring_test *t, enum ring_point point)
{
	struct injection *injection = t->context;

	if (injection->done || point != injection->point || injection->nth--)
		return;
	injection->done = true;
	injection->what(t);
}

static void inject(struct ring_test *t, struct injection *injection)
{
	t->context = injection;
	t->interrupt = inject_now;
}

static void write_one(struct ring_test *t)
{
	KUNIT_EXPECT_TRUE(t->test, ring_write(t, RECORD_MIN));
}

static void write_buffer(struct ring_test *t)
{
	ring_fill(t);
}

static void seal(struct ring_test *t)
{
	u64 ordinal;

	etw_ring_seal(&t->ring, &ordinal);
}

/* A writer that comes between the stamp and its place gets the place. */
static void nested_writer_keeps_order(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, false);
	struct injection injection = { .point = POINT_TICK, .what = write_one };

	write_one(t);
	inject(t, &injection);
	write_one(t);
	KUNIT_EXPECT_TRUE(test, injection.done);
	KUNIT_EXPECT_EQ(test, t->retries, 1ULL);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 1U);
	KUNIT_EXPECT_EQ(test, t->read, 3ULL);
	ring_expect_conserved(t);
}

/* A writer within a record is over before it, and both come whole. */
static void nested_writer_in_record(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, false);
	struct injection injection = { .point = POINT_RECORD, .what = write_buffer };

	inject(t, &injection);
	KUNIT_EXPECT_TRUE(test, ring_write(t, 64));
	KUNIT_EXPECT_TRUE(test, injection.done);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 2U);
	KUNIT_EXPECT_EQ(test, t->read, 2ULL);
	ring_expect_conserved(t);
}

/* Full to the last byte: not complete until it is sealed */
static void exact_fill(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, false);
	u32 i;

	for (i = 0; i < UNITS / 2; i++)
		write_one(t);
	KUNIT_EXPECT_FALSE(test, etw_ring_has_data(&t->ring));
	KUNIT_EXPECT_FALSE(test, ring_take(t));
	KUNIT_EXPECT_EQ(test, t->wakeups, 0ULL);
	write_one(t);
	KUNIT_EXPECT_EQ(test, t->wakeups, 1ULL);
	KUNIT_ASSERT_TRUE(test, ring_take(t));
	KUNIT_EXPECT_EQ(test, etw_w_used(t->held.w), ring_room(t));
	KUNIT_EXPECT_EQ(test, etw_w_events(t->held.w), UNITS / 2);
	ring_release(t);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 1U);
	ring_expect_conserved(t);
}

static void seal_of_exactly_full(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, false);
	u64 ordinal;

	ring_fill(t);
	KUNIT_EXPECT_TRUE(test, etw_ring_dirty(&t->ring));
	KUNIT_EXPECT_TRUE(test, etw_ring_seal(&t->ring, &ordinal));
	KUNIT_EXPECT_EQ(test, ordinal, 3ULL);
	KUNIT_EXPECT_TRUE(test, etw_ring_settled(&t->ring, ordinal));
	KUNIT_EXPECT_FALSE(test, etw_ring_dirty(&t->ring));
	KUNIT_EXPECT_EQ(test, ring_drain(t), 1U);
	ring_fill(t);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 1U);
	ring_expect_conserved(t);
}

/* The seal of a nested writer makes ours fail: nothing of ours may stay. */
static void failed_seal_starts_over(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 4, UNITS, false);
	struct injection injection = { .point = POINT_CMPXCHG, .what = write_buffer };

	write_one(t);
	inject(t, &injection);
	ring_fill(t);
	KUNIT_EXPECT_TRUE(test, injection.done);
	KUNIT_EXPECT_EQ(test, t->ring.head, 4 + 2ULL);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 3U);
	KUNIT_EXPECT_EQ(test, t->read, 3ULL);
	ring_expect_conserved(t);
}

/* A writer that comes over a sealer finds the next buffer by itself. */
static void nested_writer_over_sealer(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 4, UNITS, false);
	struct injection injection = { .point = POINT_BALANCE, .what = write_one };

	ring_fill(t);
	inject(t, &injection);
	write_one(t);
	KUNIT_EXPECT_TRUE(test, injection.done);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 2U);
	KUNIT_EXPECT_EQ(test, t->read, 3ULL);
	ring_expect_conserved(t);
}

/* A later buffer is complete first: it waits for its turn. */
static void delivery_in_slot_order(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 4, UNITS, false);
	struct ring_record record;
	u64 ordinal;

	KUNIT_ASSERT_TRUE(test, ring_reserve(t, &record, 24));
	ring_fill(t);
	ring_fill(t);
	KUNIT_EXPECT_EQ(test, t->wakeups, 1ULL);
	KUNIT_EXPECT_FALSE(test, etw_ring_has_data(&t->ring));
	KUNIT_EXPECT_FALSE(test, ring_take(t));
	KUNIT_EXPECT_TRUE(test, etw_ring_seal(&t->ring, &ordinal));
	KUNIT_EXPECT_FALSE(test, etw_ring_settled(&t->ring, ordinal));
	ring_commit(t, &record);
	KUNIT_EXPECT_TRUE(test, etw_ring_settled(&t->ring, ordinal));
	KUNIT_EXPECT_TRUE(test, etw_ring_has_data(&t->ring));
	KUNIT_EXPECT_EQ(test, ring_drain(t), 3U);
	ring_expect_conserved(t);
}

/* The next buffer holds the record of a writer that was interrupted. */
static void stuck_writer(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 2, UNITS, true);
	struct ring_record record;

	KUNIT_ASSERT_TRUE(test, ring_reserve(t, &record, 24));
	ring_fill(t);
	KUNIT_EXPECT_FALSE(test, ring_write(t, 24));
	KUNIT_EXPECT_EQ(test, local_read(&t->ring.lost[ETW_LOSS_WRITER_STUCK]), 1L);
	KUNIT_EXPECT_EQ(test, local_read(&t->ring.lost[ETW_LOSS_NO_BUFFER]), 0L);
	ring_commit(t, &record);
	KUNIT_EXPECT_TRUE(test, ring_write(t, 24));
	KUNIT_EXPECT_EQ(test, local_read(&t->ring.overwritten), 1L);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 2U);
	ring_expect_conserved(t);
}

static void discard_mode_loses_the_newest(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 2, UNITS, false);
	u64 first;

	ring_fill(t);
	ring_fill(t);
	KUNIT_EXPECT_FALSE(test, etw_ring_has_space(&t->ring));
	first = t->now;
	KUNIT_EXPECT_FALSE(test, ring_write(t, 24));
	KUNIT_EXPECT_FALSE(test, ring_write(t, 24));
	KUNIT_EXPECT_EQ(test, local_read(&t->ring.lost[ETW_LOSS_NO_BUFFER]), 2L);
	KUNIT_EXPECT_GT(test, t->ring.lost_first[ETW_LOSS_NO_BUFFER], first);
	KUNIT_EXPECT_EQ(test, t->ring.lost_last[ETW_LOSS_NO_BUFFER], t->now);
	KUNIT_EXPECT_LT(test, t->ring.lost_first[ETW_LOSS_NO_BUFFER],
			t->ring.lost_last[ETW_LOSS_NO_BUFFER]);
	KUNIT_ASSERT_TRUE(test, ring_take(t));
	KUNIT_EXPECT_FALSE(test, ring_write(t, 24));
	ring_release(t);
	KUNIT_EXPECT_TRUE(test, etw_ring_has_space(&t->ring));
	KUNIT_EXPECT_TRUE(test, ring_write(t, 24));
	KUNIT_EXPECT_EQ(test, ring_drain(t), 2U);
	KUNIT_EXPECT_EQ(test, t->read, 3ULL);
	ring_expect_conserved(t);
}

static void overwrite_mode_keeps_the_newest(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, true);
	u32 i;

	for (i = 0; i < 10; i++)
		ring_fill(t);
	KUNIT_EXPECT_TRUE(test, etw_ring_has_space(&t->ring));
	KUNIT_EXPECT_EQ(test, local_read(&t->ring.overwritten), 7L);
	KUNIT_EXPECT_EQ(test, local_read(&t->ring.overwritten_buffers), 7L);
	KUNIT_EXPECT_EQ(test, etw_ring_lost(&t->ring), 0ULL);
	t->stream = t->now - 3;	/* what is older may not come */
	KUNIT_EXPECT_EQ(test, ring_drain(t), 3U);
	KUNIT_EXPECT_EQ(test, t->stream, t->now);
	ring_expect_conserved(t);
}

/* The reader holds a buffer while the writer goes round three times. */
static void held_slot_is_skipped(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, true);
	u32 i;

	for (i = 0; i < 3; i++)
		ring_fill(t);
	KUNIT_ASSERT_TRUE(test, ring_take(t));
	for (i = 0; i < 9; i++)
		ring_fill(t);
	KUNIT_EXPECT_EQ(test, etw_ring_lost(&t->ring), 0ULL);
	KUNIT_EXPECT_EQ(test, etw_ring_buffered(&t->ring, NULL), 2ULL);
	ring_release(t);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 2U);
	KUNIT_EXPECT_EQ(test, t->stream, t->now);
	for (i = 0; i < 3; i++)
		ring_fill(t);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 3U);
	ring_expect_conserved(t);
}

/* Two buffers, one of them held: the other one goes round. */
static void held_slot_of_two(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 2, UNITS, true);
	u32 i;

	ring_fill(t);
	ring_fill(t);
	KUNIT_ASSERT_TRUE(test, ring_take(t));
	for (i = 0; i < 5; i++)
		ring_fill(t);
	KUNIT_EXPECT_EQ(test, etw_ring_lost(&t->ring), 0ULL);
	ring_release(t);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 1U);
	KUNIT_EXPECT_EQ(test, t->stream, t->now);
	ring_expect_conserved(t);
}

static void put_back_comes_again(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, false);
	u64 ordinal;

	ring_fill(t);
	ring_fill(t);
	ring_fill(t);
	KUNIT_ASSERT_TRUE(test, ring_take(t));
	ordinal = t->held.ordinal;
	ring_put_back(t);
	KUNIT_EXPECT_EQ(test, t->ring.read, 0ULL);
	KUNIT_EXPECT_EQ(test, etw_ring_buffered(&t->ring, NULL), 3ULL);
	KUNIT_EXPECT_TRUE(test, etw_ring_has_data(&t->ring));
	KUNIT_ASSERT_TRUE(test, ring_take(t));
	KUNIT_EXPECT_EQ(test, t->held.ordinal, ordinal);
	ring_discard(t);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 2U);
	ring_expect_conserved(t);
}

/* What the writer passed by meanwhile is too old to come again. */
static void put_back_too_late(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, true);
	u32 i;

	for (i = 0; i < 3; i++)
		ring_fill(t);
	KUNIT_ASSERT_TRUE(test, ring_take(t));
	for (i = 0; i < 3; i++)
		ring_fill(t);
	ring_put_back(t);
	KUNIT_EXPECT_EQ(test, t->ring.given_up, 1ULL);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 2U);
	KUNIT_EXPECT_EQ(test, t->stream, t->now);
	ring_fill(t);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 1U);
	ring_expect_conserved(t);
}

static void empty_buffers_stay(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 2, UNITS, false);
	u32 i;

	for (i = 0; i < 4; i++) {
		seal(t);
		KUNIT_EXPECT_FALSE(test, etw_ring_dirty(&t->ring));
		KUNIT_EXPECT_FALSE(test, etw_ring_has_data(&t->ring));
		KUNIT_EXPECT_FALSE(test, ring_take(t));
	}
	write_one(t);
	for (i = 0; i < 4; i++)
		seal(t);
	KUNIT_EXPECT_EQ(test, t->wakeups, 1ULL);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 1U);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 0U);
	ring_expect_conserved(t);
}

/* A flush interrupts a writer: the writer's commit completes the buffer. */
static void seal_while_writer_inside(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 2, UNITS, false);
	struct ring_record record;
	u64 ordinal;

	KUNIT_ASSERT_TRUE(test, ring_reserve(t, &record, 24));
	KUNIT_EXPECT_TRUE(test, etw_ring_seal(&t->ring, &ordinal));
	KUNIT_EXPECT_FALSE(test, etw_ring_settled(&t->ring, ordinal));
	KUNIT_EXPECT_FALSE(test, ring_take(t));
	KUNIT_EXPECT_EQ(test, t->wakeups, 0ULL);
	ring_commit(t, &record);
	KUNIT_EXPECT_TRUE(test, etw_ring_settled(&t->ring, ordinal));
	KUNIT_EXPECT_EQ(test, t->wakeups, 1ULL);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 1U);
	ring_expect_conserved(t);
}

/* A seal between W and the change of W sends the writer on. */
static void seal_under_writer(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 2, UNITS, false);
	struct injection injection = { .point = POINT_TICK, .what = seal };

	write_one(t);
	inject(t, &injection);
	write_one(t);
	KUNIT_EXPECT_TRUE(test, injection.done);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 2U);
	ring_expect_conserved(t);
}

static void too_large(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 2, UNITS, false);
	u32 size = ring_room(t);
	struct etw_reservation at;

	KUNIT_EXPECT_FALSE(test, ring_write(t, size + 1));
	KUNIT_EXPECT_EQ(test, local_read(&t->ring.lost[ETW_LOSS_TOO_LARGE]), 1L);
	KUNIT_EXPECT_FALSE(test, etw_reserve(&t->ring, size + 8, &at, ETW_RESERVE_TRY));
	KUNIT_EXPECT_EQ(test, etw_ring_lost(&t->ring), 1ULL);
	KUNIT_EXPECT_TRUE(test, ring_write(t, size));
	KUNIT_EXPECT_TRUE(test, ring_write(t, size - 7));
	KUNIT_EXPECT_FALSE(test, etw_reserve(&t->ring, 16, &at, ETW_RESERVE_TRY));
	KUNIT_EXPECT_EQ(test, etw_ring_lost(&t->ring), 1ULL);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 2U);
	ring_expect_conserved(t);
}

/* A CPU that has no memory (yet) */
static void idle_ring(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 2, UNITS, true);
	u64 ordinal;

	etw_ring_destroy(&t->ring);
	KUNIT_EXPECT_FALSE(test, ring_write(t, 24));
	KUNIT_EXPECT_EQ(test, local_read(&t->ring.lost[ETW_LOSS_NO_BUFFER]), 1L);
	KUNIT_EXPECT_FALSE(test, etw_ring_seal(&t->ring, &ordinal));
	KUNIT_EXPECT_TRUE(test, etw_ring_settled(&t->ring, ~0ULL));
	KUNIT_EXPECT_FALSE(test, etw_ring_dirty(&t->ring));
	KUNIT_EXPECT_FALSE(test, etw_ring_has_data(&t->ring));
	KUNIT_EXPECT_FALSE(test, etw_ring_has_space(&t->ring));
	KUNIT_EXPECT_FALSE(test, ring_take(t));
	KUNIT_EXPECT_EQ(test, etw_ring_buffered(&t->ring, NULL), 0ULL);
}

/* W has 19 bits for the lap, S and the ordinals have all. */
static void lap_wraps(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, false);
	u64 last = ETW_W_LAP_MASK;
	bool overwrite = false;
	u32 i, n;

	do {
		t->ring.overwrite = overwrite;
		ring_test_restart(t, last - 2);
		for (n = 0, i = 0; i < 20; i++) {
			ring_fill(t);
			if (overwrite && i % 7)
				continue;
			n += ring_drain(t);
		}
		n += ring_drain(t);
		KUNIT_EXPECT_GT(test, t->ring.head / 3, last + 2);
		KUNIT_EXPECT_EQ(test, n + local_read(&t->ring.overwritten_buffers), 20L);
		ring_expect_conserved(t);
		overwrite = !overwrite;
	} while (overwrite);
}

static void fresh_memory_is_fill(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 2, UNITS, false);
	u32 size = sizeof(struct wmi_buffer_header) + ring_room(t), i;

	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_NULL(test, memchr_inv(etw_slot_header(&t->ring.slots[i]), 0xFF,
						   size));
	KUNIT_EXPECT_EQ(test, (unsigned long)t->ring.slots[0].data % ETW_RECORD_ALIGN, 0UL);
}

static void buffered_counts(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 3, UNITS, false);
	u32 full;

	KUNIT_EXPECT_EQ(test, etw_ring_buffered(&t->ring, &full), 0ULL);
	ring_fill(t);
	write_one(t);
	write_one(t);
	KUNIT_EXPECT_EQ(test, etw_ring_buffered(&t->ring, &full), 3ULL);
	KUNIT_EXPECT_EQ(test, full, 1U);
	KUNIT_ASSERT_TRUE(test, ring_take(t));
	KUNIT_EXPECT_EQ(test, etw_ring_buffered(&t->ring, &full), 2ULL);
	KUNIT_EXPECT_EQ(test, full, 0U);
	KUNIT_EXPECT_EQ(test, ring_drain(t), 1U);
	KUNIT_EXPECT_EQ(test, t->ring.buffers_read, 2ULL);
	ring_expect_conserved(t);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(nested_writer_keeps_order),
	KUNIT_CASE(nested_writer_in_record),
	KUNIT_CASE(exact_fill),
	KUNIT_CASE(seal_of_exactly_full),
	KUNIT_CASE(failed_seal_starts_over),
	KUNIT_CASE(nested_writer_over_sealer),
	KUNIT_CASE(delivery_in_slot_order),
	KUNIT_CASE(stuck_writer),
	KUNIT_CASE(discard_mode_loses_the_newest),
	KUNIT_CASE(overwrite_mode_keeps_the_newest),
	KUNIT_CASE(held_slot_is_skipped),
	KUNIT_CASE(held_slot_of_two),
	KUNIT_CASE(put_back_comes_again),
	KUNIT_CASE(put_back_too_late),
	KUNIT_CASE(empty_buffers_stay),
	KUNIT_CASE(seal_while_writer_inside),
	KUNIT_CASE(seal_under_writer),
	KUNIT_CASE(too_large),
	KUNIT_CASE(idle_ring),
	KUNIT_CASE(lap_wraps),
	KUNIT_CASE(fresh_memory_is_fill),
	KUNIT_CASE(buffered_counts),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_ring",
	.exit = ring_test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
