// SPDX-License-Identifier: GPL-2.0
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
	rundown.session->rundown_waiters.stop_limit = jiffies + HZ;
	KUNIT_EXPECT_TRUE(test, waits(&rundown));
	rundown.session->rundown_waiters.stop_limit = jiffies - 1;
	KUNIT_EXPECT_FALSE(test, waits(&rundown));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(one_update_waits_so_long),
	KUNIT_CASE(the_next_update_waits_anew),
	KUNIT_CASE(a_stop_has_one_limit),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_rundown_limits",
	.test_cases = cases,
};

kunit_test_suite(suite);
