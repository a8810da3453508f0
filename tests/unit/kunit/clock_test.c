// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Arithmetic of the clocks: FILETIME, clamping, frequency, suspend. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt	/* as clock.c has it */
#include <kunit/test.h>
#include <linux/cpufreq.h>
#include <linux/moduleparam.h>
#include <linux/timekeeping.h>

/* What the kernel's clock says is ours to say here. */
static u64 fake_boottime;

static u64 read_fake_boottime(void)
{
	return fake_boottime;
}

#define ktime_get_boot_fast_ns		read_fake_boottime
/* test_ring.c has a clock of its own under this name */
#define etw_tick_slow			tested_tick_slow
#include "ring/clock.c"

#define EPOCH	116444736000000000ULL

static void resume_for_test(void)
{
#ifdef ETW_SYSCORE_HAS_DATA
	clock_resume(NULL);
#else
	clock_resume();
#endif
}

static void filetime_of_known_dates(struct kunit *test)
{
	/* 1970, 2000-01-01, 2026-01-01, in seconds since 1970 */
	KUNIT_EXPECT_EQ(test, etw_filetime_from_unix_ns(0), EPOCH);
	KUNIT_EXPECT_EQ(test, etw_filetime_from_unix_ns(946684800ULL * NSEC_PER_SEC),
			125911584000000000ULL);
	KUNIT_EXPECT_EQ(test, etw_filetime_from_unix_ns(1767225600ULL * NSEC_PER_SEC),
			134116992000000000ULL);
}

static void filetime_rounds_down(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_filetime_from_unix_ns(99), EPOCH);
	KUNIT_EXPECT_EQ(test, etw_filetime_from_unix_ns(100), EPOCH + 1);
	KUNIT_EXPECT_EQ(test, etw_filetime_from_unix_ns(~0ULL), EPOCH + ~0ULL / 100);
}

/* Nor are two stamps of a CPU the same. */
static void monotonic_never_goes_back(struct kunit *test)
{
	static const u64 says[][2] = {	/* the kernel's clock, and ours */
		{ 1000, 1000 }, { 1001, 1001 }, { 900, 1002 }, { 1001, 1003 },
		{ 1002, 1004 }, { 0, 1005 }, { 2000, 2000 }, { 2000, 2001 },
		{ 2002, 2002 }, { ~0ULL, ~0ULL },
	};
	struct etw_clamp clamp = { };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(says); i++) {
		fake_boottime = says[i][0];
		KUNIT_EXPECT_EQ(test, tested_tick_slow(ETW_TICKS_MONOTONIC, &clamp, NULL),
				says[i][1]);
	}
}

/* Nor is one of the counter below the last one, nor the same where one more is made up for. */
static void counter_never_goes_back(struct kunit *test)
{
	const u64 step = IS_ENABLED(CONFIG_X86_TSC) && !IS_ENABLED(CONFIG_UML);
	const u64 says[][2] = {	/* the counter, and we */
		{ 5, 5 }, { 5, 5 + step }, { 3, 5 + 2 * step }, { 100, 100 }, { 101, 101 },
		{ 101, 101 + step }, { ~0ULL, ~0ULL },
	};
	struct etw_clamp clamp = { };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(says); i++)
		KUNIT_EXPECT_EQ_MSG(test, etw_tick_counter(&clamp, says[i][0]), says[i][1],
				    "reading %u", i);
}

static void clamps_are_apart(struct kunit *test)
{
	struct etw_clamp one = { }, other = { };

	fake_boottime = 2000;
	KUNIT_EXPECT_EQ(test, tested_tick_slow(ETW_TICKS_MONOTONIC, &one, NULL), 2000ULL);
	fake_boottime = 1000;
	KUNIT_EXPECT_EQ(test, tested_tick_slow(ETW_TICKS_MONOTONIC, &other, NULL), 1000ULL);
	KUNIT_EXPECT_EQ(test, tested_tick_slow(ETW_TICKS_MONOTONIC, &one, NULL), 2001ULL);
}

