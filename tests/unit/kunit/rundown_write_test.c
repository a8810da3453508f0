// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What a rundown's records let wait for room: not a walk that looked at what may change. */
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include "test_ring.h"

struct etw_perf_event;

static bool ring_has_room(const struct etw_ring *ring);
static bool no_index(u64 *index);
static bool no_value(const struct etw_perf_event *event, u64 *value);

#define etw_ring_has_space	ring_has_room
#define etw_pebs_index		no_index
#define etw_perf_value_slow	no_value
#include "context/rundown_write.c"
#undef etw_ring_has_space
#undef etw_pebs_index
#undef etw_perf_value_slow

/**
 * struct room - a ring with room that comes and goes, as far as the rundown knows
 * @rundown: what waits for it
 * @sink: of nothing
 * @there: whether there is room
 * @asked: how often it was waited for
 * @limit: how long at most
 * @looked: how often at what is recorded
 */
static struct room {
	struct etw_rundown rundown;
	struct etw_sink sink;
	bool there;
	u32 asked;
	unsigned long limit;
	u32 looked;
} room;

static bool ring_has_room(const struct etw_ring *ring)
{
	return room.there;
}

/* No record here has one. */
static bool no_index(u64 *index)
{
	return false;
}

/* Nor a counter; some compilers leave the call out, and without perf there is none. */
static bool __maybe_unused no_value(const struct etw_perf_event *event, u64 *value)
{
	return false;
}

static bool make_space(struct etw_rundown *rundown, unsigned long limit)
{
	room.asked++;
	room.limit = limit;
	room.there = true;
	return !time_after(jiffies, limit);
}

/* It is so no more: a record that gets that far had room. */
static bool changed(const void *what)
{
	room.looked++;
	return false;
}

static const struct etw_rundown_record looked_at = {
	.header = ETW_RUNDOWN_SYSTEM, .payload = "", .still = changed,
};

static const struct etw_rundown_record always_so = {
	.header = ETW_RUNDOWN_SYSTEM, .payload = "",
};

static int begin(struct kunit *test)
{
	memset(&room, 0, sizeof(room));
	room.rundown = (struct etw_rundown){
		.sink = &room.sink, .make_space = make_space,
		.ring = &ring_test_start(test, 2, 64, false)->ring,
	};
	return 0;
}

static void a_walk_that_looked_does_not_wait(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_rundown_write_record(&room.rundown, &looked_at), -EAGAIN);
	KUNIT_EXPECT_EQ(test, room.asked, 0U);
	KUNIT_EXPECT_EQ(test, room.looked, 0U);
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_EQ(test, room.asked, 1U);
	KUNIT_EXPECT_EQ(test, etw_rundown_write_record(&room.rundown, &looked_at), -ESTALE);
	KUNIT_EXPECT_EQ(test, room.looked, 1U);
}

static void what_is_always_so_waits(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_rundown_write_record(&room.rundown, &always_so), 0);
	KUNIT_EXPECT_EQ(test, room.asked, 1U);
}

/* Else a busy CPU, which takes each room that comes, would let STOP wait for ever. */
static void what_vanishes_is_asked_for(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_rundown_write_record(&room.rundown, &looked_at), -EAGAIN);
	room.there = true;
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_EQ(test, room.asked, 1U);
	/* what was recorded had room: the next one is not asked for */
	etw_rundown_write_record(&room.rundown, &looked_at);
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_EQ(test, room.asked, 1U);
}

static void what_vanishes_has_one_limit(struct kunit *test)
{
	unsigned long first;

	KUNIT_EXPECT_EQ(test, etw_rundown_write_record(&room.rundown, &looked_at), -EAGAIN);
	first = room.rundown.limit;
	schedule_timeout_uninterruptible(2);
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_EQ(test, room.limit, first);
	room.there = false;
	KUNIT_EXPECT_EQ(test, etw_rundown_write_record(&room.rundown, &looked_at), -EAGAIN);
	KUNIT_EXPECT_EQ(test, room.rundown.limit, first);
	/* as if so long had gone */
	room.rundown.limit = jiffies - 1;
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_TRUE(test, room.rundown.hopeless);
}

/* The last try: its record is lost if there is none */
static void without_hope_nothing_waits(struct kunit *test)
{
	room.rundown.hopeless = true;
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_EQ(test, etw_rundown_write_record(&room.rundown, &looked_at), -ESTALE);
	KUNIT_EXPECT_EQ(test, room.looked, 1U);
	KUNIT_EXPECT_EQ(test, room.asked, 0U);
}

/* Rings of all processors: only records in these have items. */
static struct etw_ring __percpu *make_rings(struct kunit *test, struct irq_work *wake)
{
	struct etw_ring __percpu *rings = alloc_percpu(struct etw_ring);
	int cpu;

	KUNIT_ASSERT_TRUE(test, !!rings);
	for_each_possible_cpu(cpu) {
		struct etw_ring *ring = per_cpu_ptr(rings, cpu);

		ring->ticks = ETW_TICKS_MONOTONIC;
		ring->wake = wake;
		etw_ring_idle(ring);
		KUNIT_ASSERT_EQ(test, 0, etw_ring_init(ring, 2, 2, SZ_128K, NUMA_NO_NODE, false));
	}
	return rings;
}

static u64 uncounted_of(const struct etw_event_context *context)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(context->uncounted, cpu);
	return sum;
}

static void too_large_for_items_is_uncounted(struct kunit *test)
{
	const u32 limit = ETW_MAX_RECORD - sizeof(struct perfinfo_trace_header);
	struct etw_event_context *context = kunit_kzalloc(test, sizeof(*context), GFP_KERNEL);
	struct ring_test *t = test->priv;
	struct etw_rundown_record record = { .hook_id = 1, .header = ETW_RUNDOWN_PERFINFO };
	int cpu;

	KUNIT_ASSERT_NOT_NULL(test, context);
	room.there = true;
	record.payload = kunit_kzalloc(test, limit, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, record.payload);
	context->uncounted = alloc_percpu(u64);
	KUNIT_ASSERT_TRUE(test, !!context->uncounted);
	room.sink.rings = make_rings(test, &t->wake);
	room.sink.context = context;
	room.rundown.ring = NULL;

	record.size = limit;
	KUNIT_EXPECT_EQ(test, etw_rundown_write_record(&room.rundown, &record), 0);
	KUNIT_EXPECT_EQ(test, uncounted_of(context), 0ULL);	/* has no counters */
	__set_bit(record.hook_id, context->hooks);
	KUNIT_EXPECT_EQ(test, etw_rundown_write_record(&room.rundown, &record), 0);
	KUNIT_EXPECT_EQ(test, uncounted_of(context), 1ULL);
	record.size = 8;
	KUNIT_EXPECT_EQ(test, etw_rundown_write_record(&room.rundown, &record), 0);
	KUNIT_EXPECT_EQ(test, uncounted_of(context), 1ULL);

	for_each_possible_cpu(cpu)
		etw_ring_destroy(per_cpu_ptr(room.sink.rings, cpu));
	free_percpu(room.sink.rings);
	free_percpu(context->uncounted);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(too_large_for_items_is_uncounted),
	KUNIT_CASE(a_walk_that_looked_does_not_wait),
	KUNIT_CASE(what_is_always_so_waits),
	KUNIT_CASE(what_vanishes_is_asked_for),
	KUNIT_CASE(what_vanishes_has_one_limit),
	KUNIT_CASE(without_hope_nothing_waits),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_rundown_write",
	.init = begin,
	.exit = ring_test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
