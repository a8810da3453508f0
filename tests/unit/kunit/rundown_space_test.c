// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The address space that a rundown records, while the process ends or execs; when it is held. */
#include <kunit/test.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>

#include "context/rundown.h"

static struct mm_struct *get_mm(struct task_struct *task);
static void put_mm(struct mm_struct *mm);
static void wait_for_room(struct etw_rundown *rundown);
static long sleep_ticks(long ticks);
static void count_cut(struct etw_rundown *rundown, u32 records);

#define get_task_mm			get_mm
#define mmput_async			put_mm
#define etw_rundown_wait		wait_for_room
#define etw_rundown_cut			count_cut
#define schedule_timeout_killable	sleep_ticks
#include "source/rundown/rundown_space.c"
#undef get_task_mm
#undef mmput_async
#undef etw_rundown_wait
#undef etw_rundown_cut
#undef schedule_timeout_killable

#define THREADS	2
#define PARTS	3	/* that there are in an address space, one recorded in each step */

/**
 * struct space - a process of two threads, and what happens to it
 * @task: its threads
 * @signal: theirs
 * @entry: them, as a list of tasks has them
 * @mm: its address space, and that of the image which it execs
 * @walk: what is tested
 * @held: references that the walk has
 * @held_waiting: waits with one
 * @ticks: slept for an exec
 * @exec_ticks: how many it takes until it is complete; it has the new image by then
 * @logged: parts recorded of each
 * @rundown: with naps
 * @cut: address spaces that were not written to their end
 * @when: how many of them before @happens
 * @happens: something, in the midst of a wait
 */
static struct space {
	struct task_struct *task[THREADS];
	struct signal_struct *signal;
	struct etw_task_entry entry[THREADS];
	struct mm_struct *mm[2];
	struct etw_space_walk walk;
	int held;
	u32 held_waiting;
	u32 ticks;
	u32 exec_ticks;
	u32 logged[2];
	struct etw_rundown rundown;
	u32 cut;
	u32 when;
	void (*happens)(void);
} space;

static struct mm_struct *get_mm(struct task_struct *task)
{
	space.held += !!task->mm;
	return task->mm;
}

static void put_mm(struct mm_struct *mm)
{
	space.held--;
}

static void wait_for_room(struct etw_rundown *rundown)
{
	space.held_waiting += !!space.held;
	if (space.happens && space.logged[0] == space.when) {
		space.happens();
		space.happens = NULL;
	}
}

static void count_cut(struct etw_rundown *rundown, u32 records)
{
	space.cut += records;
}

static bool time_is_over(struct etw_rundown *rundown)
{
	return true;
}

static void time_ends(void)
{
	space.rundown.is_over = time_is_over;
}

static long sleep_ticks(long ticks)
{
	space.held_waiting += !!space.held;
	space.ticks += ticks;
	if (space.ticks == space.exec_ticks)
		space.task[0]->in_execve = 0;
	return 0;
}

static int tell_part(struct etw_rundown *rundown, struct etw_space_walk *walk)
{
	if (!etw_space_is_there(walk))
		return -ESRCH;
	space.logged[walk->mm == space.mm[1]]++;
	return ++walk->from == PARTS ? -ENOENT : 0;
}

static int begin(struct kunit *test)
{
	u32 i;

	memset(&space, 0, sizeof(space));
	space.rundown.naps = ETW_RUNDOWN_NAPS;
	space.signal = kunit_kzalloc(test, sizeof(*space.signal), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, space.signal);
	atomic_set(&space.signal->live, THREADS);
	for (i = 0; i < 2; i++) {
		space.mm[i] = kunit_kzalloc(test, sizeof(*space.mm[i]), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, space.mm[i]);
	}
	for (i = 0; i < THREADS; i++) {
		space.task[i] = kunit_kzalloc(test, sizeof(*space.task[i]), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, space.task[i]);
		space.task[i]->signal = space.signal;
		space.task[i]->mm = space.mm[0];
		space.entry[i].task = space.task[i];
	}
	return 0;
}

static void expect_logged(struct kunit *test, u32 old, u32 new)
{
	etw_space_walk(&space.rundown, &space.walk, space.entry, THREADS, tell_part);
	KUNIT_EXPECT_EQ(test, space.logged[0], old);
	KUNIT_EXPECT_EQ(test, space.logged[1], new);
	KUNIT_EXPECT_EQ(test, space.held, 0);
	KUNIT_EXPECT_EQ(test, space.held_waiting, 0U);
}

static void one_thread_ends(void)
{
	space.task[0]->mm = NULL;
	atomic_set(&space.signal->live, THREADS - 1);
}

static void all_end(void)
{
	atomic_set(&space.signal->live, 0);
}

static void it_execs(void)
{
	space.task[0]->mm = space.mm[1];
	space.task[1]->mm = NULL;
}

static void of_one_that_stays(struct kunit *test)
{
	expect_logged(test, PARTS, 0);
	KUNIT_EXPECT_EQ(test, space.ticks, 0U);
}

/* Where it had come to */
static void by_another_thread(struct kunit *test)
{
	space.when = 1;
	space.happens = one_thread_ends;
	expect_logged(test, PARTS, 0);
}

static void not_of_one_that_ended(struct kunit *test)
{
	space.when = 1;
	space.happens = all_end;
	expect_logged(test, 1, 0);
}

static void not_of_the_next_image(struct kunit *test)
{
	space.when = 1;
	space.happens = it_execs;
	expect_logged(test, 1, 0);
}

/* Its Process Start is recorded at the end of the exec. */
static void behind_an_exec_under_way(struct kunit *test)
{
	it_execs();
	space.task[0]->in_execve = 1;
	space.exec_ticks = 2;
	expect_logged(test, 0, PARTS);
	KUNIT_EXPECT_EQ(test, space.ticks, 2U);
}

/* As when its program can't be read: what it is until then is recorded. */
static void without_waiting_long(struct kunit *test)
{
	space.task[0]->in_execve = 1;
	expect_logged(test, PARTS, 0);
	KUNIT_EXPECT_EQ(test, space.ticks, (u32)EXEC_TICKS);
}

/* So other users' mappings can't prolong a STOP. */
static void not_after_the_rundowns_time(struct kunit *test)
{
	space.when = 1;
	space.happens = time_ends;
	expect_logged(test, 1, 0);
	KUNIT_EXPECT_EQ(test, space.cut, 1U);
}

/* All processes share the naps of a rundown. */
static void without_naps_no_exec_is_awaited(struct kunit *test)
{
	space.rundown.naps = 1;
	space.task[0]->in_execve = 1;
	expect_logged(test, PARTS, 0);
	KUNIT_EXPECT_EQ(test, space.ticks, 1U);
	KUNIT_EXPECT_EQ(test, space.cut, 0U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(of_one_that_stays),
	KUNIT_CASE(by_another_thread),
	KUNIT_CASE(not_of_one_that_ended),
	KUNIT_CASE(not_of_the_next_image),
	KUNIT_CASE(behind_an_exec_under_way),
	KUNIT_CASE(without_waiting_long),
	KUNIT_CASE(not_after_the_rundowns_time),
	KUNIT_CASE(without_naps_no_exec_is_awaited),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_rundown_space",
	.init = begin,
	.test_cases = cases,
};

kunit_test_suite(suite);
