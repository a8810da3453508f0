/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What is done to sessions that count and sample while one allocation fails. */
#ifndef ETW_TEST_FAILNTH_COUNTERS_H
#define ETW_TEST_FAILNTH_COUNTERS_H

#include <linux/perf_event.h>
#include "operations.h"

/* Nothing but what makes it a kernel session */
#define KERNEL	EVENT_TRACE_FLAG_NO_SYSCONFIG

/*
 * Counted in memory, and by a clock; both profiles. No events: tracepoints have
 * their own operations.
 */
static const __u32 counters[] = {
	ARRAY_HEAD(26, 6), ARRAY_ITEM(3, ENABLE_FLAGS), 0,
	PERF_MASK_BITS(PERF_PROFILE) | PERF_MASK_BITS(PERF_PMC_PROFILE),
	ARRAY_ITEM(9, VND_PMC_COUNTERS),
	ETW_PROFILE_SOURCE_OWN, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0,
	ETW_PROFILE_SOURCE_OWN + 1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0,
	ARRAY_ITEM(2, VND_PMC_HOOKS), PERFINFO_LOG_TYPE_CONTEXTSWAP,
	ARRAY_ITEM(5, VND_SAMPLE_INTERVAL), 0, 100000, ETW_PROFILE_SOURCE_OWN, 1000,
	ARRAY_ITEM(2, VND_SAMPLE_SOURCES), ETW_PROFILE_SOURCE_OWN,
	ARRAY_ITEM(4, VND_COUNTER_NAMES), 2, 'a', 'b',
};

/* The kernel itself warns when it lacks memory for a coming CPU's page faults. */
static const __u32 clocks[] = {
	ARRAY_HEAD(10, 3), ARRAY_ITEM(2, ENABLE_FLAGS), 0, ARRAY_ITEM(5, VND_PMC_COUNTERS),
	ETW_PROFILE_SOURCE_OWN, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0,
	ARRAY_ITEM(2, VND_PMC_HOOKS), PERFINFO_LOG_TYPE_CONTEXTSWAP,
};

/* perf has no such event: whether it has one with fewer demands is tried, too */
static const __u32 strange[] = {
	ARRAY_HEAD(10, 3), ARRAY_ITEM(2, ENABLE_FLAGS), 0, ARRAY_ITEM(5, VND_PMC_COUNTERS),
	ETW_PROFILE_SOURCE_OWN, PERF_TYPE_SOFTWARE, 0x77777777, 0,
	ARRAY_ITEM(2, VND_PMC_HOOKS), PERFINFO_LOG_TYPE_CONTEXTSWAP,
};

#define STRANGE		.wish.items = strange, .wish.dwords = sizeof(strange) / sizeof(strange[0])
#define CLOCKS		.wish.items = clocks, .wish.dwords = sizeof(clocks) / sizeof(clocks[0])
#define COUNTERS	.wish.items = counters, \
			.wish.dwords = sizeof(counters) / sizeof(counters[0])

/* Another interval of both profiles; then none of them */
static int set_profiles(const struct operation *op, __u32 groups)
{
	const __u32 items[] = {
		ARRAY_HEAD(9, 2), ARRAY_ITEM(3, ENABLE_FLAGS), 0, groups,
		ARRAY_ITEM(5, VND_SAMPLE_INTERVAL), 0, 200000, ETW_PROFILE_SOURCE_OWN, 2000,
	};
	struct wish wish = op->wish;

	wish.items = items;
	wish.dwords = sizeof(items) / 4;
	return change_session(&wish);
}

static int profile_run(const struct operation *op)
{
	return set_profiles(op, PERF_MASK_BITS(PERF_PROFILE) | PERF_MASK_BITS(PERF_PMC_PROFILE));
}

static int profile_off_prepare(const struct operation *op)
{
	return update_prepare(op) || set_profiles(op, 0);
}

/* Return: 0 for what must come when there is memory. */
static int strange_run(const struct operation *op)
{
	struct etw_control answer;
	int err = ask_for_session(file, &op->wish, &answer);

	if (!err) {
		discard_session(control, answer.logger_id);
		return EEXIST;
	}
	if (err == EOPNOTSUPP && answer.error_reason == ETW_REASON_NO_EVENT)
		return 0;
	return check_logged(&answer, err);
}

static int strange_finish(const struct operation *op, int err)
{
	(void)op;
	(void)err;
	return !!close(file);
}

static int counting_run(const struct operation *op)
{
	struct etw_counting n = {
		.size = sizeof(n), .logger_id = id, .processor = ETW_ALL_PROCESSORS,
	};

	(void)op;
	return ioctl(control, ETW_IOC_COUNTING, &n) ? errno : 0;
}

#endif /* ETW_TEST_FAILNTH_COUNTERS_H */
