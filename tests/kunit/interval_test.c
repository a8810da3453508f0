// SPDX-License-Identifier: GPL-2.0
/* Intervals of threads that preempt each other on one CPU: each has its own place. */
#include <kunit/test.h>
#include "../../module/source/interval.h"

#define PLACES	3

static void begun(struct etw_interval *interval, unsigned long key)
{
	interval->key = key;
	interval->begun = true;
}

static void each_has_its_own(struct kunit *test)
{
	struct etw_interval_of places[PLACES] = {};
	struct etw_interval *interval[PLACES];
	int owner[PLACES + 1], i;

	for (i = 0; i < PLACES; i++) {
		KUNIT_EXPECT_NULL(test, etw_interval_of(places, PLACES, &owner[i], false));
		interval[i] = etw_interval_of(places, PLACES, &owner[i], true);
		KUNIT_ASSERT_NOT_NULL(test, interval[i]);
		begun(interval[i], i);
	}
	for (i = 0; i < PLACES; i++) {
		KUNIT_EXPECT_PTR_EQ(test, etw_interval_of(places, PLACES, &owner[i], false),
				    interval[i]);
		KUNIT_EXPECT_EQ(test, interval[i]->key, i);
	}
	/* one more than there are places */
	KUNIT_EXPECT_NULL(test, etw_interval_of(places, PLACES, &owner[PLACES], true));
	interval[1]->begun = false;
	KUNIT_EXPECT_NULL(test, etw_interval_of(places, PLACES, &owner[1], false));
	KUNIT_EXPECT_PTR_EQ(test, etw_interval_of(places, PLACES, &owner[PLACES], true),
			    interval[1]);
}

/* Softirqs of one thread follow each other: an end that was not seen costs no place. */
static void one_begins_again(struct kunit *test)
{
	struct etw_interval_of places[PLACES] = {};
	struct etw_interval *interval;
	int owner[2];

	begun(etw_interval_of(places, PLACES, &owner[0], true), 1);
	interval = etw_interval_of(places, PLACES, &owner[1], true);
	begun(interval, 2);
	/* a free place stands before it */
	etw_interval_of(places, PLACES, &owner[0], false)->begun = false;
	KUNIT_EXPECT_PTR_EQ(test, etw_interval_of(places, PLACES, &owner[1], true), interval);
	KUNIT_EXPECT_PTR_EQ(test, etw_interval_of(places, PLACES, &owner[1], false), interval);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_has_its_own),
	KUNIT_CASE(one_begins_again),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_interval",
	.test_cases = cases,
};

kunit_test_suite(suite);
