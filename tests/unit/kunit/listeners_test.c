// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* When a source's probes find listeners: while all of them are there. */
#include <kunit/test.h>

/* report_test.c has one of its own under this name, file_table_test.c the lock of all */
#define etw_sources_count_missed	tested_sources_count_missed
#include "source/listeners.c"

/* source.c has it */
LIST_HEAD(etw_sources);
DEFINE_MUTEX(etw_listeners_lock);	/* source.c has it */

static struct etw_source first = {
	.name = "first",
	.groups = ETW_GROUPS(PERF_PROCESS),
};

static struct etw_source second = {
	.name = "second",
	.groups = ETW_GROUPS(PERF_PROCESS, PERF_THREAD),
};

/**
 * struct probes - what was asked of source.c
 * @opened: sources with probes that were registered
 * @closed: sources with probes that were unregistered
 * @found: of either, how many probes found listeners before the last was there, or after
 *	the first was gone
 * @refuses: this source has no such tracepoint
 */
static struct probes {
	int opened;
	int closed;
	int found;
	const struct etw_source *refuses;
} probes;

static bool finds_listeners(const struct etw_source *source)
{
	return rcu_access_pointer(source->listeners) || rcu_access_pointer(source->rings);
}

int etw_source_open(struct etw_source *source)
{
	if (source == probes.refuses)
		return -ENOENT;
	probes.opened++;
	probes.found += finds_listeners(source);
	source->open = true;
	return 0;
}

void etw_source_close(struct etw_source *source)
{
	probes.closed++;
	probes.found += finds_listeners(source);
	source->open = false;
}

u64 etw_source_missed(const struct etw_source *source)
{
	return 0;
}

void etw_sources_wait(void)
{
}

static const struct etw_sink sinks[2];	/* of two sessions */

static const struct perfinfo_groupmask processes = {
	.masks[PERF_MASK_INDEX(PERF_PROCESS)] = PERF_MASK_BITS(PERF_PROCESS),
};

static int begin(struct kunit *test)
{
	probes = (struct probes){ };
	list_add_tail(&first.node, &etw_sources);
	list_add_tail(&second.node, &etw_sources);
	return 0;
}

static void end(struct kunit *test)
{
	INIT_LIST_HEAD(&etw_sources);
}

/* A thread that is counted when it begins, and not when it ends, would make its process endless. */
static void while_all_probes_are_there(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, etw_sources_set(&sinks[0], &processes, NULL), 0);
	KUNIT_EXPECT_EQ(test, probes.opened, 2);
	KUNIT_EXPECT_EQ(test, probes.found, 0);
	KUNIT_EXPECT_TRUE(test, finds_listeners(&first) && finds_listeners(&second));
	KUNIT_ASSERT_EQ(test, etw_sources_set(&sinks[1], &processes, NULL), 0);
	etw_sources_detach(&sinks[0]);
	KUNIT_EXPECT_EQ(test, probes.opened, 2);
	KUNIT_EXPECT_EQ(test, probes.closed, 0);
	KUNIT_EXPECT_TRUE(test, finds_listeners(&first) && finds_listeners(&second));
	etw_sources_detach(&sinks[1]);
	KUNIT_EXPECT_EQ(test, probes.closed, 2);
	KUNIT_EXPECT_EQ(test, probes.found, 0);
	KUNIT_EXPECT_FALSE(test, finds_listeners(&first) || finds_listeners(&second));
}

static void a_rundown_keeps_probes(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, etw_sources_set(&sinks[0], &processes, NULL), 0);
	etw_sources_mute(&sinks[0]);
	KUNIT_EXPECT_EQ(test, probes.closed, 0);
	etw_sources_unmute();
	KUNIT_EXPECT_EQ(test, probes.closed, 2);
	KUNIT_EXPECT_EQ(test, probes.found, 0);
}

/* An interval that began in a session's time is its, through all changes of it and of others. */
static void since_when_it_listens(struct kunit *test)
{
	static const struct perfinfo_groupmask none, threads = {
		.masks[PERF_MASK_INDEX(PERF_THREAD)] = PERF_MASK_BITS(PERF_THREAD),
	};
	const struct etw_listeners *now;
	u32 begun;

	KUNIT_ASSERT_EQ(test, etw_sources_set(&sinks[0], &processes, NULL), 0);
	begun = rcu_dereference_raw(second.listeners)->change;
	KUNIT_ASSERT_EQ(test, etw_sources_set(&sinks[1], &processes, NULL), 0);
	KUNIT_ASSERT_EQ(test, etw_sources_set(&sinks[0], &threads, NULL), 0);
	now = rcu_dereference_raw(second.listeners);
	KUNIT_EXPECT_TRUE(test, etw_listened(find(now, &sinks[0]), begun));
	KUNIT_EXPECT_FALSE(test, etw_listened(find(now, &sinks[1]), begun));
	KUNIT_EXPECT_TRUE(test, etw_listened(find(now, &sinks[1]), now->change));
	KUNIT_ASSERT_EQ(test, etw_sources_set(&sinks[0], &none, NULL), 0);
	KUNIT_ASSERT_EQ(test, etw_sources_set(&sinks[0], &processes, NULL), 0);
	now = rcu_dereference_raw(second.listeners);
	KUNIT_EXPECT_FALSE(test, etw_listened(find(now, &sinks[0]), begun));
	etw_sources_detach(&sinks[0]);
	etw_sources_detach(&sinks[1]);
}

/* STOP does not wait for a START that registers probes, which then closes the sources. */
static void detached_beside_a_start(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, etw_sources_set(&sinks[0], &processes, NULL), 0);
	mutex_lock(&etw_sources_lock);
	etw_sources_detach(&sinks[0]);
	KUNIT_EXPECT_FALSE(test, rcu_access_pointer(first.rings));
	KUNIT_EXPECT_FALSE(test, find(rcu_dereference_raw(first.listeners), &sinks[0]));
	KUNIT_EXPECT_EQ(test, probes.closed, 0);
	mutex_unlock(&etw_sources_lock);
	KUNIT_ASSERT_EQ(test, etw_sources_set(&sinks[1], &processes, NULL), 0);
	KUNIT_EXPECT_EQ(test, probes.closed, 0);	/* the tables were kept current */
	mutex_lock(&etw_sources_lock);
	etw_sources_detach(&sinks[1]);
	mutex_unlock(&etw_sources_lock);
	etw_sources_close_left();
	KUNIT_EXPECT_EQ(test, probes.closed, 2);
	KUNIT_EXPECT_EQ(test, probes.found, 0);
}

static void all_sources_or_none(struct kunit *test)
{
	probes.refuses = &second;
	KUNIT_EXPECT_EQ(test, etw_sources_set(&sinks[0], &processes, NULL), -ENOENT);
	KUNIT_EXPECT_EQ(test, probes.opened, 1);
	KUNIT_EXPECT_EQ(test, probes.closed, 1);
	KUNIT_EXPECT_EQ(test, probes.found, 0);
	KUNIT_EXPECT_FALSE(test, finds_listeners(&first) || finds_listeners(&second));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(while_all_probes_are_there),
	KUNIT_CASE(a_rundown_keeps_probes),
	KUNIT_CASE(detached_beside_a_start),
	KUNIT_CASE(since_when_it_listens),
	KUNIT_CASE(all_sources_or_none),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_listeners",
	.init = begin,
	.exit = end,
	.test_cases = cases,
};

kunit_test_suite(suite);
