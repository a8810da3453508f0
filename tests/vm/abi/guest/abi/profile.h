/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Samplers: which START refuses, and where; intervals, as COUNTING returns them. */
#ifndef ETW_TEST_ABI_PROFILE_H
#define ETW_TEST_ABI_PROFILE_H

#include "counters.h"

#define TIMER_ON	PERF_MASK_BITS(PERF_PROFILE)
#define OVERFLOWS_ON	PERF_MASK_BITS(PERF_PMC_PROFILE)
#define MASKS_OF(second)	ITEM(3, ENABLE_FLAGS), 0, (second)

/* What needs no PMU, and what none has */
static const struct extension_case sampler_cases[] = {
	{ "the timer's profile", IN_ITEMS, ARRAY(HEAD(4, 1), MASKS_OF(TIMER_ON)), 0, 0, 0, 0, { } },
	{ "the timer's profile by EnableFlags", EVENT_TRACE_FLAG_PROFILE, ARRAY(0), 0, 0, 0, 0,
	  { } },
	{ "an interval of nothing that samples", IN_ITEMS,
	  ARRAY(HEAD(6, 1), ITEM(5, VND_SAMPLE_INTERVAL), 0, 200, 19, 100), 0, 0, 0, 0, { } },
	{ "the timer at 19.9 us", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, VND_SAMPLE_INTERVAL), 0, 199), ERANGE, DWORD(3),
	  REFUSE(RANGE), 1, { } },
	{ "the timer at more than a second", IN_ITEMS,
	  ARRAY(HEAD(6, 1), ITEM(5, VND_SAMPLE_INTERVAL), 19, 100, 0, 10000001), ERANGE,
	  DWORD(5), REFUSE(RANGE), 1, { } },
	{ "every 99 events", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, VND_SAMPLE_INTERVAL), 19, 99), ERANGE, DWORD(3),
	  REFUSE(RANGE), 1, { } },
	{ "every 2^31 events", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, VND_SAMPLE_INTERVAL), 19, 0x80000000), ERANGE, DWORD(3),
	  REFUSE(RANGE), 1, { } },
	{ "overflows of nothing", IN_ITEMS,
	  ARRAY(HEAD(6, 2), ITEM(2, PIDS), 1, MASKS_OF(OVERFLOWS_ON)), EINVAL, DWORD(5),
	  REFUSE(MISSING), 2, { } },
	{ "overflows of nothing, old form", OVERLAY(2U), ARRAY(0, OVERFLOWS_ON), EINVAL, DWORD(1),
	  REFUSE(MISSING), 0, { } },
	{ "overflows of the timer", IN_ITEMS,
	  ARRAY(HEAD(3, 1), ITEM(2, VND_SAMPLE_SOURCES), 0), EOPNOTSUPP, DWORD(2),
	  REFUSE(UNSUPPORTED), 1, { } },
	{ "overflows of what records can't name", IN_ITEMS,
	  ARRAY(HEAD(3, 1), ITEM(2, VND_SAMPLE_SOURCES), 0x10000), EINVAL, DWORD(2),
	  REFUSE(RANGE), 1, { } },
	{ "overflows of an unknown source", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, VND_SAMPLE_SOURCES), 19, OWN), EOPNOTSUPP, DWORD(3),
	  REFUSE(UNSUPPORTED), 1, { } },
	{ "overflows of the same twice", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, VND_SAMPLE_SOURCES), 19, 19), EEXIST, DWORD(3),
	  REFUSE(DUPLICATE), 1, { } },
	{ "overflows of page faults", IN_ITEMS,
	  ARRAY(HEAD(11, 3), ITEM(5, VND_PMC_COUNTERS), FAULTS, ITEM(2, VND_SAMPLE_SOURCES), OWN,
		MASKS_OF(OVERFLOWS_ON)), 0, 0, 0, 0, { } },
	{ "overflows of what no PMU has, off", IN_ITEMS,
	  ARRAY(HEAD(8, 2), ITEM(5, VND_PMC_COUNTERS), OWN, NO_TYPE, 0, 0,
		ITEM(2, VND_SAMPLE_SOURCES), OWN), 0, 0, 0, 0, { } },
	{ "overflows of what no PMU has", IN_ITEMS,
	  ARRAY(HEAD(16, 3), ITEM(3, VND_SAMPLE_SOURCES), OWN, OWN + 1, MASKS_OF(OVERFLOWS_ON),
		ITEM(9, VND_PMC_COUNTERS), FAULTS, OWN + 1, NO_TYPE, 0, 0), EOPNOTSUPP, DWORD(12),
	  REFUSE(NO_EVENT), 3, { } },
	{ "samples, no kernel session", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, VND_SAMPLE_INTERVAL), 0, 10000), EINVAL, DWORD(1),
	  REFUSE(CONFLICT), 1, PLAIN },
};

static void prepare_sampled(struct request *r, __u32 id, __u32 interval, __u32 masks)
{
	const __u32 array[] = {
		HEAD(11, 3), ITEM(2, VND_SAMPLE_SOURCES), OWN, ITEM(5, VND_PMC_COUNTERS), FAULTS,
		MASKS_OF(masks),
	};
	const __u32 slower[] = {
		HEAD(9, 2), ITEM(5, VND_SAMPLE_INTERVAL), 0, interval, OWN, interval,
		MASKS_OF(masks),
	};

	prepare(r, "sampled");
	r->c.flags = id ? 0 : ETW_START_NO_RUNDOWN;
	r->c.logger_id = id;
	r->info.log_file_mode = MODE_KERNEL;
	if (interval)
		set_array(r, IN_ITEMS, slower, sizeof(slower) / 4);
	else
		set_array(r, IN_ITEMS, array, sizeof(array) / 4);
}

