// SPDX-License-Identifier: GPL-2.0
/* What is left of the machine's memory: to the byte, and a sixteenth stays. */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/math.h>
#include <linux/mm.h>

/* The machine's pages, as it would tell them */
static unsigned long pages_in_all;
static long pages_to_be_had;

#define totalram_pages()	pages_in_all
#define si_mem_available()	pages_to_be_had
#include "../../module/session/budget.c"
#undef totalram_pages
#undef si_mem_available

/* budget.c asks for it */
u64 etw_stacks_bytes(const struct etw_items *items)
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
	pages_in_all = 16000;
	pages_to_be_had = 1000 + DIV_ROUND_UP(bytes, PAGE_SIZE);
	KUNIT_EXPECT_TRUE(test, etw_budget_has_share(settings, &share));
	pages_to_be_had--;
	KUNIT_EXPECT_FALSE(test, etw_budget_has_share(settings, &share));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(last_byte_that_is_left),
	KUNIT_CASE(what_stays_is_not_given),
	KUNIT_CASE(of_a_large_machine),
	KUNIT_CASE(first_share_of_all_cpus),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_budget",
	.test_cases = cases,
};

kunit_test_suite(suite);
