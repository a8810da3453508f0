// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The command line that a rundown reads: of which address space, under its lock or not at all.
 * The list of all tasks.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/rwsem.h>
#include <linux/string.h>
#include "compat.h"

static long page_of_ours(struct mm_struct *mm, unsigned long at, unsigned int flags,
			 struct page **page);

#define etw_get_user_page	page_of_ours
#include "source/rundown/rundown_tasks.c"
#undef etw_get_user_page

#define SECOND	(16 * PAGE_SIZE)	/* where the second page begins */

/**
 * struct arguments - an address space that has arguments and nothing else
 * @rundown: with naps
 * @mm: it
 * @page: its two, the second one again and again
 * @to: where they are read to
 * @asked: how often for a page
 * @unlocked: how often without the lock
 * @of_files: how often for one that a file may have
 */
static struct arguments {
	struct etw_rundown rundown;
	struct mm_struct *mm;
	struct page *page[2];
	char *to;
	u32 asked;
	u32 unlocked;
	u32 of_files;
} arguments;

/* Instead of get_user_pages_remote() */
static long page_of_ours(struct mm_struct *mm, unsigned long at, unsigned int flags,
			 struct page **page)
{
	arguments.asked++;
	arguments.unlocked += !rwsem_is_locked(&mm->mmap_lock);
	arguments.of_files += !(flags & FOLL_ANON);
	*page = arguments.page[at >= SECOND];
	if (mm != arguments.mm || !*page)
		return -EFAULT;
	get_page(*page);
	return 1;
}

static int begin(struct kunit *test)
{
	struct mm_struct *mm = kunit_kzalloc(test, sizeof(*mm), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, mm);
	init_rwsem(&mm->mmap_lock);
	arguments = (struct arguments){ .mm = mm, .rundown.naps = ETW_RUNDOWN_NAPS };
	arguments.to = kunit_kzalloc(test, ETW_COMMAND_TEXT, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, arguments.to);
	for (i = 0; i < 2; i++) {
		arguments.page[i] = alloc_page(GFP_KERNEL | __GFP_ZERO);
		KUNIT_ASSERT_NOT_NULL(test, arguments.page[i]);
	}
	/* from one page into the next */
	mm->arg_start = SECOND - sizeof("sleep");
	mm->arg_end = SECOND + sizeof("1000");
	strcpy(page_address(arguments.page[0]) + offset_in_page(mm->arg_start), "sleep");
	strcpy(page_address(arguments.page[1]), "1000");
	return 0;
}

static void end(struct kunit *test)
{
	int i;

	for (i = 0; i < 2; i++)
		if (arguments.page[i])
			__free_page(arguments.page[i]);
}

static void expect_text(struct kunit *test, const char *text)
{
	u32 got = etw_command_line(&arguments.rundown, arguments.mm, arguments.to);

	KUNIT_EXPECT_EQ(test, got, (u32)strlen(text));
	KUNIT_EXPECT_EQ(test, memcmp(arguments.to, text, strlen(text)), 0);
	KUNIT_EXPECT_EQ(test, arguments.unlocked, 0U);
	KUNIT_EXPECT_EQ(test, arguments.of_files, 0U);
}

/*
 * Not of the address space that the task has by now: one that execs would let us wait for its lock.
 */
static void of_the_one_that_is_held(struct kunit *test)
{
	expect_text(test, "sleep 1000");
	KUNIT_EXPECT_EQ(test, arguments.asked, 2U);
	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&arguments.mm->mmap_lock));
}

/* As where it faults on a file system that doesn't answer, with the lock */
static void not_of_one_that_is_stuck(struct kunit *test)
{
	down_write(&arguments.mm->mmap_lock);
	expect_text(test, "");
	up_write(&arguments.mm->mmap_lock);
	KUNIT_EXPECT_EQ(test, arguments.asked, 0U);
}

static void what_is_there(struct kunit *test)
{
	__free_page(arguments.page[1]);
	arguments.page[1] = NULL;
	expect_text(test, "sleep");
	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&arguments.mm->mmap_lock));
}

static void no_more_than_fits(struct kunit *test)
{
	int i;

	for (i = 0; i < 2; i++)
		memset(page_address(arguments.page[i]), 'x', PAGE_SIZE);
	arguments.mm->arg_end = arguments.mm->arg_start + ETW_COMMAND_TEXT + 1;
	KUNIT_EXPECT_EQ(test, etw_command_line(&arguments.rundown, arguments.mm, arguments.to),
			(u32)ETW_COMMAND_TEXT);
}