static void system_clock_adds_its_base(struct kunit *test)
{
	struct etw_reading start = { .filetime = EPOCH + 5000, .boottime = 12345 };
	struct etw_clamp clamp = { .base = etw_clock_system_base(&start) };

	KUNIT_EXPECT_EQ(test, clamp.base, EPOCH + 5000 - 123);
	fake_boottime = 12345;
	KUNIT_EXPECT_EQ(test, tested_tick_slow(ETW_TICKS_SYSTEM, &clamp, NULL), EPOCH + 5000);
	fake_boottime = 12499;
	KUNIT_EXPECT_EQ(test, tested_tick_slow(ETW_TICKS_SYSTEM, &clamp, NULL), EPOCH + 5001);
	fake_boottime = 12500;
	KUNIT_EXPECT_EQ(test, tested_tick_slow(ETW_TICKS_SYSTEM, &clamp, NULL), EPOCH + 5002);
	fake_boottime = 12599;
	KUNIT_EXPECT_EQ(test, tested_tick_slow(ETW_TICKS_SYSTEM, &clamp, NULL), EPOCH + 5003);
	/* it was ahead, and has been caught up with */
	fake_boottime = 12700;
	KUNIT_EXPECT_EQ(test, tested_tick_slow(ETW_TICKS_SYSTEM, &clamp, NULL), EPOCH + 5004);
	fake_boottime = 13000;
	KUNIT_EXPECT_EQ(test, tested_tick_slow(ETW_TICKS_SYSTEM, &clamp, NULL), EPOCH + 5007);
	fake_boottime = 0;
	KUNIT_EXPECT_EQ(test, tested_tick_slow(ETW_TICKS_SYSTEM, &clamp, NULL), EPOCH + 5008);
}

static void clock_types(struct kunit *test)
{
	enum etw_ticks before = qpc_ticks;
	char *wish = qpc_wish;
	struct etw_clocks clocks;

	KUNIT_EXPECT_EQ(test, etw_clock_choose(ETW_CLOCK_SYSTEM, &clocks), 0);
	KUNIT_EXPECT_EQ(test, clocks.ticks, ETW_TICKS_SYSTEM);
	KUNIT_EXPECT_EQ(test, etw_clock_choose(0, &clocks), -EINVAL);
	KUNIT_EXPECT_EQ(test, etw_clock_choose(4, &clocks), -EINVAL);
	qpc_ticks = ETW_TICKS_MONOTONIC;
	KUNIT_EXPECT_EQ(test, etw_clock_choose(ETW_CLOCK_QPC, &clocks), 0);
	KUNIT_EXPECT_EQ(test, clocks.ticks, ETW_TICKS_MONOTONIC);
	KUNIT_EXPECT_EQ(test, clocks.qpc, ETW_TICKS_MONOTONIC);
	KUNIT_EXPECT_EQ(test, etw_clock_choose(ETW_CLOCK_CYCLE, &clocks), -EOPNOTSUPP);
	qpc_ticks = ETW_TICKS_COUNTER;
	qpc_wish = "counter";
	KUNIT_EXPECT_EQ(test, etw_clock_choose(ETW_CLOCK_QPC, &clocks), 0);
	KUNIT_EXPECT_EQ(test, clocks.ticks, ETW_TICKS_COUNTER);
	KUNIT_EXPECT_EQ(test, clocks.qpc, ETW_TICKS_COUNTER);
	KUNIT_EXPECT_EQ(test, etw_clock_choose(ETW_CLOCK_SYSTEM, &clocks), 0);
	KUNIT_EXPECT_EQ(test, clocks.qpc, ETW_TICKS_COUNTER);
	KUNIT_EXPECT_EQ(test, etw_clock_choose(ETW_CLOCK_CYCLE, &clocks),
			IS_ENABLED(CONFIG_X86) ? 0 : -EOPNOTSUPP);
	qpc_wish = wish;
	qpc_ticks = before;
}

