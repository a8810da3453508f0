// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Image names by process id, in more processes than the first table has slots; last threads. */
#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/kernel.h>
#include "part.h"

static void end_point(void);

/* Another CPU may come between any two accesses to what they share. */
#define atomic_dec_return(v) \
	({ int now; end_point(); now = (atomic_dec_return)(v); end_point(); now; })
#define atomic_read(v) \
	({ int now; end_point(); now = (atomic_read)(v); end_point(); now; })
#include "source/process/process_table.c"

#define MANY		20000U
#define PROCESS		77U
#define POINTS		4

static void set_one(u32 process_id)
{
	char name[ETW_IMAGE_NAME];

	snprintf(name, sizeof(name), "image %u", process_id);
	etw_process_table_set(process_id, name, process_id + 1);
}

static bool knows(u32 process_id)
{
	char name[ETW_IMAGE_NAME], known[ETW_IMAGE_NAME];
	u32 execs;

	snprintf(name, sizeof(name), "image %u", process_id);
	return etw_process_table_recorded(process_id, known, &execs) && !strcmp(name, known) &&
	       execs == process_id + 1;
}

static u32 tables(void)
{
	struct image_table *table;
	u32 n = 0;

	for (table = newest(); table; table = table->older)
		n++;
	return n;
}

/* The worker comes between any two: as where processes come slower than it. */
static void begin(u32 first, u32 count, u32 step)
{
	u32 i;

	for (i = 0; i < count; i++) {
		set_one(first + i * step);
		flush_work(&grow_work);
	}
}

static void every_process_has_a_slot(struct kunit *test)
{
	/* ids in order, and with a step that hashes badly */
	static const u32 steps[] = { 1, 7, 4096, 3 };
	static const atomic_t none = ATOMIC_INIT(0);
	u32 k, i, unknown, twice, silent;

	for (k = 0; k < ARRAY_SIZE(steps); k += min(part_step(), 2U)) {
		KUNIT_ASSERT_EQ(test, etw_process_table_prepare(), 0);
		begin(1, MANY, steps[k]);
		unknown = 0;
		twice = 0;
		silent = 0;
		for (i = 0; i < MANY; i++) {
			u32 process_id = 1 + i * steps[k];

			unknown += !knows(process_id);
			/* of three threads the last one ends the process, and once */
			etw_process_table_thread_start(process_id);
			etw_process_table_thread_start(process_id);
			twice += etw_process_table_thread_end(process_id, &none);
			twice += etw_process_table_thread_end(process_id, &none);
			silent += !etw_process_table_thread_end(process_id, &none);
			silent += !etw_process_table_end(process_id, 1);
			twice += etw_process_table_end(process_id, 2);
		}
		KUNIT_EXPECT_EQ(test, unknown, 0U);
		KUNIT_EXPECT_EQ(test, twice, 0U);
		KUNIT_EXPECT_EQ(test, silent, 0U);
		etw_process_table_unprepare();
	}
}

/* All come before the worker does: the first table takes what it can. */
static void burst(struct kunit *test)
{
	u32 i, known = 0;

	KUNIT_ASSERT_EQ(test, etw_process_table_prepare(), 0);
	mutex_lock(&images_lock);
	for (i = 1; i <= MANY; i++)
		set_one(i);
	for (i = 1; i <= MANY; i++)
		known += knows(i);
	KUNIT_EXPECT_EQ(test, tables(), 1U);
	KUNIT_EXPECT_GE(test, known, (u32)BIT(LEAST_BITS) / 2);
	KUNIT_EXPECT_LT(test, known, MANY);
	mutex_unlock(&images_lock);
	flush_work(&grow_work);
	KUNIT_EXPECT_EQ(test, tables(), 2U);
	set_one(MANY + 1);
	KUNIT_EXPECT_TRUE(test, knows(MANY + 1));
	etw_process_table_unprepare();
}