/* The profile's clock is there, or not; and how often it samples */
static void check_profile(__u32 id, __u32 interval, const char *what)
{
	struct etw_counting n = { .size = sizeof(n), .logger_id = id };
	int err = try(ETW_IOC_COUNTING, &n);

	result(!err && n.profile_interval == interval && !n.profile_clock == !interval &&
	       n.profile_clock <= ETW_PROFILE_CLOCK_CYCLES && n.nr_counters == 1 &&
	       n.counter[0].profile_source == OWN && n.counter[0].method == ETW_METHOD_NONE,
	       "%s: a profile every %u # %s, clock %u, %u", what, interval, error_name(err),
	       n.profile_clock, n.profile_interval);
}

static void update_profile(__u32 id, __u32 interval, __u32 masks, __u32 due, const char *what)
{
	struct request r;
	int err;

	prepare_sampled(&r, id, interval, masks);
	err = try(ETW_IOC_UPDATE, &r.c);
	result(!err, "%s # %s at 0x%x, reason %u", what, error_name(err), r.c.error_offset,
	       r.c.error_reason);
	check_profile(id, due, what);
}

/* Sources can't come by an update, and a profile of nothing not either. */
static void test_sources_update(void)
{
	static const __u32 more[] = {
		HEAD(3, 1), ITEM(2, VND_SAMPLE_SOURCES), ETW_PROFILE_SOURCE_TOTAL_CYCLES,
	};
	static const __u32 on[] = { HEAD(4, 1), MASKS_OF(OVERFLOWS_ON) };
	struct request r;
	__u32 id;
	int err;

	start("sampled", EVENT_TRACE_FLAG_PROFILE, &id);
	prepare_sampled(&r, id, 0, 0);
	set_array(&r, IN_ITEMS, more, sizeof(more) / 4);
	err = try(ETW_IOC_UPDATE, &r.c);
	result(err == EINVAL && r.c.error_offset == DWORD(1) && r.c.error_item == 1 &&
	       r.c.error_reason == ETW_REASON_FIXED, "UPDATE, sources: EINVAL, fixed # %s at 0x%x, reason %u",
	       error_name(err), r.c.error_offset, r.c.error_reason);
	prepare_sampled(&r, id, 0, 0);
	set_array(&r, IN_ITEMS, on, sizeof(on) / 4);
	err = try(ETW_IOC_UPDATE, &r.c);
	result(err == EINVAL && r.c.error_offset == DWORD(3) && r.c.error_item == 1 &&
	       r.c.error_reason == ETW_REASON_MISSING,
	       "UPDATE, overflows without sources: EINVAL, missing # %s at 0x%x, reason %u",
	       error_name(err),
	       r.c.error_offset, r.c.error_reason);
	discard(id);
}

/* What START refuses for want of perf, UPDATE does not bring either. */
static void test_no_profile(void)
{
	static const __u32 on[] = { HEAD(4, 1), MASKS_OF(TIMER_ON) };
	struct request r;
	__u32 id;
	int err;

	start("sampled", EVENT_TRACE_FLAG_CSWITCH, &id);
	prepare_sampled(&r, id, 0, 0);
	set_array(&r, IN_ITEMS, on, sizeof(on) / 4);
	err = try(ETW_IOC_UPDATE, &r.c);
	result(err == EOPNOTSUPP && r.c.error_offset == DWORD(3) && r.c.error_item == 1 &&
	       r.c.error_reason == ETW_REASON_UNSUPPORTED,
	       "UPDATE, a profile without perf: EOPNOTSUPP # %s at 0x%x, reason %u",
	       error_name(err),
	       r.c.error_offset, r.c.error_reason);
	discard(id);
	skip("a session that samples, its updates # this kernel has no perf");
}

static void test_profiles(void)
{
	struct request r;
	__u32 id;
	int err;

	try_extensions(sampler_cases, sizeof(sampler_cases) / sizeof(sampler_cases[0]));
	if (!has_perf()) {
		test_no_profile();
		return;
	}
	prepare_sampled(&r, 0, 0, TIMER_ON | OVERFLOWS_ON);
	err = try(ETW_IOC_START, &r.c);
	id = r.c.logger_id;
	result(!err, "a session that samples # %s at 0x%x, reason %u", error_name(err),
	       r.c.error_offset, r.c.error_reason);
	check_profile(id, ETW_DEFAULT_TIMER_INTERVAL, "START");
	update_profile(id, 50000, TIMER_ON | OVERFLOWS_ON, 50000, "UPDATE, other intervals");
	update_profile(id, 50000, OVERFLOWS_ON, 0, "UPDATE, the timer off");
	update_profile(id, 20000, OVERFLOWS_ON, 0, "UPDATE, an interval of what is off");
	update_profile(id, 20000, TIMER_ON, 20000, "UPDATE, on again, the other off");
	update_profile(id, 20000, TIMER_ON | OVERFLOWS_ON, 20000,
		       "UPDATE, overflows without naming the sources again");
	update_profile(id, 0, TIMER_ON, 20000, "UPDATE without intervals: they stay");
	control_of(ETW_IOC_STOP, id, 0);
	check_profile(id, 0, "stopped");
	discard(id);
	test_sources_update();
}

#endif /* ETW_TEST_ABI_PROFILE_H */
