// SPDX-License-Identifier: GPL-2.0
/* The name of what an address space executes, while somebody exchanges it. */
#include <kunit/test.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/shmem_fs.h>
#include <linux/uaccess.h>

static long read_while_it_is_exchanged(void *to, const void *from, size_t size);

/* The text of a name is about to be read. */
#define copy_from_kernel_nofault	read_while_it_is_exchanged
#include "../../module/source/process_values.c"
#undef copy_from_kernel_nofault

/**
 * struct exchange - prctl(PR_SET_MM_EXE_FILE) in the middle of it
 * @mm: whose
 * @file: what it executes, the last reference to it; NULL once that was given back
 * @held: references that were left then
 */
static struct exchange {
	struct mm_struct *mm;
	struct file *file;
	long held;
} exchange;

static long read_while_it_is_exchanged(void *to, const void *from, size_t size)
{
	struct file *file = exchange.file;

	if (file) {
		exchange.file = NULL;
		RCU_INIT_POINTER(exchange.mm->exe_file, NULL);
		fput(file);
		exchange.held = file_count(file);
	}
	return copy_from_kernel_nofault(to, from, size);
}

/* As of memfd: in no file system, and its dentry goes at once with the last reference. */
static struct file *begin(struct kunit *test)
{
	struct file *file = shmem_file_setup("memory", PAGE_SIZE, ETW_NO_VMA_FLAGS);

	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	KUNIT_ASSERT_TRUE(test, file->f_path.dentry->d_flags & DCACHE_NORCU);
	exchange = (struct exchange){ .mm = kunit_kzalloc(test, sizeof(*exchange.mm), GFP_KERNEL) };
	KUNIT_ASSERT_NOT_NULL(test, exchange.mm);
	rcu_assign_pointer(exchange.mm->exe_file, file);
	return file;
}

static void executable_has_a_name(struct kunit *test)
{
	struct file *file = begin(test);
	char name[ETW_IMAGE_NAME];

	KUNIT_EXPECT_TRUE(test, etw_executable_name(exchange.mm, name));
	KUNIT_EXPECT_STREQ(test, name, "memory");
	KUNIT_EXPECT_EQ(test, file_count(file), 1);
	RCU_INIT_POINTER(exchange.mm->exe_file, NULL);
	fput(file);
	KUNIT_EXPECT_FALSE(test, etw_executable_name(exchange.mm, name));
	KUNIT_EXPECT_STREQ(test, name, "");
}

static void executable_stays_while_it_is_read(struct kunit *test)
{
	char name[ETW_IMAGE_NAME];

	exchange.file = begin(test);
	KUNIT_EXPECT_TRUE(test, etw_executable_name(exchange.mm, name));
	KUNIT_EXPECT_STREQ(test, name, "memory");
	KUNIT_EXPECT_NULL(test, exchange.file);
	KUNIT_EXPECT_EQ(test, exchange.held, 1);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(executable_has_a_name),
	KUNIT_CASE(executable_stays_while_it_is_read),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_process_values",
	.test_cases = cases,
};

kunit_test_suite(suite);
