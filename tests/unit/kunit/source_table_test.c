// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The table of sources that the linker makes of ETW_SOURCE(). */
#include <kunit/test.h>
#include "source/source.h"

/* In another order than that of the table */
ETW_SOURCE(ETW_ORDER_NAMES, test_names) = { .name = "names" };
ETW_SOURCE(ETW_ORDER_ANY, test_b) = { .name = "b" };
ETW_SOURCE(ETW_ORDER_FILTER, test_filter) = { .name = "filter" };
ETW_SOURCE(ETW_ORDER_PROCESS, test_process) = { .name = "process" };
ETW_SOURCE(ETW_ORDER_ANY, test_a) = { .name = "a" };
ETW_SOURCE(ETW_ORDER_VIRTUAL, test_virtual) = { .name = "virtual" };

/* The suites' module also has the sources of other suites. */
static void sources_follow_their_order(struct kunit *test)
{
	const struct etw_source *const due[] = {
		&etw_source_test_filter, &etw_source_test_process, &etw_source_test_a,
		&etw_source_test_b, &etw_source_test_virtual, &etw_source_test_names,
	};
	struct etw_source *const *at;
	u32 found = 0;

	for (at = etw_own_sources; at < etw_own_sources_end; at++) {
		KUNIT_ASSERT_NOT_NULL(test, *at);
		if (found < ARRAY_SIZE(due) && *at == due[found])
			found++;
	}
	KUNIT_EXPECT_EQ(test, found, (u32)ARRAY_SIZE(due));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(sources_follow_their_order),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_source_table",
	.test_cases = cases,
};

kunit_test_suite(suite);
