// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The engine with points in it, and the ring under test. */
#define __DISABLE_EXPORTS	/* etw.ko exports the same names */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "test_ring.h"
#include "ring/look.c"
#include "ring/memory.c"
#include "ring/writer.c"
#include "ring/reader.c"

/* An operation that takes more steps than this will never end */
#define ENDLESS		200000

static struct ring_test *current_test;

void ring_watch(struct ring_test *t)
{
	current_test = t;
}

/* What the writer that is on top saw of head; the reader has no part in it. */
static u64 *seen(struct ring_test *t, u64 *by_level)
{
	if (t->in_reader && t->level == t->reader_level)
		return NULL;
	return &by_level[min(t->level, RING_LEVELS - 1)];
}

/*
 * The counter of User Mode Linux stands still: what is added to it is the clock. A
 * processor may read it early by some records, but not across an interrupt.
 */
void ring_pass_time(struct ring_test *t)
{
	u64 early = (u32)(++t->now * 0x9E3779B9U) >> 26;

	etw_counter_offset = t->now - min(early, t->now - t->boundary);
}

static void interrupt(struct ring_test *t, enum ring_point point)
{
	u64 before = t->boundary, now = t->now;

	if (!t->interrupt)
		return;
	t->boundary = now;
	t->interrupt(t, point);
	/* whether any came */
	t->boundary = t->now > now ? t->now : before;
	if (ring_is_by_counter(t) && t->now > now)
		etw_counter_offset = t->now;
}

void ring_point(enum ring_point point)
{
	struct ring_test *t = current_test;
	u64 *head;

	if (!t)
		return;
	if (ring_is_by_counter(t))
		ring_pass_time(t);
	if (++t->points > ENDLESS) {
		current_test = NULL;
		KUNIT_FAIL(t->test, "livelock: %llu steps and no end", t->points);
		KUNIT_ASSERT_FALSE(t->test, true);
	}
	head = seen(t, t->head_at_s);
	if (point == POINT_HAVE_S && head)
		*head = t->ring.head;
	interrupt(t, point);
}

void ring_acquired(const void *word)
{
	struct ring_test *t = current_test;

	if (t && word == &t->ring.nr_slots && !t->acquired++)
		t->early = t->points;
}

bool ring_woken(struct irq_work *work)
{
	struct ring_test *t = container_of(work, struct ring_test, wake);

	t->wakeups++;
	return true;
}

/* Stands for the clock: between reading W and changing it. */
u64 etw_tick_slow(enum etw_ticks ticks, struct etw_clamp *clamp, u64 *boottime)
{
	static u64 idle;
	u64 now, *head;

	if (!current_test)
		return ++idle;
	head = seen(current_test, current_test->head_at_tick);
	if (head)
		*head = current_test->ring.head;
	now = boottime && *boottime ? *boottime : ++current_test->now;
	if (boottime)
		*boottime = now;
	now = max(now, clamp->last + 1);
	clamp->last = now;
	ring_point(POINT_TICK);
	return now;
}

/**
 * ring_test_start() - a ring with a reader
 * @test: the test; its suite has ring_test_exit() as exit
 * @slots: buffers
 * @units: what a buffer takes, in units of 8 bytes
 * @overwrite: mode
 */
struct ring_test *ring_test_start(struct kunit *test, u32 slots, u32 units, bool overwrite)
{
	struct ring_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	u32 size = sizeof(struct wmi_buffer_header) + units * ETW_RECORD_ALIGN;

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->copy = kunit_kzalloc(test, size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->copy);
	t->view = kunit_kzalloc(test, size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->view);
	t->places = kunit_kcalloc(test, RING_PLACES, sizeof(*t->places), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->places);
	t->test = test;
	test->priv = t;
	t->ring.ticks = ETW_TICKS_MONOTONIC;
	t->ring.overwrite = overwrite;
	t->ring.wake = &t->wake;
	etw_ring_idle(&t->ring);
	KUNIT_ASSERT_EQ(test, 0, etw_ring_init(&t->ring, slots, slots, size, NUMA_NO_NODE, false));
	current_test = t;
	return t;
}

/**
 * ring_test_by_counter() - the ring goes by the counter, as sessions do
 * @t: the test
 */
void ring_test_by_counter(struct ring_test *t)
{
	t->ring.ticks = ETW_TICKS_COUNTER;
	t->ring.limit = etw_w_limit(t->ring.capacity);
}

/* To the first slots, wherever they are */
static void gather_buffers(struct etw_ring *ring)
{
	u32 i, to = 0;

	for (i = 0; i < ring->nr_slots; i++) {
		u8 *data = ring->slots[i].data;

		ring->slots[i].data = NULL;
		if (data)
			ring->slots[to++].data = data;
	}
	ring->buffers = to;
}

/**
 * ring_test_restart() - the ring as after that many laps, all of them empty
 * @t: the test
 * @lap: the next writer opens slot 0 of the lap after this one
 */
void ring_test_restart(struct ring_test *t, u64 lap)
{
	struct etw_ring *ring = &t->ring;
	u32 i;

	current_test = NULL;
	gather_buffers(ring);
	for (i = 0; i < ring->nr_slots; i++) {
		ring->slots[i].w = etw_w_make(lap, ETW_W_SEALED);
		local_set(&ring->slots[i].c, 0);
		atomic64_set(&ring->slots[i].s, etw_s_make(lap, i < ring->buffers ? ETW_SLOT_FREE :
							   ETW_SLOT_EMPTY));
		if (i < ring->buffers)
			memset(ring->slots[i].data, 0xFF, ring_room(t));
	}
	ring->head = lap * ring->nr_slots + ring->nr_slots - 1;
	ring->tail = ring->head + 1;
	ring->fill = ring->tail + ring->buffers;
	ring->slot = &ring->slots[ring->nr_slots - 1];
	memset(ring->lost, 0, sizeof(ring->lost));
	local_set(&ring->overwritten, 0);
	local_set(&ring->overwritten_buffers, 0);
	ring->read = 0;
	ring->buffers_read = 0;
	ring->discarded = 0;
	ring->given_up = 0;
	t->wakeups = 0;
	t->holding = false;
	t->stream = 0;
	t->next = 0;
	t->attempted = 0;
	t->refused = 0;
	t->read = 0;
	t->discarded = 0;
	t->points = 0;
	t->committed = 0;
	t->flushed = 0;
	current_test = t;
}

void ring_test_exit(struct kunit *test)
{
	struct ring_test *t = test->priv;

	current_test = NULL;
	etw_counter_offset = 0;
	if (t)
		etw_ring_destroy(&t->ring);
}