/* Slots of processes that ended are taken again: no growth without living ones. */
static void ended_make_room(struct kunit *test)
{
	u32 i, unknown = 0;

	KUNIT_ASSERT_EQ(test, etw_process_table_prepare(), 0);
	for (i = 1; i <= 5 * MANY; i++) {
		begin(i, 1, 1);
		unknown += !knows(i);
		etw_process_table_end(i, 1);
	}
	KUNIT_EXPECT_EQ(test, unknown, 0U);
	KUNIT_EXPECT_EQ(test, tables(), 1U);
	/* an id comes again */
	set_one(5 * MANY);
	KUNIT_EXPECT_EQ(test, etw_process_table_ended(5 * MANY), 0ULL);
	KUNIT_EXPECT_TRUE(test, etw_process_table_end(5 * MANY, 3));
	KUNIT_EXPECT_EQ(test, etw_process_table_ended(5 * MANY), 3ULL);
	etw_process_table_unprepare();
}

static void ends_while_it_grows(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, etw_process_table_prepare(), 0);
	newest()->crowded = true;
	queue_work(etw_unbound_wq, &grow_work);
	etw_process_table_unprepare();
	KUNIT_EXPECT_EQ(test, tables(), 0U);
	set_one(1);
	KUNIT_EXPECT_FALSE(test, knows(1));
	KUNIT_EXPECT_TRUE(test, etw_process_table_end(1, 1));
	KUNIT_ASSERT_EQ(test, etw_process_table_prepare(), 0);
	KUNIT_EXPECT_EQ(test, tables(), 1U);
	etw_process_table_unprepare();
}

/**
 * struct ending - a process with threads that end
 * @live: as signal->live: a thread has left it before its end is recorded
 * @at: at this point of the outermost end the next one ends, whole
 * @points: passed so far
 * @nested: threads that end there
 * @last: how many were recorded as the last one
 * @early: threads that were alive then
 */
static struct ending {
	atomic_t live;
	int at;
	int points;
	int nested;
	int last;
	int early;
} ending;

static void one_ends(void)
{
	atomic_dec(&ending.live);
	if (etw_process_table_thread_end(PROCESS, &ending.live) &&
	    etw_process_table_end(PROCESS, 1)) {
		ending.last++;
		ending.early += (atomic_read)(&ending.live);
	}
}

static void end_point(void)
{
	if (!ending.nested || ending.points++ != ending.at)
		return;
	while (ending.nested) {
		ending.nested--;
		one_ends();
	}
}

static void begin_ending(struct kunit *test, int threads, int at, int nested)
{
	int i;

	KUNIT_ASSERT_EQ(test, etw_process_table_prepare(), 0);
	ending = (struct ending){ .at = at };
	atomic_set(&ending.live, threads);
	etw_process_table_set(PROCESS, "image", 0);
	for (i = 1; i < threads; i++)
		etw_process_table_thread_start(PROCESS);
	ending.nested = nested;
}

/* Of two or three, the last one or two at any point of the first one's end */
static void threads_end_together(struct kunit *test)
{
	int threads, at;

	for (threads = 2; threads <= 3; threads++) {
		for (at = 0; at <= POINTS; at++) {
			begin_ending(test, threads, at, threads - 1);
			one_ends();
			while (ending.nested) {
				ending.nested--;
				one_ends();
			}
			KUNIT_EXPECT_EQ_MSG(test, ending.last, 1, "%d threads, point %d",
					    threads, at);
			etw_process_table_unprepare();
		}
	}
}

/* One that isn't known to have begun makes the count too low, never too high. */
static void thread_without_a_begin(struct kunit *test)
{
	int at;

	for (at = 0; at <= POINTS; at++) {
		begin_ending(test, 2, at, 2);
		atomic_inc(&ending.live);
		one_ends();
		while (ending.nested) {
			ending.nested--;
			one_ends();
		}
		KUNIT_EXPECT_EQ_MSG(test, ending.last, 1, "point %d", at);
		KUNIT_EXPECT_EQ_MSG(test, ending.early, 0, "point %d", at);
		etw_process_table_unprepare();
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(every_process_has_a_slot),
	KUNIT_CASE(burst),
	KUNIT_CASE(ended_make_room),
	KUNIT_CASE(ends_while_it_grows),
	KUNIT_CASE(threads_end_together),
	KUNIT_CASE(thread_without_a_begin),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_process_table",
	.test_cases = cases,
};

kunit_test_suite(suite);
