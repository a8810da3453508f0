// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What is left of the machine's memory: to the byte, and a sixteenth stays. */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/math.h>
#include <linux/mm.h>

/* The machine's pages, as it would report them */
static unsigned long pages_in_all;
static long pages_to_be_had;

#define totalram_pages()	pages_in_all
#define si_mem_available()	pages_to_be_had
#include "session/budget.c"
#undef totalram_pages
#undef si_mem_available

/* budget.c asks for it */
u64 etw_stacks_bytes(const struct etw_items *items)
{
	return 0;
}

static u64 swap_bytes;	/* of the table of threads' stacks */

/* budget.c asks for it */
u64 etw_stacks_swap_bytes(const struct etw_items *items, const struct etw_stacks *stacks)
{
	return swap_bytes;
}

/* budget.c asks for it */
u64 etw_linux_events_bytes(const struct etw_items *items)
{
	return 0;
}

static u64 pages(u64 n)
{
	return n << PAGE_SHIFT;
}

static void last_byte_that_is_left(struct kunit *test)
{
	pages_in_all = 16000;
	pages_to_be_had = 5000;
	KUNIT_EXPECT_TRUE(test, etw_budget_is_left(0));
	KUNIT_EXPECT_TRUE(test, etw_budget_is_left(pages(4000)));
	KUNIT_EXPECT_FALSE(test, etw_budget_is_left(pages(4000) + 1));
	/* a sixteenth need be no whole page */
	pages_in_all = 16001;
	KUNIT_EXPECT_TRUE(test, etw_budget_is_left(pages(4000) - PAGE_SIZE / 16));
	KUNIT_EXPECT_FALSE(test, etw_budget_is_left(pages(4000) - PAGE_SIZE / 16 + 1));
}

/* There is memory, but none to give. */
static void what_stays_is_not_given(struct kunit *test)
{
	pages_in_all = 16000;
	pages_to_be_had = 1000;
	KUNIT_EXPECT_TRUE(test, etw_budget_is_left(0));
	KUNIT_EXPECT_FALSE(test, etw_budget_is_left(1));
	pages_to_be_had = 999;
	KUNIT_EXPECT_FALSE(test, etw_budget_is_left(0));
	pages_to_be_had = 0;
	KUNIT_EXPECT_FALSE(test, etw_budget_is_left(0));
}

/* A terabyte: no product is cut to 32 bits. */
static void of_a_large_machine(struct kunit *test)
{
	pages_in_all = 1UL << (40 - PAGE_SHIFT);
	pages_to_be_had = pages_in_all / 2;
	KUNIT_EXPECT_TRUE(test, etw_budget_is_left(7ULL << 36));
	KUNIT_EXPECT_FALSE(test, etw_budget_is_left((7ULL << 36) + 1));
}

/* What a session begins with: the first buffers and all slots of each CPU that runs */
static void first_share_of_all_cpus(struct kunit *test)
{
	const struct etw_share share = { .first = 3, .most = 1000, .slots = 64 };
	struct etw_settings *settings = kunit_kzalloc(test, sizeof(*settings), GFP_KERNEL);
	u64 bytes;

	KUNIT_ASSERT_NOT_NULL(test, settings);
	settings->buffer_size = 64 * 1024;
	bytes = (3 * 64 * 1024 + 64 * sizeof(struct etw_slot)) * num_online_cpus();
	bytes += 2 * 64 * 1024;	/* trailer and header */
	pages_in_all = 16000;
	pages_to_be_had = 1000 + DIV_ROUND_UP(bytes, PAGE_SIZE);
	KUNIT_EXPECT_TRUE(test, etw_budget_has_share(settings, &share));
	pages_to_be_had--;
	KUNIT_EXPECT_FALSE(test, etw_budget_has_share(settings, &share));
}

static struct etw_session *session_of(struct kunit *test, u32 buffers)
{
	struct etw_session *session = kunit_kzalloc(test, sizeof(*session), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, session);
	session->sink.buffer_size = 64 * 1024;
	session->maximum_buffers = buffers;
	session->settings.maximum_buffers = buffers;
	KUNIT_ASSERT_TRUE(test, etw_budget_promise(session, buffers, 0));
	return session;
}

/* A twentieth of the memory, but no more buffers than GROWN_BUFFERS, and at least the default */
static void share_of_a_session_without_a_number(struct kunit *test)
{
	static const struct {
		u64 memory;	/* MB */
		u32 buffers;
	} of[] = { { 16, 0 }, { 2000, 1600 }, { 10240, 8192 }, { 1 << 20, 8192 } };
	struct etw_settings *settings = kunit_kzalloc(test, sizeof(*settings), GFP_KERNEL);
	struct etw_share share;
	u32 i, cpus = num_present_cpus();

	KUNIT_ASSERT_NOT_NULL(test, settings);
	settings->buffer_size = 64 * 1024;
	for (i = 0; i < ARRAY_SIZE(of); i++) {
		pages_in_all = of[i].memory << (20 - PAGE_SHIFT);
		etw_budget_share(settings, &share);
		KUNIT_EXPECT_EQ(test, share.first, (u32)ETW_DEFAULT_BUFFERS);
		KUNIT_EXPECT_EQ(test, share.most, (u32)ETW_DEFAULT_BUFFERS);
		KUNIT_EXPECT_EQ(test, share.grown,
				max_t(u32, of[i].buffers / cpus, ETW_DEFAULT_BUFFERS));
	}
	/* settings that name a number, or overwrite */
	settings->maximum_buffers = 32 * cpus;
	etw_budget_share(settings, &share);
	KUNIT_EXPECT_EQ(test, share.grown, 32U);
	settings->maximum_buffers = 0;
	settings->mode = EVENT_TRACE_BUFFERING_MODE;
	etw_budget_share(settings, &share);
	KUNIT_EXPECT_EQ(test, share.grown, (u32)ETW_DEFAULT_BUFFERS);
	KUNIT_EXPECT_EQ(test, share.slots, (u32)ETW_DEFAULT_BUFFERS);
}

