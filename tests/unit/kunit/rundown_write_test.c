// SPDX-License-Identifier: GPL-2.0
/* Whom a rundown's records let wait for room: not who looked at what may change. */
#include <linux/jiffies.h>
#include <linux/sched.h>
#include "test_ring.h"

struct etw_perf_event;

static bool ring_has_room(const struct etw_ring *ring);
static bool no_index(u64 *index);
static bool no_value(const struct etw_perf_event *event, u64 *value);

#define etw_ring_has_room	ring_has_room
#define etw_pebs_index		no_index
#define etw_perf_value_slow	no_value
#include "context/rundown_write.c"
#undef etw_ring_has_room
#undef etw_pebs_index
#undef etw_perf_value_slow

/**
 * struct room - a ring whose room comes and goes, as far as the rundown is told
 * @rundown: what waits for it
 * @sink: of nothing
 * @there: whether there is room
 * @asked: how often it was waited for
 * @limit: how long at most
 * @looked: how often at what is told
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

static bool make_room(struct etw_rundown *rundown, unsigned long limit)
{
	room.asked++;
	room.limit = limit;
	room.there = true;
	return !time_after(jiffies, limit);
}

/* It is so no more: who gets that far had room. */
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
		.sink = &room.sink, .make_room = make_room,
		.ring = &ring_test_start(test, 2, 64, false)->ring,
	};
	return 0;
}

static void who_looked_waits_for_nothing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_rundown_tell(&room.rundown, &looked_at), -EAGAIN);
	KUNIT_EXPECT_EQ(test, room.asked, 0U);
	KUNIT_EXPECT_EQ(test, room.looked, 0U);
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_EQ(test, room.asked, 1U);
	KUNIT_EXPECT_EQ(test, etw_rundown_tell(&room.rundown, &looked_at), -ESTALE);
	KUNIT_EXPECT_EQ(test, room.looked, 1U);
}

static void what_is_always_so_waits(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_rundown_tell(&room.rundown, &always_so), 0);
	KUNIT_EXPECT_EQ(test, room.asked, 1U);
}

/* Else a busy CPU, which takes each room that comes, would let STOP wait for ever. */
static void what_vanishes_is_asked_for(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_rundown_tell(&room.rundown, &looked_at), -EAGAIN);
	room.there = true;
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_EQ(test, room.asked, 1U);
	/* what was told had room: the next one is not asked for */
	etw_rundown_tell(&room.rundown, &looked_at);
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_EQ(test, room.asked, 1U);
}

static void what_vanishes_has_one_limit(struct kunit *test)
{
	unsigned long first;

	KUNIT_EXPECT_EQ(test, etw_rundown_tell(&room.rundown, &looked_at), -EAGAIN);
	first = room.rundown.limit;
	schedule_timeout_uninterruptible(2);
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_EQ(test, room.limit, first);
	room.there = false;
	KUNIT_EXPECT_EQ(test, etw_rundown_tell(&room.rundown, &looked_at), -EAGAIN);
	KUNIT_EXPECT_EQ(test, room.rundown.limit, first);
	/* as if so long had gone */
	room.rundown.limit = jiffies - 1;
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_TRUE(test, room.rundown.hopeless);
}

/* The last try, whose record is lost if there is none */
static void without_hope_nothing_waits(struct kunit *test)
{
	room.rundown.hopeless = true;
	etw_rundown_wait(&room.rundown);
	KUNIT_EXPECT_EQ(test, etw_rundown_tell(&room.rundown, &looked_at), -ESTALE);
	KUNIT_EXPECT_EQ(test, room.looked, 1U);
	KUNIT_EXPECT_EQ(test, room.asked, 0U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(who_looked_waits_for_nothing),
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
