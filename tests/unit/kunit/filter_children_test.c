// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The search for descendants: each process once, however long its chain of parents is. */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include "record/thread_ids.h"

static bool is_counted_kthread(const struct task_struct *task);

#define etw_is_kthread	is_counted_kthread
#include "filter/filter_children.c"
#undef etw_is_kthread

#define CHAIN	300
#define FIRST	5000	/* process id of the first one of the chain */

static u32 looks;	/* at processes */

/* Kernel threads, too: User Mode Linux has few other processes. */
static bool is_counted_kthread(const struct task_struct *task)
{
	looks++;
	return false;
}

static struct etw_filter *new_filter(struct kunit *test, u32 member)
{
	struct etw_filter *filter = kunit_kzalloc(test, sizeof(*filter), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, filter);
	filter->family = kvzalloc(sizeof(*filter->family), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, filter->family);
	__set_bit(member, filter->family->members);
	looks = 0;
	return filter;
}

static bool is_member(const struct etw_filter *filter, u32 process_id)
{
	return test_bit(process_id, filter->family->members);
}

/* Parents come first, as in the kernel's list. */
static void a_chain_costs_one_look_per_process(struct kunit *test)
{
	struct etw_filter *filter = new_filter(test, FIRST);
	static struct task_struct *chain[CHAIN];
	u32 i;

	for (i = 0; i < CHAIN; i++) {
		chain[i] = kvzalloc(sizeof(*chain[i]), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, chain[i]);
		chain[i]->pid = FIRST + i;
		chain[i]->tgid = FIRST + i;
		RCU_INIT_POINTER(chain[i]->real_parent, chain[i ? i - 1 : 0]);
	}
	rcu_read_lock();
	for (i = 1; i < CHAIN; i++)
		mark_child(filter, chain[i]);
	rcu_read_unlock();
	for (i = 0; i < CHAIN; i++)
		KUNIT_EXPECT_TRUE(test, is_member(filter, FIRST + i));
	KUNIT_EXPECT_EQ(test, looks, (u32)CHAIN - 1);
	for (i = 0; i < CHAIN; i++)
		kvfree(chain[i]);
	kvfree(filter->family);
}

static u32 count_processes(void)
{
	struct task_struct *process;
	u32 count = 0;

	rcu_read_lock();
	for_each_process(process)
		count++;
	rcu_read_unlock();
	return count;
}

static void all_processes_are_searched_once(struct kunit *test)
{
	struct etw_filter *filter = new_filter(test, 0);
	u32 before = count_processes();

	find_descendants(filter);
	KUNIT_EXPECT_TRUE(test, filter->family->complete);
	KUNIT_EXPECT_GE(test, looks, before - before / 4);
	KUNIT_EXPECT_LE(test, looks, before + before / 4);
	KUNIT_EXPECT_TRUE(test, is_member(filter, 1));
	find_descendants(filter);	/* once is enough */
	KUNIT_EXPECT_LE(test, looks, before + before / 4);
	kvfree(filter->family);
}

static int sleep_until_stopped(void *data)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ);
	return 0;
}

/* The walk stands at a process that ends: it begins again, with more processes at once. */
static void the_search_outlives_its_processes(struct kunit *test)
{
	struct etw_filter *filter = new_filter(test, 0);
	struct family_walk walk = { .last = get_task_struct(&init_task), .most = 1 };
	struct task_struct *task = kthread_run(sleep_until_stopped, NULL, "etw_searched");
	bool more = true;

	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	get_task_struct(task);
	while (more && walk.last != task)
		more = mark_some(filter, &walk);
	KUNIT_EXPECT_PTR_EQ(test, walk.last, task);
	kthread_stop(task);
	while (pid_alive(task))
		usleep_range(1000, 2000);
	KUNIT_EXPECT_TRUE(test, mark_some(filter, &walk));
	KUNIT_EXPECT_EQ(test, walk.most, 2U);
	while (mark_some(filter, &walk))
		;
	KUNIT_EXPECT_PTR_EQ(test, walk.last, &init_task);
	put_task_struct(walk.last);
	put_task_struct(task);
	kvfree(filter->family);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_chain_costs_one_look_per_process),
	KUNIT_CASE(all_processes_are_searched_once),
	KUNIT_CASE(the_search_outlives_its_processes),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_filter_children",
	.test_cases = cases,
};

kunit_test_suite(suite);
