// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Priorities and wait reasons, against the tables of kernel-events.rst 9.4, 9.5. */
#include <kunit/test.h>
#include <linux/sched.h>
#include "record/nt_thread.h"

static u32 of_nice(int nice)
{
	return etw_nt_priority(120 + nice, SCHED_NORMAL, false);
}

static u32 of_rt(int rt)
{
	return etw_nt_priority(99 - rt, SCHED_FIFO, false);
}

static void priorities_of_nice(struct kunit *test)
{
	int nice;

	KUNIT_EXPECT_EQ(test, of_nice(-20), 15U);
	KUNIT_EXPECT_EQ(test, of_nice(0), 8U);
	KUNIT_EXPECT_EQ(test, of_nice(1), 7U);
	KUNIT_EXPECT_EQ(test, of_nice(19), 1U);
	for (nice = -20; nice <= 19; nice++) {
		u32 due = nice <= 0 ? 8 + -nice * 7 / 20 : 8 - (7 * nice + 18) / 19;

		KUNIT_EXPECT_EQ(test, of_nice(nice), due);
	}
}

static void priorities_of_real_time(struct kunit *test)
{
	int rt;

	for (rt = 1; rt <= 99; rt++)
		KUNIT_EXPECT_EQ(test, of_rt(rt), 16U + 14 * rt / 99);
	/* the thread that stops a CPU looks as the highest of these, not as what is above them */
	KUNIT_EXPECT_EQ(test, of_rt(99), 30U);
	KUNIT_EXPECT_EQ(test, etw_nt_priority(-1, SCHED_DEADLINE, false), 31U);
}

static void priorities_of_the_others(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_nt_priority(120, SCHED_NORMAL, true), 0U);
	KUNIT_EXPECT_EQ(test, etw_nt_priority(120, SCHED_IDLE, false), 1U);
	KUNIT_EXPECT_EQ(test, etw_nt_priority(-2, SCHED_NORMAL, false), 31U);
	KUNIT_EXPECT_EQ(test, etw_nt_priority(140, SCHED_NORMAL, false), 31U);
}

/* A thread that waits for a SCHED_IDLE thread lends it a class only where its own is above. */
static void priorities_that_are_lent(struct kunit *test)
{
	int prio;

	for (prio = 0; prio <= 99; prio++)
		KUNIT_EXPECT_EQ(test, etw_nt_priority(prio, SCHED_IDLE, false),
				of_rt(99 - prio));
	KUNIT_EXPECT_EQ(test, etw_nt_priority(-1, SCHED_IDLE, false), 31U);
	for (prio = 100; prio <= 139; prio++)
		KUNIT_EXPECT_EQ(test, etw_nt_priority(prio, SCHED_IDLE, false), 1U);
}

static const struct wait_case {
	const char *name;
	u32 prev_state;
	bool preempt, idle, queued, iowait, kthread, kworker;
	u32 reason, user_mode, state;
} wait_cases[] = {
	{ "idle", TASK_RUNNING, .idle = true, .reason = 0, .state = 2 },
	{ "idle, whatever else", TASK_INTERRUPTIBLE, true, true, true, .state = 2 },
	{ "dead", TASK_DEAD, .reason = 22, .state = 4 },
	{ "dead, preempted", TASK_DEAD, .preempt = true, .reason = 22, .state = 4 },
	{ "preempted", TASK_INTERRUPTIBLE, .preempt = true, .reason = 32, .state = 1 },
	{ "runnable", TASK_RUNNING, .reason = 32, .state = 1 },
	{ "kept by a signal", TASK_INTERRUPTIBLE, .queued = true, .reason = 32, .state = 1 },
	{ "stopped", TASK_STOPPED, .reason = 5, .user_mode = 1, .state = 5 },
	{ "traced", TASK_TRACED, .reason = 5, .user_mode = 1, .state = 5 },
	{ "parked", TASK_PARKED, .kthread = true, .reason = 5, .user_mode = 1, .state = 5 },
	{ "frozen", TASK_FROZEN, .reason = 5, .user_mode = 1, .state = 5 },
	{ "RT lock", TASK_RTLOCK_WAIT, .reason = 27, .state = 5 },
	{ "TASK_IDLE", TASK_IDLE, .kthread = true, .reason = 15, .state = 5 },
	{ "iowait", TASK_UNINTERRUPTIBLE, .iowait = true, .reason = 0, .state = 5 },
	{ "uninterruptible", TASK_UNINTERRUPTIBLE, .reason = 7, .state = 5 },
	{ "killable", TASK_KILLABLE, .reason = 7, .state = 5 },
	{ "kworker", TASK_INTERRUPTIBLE, .kthread = true, .kworker = true, .reason = 15,
	  .state = 5 },
	{ "kernel thread", TASK_INTERRUPTIBLE, .kthread = true, .reason = 0, .state = 5 },
	{ "program", TASK_INTERRUPTIBLE, .reason = 6, .user_mode = 1, .state = 5 },
	{ "program, freezable", TASK_INTERRUPTIBLE | TASK_FREEZABLE, .reason = 6,
	  .user_mode = 1, .state = 5 },
};

static void waits(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(wait_cases); i++) {
		const struct wait_case *c = &wait_cases[i];
		u32 bytes = etw_wait_state(c->prev_state, c->preempt, c->idle, c->queued,
					   c->iowait, c->kthread, c->kworker);

		KUNIT_EXPECT_EQ_MSG(test, bytes,
				    c->reason | c->user_mode << 8 | c->state << 16,
				    "%s", c->name);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(priorities_of_nice),
	KUNIT_CASE(priorities_of_real_time),
	KUNIT_CASE(priorities_of_the_others),
	KUNIT_CASE(priorities_that_are_lent),
	KUNIT_CASE(waits),
	{ }
};

static struct kunit_suite suite = {
	.name = "etw_thread_state",
	.test_cases = cases,
};

kunit_test_suite(suite);
