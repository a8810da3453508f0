// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Filters: which processes, hook ids and pool tags they take. */
#include <kunit/test.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/threads.h>
#include "filter/filter.c"

#define SELF		((u32)current->tgid)
#define STRANGER	(PID_MAX_LIMIT - 2U)	/* 32766 where CONFIG_BASE_SMALL is set */

static struct etw_items *new_items(struct kunit *test)
{
	struct etw_items *items = kunit_kzalloc(test, sizeof(*items), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, items);
	return items;
}

static struct etw_filter *filter_after(struct kunit *test, const struct etw_filter *old,
				       const struct etw_items *items)
{
	struct etw_filter *filter = NULL;

	KUNIT_ASSERT_EQ(test, etw_filter_create(items, task_tgid(current), old, &filter), 0);
	KUNIT_ASSERT_NOT_NULL(test, filter);
	return filter;
}

static struct etw_filter *new_filter(struct kunit *test, const struct etw_items *items)
{
	return filter_after(test, NULL, items);
}

/* Ids that are no process's: disk I/O without a known process has the last */
static const u32 none[] = { PID_MAX_LIMIT, PID_MAX_LIMIT + 1, S32_MAX, U32_MAX };

static void takes_no_id_that_is_none(struct kunit *test, const struct etw_filter *filter)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(none); i++)
		KUNIT_EXPECT_FALSE(test, etw_filter_takes_process(filter, none[i]));
}

static void nothing_to_filter_is_no_filter(struct kunit *test)
{
	struct etw_filter *filter = ERR_PTR(-EINVAL);

	KUNIT_EXPECT_EQ(test, 0,
			etw_filter_create(new_items(test), task_tgid(current), NULL, &filter));
	KUNIT_EXPECT_NULL(test, filter);
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_hook(NULL, U16_MAX));
}

static void processes_are_taken(struct kunit *test)
{
	struct etw_items *items = new_items(test);
	struct etw_filter *filter;

	items->nr_pids = 2;
	items->pids[0] = 4;
	items->pids[1] = 1000;
	filter = new_filter(test, items);
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_process(filter, 4));
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_process(filter, 1000));
	KUNIT_EXPECT_FALSE(test, etw_filter_takes_process(filter, 0));
	KUNIT_EXPECT_FALSE(test, etw_filter_takes_process(filter, STRANGER));
	takes_no_id_that_is_none(test, filter);
	etw_filter_free(filter);
}

static void families_are_taken(struct kunit *test)
{
	struct etw_items *items = new_items(test);
	struct etw_filter *filter;

	items->nr_pids = 3;
	items->pids[0] = 4;
	items->pids[1] = PID_MAX_LIMIT - 1;
	items->pids[2] = U32_MAX;
	items->filter_options = ETW_FILTER_CHILDREN;
	filter = new_filter(test, items);
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_process(filter, 4));
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_process(filter, PID_MAX_LIMIT - 1));
	KUNIT_EXPECT_FALSE(test, etw_filter_takes_process(filter, STRANGER));
	set_bit(STRANGER, filter->family->members);
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_process(filter, STRANGER));
	takes_no_id_that_is_none(test, filter);
	etw_filter_free(filter);
}

/* Whether the forked process is wanted after UPDATE, and the process that is named is not */
static bool is_kept(const struct etw_filter *filter)
{
	return etw_filter_takes_process(filter, STRANGER) &&
	       !etw_filter_takes_process(filter, 1000);
}

static void families_are_kept(struct kunit *test)
{
	struct etw_items *items = new_items(test);
	struct etw_filter *filter, *next;

	items->nr_pids = 1;
	items->pids[0] = 1000;
	items->filter_options = ETW_FILTER_CHILDREN;
	filter = new_filter(test, items);
	set_bit(STRANGER, filter->family->members);
	clear_bit(1000, filter->family->members);	/* another one got its number */
	items->nr_hooks = 1;
	next = filter_after(test, filter, items);
	KUNIT_EXPECT_TRUE(test, is_kept(next));
	etw_filter_free(next);	/* as an UPDATE that fails */
	KUNIT_EXPECT_TRUE(test, is_kept(filter));
	next = filter_after(test, filter, items);
	etw_filter_free(filter);
	KUNIT_EXPECT_TRUE(test, is_kept(next));
	items->pids[0] = 1001;
	filter = filter_after(test, next, items);
	KUNIT_EXPECT_FALSE(test, etw_filter_takes_process(filter, STRANGER));
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_process(filter, 1001));
	etw_filter_free(filter);
	items->pids[0] = 1000;
	items->filter_options = 0;
	filter = filter_after(test, next, items);
	KUNIT_EXPECT_FALSE(test, etw_filter_takes_process(filter, STRANGER));
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_process(filter, 1000));
	etw_filter_free(next);
	etw_filter_free(filter);
}

static void self_is_left_out(struct kunit *test)
{
	struct etw_items *items = new_items(test);
	struct etw_filter *filter;

	items->filter_options = ETW_FILTER_EXCLUDE_SELF;
	filter = new_filter(test, items);
	KUNIT_EXPECT_FALSE(test, etw_filter_takes_process(filter, SELF));
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_process(filter, SELF + 1));
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_process(filter, U32_MAX));
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_hook(filter, 0x0524));
	etw_filter_free(filter);
}

static void hooks_and_tags_are_taken(struct kunit *test)
{
	struct etw_items *items = new_items(test);
	struct etw_filter *filter;

	items->nr_hooks = 1;
	items->hooks[0] = ETW_FILTER_HOOK_IDS - 1;
	items->nr_pool_tags = 1;
	items->pool_tags[0] = 0x74736554;
	filter = new_filter(test, items);
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_hook(filter, ETW_FILTER_HOOK_IDS - 1));
	KUNIT_EXPECT_FALSE(test, etw_filter_takes_hook(filter, ETW_FILTER_HOOK_IDS - 2));
	KUNIT_EXPECT_FALSE(test, etw_filter_takes_hook(filter, ETW_FILTER_HOOK_IDS));
	KUNIT_EXPECT_FALSE(test, etw_filter_takes_hook(filter, U16_MAX));
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_tag(filter, 0x74736554));
	KUNIT_EXPECT_FALSE(test, etw_filter_takes_tag(filter, 0));
	KUNIT_EXPECT_TRUE(test, etw_filter_takes_process(filter, STRANGER));
	etw_filter_free(filter);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(nothing_to_filter_is_no_filter),
	KUNIT_CASE(processes_are_taken),
	KUNIT_CASE(families_are_taken),
	KUNIT_CASE(families_are_kept),
	KUNIT_CASE(self_is_left_out),
	KUNIT_CASE(hooks_and_tags_are_taken),
	{ }
};

static struct kunit_suite suite = { .name = "etw_filter", .test_cases = cases };

kunit_test_suite(suite);