/* The counter was good when the module was loaded, and now the kernel says it is not. */
static void counter_that_went_bad(struct kunit *test)
{
	enum etw_ticks before = qpc_ticks, due;
	char *wish = qpc_wish;
	struct etw_clocks clocks;

	qpc_ticks = ETW_TICKS_COUNTER;
	qpc_wish = "auto";
	due = etw_counter_is_trusted() ? ETW_TICKS_COUNTER : ETW_TICKS_MONOTONIC;
	KUNIT_EXPECT_EQ(test, etw_clock_choose(ETW_CLOCK_QPC, &clocks), 0);
	KUNIT_EXPECT_EQ(test, clocks.ticks, due);
	KUNIT_EXPECT_EQ(test, clocks.qpc, due);
	KUNIT_EXPECT_EQ(test, etw_clock_choose(ETW_CLOCK_SYSTEM, &clocks), 0);
	KUNIT_EXPECT_EQ(test, clocks.qpc, due);
	KUNIT_EXPECT_EQ(test, etw_clock_choose(ETW_CLOCK_CYCLE, &clocks),
			IS_ENABLED(CONFIG_X86) && due == ETW_TICKS_COUNTER ? 0 : -EOPNOTSUPP);
	qpc_wish = wish;
	qpc_ticks = before;
}

static void frequency_and_mhz(struct kunit *test)
{
	u64 before = counter_hz;

	KUNIT_EXPECT_GT(test, etw_clock_mhz(), 0U);
	counter_hz = 62500000;
	KUNIT_EXPECT_EQ(test, etw_clock_frequency(ETW_TICKS_COUNTER), 62500000ULL);
	KUNIT_EXPECT_EQ(test, etw_clock_frequency(ETW_TICKS_MONOTONIC), 1000000000ULL);
	KUNIT_EXPECT_EQ(test, etw_clock_to_filetime(ETW_TICKS_COUNTER, 125), 20ULL);
	KUNIT_EXPECT_EQ(test, etw_clock_to_filetime(ETW_TICKS_MONOTONIC, 12599), 125ULL);
#ifndef CONFIG_X86
	if (!cpufreq_quick_get_max(0)) {
		enum etw_ticks ticks = qpc_ticks;

		qpc_ticks = ETW_TICKS_COUNTER;
		KUNIT_EXPECT_EQ(test, etw_clock_mhz(), 62U);
		counter_hz = 24000;	/* readers divide by it */
		KUNIT_EXPECT_EQ(test, etw_clock_mhz(), 1U);
		qpc_ticks = ticks;
	}
#endif
	counter_hz = before;
}

static void readings_belong_together(struct kunit *test)
{
	struct etw_reading reading;

	fake_boottime = 4711;
	etw_clock_read_all(ETW_TICKS_MONOTONIC, &reading);
	KUNIT_EXPECT_EQ(test, reading.qpc, 4711ULL);
	KUNIT_EXPECT_EQ(test, reading.uncertainty, 0ULL);
	KUNIT_EXPECT_GT(test, reading.filetime, EPOCH);
	KUNIT_EXPECT_GE(test, reading.boottime, reading.monotonic);
	KUNIT_EXPECT_GT(test, reading.monotonic_raw, 0ULL);
}

/* On resume the counter has stood still, or begun anew. */
static void counter_goes_on_after_sleep(struct kunit *test)
{
	enum etw_ticks ticks = qpc_ticks;
	u64 frequency = counter_hz, offset = etw_counter_offset, after;
	const u64 second = 24000000;

	qpc_ticks = ETW_TICKS_COUNTER;
	counter_hz = second;
	suspended.boottime = NSEC_PER_SEC;
	suspended.qpc = qpc_now(ETW_TICKS_COUNTER) + 100 * second;
	fake_boottime = 4 * (u64)NSEC_PER_SEC + NSEC_PER_SEC / 2;
	etw_counter_offset += 12345;
	after = suspended.qpc + 3 * second + second / 2;
	resume_for_test();
	/* where the counter runs, some of it passed since */
	KUNIT_EXPECT_GE(test, qpc_now(ETW_TICKS_COUNTER), after);
	KUNIT_EXPECT_LT(test, qpc_now(ETW_TICKS_COUNTER) - after, 10000 * second);
	etw_counter_offset = offset;
	counter_hz = frequency;
	qpc_ticks = ticks;
}