/* Otherwise many processes that map memory all the time prolong a STOP, each a little. */
static void all_processes_share_the_naps(struct kunit *test)
{
	u32 i;

	arguments.rundown.naps = 15;
	down_write(&arguments.mm->mmap_lock);
	KUNIT_EXPECT_FALSE(test, etw_mm_lock(&arguments.rundown, arguments.mm));
	KUNIT_EXPECT_EQ(test, arguments.rundown.naps, 5U);
	for (i = 0; i < 100; i++)
		KUNIT_EXPECT_FALSE(test, etw_mm_lock(&arguments.rundown, arguments.mm));
	KUNIT_EXPECT_EQ(test, arguments.rundown.naps, 0U);
	up_write(&arguments.mm->mmap_lock);
	KUNIT_EXPECT_TRUE(test, etw_mm_lock(&arguments.rundown, arguments.mm));
	up_read(&arguments.mm->mmap_lock);
}

static int sleep_until_stopped(void *data)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ);
	return 0;
}

/* Created tasks are the last ones of the kernel's list. */
static struct task_struct *create_task(struct kunit *test)
{
	struct task_struct *task = kthread_run(sleep_until_stopped, NULL, "etw_listed");

	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	return get_task_struct(task);
}

/* On return it is not in the kernel's lists. */
static void wait_for_end(struct task_struct *task)
{
	while (pid_alive(task))
		usleep_range(1000, 2000);
}

static void end_task(struct task_struct *task)
{
	kthread_stop(task);
	wait_for_end(task);
}

static u32 times_listed(const struct etw_task_list *list, const struct task_struct *task)
{
	u32 i, times = 0;

	for (i = 0; i < list->count; i++)
		times += list->entries[i].task == task;
	return times;
}

#define ROOM	8192	/* tasks; more than User Mode Linux has */

/* One task in each RCU section. The last two of the list end between two sections. */
static void the_list_outlives_its_tasks(struct kunit *test)
{
	struct task_struct *task[4];
	struct etw_task_list list = { };
	u32 i;

	list.entries = kvcalloc(ROOM, sizeof(*list.entries), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, list.entries);
	for (i = 0; i < 3; i++)
		task[i] = create_task(test);
	while (list.count < ROOM && !times_listed(&list, task[2]))
		collect(&list, 1);
	end_task(task[2]);
	end_task(task[1]);
	task[3] = create_task(test);
	while (list.count < ROOM && collect(&list, 1))
		;
	KUNIT_EXPECT_EQ(test, times_listed(&list, task[0]), 1U);
	KUNIT_EXPECT_EQ(test, times_listed(&list, task[1]), 0U);
	KUNIT_EXPECT_EQ(test, times_listed(&list, task[2]), 0U);
	KUNIT_EXPECT_EQ(test, times_listed(&list, task[3]), 1U);
	etw_task_list_drop(&list);
	end_task(task[0]);
	end_task(task[3]);
	for (i = 0; i < 4; i++)
		put_task_struct(task[i]);
}

#define CROWD	600	/* more than TASKS_AT_ONCE */

/* Each task once, by its key; compared with the kernel's list */
static void a_long_list_is_complete_and_sorted(struct kunit *test)
{
	struct task_struct **crowd = kunit_kzalloc(test, CROWD * sizeof(*crowd), GFP_KERNEL);
	struct task_struct *process, *thread;
	struct etw_task_list list;
	u32 i, missing = 0;

	KUNIT_ASSERT_NOT_NULL(test, crowd);
	for (i = 0; i < CROWD; i++)
		crowd[i] = create_task(test);
	KUNIT_ASSERT_EQ(test, etw_task_list_take(&list), 0);
	rcu_read_lock();
	for_each_process_thread(process, thread)
		missing += times_listed(&list, thread) != 1;
	rcu_read_unlock();
	KUNIT_EXPECT_EQ(test, missing, 0U);
	KUNIT_EXPECT_GT(test, list.count, (u32)CROWD);
	for (i = 1; i < list.count; i++)
		KUNIT_EXPECT_LT(test, list.entries[i - 1].key, list.entries[i].key);
	etw_task_list_drop(&list);
	/* all of them end while the first one is waited for */
	for (i = 0; i < CROWD; i++)
		kthread_stop(crowd[i]);
	for (i = 0; i < CROWD; i++) {
		wait_for_end(crowd[i]);
		put_task_struct(crowd[i]);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(of_the_one_that_is_held),
	KUNIT_CASE(not_of_one_that_is_stuck),
	KUNIT_CASE(what_is_there),
	KUNIT_CASE(no_more_than_fits),
	KUNIT_CASE(all_processes_share_the_naps),
	KUNIT_CASE(the_list_outlives_its_tasks),
	KUNIT_CASE(a_long_list_is_complete_and_sorted),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_rundown_tasks",
	.init = begin,
	.exit = end,
	.test_cases = cases,
};

kunit_test_suite(suite);
