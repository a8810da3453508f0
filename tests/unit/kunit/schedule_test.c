// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Schedules of a ring: every place for one and two interruptions, then chance. */
#include <linux/slab.h>
#include <linux/string.h>
#include "part.h"
#include "test_ring.h"

#define UNITS		8U	/* of a buffer: most records need the next one */
#define LEVELS		3U	/* task, interrupt, NMI */

/* What may come at a point */
enum visit {
	VISIT_WRITE,		/* a small record */
	VISIT_BUFFERS,		/* records as large as buffers */
	VISIT_LAPS,		/* so many that the ring goes round */
	VISIT_LARGE,		/* a record that no buffer takes */
	VISIT_TRY,		/* likewise, of one that will try again */
	VISIT_UNREAD,		/* a record with counters that can't be read */
	VISIT_FLUSH,
	VISIT_COPY,		/* a snapshot's look and copies */
	VISIT_READ,		/* the reader takes and releases */
	VISIT_HOLD,		/* the reader takes, or leaves what it has */
	VISITS,
};

static void read_some(struct ring_test *t, bool hold)
{
	if (t->in_reader)
		return;
	if (t->holding)
		ring_release(t);
	else if (ring_take(t) && !hold)
		ring_release(t);
}

static void visit(struct ring_test *t, enum visit who)
{
	u32 i;

	switch (who) {
	case VISIT_WRITE:
		ring_write(t, 24);
		break;
	case VISIT_BUFFERS:
		ring_write(t, ring_room(t));
		ring_write(t, 40);
		break;
	case VISIT_LAPS:
		for (i = 0; i < 2 * t->ring.nr_slots; i++)
			ring_write(t, ring_room(t) - 8 * (i % 3));
		break;
	case VISIT_LARGE:
		ring_write(t, ring_room(t) + ETW_RECORD_ALIGN);
		break;
	case VISIT_TRY:
		ring_give_up(t, ring_room(t) + ETW_RECORD_ALIGN, true);
		break;
	case VISIT_UNREAD:
		ring_give_up(t, 24, false);
		break;
	case VISIT_FLUSH:
		ring_flush(t);
		break;
	case VISIT_COPY:
		if (t->ring.overwrite && !t->in_reader)
			ring_copy(t);
		break;
	case VISIT_READ:
		read_some(t, false);
		break;
	case VISIT_HOLD:
		read_some(t, true);
		break;
	default:
		break;
	}
}

/**
 * struct plan - two interruptions of the same work
 * @at: before which points, counted over all of it
 * @who: comes there
 * @seen: points so far
 */
struct plan {
	u64 at[2];
	enum visit who[2];
	u64 seen;
};

static void follow_plan(struct ring_test *t, enum ring_point point)
{
	struct plan *plan = t->context;
	u64 now = ++plan->seen;
	u32 i;

	ring_flush_look(t);
	for (i = 0; i < ARRAY_SIZE(plan->at); i++)
		if (now == plan->at[i])
			visit(t, plan->who[i]);
}

/* Fills, exact and not, a seal, a reader, over more than a lap */
static void work(struct ring_test *t)
{
	static const u32 sizes[] = { 24, 64, 40, 24, 16, 48, 24 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		ring_write(t, sizes[i]);
	visit(t, VISIT_FLUSH);
	read_some(t, false);
	ring_write(t, 64);
	ring_write(t, 24);
}

/* Returns how many points the work has with this plan. */
static u64 try_plan(struct ring_test *t, struct plan *plan)
{
	plan->seen = 0;
	ring_test_restart(t, 1);
	t->context = plan;
	t->interrupt = follow_plan;
	work(t);
	ring_drain(t);
	ring_expect_conserved(t);
	return plan->seen;
}

static void try_all(struct ring_test *t)
{
	struct plan plan = { };
	u64 points;

	for (plan.who[0] = 0; plan.who[0] < VISITS; plan.who[0]++) {
		plan.at[0] = 0;
		do {
			plan.at[0]++;
			points = try_plan(t, &plan);
			if (t->test->status == KUNIT_FAILURE) {
				kunit_err(t->test, "visit %u at point %llu", plan.who[0],
					  plan.at[0]);
				return;
			}
		} while (plan.at[0] < points);
	}
}

/* Readings that come early, an interrupt between any two steps of the clamp */
static void one_interruption_by_counter(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 2, UNITS, false);

	ring_test_by_counter(t);
	try_all(t);
	t->ring.overwrite = true;
	try_all(t);
}

static void one_interruption(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 2, UNITS, false);

	try_all(t);
	t->ring.overwrite = true;
	try_all(t);
}

/* The second comes right after the first, or over it, or later. */
static void try_pairs(struct ring_test *t, struct plan *plan)
{
	u64 points;

	plan->at[0] = 0;
	do {
		plan->at[0] += plan->at[0] ? part_step() : 1;
		plan->at[1] = plan->at[0] - 1;
		do {
			plan->at[1]++;
			points = try_plan(t, plan);
			if (t->test->status == KUNIT_FAILURE) {
				kunit_err(t->test, "visits %u at point %llu, %u at %llu",
					  plan->who[0], plan->at[0], plan->who[1],
					  plan->at[1]);
				return;
			}
		} while (plan->at[1] < points && plan->at[1] < plan->at[0] + 60);
		cond_resched();
	} while (plan->at[0] < points);
}

static void try_each(struct ring_test *t, const enum visit pairs[][2], u32 count)
{
	struct plan plan = { };
	u32 i;

	for (i = 0; i < 2 * count; i++) {
		t->ring.overwrite = i & 1;
		plan.who[0] = pairs[i / 2][0];
		plan.who[1] = pairs[i / 2][1];
		try_pairs(t, &plan);
		if (t->test->status == KUNIT_FAILURE)
			return;
	}
}

