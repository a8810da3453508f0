// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Brief events into several rings at once: the one way for all, and what that leaves. */
#include <linux/bitmap.h>
#include <linux/kconfig.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>
/* User Mode Linux has no NMIs, and doesn't say that its cmpxchg is whole for them. */
#ifndef CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG
#define CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG	1
#endif
#include "part.h"
#include "test_ring.h"
#include "ring/slot.h"
#include "source/write.h"

#define RINGS	3U
#define EVENTS	512U	/* that a case writes at most */
#define HOOK	0x0524
#define VERSION	2

/**
 * struct write_test - what happens to each of several rings
 * @ring: with its reader
 * @rings: as sources have them, with a NULL behind
 * @size: of payloads
 * @events: how many were written, or should have been
 * @once: of them, those that left nothing to do
 * @seen: of each ring: those that were found in it
 * @at: what comes at a point: at this one; 0: nothing
 * @points: that were passed by the outermost event
 */
struct write_test {
	struct ring_test *ring[RINGS];
	struct etw_ring __percpu *rings[RINGS + 1];
	u32 size;
	u32 events;
	u32 once;
	DECLARE_BITMAP(seen[RINGS], EVENTS);
	u64 at;
	u64 points;
};

/*
 * So that this_cpu_ptr() finds @ring on this CPU, where the test stays. What it adds is
 * seen by any address: not all kernels have a name for that.
 */
static struct etw_ring __percpu *as_percpu(struct etw_ring *ring)
{
	unsigned long base = (unsigned long)this_cpu_ptr((struct etw_ring __percpu *)PAGE_SIZE);

	return (struct etw_ring __percpu *)((unsigned long)ring - (base - PAGE_SIZE));
}

static struct etw_small_event event_of(const struct write_test *w, u32 number)
{
	return (struct etw_small_event){
		.hook_id = HOOK,
		.version = VERSION,
		.size = w->size,
		.word0 = number,
		.word1 = w->size > 8 ? number * 3ULL : 0,
		.word2 = w->size > 16 ? number * 7ULL : 0,
	};
}

/* As a probe does */
static void write_event(struct write_test *w)
{
	const struct etw_small_event event = event_of(w, w->events++);
	struct etw_ring __percpu **left;
	struct etw_moment moment = { };
	struct etw_slot *full;

	if (etw_write_fast(w->rings, &event, &left, &full, &moment.counter))
		w->once++;
	else
		etw_write_slow(left, full, &event, &moment);
}

static void come_once(struct ring_test *t, enum ring_point point)
{
	struct write_test *w = t->context;

	if (++w->points == w->at)
		write_event(w);
}

static void check_event(struct kunit *test, struct write_test *w, u32 index, const u64 *word,
			u64 *last)
{
	const struct etw_small_event event = event_of(w, word[2]);
	u32 bytes = sizeof(struct perfinfo_trace_header) + w->size;

	KUNIT_EXPECT_EQ(test, word[0], 0xC0110000ULL | VERSION | (u64)bytes << 32 |
				       (u64)HOOK << 48);
	KUNIT_EXPECT_GE_MSG(test, word[1], *last, "ring %u: out of order", index);
	*last = word[1];
	if (word[2] >= EVENTS) {
		KUNIT_FAIL(test, "ring %u: event %llu is none of ours", index, word[2]);
		return;
	}
	KUNIT_EXPECT_FALSE_MSG(test, test_and_set_bit(word[2], w->seen[index]),
			       "ring %u: event %llu is there twice", index, word[2]);
	if (w->size > 8)
		KUNIT_EXPECT_EQ(test, word[3], event.word1);
	if (w->size > 16)
		KUNIT_EXPECT_EQ(test, word[4], event.word2);
}

/* All that is in a ring; returns how many events */
static u32 read_ring(struct kunit *test, struct write_test *w, u32 index, u64 *last)
{
	struct etw_ring *ring = &w->ring[index]->ring;
	u32 units = etw_units(sizeof(struct perfinfo_trace_header) + w->size), at, n = 0;
	struct etw_reader_buffer held;

	while (etw_ring_take(ring, &held)) {
		KUNIT_EXPECT_EQ(test, etw_w_used(held.w), 8 * units * etw_w_events(held.w));
		for (at = 0; at < etw_w_events(held.w); at++, n++)
			check_event(test, w, index,
				    (u64 *)held.slot->data + (size_t)at * units, last);
		etw_ring_release(ring, &held);
	}
	return n;
}

/* Each event is in each ring once, or one of those that the ring says it lost */
static void expect_all(struct kunit *test, struct write_test *w)
{
	u64 ordinal, last, lost;
	u32 i, n;

	ring_watch(NULL);
	for (i = 0; i < RINGS; i++) {
		last = 0;
		n = read_ring(test, w, i, &last);
		if (etw_ring_seal(&w->ring[i]->ring, &ordinal))
			KUNIT_EXPECT_TRUE(test, etw_ring_settled(&w->ring[i]->ring, ordinal));
		n += read_ring(test, w, i, &last);
		lost = local_read(&w->ring[i]->ring.lost[ETW_LOSS_NO_BUFFER]);
		KUNIT_EXPECT_EQ_MSG(test, n + lost, (u64)w->events, "ring %u", i);
		KUNIT_EXPECT_EQ(test, n, bitmap_weight(w->seen[i], EVENTS));
		KUNIT_EXPECT_EQ(test, etw_ring_lost(&w->ring[i]->ring), lost);
	}
}