static void sleep_leaves_other_clocks(struct kunit *test)
{
	enum etw_ticks ticks = qpc_ticks;
	u64 offset = etw_counter_offset;

	qpc_ticks = ETW_TICKS_MONOTONIC;
	fake_boottime += NSEC_PER_SEC;
	resume_for_test();
	KUNIT_EXPECT_EQ(test, etw_counter_offset, offset);
	qpc_ticks = ticks;
}

static void parameter_decides(struct kunit *test)
{
	enum etw_ticks ticks = qpc_ticks;
	u64 frequency = counter_hz;
	char *before = qpc_wish;

	qpc_wish = "monotonic";
	choose_qpc();
	KUNIT_EXPECT_EQ(test, qpc_ticks, ticks);
	qpc_wish = "counter";
	choose_qpc();
	KUNIT_EXPECT_EQ(test, qpc_ticks,
			counter_frequency() ? ETW_TICKS_COUNTER : ETW_TICKS_MONOTONIC);
	qpc_wish = before;
	qpc_ticks = ticks;
	counter_hz = frequency;
}

/* A clock that stands at 0 is one that went back. */
static void dead_clock_is_noticed(struct kunit *test)
{
	fake_boottime = 0;
	KUNIT_EXPECT_FALSE(test, etw_slow_clocks_work());
	KUNIT_EXPECT_EQ(test, etw_clock_init(), -ENODEV);
	fake_boottime = 4711;
	KUNIT_EXPECT_TRUE(test, etw_slow_clocks_work());
}

static void wrong_parameter_is_refused(struct kunit *test)
{
	char *before = qpc_wish;

	qpc_wish = "sundial";
	KUNIT_EXPECT_EQ(test, etw_clock_init(), -EINVAL);
	qpc_wish = before;
}

static void sleep_begins(struct kunit *test)
{
	enum etw_ticks ticks = qpc_ticks;

	qpc_ticks = ETW_TICKS_MONOTONIC;
	fake_boottime = 815;
#ifdef ETW_SYSCORE_HAS_DATA
	KUNIT_EXPECT_EQ(test, clock_suspend(NULL), 0);
#else
	KUNIT_EXPECT_EQ(test, clock_suspend(), 0);
#endif
	KUNIT_EXPECT_EQ(test, suspended.boottime, 815ULL);
	KUNIT_EXPECT_EQ(test, suspended.qpc, 815ULL);
	qpc_ticks = ticks;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(filetime_of_known_dates),
	KUNIT_CASE(filetime_rounds_down),
	KUNIT_CASE(monotonic_never_goes_back),
	KUNIT_CASE(counter_never_goes_back),
	KUNIT_CASE(clamps_are_apart),
	KUNIT_CASE(system_clock_adds_its_base),
	KUNIT_CASE(clock_types),
	KUNIT_CASE(counter_that_went_bad),
	KUNIT_CASE(frequency_and_mhz),
	KUNIT_CASE(readings_belong_together),
	KUNIT_CASE(counter_goes_on_after_sleep),
	KUNIT_CASE(sleep_leaves_other_clocks),
	KUNIT_CASE(parameter_decides),
	KUNIT_CASE(dead_clock_is_noticed),
	KUNIT_CASE(wrong_parameter_is_refused),
	KUNIT_CASE(sleep_begins),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_clock",
	.test_cases = cases,
};

kunit_test_suite(suite);
