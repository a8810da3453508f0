// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Intervals: each thread's has its own place, and the sessions that listened when it began record
 * it.
 */
#include <kunit/test.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include "source/write.h"

static void note_logged(const struct etw_listener *listener, const struct etw_small_event *event,
			struct etw_moment *moment);

/* An interval is written to a session. */
#define etw_write_small	note_logged
#include "source/interrupt/interval.h"
#undef etw_write_small

#define PLACES	3

static void begun(struct etw_interval *interval, unsigned long key)
{
	interval->key = key;
	interval->begun = true;
}

static void each_has_its_own(struct kunit *test)
{
	struct etw_interval_of places[PLACES] = {};
	struct etw_interval *interval[PLACES];
	int owner[PLACES + 1], i;

	for (i = 0; i < PLACES; i++) {
		KUNIT_EXPECT_NULL(test, etw_interval_of(places, PLACES, &owner[i], false));
		interval[i] = etw_interval_of(places, PLACES, &owner[i], true);
		KUNIT_ASSERT_NOT_NULL(test, interval[i]);
		begun(interval[i], i);
	}
	for (i = 0; i < PLACES; i++) {
		KUNIT_EXPECT_PTR_EQ(test, etw_interval_of(places, PLACES, &owner[i], false),
				    interval[i]);
		KUNIT_EXPECT_EQ(test, interval[i]->key, i);
	}
	/* one more than there are places */
	KUNIT_EXPECT_NULL(test, etw_interval_of(places, PLACES, &owner[PLACES], true));
	interval[1]->begun = false;
	KUNIT_EXPECT_NULL(test, etw_interval_of(places, PLACES, &owner[1], false));
	KUNIT_EXPECT_PTR_EQ(test, etw_interval_of(places, PLACES, &owner[PLACES], true),
			    interval[1]);
}

/* Softirqs of one thread follow each other: an end that was not seen costs no place. */
static void one_begins_again(struct kunit *test)
{
	struct etw_interval_of places[PLACES] = {};
	struct etw_interval *interval;
	int owner[2];

	begun(etw_interval_of(places, PLACES, &owner[0], true), 1);
	interval = etw_interval_of(places, PLACES, &owner[1], true);
	begun(interval, 2);
	/* a free place stands before it */
	etw_interval_of(places, PLACES, &owner[0], false)->begun = false;
	KUNIT_EXPECT_PTR_EQ(test, etw_interval_of(places, PLACES, &owner[1], true), interval);
	KUNIT_EXPECT_PTR_EQ(test, etw_interval_of(places, PLACES, &owner[1], false), interval);
}

/* A handler calls handlers, and all of them have an end. */
static void one_within_another(struct kunit *test)
{
	struct etw_interval_nest nest = { };
	struct etw_interval *interval[ETW_INTERVALS_NESTED];
	u32 i;

	KUNIT_EXPECT_NULL(test, etw_interval_pop(&nest, 0));
	for (i = 0; i < ETW_INTERVALS_NESTED; i++) {
		interval[i] = etw_interval_push(&nest);
		KUNIT_ASSERT_NOT_NULL(test, interval[i]);
		begun(interval[i], i);
	}
	/* one more than there are places; its end has no interval */
	KUNIT_EXPECT_NULL(test, etw_interval_push(&nest));
	KUNIT_EXPECT_NULL(test, etw_interval_pop(&nest, i));
	while (i--)
		KUNIT_EXPECT_PTR_EQ(test, etw_interval_pop(&nest, i), interval[i]);
	KUNIT_EXPECT_NULL(test, etw_interval_pop(&nest, 0));
}

/* What ends has nothing within it any more. */
static void ends_without_a_begin(struct kunit *test)
{
	struct etw_interval_nest nest = { };
	struct etw_interval *outer = etw_interval_push(&nest);

	begun(outer, 1);
	begun(etw_interval_push(&nest), 2);
	KUNIT_EXPECT_NULL(test, etw_interval_pop(&nest, 3));
	KUNIT_EXPECT_PTR_EQ(test, etw_interval_pop(&nest, 1), outer);
	KUNIT_EXPECT_NULL(test, etw_interval_pop(&nest, 2));
	KUNIT_EXPECT_PTR_EQ(test, etw_interval_push(&nest), outer);
}

#define SESSIONS	3

static const struct etw_sink sinks[SESSIONS];
static DEFINE_PER_CPU(struct etw_ring, rings[SESSIONS]);
static u32 logged;	/* a bit for each session */
static u64 begin_of[SESSIONS];

static void note_logged(const struct etw_listener *listener, const struct etw_small_event *event,
			struct etw_moment *moment)
{
	u32 n = listener->sink - sinks;

	logged |= BIT(n);
	begin_of[n] = event->word0;
}

/* The first @count sessions; the last of them came with this change, the others before */
static struct etw_listeners *listeners_of(struct kunit *test, u32 count, u32 change)
{
	static const u8 ticks[SESSIONS] = {
		ETW_TICKS_MONOTONIC, ETW_TICKS_COUNTER, ETW_TICKS_MONOTONIC,
	};
	struct etw_listeners *listeners;
	int cpu;
	u32 i;

	listeners = kunit_kzalloc(test, struct_size(listeners, listener, count), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, listeners);
	listeners->count = count;
	listeners->change = change;
	for (i = 0; i < count; i++) {
		listeners->ticks |= BIT(ticks[i]);
		listeners->listener[i].sink = &sinks[i];
		listeners->listener[i].rings = &rings[i];
		listeners->listener[i].since = change - (count - 1 - i);
		for_each_possible_cpu(cpu)
			per_cpu(rings[i], cpu).ticks = ticks[i];
	}
	return listeners;
}

/* An interrupt that comes meanwhile, by any clock: its clock may not even have been read. */
static void sessions_of_the_middle_are_left_out(struct kunit *test)
{
	static const struct etw_interval_kind kind = { .hook_id = 0x0F43, .size = 20 };
	struct etw_interval interval = { };
	u32 change, count;

	/* the count of changes goes round, too */
	for (change = -3U; change != 3; change++) {
		for (count = 1; count <= SESSIONS; count++) {
			struct etw_listeners *before = listeners_of(test, 1, change);
			struct etw_listeners *now = listeners_of(test, count, change + count - 1);

			logged = 0;
			preempt_disable();
			etw_interval_begin(&interval, before, 0, 0);
			etw_interval_write(now, &interval, &kind);
			preempt_enable();
			KUNIT_EXPECT_EQ_MSG(test, logged, 1U, "%u came", count - 1);
			KUNIT_EXPECT_EQ(test, begin_of[0], interval.begin.boottime);
			/* all of them record the next one */
			logged = 0;
			preempt_disable();
			etw_interval_begin(&interval, now, 0, 0);
			etw_interval_write(now, &interval, &kind);
			preempt_enable();
			KUNIT_EXPECT_EQ(test, logged, (u32)BIT(count) - 1);
		}
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_has_its_own),
	KUNIT_CASE(one_begins_again),
	KUNIT_CASE(one_within_another),
	KUNIT_CASE(ends_without_a_begin),
	KUNIT_CASE(sessions_of_the_middle_are_left_out),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_interval",
	.test_cases = cases,
};

kunit_test_suite(suite);
