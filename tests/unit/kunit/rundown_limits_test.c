// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* How long a rundown waits for a slow reader: for as long as a caller waits for it. */
#include <kunit/test.h>
#include "session/rundown_limits.c"

/* rundown_limits.c asks for them */
bool etw_pool_add(struct etw_session *session, struct etw_ring *ring)
{
	return false;
}

void etw_pool_kick(struct etw_session *session)
{
}

static bool waits(struct etw_session_rundown *rundown)
{
	return rundown->rundown.make_space(&rundown->rundown, jiffies + HZ);
}

static void begin(struct kunit *test, struct etw_session_rundown *rundown)
{
	struct etw_session *session = kunit_kzalloc(test, sizeof(*session), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, session);
	etw_rundown_init(rundown, session);
	rundown->unhurried = true;
}

static void one_update_waits_so_long(struct kunit *test)
{
	struct etw_session_rundown rundown;

	begin(test, &rundown);
	KUNIT_EXPECT_TRUE(test, waits(&rundown));
	KUNIT_EXPECT_FALSE(test, rundown.limited);
	rundown.session->rundown_waiters.update = true;
	KUNIT_EXPECT_TRUE(test, waits(&rundown));
	KUNIT_EXPECT_TRUE(test, rundown.limited);
	rundown.limit = jiffies - 1;
	KUNIT_EXPECT_FALSE(test, waits(&rundown));
}

/* As if so much time had gone after the first one */
static void the_next_update_waits_anew(struct kunit *test)
{
	struct etw_session_rundown rundown;

	begin(test, &rundown);
	rundown.session->rundown_waiters.update = true;
	KUNIT_EXPECT_TRUE(test, waits(&rundown));
	rundown.session->rundown_waiters.update = false;
	KUNIT_EXPECT_TRUE(test, waits(&rundown));
	rundown.limit = jiffies - 1;
	rundown.session->rundown_waiters.update = true;
	KUNIT_EXPECT_TRUE(test, waits(&rundown));
}

/* All that a STOP waits for has one limit, however often it is asked. */
static void a_stop_has_one_limit(struct kunit *test)
{
	struct etw_session_rundown rundown;

	begin(test, &rundown);
	rundown.session->rundown_waiters.stopper = current;
	rundown.session->rundown_waiters.stop_limit = jiffies + ETW_RUNDOWN_DEADLINE;
	KUNIT_EXPECT_TRUE(test, waits(&rundown));
	rundown.session->rundown_waiters.stop_limit = jiffies - 1;
	KUNIT_EXPECT_FALSE(test, waits(&rundown));
}

/* A task that SIGKILL has ended closes its files: no signal is pending any more. */
static void a_killed_task_needs_no_pending_signal(struct kunit *test)
{
	struct task_struct *task = kunit_kzalloc(test, sizeof(*task), GFP_KERNEL);
	struct signal_struct *signal = kunit_kzalloc(test, sizeof(*signal), GFP_KERNEL);
	struct thread_info *info;

	KUNIT_ASSERT_NOT_NULL(test, task);
	KUNIT_ASSERT_NOT_NULL(test, signal);
	info = kunit_kzalloc(test, sizeof(*info), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, info);
	if (!IS_ENABLED(CONFIG_THREAD_INFO_IN_TASK))
		task->stack = info;	/* begins with struct thread_info */
	task->signal = signal;
	KUNIT_EXPECT_FALSE(test, is_killed(task));
	task->flags = PF_EXITING;
	signal->group_exit_code = 3 << 8;	/* exit(3) */
	KUNIT_EXPECT_FALSE(test, is_killed(task));
	signal->group_exit_code = SIGKILL;
	KUNIT_EXPECT_TRUE(test, is_killed(task));
	task->flags = 0;	/* the signal is pending until the task exits */
	KUNIT_EXPECT_FALSE(test, is_killed(task));
}

/* A STOP that discards what was written */
static void a_discarded_rundown_gets_no_time(struct kunit *test)
{
	struct etw_session_rundown rundown;

	begin(test, &rundown);
	etw_rundown_stop_waits(rundown.session, 0);
	KUNIT_EXPECT_FALSE(test, etw_rundown_goes_on(&rundown.rundown));
	rundown.unhurried = false;
	rundown.rundown.over = false;
	schedule_timeout_uninterruptible(2);
	KUNIT_EXPECT_FALSE(test, etw_rundown_goes_on(&rundown.rundown));
}

static void begin_stop(struct kunit *test, struct etw_session_rundown *rundown, long left)
{
	begin(test, rundown);
	rundown->unhurried = false;
	rundown->session->rundown_waiters.stopper = current;
	rundown->session->rundown_waiters.stop_limit = jiffies + left;
}

