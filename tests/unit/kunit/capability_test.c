// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What START asks the machine for: CPUs that the format can distinguish. */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include "ring/clock.h"
#include "session/access.h"

/* The machine, as it would describe itself */
static unsigned int machine_cpus;
static u32 clocks_asked;

static int no_clock(u32 clock_type, struct etw_clocks *clocks)
{
	clocks_asked++;
	return -EINVAL;
}

static int may_record(void)
{
	return 0;
}

#undef nr_cpu_ids
#define nr_cpu_ids		machine_cpus
#define etw_clock_choose	no_clock
#define etw_may_record		may_record
#include "session/capability.c"
#include "session/refusal.c"
#undef etw_may_record
#undef etw_clock_choose

/* Sources are not asked for where there is no clock. */
bool etw_sources_know(const struct perfinfo_groupmask *masks, struct perfinfo_groupmask *left)
{
	return false;
}

bool etw_sources_know_hook(u16 hook_id)
{
	return false;
}

static int check_means(struct kunit *test, unsigned int cpus, struct etw_config_error *error)
{
	struct etw_settings *settings = kunit_kzalloc(test, sizeof(*settings), GFP_KERNEL);
	struct wmi_logger_information block = { };
	struct etw_clocks clocks;

	KUNIT_ASSERT_NOT_NULL(test, settings);
	machine_cpus = cpus;
	clocks_asked = 0;
	*error = (struct etw_config_error){ };
	return etw_session_check_supported(error, &block, settings, &clocks);
}

/* The index of a processor in a buffer's header has 11 bits. */
static void more_than_2048_processors(struct kunit *test)
{
	struct etw_config_error error;

	KUNIT_EXPECT_EQ(test, check_means(test, 2049, &error), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, error.reason, (u32)ETW_REASON_PROCESSORS);
	KUNIT_EXPECT_EQ(test, clocks_asked, 0U);
	/* comes to the next question */
	KUNIT_EXPECT_EQ(test, check_means(test, 2048, &error), -EINVAL);
	KUNIT_EXPECT_EQ(test, error.reason, (u32)ETW_REASON_UNSUPPORTED);
	KUNIT_EXPECT_EQ(test, clocks_asked, 1U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(more_than_2048_processors),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_means",
	.test_cases = cases,
};

kunit_test_suite(suite);
