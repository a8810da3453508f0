// SPDX-License-Identifier: GPL-2.0
/* The command line that a rundown reads: of which address space, under its lock or not at all. */
#include <kunit/test.h>
#include <linux/gfp.h>
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
 * @mm: it
 * @page: its two, the second one again and again
 * @to: where they are read to
 * @asked: how often for a page
 * @unlocked: how often without the lock
 * @of_files: how often for one that a file may have
 */
static struct arguments {
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
	arguments = (struct arguments){ .mm = mm };
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
	u32 got = etw_command_line(arguments.mm, arguments.to);

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
	KUNIT_EXPECT_EQ(test, etw_command_line(arguments.mm, arguments.to), (u32)ETW_COMMAND_TEXT);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(of_the_one_that_is_held),
	KUNIT_CASE(not_of_one_that_is_stuck),
	KUNIT_CASE(what_is_there),
	KUNIT_CASE(no_more_than_fits),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_rundown_tasks",
	.init = begin,
	.exit = end,
	.test_cases = cases,
};

kunit_test_suite(suite);