/* @units: of each ring's buffers; @slots: how many it has. Where the test stays on its CPU. */
static struct write_test *begin(struct kunit *test, u32 size, const u32 *units, u32 slots)
{
	struct write_test *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, w);
	w->size = size;
	/* the first one last: it is at its points that others may come */
	for (i = RINGS; i--; ) {
		w->ring[i] = ring_test_start(test, slots, units[i], false);
		ring_test_by_counter(w->ring[i]);
	}
	test->priv = w;
	migrate_disable();
	for (i = 0; i < RINGS; i++)
		w->rings[i] = as_percpu(&w->ring[i]->ring);
	w->ring[0]->context = w;
	w->ring[0]->interrupt = come_once;
	return w;
}

static void finish(struct kunit *test)
{
	struct write_test *w = test->priv;
	u32 i;

	migrate_enable();
	for (i = 0; i < RINGS; i++) {
		test->priv = w->ring[i];
		ring_test_exit(test);
	}
	test->priv = NULL;
}

/* Each payload that there is, from one word to three, with its last bytes cut or not */
static void events_are_in_each_ring(struct kunit *test)
{
	static const u32 units[RINGS] = { 64, 64, 64 };
	struct write_test *w;
	u32 size, i;

	for (size = 8; size <= 24; size += 4) {
		w = begin(test, size, units, 3);
		for (i = 0; i < 10; i++)
			write_event(w);
		expect_all(test, w);
		/* but for the first one, which opens buffers */
		KUNIT_EXPECT_EQ(test, w->once, w->events - 1);
		for (i = 0; i < RINGS; i++)
			KUNIT_EXPECT_EQ(test, etw_ring_lost(&w->ring[i]->ring), 0ULL);
		finish(test);
	}
}

/* One is full to the last byte, one isn't, one has no room for the record: in all orders */
static void buffers_end_at_their_own_time(struct kunit *test)
{
	static const u32 orders[][RINGS] = {
		{ 8, 13, 64 }, { 8, 64, 13 }, { 13, 8, 64 }, { 64, 8, 13 }, { 13, 64, 8 },
		{ 64, 13, 8 }, { 8, 8, 8 }, { 13, 13, 13 }, { 4, 4, 4 },
	};
	struct write_test *w;
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		w = begin(test, 16, orders[i], 6);
		for (n = 0; n < 40; n++)
			write_event(w);
		for (n = 0; n < RINGS; n++)
			KUNIT_EXPECT_GE(test, w->ring[n]->wakeups,
					(u64)min(40U / (orders[i][n] / 4), 6U) - 1);
		expect_all(test, w);
		finish(test);
	}
}

/* An event that comes at any point of another one is in each ring, and so is that one */
static void events_come_within_events(struct kunit *test)
{
	static const u32 units[RINGS] = { 8, 13, 16 };
	struct write_test *w;
	u32 before, came;
	u64 at;

	for (before = 0; before < 8; before += part_step()) {
		at = 0;
		do {
			w = begin(test, 16, units, 8);
			for (came = 0; came < before; came++)
				write_event(w);
			w->points = 0;
			w->at = ++at;
			write_event(w);
			came = w->events - before;
			w->at = 0;
			write_event(w);
			expect_all(test, w);
			finish(test);
		} while (came > 1 && at < 1000);
		KUNIT_EXPECT_GT(test, at, 4ULL * RINGS);
		KUNIT_EXPECT_LT(test, at, 1000ULL);
	}
}

/* The stamp of each event of a ring, in the order of events */
static void read_stamps(struct kunit *test, struct write_test *w, u32 index, u64 *stamp)
{
	struct etw_ring *ring = &w->ring[index]->ring;
	u32 units = etw_units(sizeof(struct perfinfo_trace_header) + w->size), at;
	struct etw_reader_buffer held;
	u64 ordinal;

	etw_ring_seal(ring, &ordinal);
	while (etw_ring_take(ring, &held)) {
		for (at = 0; at < etw_w_events(held.w); at++) {
			const u64 *word = (u64 *)held.slot->data + (size_t)at * units;

			KUNIT_ASSERT_LT(test, word[2], (u64)EVENTS);
			stamp[word[2]] = word[1];
		}
		etw_ring_release(ring, &held);
	}
}

/* Whichever clock, and wherever an event is the first that a buffer has no room for */
static void events_have_one_stamp(struct kunit *test)
{
	static const u32 units[RINGS] = { 16, 28, 64 };
	u64 *stamp[RINGS];
	struct write_test *w;
	u32 i, n, slow;

	for (i = 0; i < RINGS; i++) {
		stamp[i] = kunit_kcalloc(test, EVENTS, sizeof(u64), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, stamp[i]);
	}
	for (slow = 0; slow < 2; slow++) {
		w = begin(test, 16, units, 12);
		for (i = 0; slow && i < RINGS; i++) {
			w->ring[i]->ring.ticks = ETW_TICKS_MONOTONIC;
			w->ring[i]->ring.limit = 0;
		}
		for (n = 0; n < 40; n++)
			write_event(w);
		ring_watch(NULL);
		for (i = 0; i < RINGS; i++)
			read_stamps(test, w, i, stamp[i]);
		for (n = 0; n < w->events; n++)
			for (i = 1; i < RINGS; i++)
				KUNIT_EXPECT_EQ(test, stamp[0][n], stamp[i][n]);
		finish(test);
	}
}

static struct kunit_case write_cases[] = {
	KUNIT_CASE(events_are_in_each_ring),
	KUNIT_CASE(buffers_end_at_their_own_time),
	KUNIT_CASE(events_come_within_events),
	KUNIT_CASE(events_have_one_stamp),
	{}
};

static struct kunit_suite write_suite = {
	.name = "etw_write",
	.test_cases = write_cases,
};

kunit_test_suite(write_suite);