/* Also a ring of its own, which never waits for a reader */
static void a_walk_ends_with_the_stops_time(struct kunit *test)
{
	struct etw_session_rundown rundown;
	struct etw_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	begin_stop(test, &rundown, HZ);
	rundown.rundown.ring = ring;
	KUNIT_EXPECT_TRUE(test, etw_rundown_goes_on(&rundown.rundown));
	rundown.session->rundown_waiters.stop_limit = jiffies - 1;
	KUNIT_EXPECT_FALSE(test, etw_rundown_goes_on(&rundown.rundown));
	KUNIT_EXPECT_TRUE(test, rundown.rundown.over);
}

/* No task waits for it before a STOP does. */
static void the_start_rundown_leaves_time_to_the_stop_rundown(struct kunit *test)
{
	struct etw_session_rundown rundown;

	begin_stop(test, &rundown, ETW_RUNDOWN_DEADLINE / 2 - 1);
	KUNIT_EXPECT_TRUE(test, etw_rundown_goes_on(&rundown.rundown));
	rundown.unhurried = true;
	KUNIT_EXPECT_FALSE(test, etw_rundown_goes_on(&rundown.rundown));
}

/* The first of three sources takes all the time that it gets. */
static void sources_share_a_stops_time(struct kunit *test)
{
	struct etw_session_rundown rundown;

	begin_stop(test, &rundown, 9 * HZ);
	rundown.rundown.begin_part(&rundown.rundown, 3);
	KUNIT_EXPECT_TRUE(test, etw_rundown_goes_on(&rundown.rundown));
	KUNIT_EXPECT_TRUE(test, time_before_eq(rundown.part_limit, jiffies + 3 * HZ));
	rundown.part_limit = jiffies - 1;
	KUNIT_EXPECT_FALSE(test, etw_rundown_goes_on(&rundown.rundown));
	KUNIT_EXPECT_FALSE(test, waits(&rundown));
	KUNIT_EXPECT_TRUE(test, rundown.rundown.over);
	KUNIT_EXPECT_FALSE(test, etw_rundown_may_wait(&rundown.rundown));
	rundown.rundown.begin_part(&rundown.rundown, 2);
	KUNIT_EXPECT_TRUE(test, etw_rundown_goes_on(&rundown.rundown));
	KUNIT_EXPECT_TRUE(test, etw_rundown_may_wait(&rundown.rundown));
	KUNIT_EXPECT_TRUE(test, waits(&rundown));
}

/* The last part has all the time that the sources left, even if the last source took its share. */
static void records_after_the_sources_have_time(struct kunit *test)
{
	struct etw_session_rundown rundown;

	begin_stop(test, &rundown, 8 * HZ);
	rundown.rundown.begin_part(&rundown.rundown, 2);
	KUNIT_EXPECT_TRUE(test, time_before_eq(rundown.part_limit, jiffies + 4 * HZ));
	rundown.part_limit = jiffies - 1;
	KUNIT_EXPECT_FALSE(test, etw_rundown_goes_on(&rundown.rundown));
	rundown.rundown.begin_part(&rundown.rundown, 1);
	KUNIT_EXPECT_TRUE(test, waits(&rundown));
	KUNIT_EXPECT_EQ(test, rundown.part_limit,
			rundown.session->rundown_waiters.stop_limit);
}

/* STOP promises 2 s without a reader, not 2 s for each source. */
static void a_part_does_not_restore_patience(struct kunit *test)
{
	struct etw_session_rundown rundown;

	begin_stop(test, &rundown, 9 * HZ);
	rundown.rundown.hopeless = true;
	rundown.rundown.begin_part(&rundown.rundown, 2);
	KUNIT_EXPECT_TRUE(test, rundown.rundown.hopeless);
	KUNIT_EXPECT_TRUE(test, etw_rundown_goes_on(&rundown.rundown));
	rundown.part_limit = jiffies - 1;
	KUNIT_EXPECT_FALSE(test, etw_rundown_goes_on(&rundown.rundown));
	rundown.rundown.begin_part(&rundown.rundown, 1);
	KUNIT_EXPECT_TRUE(test, etw_rundown_goes_on(&rundown.rundown));
	KUNIT_EXPECT_TRUE(test, rundown.rundown.hopeless);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(one_update_waits_so_long),
	KUNIT_CASE(the_next_update_waits_anew),
	KUNIT_CASE(a_stop_has_one_limit),
	KUNIT_CASE(a_killed_task_needs_no_pending_signal),
	KUNIT_CASE(a_discarded_rundown_gets_no_time),
	KUNIT_CASE(a_walk_ends_with_the_stops_time),
	KUNIT_CASE(the_start_rundown_leaves_time_to_the_stop_rundown),
	KUNIT_CASE(sources_share_a_stops_time),
	KUNIT_CASE(records_after_the_sources_have_time),
	KUNIT_CASE(a_part_does_not_restore_patience),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_rundown_limits",
	.test_cases = cases,
};

kunit_test_suite(suite);
