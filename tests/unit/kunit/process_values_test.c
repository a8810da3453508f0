// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The name of what an address space executes, while another task exchanges it. */
#include <kunit/test.h>
#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>

static long read_while_it_is_exchanged(void *to, const void *from, size_t size);

/* The text of a name is about to be read. */
#define copy_from_kernel_nofault	read_while_it_is_exchanged
#include "source/process_values.c"
#undef copy_from_kernel_nofault

/**
 * struct exchange - prctl(PR_SET_MM_EXE_FILE)
 * @mm: that is changed
 * @file: what it executes; one reference is ours
 * @due: it happens when the text is read
 * @held: references besides ours once it has happened
 */
static struct exchange {
	struct mm_struct *mm;
	struct file *file;
	bool due;
	long held;
} exchange;

static void give_up_executable(void)
{
	RCU_INIT_POINTER(exchange.mm->exe_file, NULL);
	fput(exchange.file);
	exchange.held = file_count(exchange.file) - 1;
}

static long read_while_it_is_exchanged(void *to, const void *from, size_t size)
{
	if (exchange.due)
		give_up_executable();
	exchange.due = false;
	return copy_from_kernel_nofault(to, from, size);
}

static const struct file_operations no_operations;

/* As a memfd's its dentry goes with the last reference, even if a reader looks at it under RCU. */
static int begin(struct kunit *test)
{
	struct mm_struct *mm = kunit_kzalloc(test, sizeof(*mm), GFP_KERNEL);
	struct file *file;

	KUNIT_ASSERT_NOT_NULL(test, mm);
	file = anon_inode_getfile("memory", &no_operations, NULL, O_RDONLY);
	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	KUNIT_EXPECT_TRUE(test, file->f_path.dentry->d_flags & DCACHE_NORCU);
	exchange = (struct exchange){ .mm = mm, .file = get_file(file) };
	rcu_assign_pointer(mm->exe_file, file);
	return 0;
}

/* At once: later its operations are gone, which are ours. */
static void end(struct kunit *test)
{
	__fput_sync(exchange.file);
}

static void executable_has_a_name(struct kunit *test)
{
	char name[ETW_IMAGE_NAME];

	KUNIT_EXPECT_TRUE(test, etw_executable_name(exchange.mm, name));
	KUNIT_EXPECT_STREQ(test, name, "memory");
	give_up_executable();
	KUNIT_EXPECT_EQ(test, exchange.held, 0);
	KUNIT_EXPECT_FALSE(test, etw_executable_name(exchange.mm, name));
	KUNIT_EXPECT_STREQ(test, name, "");
}

static void executable_stays_while_it_is_read(struct kunit *test)
{
	char name[ETW_IMAGE_NAME];

	exchange.due = true;
	KUNIT_EXPECT_TRUE(test, etw_executable_name(exchange.mm, name));
	KUNIT_EXPECT_STREQ(test, name, "memory");
	KUNIT_EXPECT_FALSE(test, exchange.due);
	KUNIT_EXPECT_EQ(test, exchange.held, 1);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(executable_has_a_name),
	KUNIT_CASE(executable_stays_while_it_is_read),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_process_values",
	.init = begin,
	.exit = end,
	.test_cases = cases,
};

kunit_test_suite(suite);
