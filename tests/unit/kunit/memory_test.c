// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The memory of a ring: where it is to be, and at what cost. */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>

/**
 * struct asked - what the kernel was asked for
 * @times: how often
 * @elsewhere: of them, not on @node
 * @at_any_cost: or so that others are killed for it
 * @aloud: or so that the log reports when there is none
 * @node: where it all should be
 */
static struct asked {
	u32 times;
	u32 elsewhere;
	u32 at_any_cost;
	u32 aloud;
	int node;
} asked;

/* That node is not there: memory comes from where it does. */
static void *note_asked(size_t size, gfp_t flags, int node)
{
	asked.times++;
	asked.elsewhere += node != asked.node;
	asked.at_any_cost += !(flags & __GFP_RETRY_MAYFAIL);
	asked.aloud += !(flags & __GFP_NOWARN);
	return kvzalloc(size, GFP_KERNEL);
}

#undef kvmalloc_node
#undef kvzalloc_node
#define kvmalloc_node		note_asked
#define kvzalloc_node		note_asked
/* test_ring.c has all these, too */
#define etw_buffer_alloc	tested_buffer_alloc
#define etw_ring_adopt		tested_ring_adopt
#define etw_ring_destroy	tested_ring_destroy
#define etw_ring_give		tested_ring_give
#define etw_ring_idle		tested_ring_idle
#define etw_ring_init		tested_ring_init
#define etw_ring_take_away	tested_ring_take_away
#include "ring/memory.c"

#define BUFFER	4096

static struct etw_ring *ring_on(struct kunit *test, int node, u32 slots, u32 buffers)
{
	struct etw_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	asked = (struct asked){ .node = node };
	etw_ring_idle(ring);
	KUNIT_ASSERT_EQ(test, etw_ring_init(ring, slots, buffers, BUFFER, node, false), 0);
	return ring;
}

/* The slots, which each event is written by, and all buffers are where their CPU is. */
static void all_is_on_the_cpus_node(struct kunit *test)
{
	struct etw_ring *ring = ring_on(test, 5, 8, 3);

	KUNIT_EXPECT_EQ(test, asked.times, 1U + 3U);
	KUNIT_EXPECT_EQ(test, asked.elsewhere, 0U);
	etw_ring_destroy(ring);
	/* one with the buffers of another ring */
	ring = ring_on(test, 7, 8, 0);
	KUNIT_EXPECT_EQ(test, asked.times, 1U);
	KUNIT_EXPECT_EQ(test, asked.elsewhere, 0U);
	etw_ring_destroy(ring);
}

/* Of a ring that grows */
static void buffer_is_on_its_node(struct kunit *test)
{
	void *buffer;

	asked = (struct asked){ .node = 3 };
	buffer = etw_buffer_alloc(BUFFER, 3);
	KUNIT_ASSERT_NOT_NULL(test, buffer);
	KUNIT_EXPECT_EQ(test, asked.times, 1U);
	KUNIT_EXPECT_EQ(test, asked.elsewhere, 0U);
	KUNIT_EXPECT_NULL(test, memchr_inv(buffer, ETW_BUFFER_FILL, BUFFER));
	kvfree(buffer);
}

/* A session without memory is one that does not start; a process that is killed is worse. */
static void no_process_is_killed_for_it(struct kunit *test)
{
	etw_ring_destroy(ring_on(test, 0, 8, 3));
	KUNIT_EXPECT_EQ(test, asked.times, 1U + 3U);
	KUNIT_EXPECT_EQ(test, asked.at_any_cost, 0U);
	KUNIT_EXPECT_EQ(test, asked.aloud, 0U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(all_is_on_the_cpus_node),
	KUNIT_CASE(buffer_is_on_its_node),
	KUNIT_CASE(no_process_is_killed_for_it),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_memory",
	.test_cases = cases,
};

kunit_test_suite(suite);