/* A quarter of the memory for all of them, half for all sessions */
static void growth_leaves_room_for_others(struct kunit *test)
{
	struct etw_session *first, *second, *third;

	pages_in_all = 1600 << (16 - PAGE_SHIFT);
	first = session_of(test, 16);
	second = session_of(test, 16);
	first->grown_buffers = 300;
	second->grown_buffers = 300;
	etw_budget_grow(first, 0);
	KUNIT_EXPECT_EQ(test, first->maximum_buffers, 300U);
	KUNIT_EXPECT_EQ(test, first->settings.maximum_buffers, 300U);
	etw_budget_grow(second, 0);
	KUNIT_EXPECT_EQ(test, second->maximum_buffers, 16U);
	KUNIT_EXPECT_EQ(test, second->settings.maximum_buffers, 16U);
	/* each session has a trailer and a header, too */
	third = session_of(test, 800 - 300 - 16 - 3 * 2);
	KUNIT_EXPECT_FALSE(test, etw_budget_promise(third, 800 - 300 - 16 - 3 * 2 + 1, 0));
	etw_budget_forget(third);
	etw_budget_forget(first);
	etw_budget_grow(second, 0);
	KUNIT_EXPECT_EQ(test, second->maximum_buffers, 300U);
	etw_budget_forget(second);
}

/* Up to half of the machine's memory with all else, and only while memory is left */
static void rundowns_are_in_the_limit(struct kunit *test)
{
	struct etw_session *first, *second;
	u64 buffer = 64 * 1024;

	pages_in_all = 1600 << (16 - PAGE_SHIFT);
	pages_to_be_had = pages_in_all;
	first = session_of(test, 700 - 2);
	second = session_of(test, 90 - 2);
	KUNIT_EXPECT_TRUE(test, etw_budget_add(first, 10 * buffer));
	KUNIT_EXPECT_FALSE(test, etw_budget_add(second, 1));
	etw_budget_forget(second);
	KUNIT_EXPECT_TRUE(test, etw_budget_add(first, 90 * buffer));
	KUNIT_EXPECT_FALSE(test, etw_budget_add(first, 1));
	/* a buffer that the machine did not have after all */
	etw_budget_take_back(first, buffer);
	KUNIT_EXPECT_FALSE(test, etw_budget_add(first, buffer + 1));
	KUNIT_EXPECT_TRUE(test, etw_budget_add(first, buffer));
	etw_budget_forget(first);
	pages_to_be_had = pages_in_all / 16;
	KUNIT_EXPECT_FALSE(test, etw_budget_add(first, 1));
}

/* Of threads' stacks, and the bitmap of descendants */
static void tables_are_counted(struct kunit *test)
{
	struct etw_session *session;
	struct etw_items *items = kunit_kzalloc(test, sizeof(*items), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, items);
	pages_in_all = 1600 << (16 - PAGE_SHIFT);
	session = session_of(test, 32);
	swap_bytes = 34 << 20;
	KUNIT_EXPECT_EQ(test, etw_budget_tables(session, items), 0ULL);
	session->settings.kernel = true;
	KUNIT_EXPECT_EQ(test, etw_budget_tables(session, items), swap_bytes);
	items->nr_pids = 1;
	items->filter_options = ETW_FILTER_CHILDREN;
	KUNIT_EXPECT_EQ(test, etw_budget_tables(session, items),
			swap_bytes + sizeof(struct etw_family));
	etw_budget_forget(session);
}

/* A maximum that settings name stays. */
static void named_maximum_does_not_grow(struct kunit *test)
{
	struct etw_session *session;

	pages_in_all = 1600 << (16 - PAGE_SHIFT);
	session = session_of(test, 32);
	session->grown_buffers = 32;
	etw_budget_grow(session, 0);
	KUNIT_EXPECT_EQ(test, session->maximum_buffers, 32U);
	etw_budget_forget(session);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(last_byte_that_is_left),
	KUNIT_CASE(what_stays_is_not_given),
	KUNIT_CASE(of_a_large_machine),
	KUNIT_CASE(first_share_of_all_cpus),
	KUNIT_CASE(share_of_a_session_without_a_number),
	KUNIT_CASE(growth_leaves_room_for_others),
	KUNIT_CASE(named_maximum_does_not_grow),
	KUNIT_CASE(rundowns_are_in_the_limit),
	KUNIT_CASE(tables_are_counted),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_budget",
	.test_cases = cases,
};

kunit_test_suite(suite);