static void two_interruptions(struct kunit *test)
{
	static const enum visit pairs[][2] = {
		{ VISIT_WRITE, VISIT_WRITE }, { VISIT_BUFFERS, VISIT_BUFFERS },
		{ VISIT_BUFFERS, VISIT_READ }, { VISIT_HOLD, VISIT_LAPS },
		{ VISIT_LAPS, VISIT_WRITE }, { VISIT_READ, VISIT_BUFFERS },
		{ VISIT_WRITE, VISIT_FLUSH }, { VISIT_BUFFERS, VISIT_FLUSH },
		{ VISIT_COPY, VISIT_LAPS }, { VISIT_BUFFERS, VISIT_COPY },
	};

	try_each(ring_test_start(test, 2, UNITS, false), pairs, ARRAY_SIZE(pairs));
}

/* The second may come between two steps of the first one's clamp, while an early reading waits */
static void two_interruptions_by_counter(struct kunit *test)
{
	static const enum visit pairs[][2] = {
		{ VISIT_LARGE, VISIT_WRITE }, { VISIT_TRY, VISIT_WRITE },
		{ VISIT_UNREAD, VISIT_WRITE }, { VISIT_WRITE, VISIT_WRITE },
	};
	struct ring_test *t = ring_test_start(test, 2, UNITS, false);

	ring_test_by_counter(t);
	try_each(t, pairs, ARRAY_SIZE(pairs));
}

static u32 chance(struct ring_test *t)
{
	u64 *state = t->context;

	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 32;
}

/* Sizes up to a buffer, now and then one more */
static u32 any_size(struct ring_test *t)
{
	u32 r = chance(t);

	if (r % 128 == 0)
		return ring_room(t) + 8;
	if (r % 8 == 0)
		return ring_room(t);
	return RECORD_MIN + (r >> 8) % (ring_room(t) / 2);
}

static void any_reader(struct ring_test *t)
{
	if (t->worker && chance(t) % 4 == 0) {
		ring_worker(t, chance(t) % 2);
		return;
	}
	if (!t->holding) {
		ring_take(t);
		return;
	}
	switch (chance(t) % 8) {
	case 0:
		ring_put_back(t);
		break;
	case 1:
		ring_discard(t);
		break;
	default:
		ring_release(t);
	}
}

static void any_visit(struct ring_test *t, enum ring_point point)
{
	u32 r = chance(t);

	ring_flush_look(t);
	if (r % 64 == 0 && !t->in_reader) {
		any_reader(t);
	} else if ((r >> 8) % 24 == 0 && t->level < LEVELS) {
		if ((r >> 16) % 16)
			ring_write(t, any_size(t));
		else
			visit(t, (r >> 20) % 2 ? VISIT_FLUSH : VISIT_COPY);
	}
}

static void go_by_chance(struct ring_test *t, u64 seed)
{
	struct kunit *test = t->test;
	u32 i;

	ring_test_restart(t, ETW_W_LAP_MASK - 1000);
	t->context = &seed;
	for (i = 0; i < part_of(100000); i++) {
		t->interrupt = any_visit;
		ring_write(t, any_size(t));
		if (test->status == KUNIT_FAILURE)
			break;
		if (i % 1024 == 0) {
			ring_drain(t);
			ring_expect_conserved(t);
			cond_resched();
		}
	}
	ring_drain(t);
	ring_expect_conserved(t);
	KUNIT_EXPECT_GT(test, t->read, (u64)part_of(10000));
	kunit_info(test, "%llu records, %llu read, %llu lost, %llu retries", t->attempted,
		   t->read, t->refused, t->retries);
}

static struct ring_test *run_chance(struct kunit *test, u32 slots, u32 units, bool overwrite,
				    bool worker, u64 seed)
{
	struct ring_test *t = ring_test_start(test, slots, units, overwrite);

	t->worker = worker;
	go_by_chance(t, seed);
	KUNIT_EXPECT_GT(test, t->retries, (u64)part_of(1000));
	return t;
}

static void chance_discard(struct kunit *test)
{
	run_chance(test, 4, 32, false, false, 20260101);
}

/* Fewer buffers than slots: they wander */
static void chance_worker(struct kunit *test)
{
	struct ring_test *t = run_chance(test, 6, 32, false, true, 20261121);

	KUNIT_EXPECT_GT(test, t->taken_away, (u64)part_of(100));
}

static void chance_overwrite(struct kunit *test)
{
	struct ring_test *t = run_chance(test, 4, 32, true, false, 20260102);

	KUNIT_EXPECT_GT(test, t->copies, (u64)part_of(1000));
}

static void chance_two_slots(struct kunit *test)
{
	run_chance(test, 2, UNITS, true, false, 20260103);
}

static void chance_by_counter(struct kunit *test)
{
	struct ring_test *t = ring_test_start(test, 4, 32, false);

	ring_test_by_counter(t);
	go_by_chance(t, 20261123);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(one_interruption),
	KUNIT_CASE(one_interruption_by_counter),
	KUNIT_CASE(two_interruptions),
	KUNIT_CASE(two_interruptions_by_counter),
	KUNIT_CASE(chance_discard),
	KUNIT_CASE(chance_worker),
	KUNIT_CASE(chance_overwrite),
	KUNIT_CASE(chance_two_slots),
	KUNIT_CASE(chance_by_counter),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_schedule",
	.exit = ring_test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
