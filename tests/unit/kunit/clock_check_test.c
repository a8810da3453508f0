// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Self-test of the counter: its unit, whatever comes between two readings, and its errata. */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/timekeeping.h>
#include "ring/clock.h"
#include "ring/clock_check.h"

/* Counter and raw clock of the self-test, which may be ours, too */
#define FAKE_RATE	3	/* ticks in a nanosecond */
#define FAKE_DELAY	(4 * NSEC_PER_MSEC)

/**
 * struct fake_time - the time that the self-test sees
 * @on: else it sees the real one
 * @ns: now
 * @delayed: bit i: something comes before the reading i, for FAKE_DELAY
 * @readings: of counter or clock, so far
 * @interruptible: how many of them with interrupts on
 */
static struct fake_time {
	bool on;
	u64 ns;
	u64 delayed;
	u32 readings;
	u32 interruptible;
} fake_time;

static u64 read_fake_time(void)
{
	fake_time.interruptible += !irqs_disabled();
	if (fake_time.delayed & BIT_ULL(fake_time.readings++))
		fake_time.ns += FAKE_DELAY;
	fake_time.ns += 20;
	return fake_time.ns;
}

static u64 tested_counter(void)
{
	return fake_time.on ? FAKE_RATE * read_fake_time() : etw_counter_ordered();
}

static u64 tested_raw_ns(void)
{
	return fake_time.on ? read_fake_time() : ktime_get_raw_ns();
}

static void tested_sleep(unsigned long min, unsigned long max)
{
	if (fake_time.on)
		fake_time.ns += min * NSEC_PER_USEC;
	else
		usleep_range(min, max);
}

/* CPUs, and their errata, are ours to say, too */
#define FAKE_CPUS	4

/**
 * struct fake_errata - the counters of CPUs, as they are asked for one by one
 * @of: bit of each CPU with a counter that may be wrong
 * @asked: bit of each that was asked
 */
static struct fake_errata {
	u32 of;
	u32 asked;
} fake_errata;

static bool tested_erratum(int cpu)
{
	fake_errata.asked |= BIT(cpu);
	return fake_errata.of & BIT(cpu);
}

static const unsigned long fake_cpus = BIT(FAKE_CPUS) - 1;

#undef for_each_possible_cpu
#define for_each_possible_cpu(cpu)	for_each_set_bit(cpu, &fake_cpus, FAKE_CPUS)
#define etw_counter_has_erratum(cpu)	tested_erratum(cpu)
#define etw_counter_ordered()	tested_counter()
#define ktime_get_raw_ns()	tested_raw_ns()
#define usleep_range(min, max)	tested_sleep(min, max)
#include "ring/clock_check.c"
#undef etw_counter_has_erratum
#undef etw_counter_ordered
#undef ktime_get_raw_ns
#undef usleep_range

/* A single CPU with a counter that may be wrong is enough. */
static void errata_of_every_cpu(struct kunit *test)
{
	bool trusted;
	int cpu;

	fake_errata = (struct fake_errata){ };
	trusted = etw_counter_is_trusted();
	KUNIT_EXPECT_EQ(test, fake_errata.asked, BIT(FAKE_CPUS) - 1);
	if (IS_ENABLED(CONFIG_ARM64))
		KUNIT_EXPECT_TRUE(test, trusted);
	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		fake_errata.of = BIT(cpu);
		KUNIT_EXPECT_FALSE_MSG(test, etw_counter_is_trusted(), "of CPU %d", cpu);
	}
	fake_errata.of = 0;
}

/* One look after the other at the same counter never goes back. */
static void counter_of_all_cpus(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, etw_counter_is_one());
}

/* Ticks of the counter in a second, by the clock that the test goes by */
static u64 measured_frequency(void)
{
	unsigned long flags;
	u64 ns[2], ticks[2];
	int i;

	for (i = 0; i < 2; i++) {
		if (i)
			usleep_range(20000, 21000);
		local_irq_save(flags);
		ns[i] = ktime_get_raw_ns();
		ticks[i] = etw_counter();
		local_irq_restore(flags);
	}
	return mul_u64_u64_div_u64(ticks[1] - ticks[0], NSEC_PER_SEC, ns[1] - ns[0]);
}

/* A busy machine may spoil one try: of ten, one must be right. */
static void counter_in_the_right_unit(struct kunit *test)
{
	bool right = false, doubted = false;
	int i;

	if (!etw_counter()) {
		KUNIT_EXPECT_FALSE(test, etw_counter_runs_at(1000000));
		return;
	}
	for (i = 0; i < 10 && !(right && doubted); i++) {
		u64 frequency = measured_frequency();

		right |= etw_counter_runs_at(frequency);
		doubted |= !etw_counter_runs_at(frequency * 2) &&
			   !etw_counter_runs_at(frequency / 2);
	}
	KUNIT_EXPECT_TRUE(test, right);
	KUNIT_EXPECT_TRUE(test, doubted);
}

/* In one run of the self-test: two times PAIRS of them, and three in each */
#define READINGS	(2 * PAIRS * 3)
#define READINGS_OF(pair)	(7ULL << (3 * (pair)))

static bool runs_at(u64 frequency, u64 delayed)
{
	bool so;

	fake_time = (struct fake_time){ .on = true, .ns = NSEC_PER_SEC, .delayed = delayed };
	so = etw_counter_runs_at(frequency);
	fake_time.on = false;
	return so;
}

/* Whatever comes between two readings, once, is no reason to give the counter up. */
static void delay_in_the_self_test(struct kunit *test)
{
	const u64 frequency = (u64)FAKE_RATE * NSEC_PER_SEC;
	int i;

	BUILD_BUG_ON(READINGS > 64);
	for (i = 0; i < READINGS; i++) {
		KUNIT_EXPECT_TRUE_MSG(test, runs_at(frequency, BIT_ULL(i)), "reading %d", i);
		KUNIT_EXPECT_FALSE(test, runs_at(frequency * 2, BIT_ULL(i)));
		KUNIT_EXPECT_FALSE(test, runs_at(frequency / 2, BIT_ULL(i)));
	}
}

/* Nor what comes again and again, if it lets a single pair be. */
static void delays_in_all_pairs_but_one(struct kunit *test)
{
	const u64 frequency = (u64)FAKE_RATE * NSEC_PER_SEC;
	int i, k;

	for (i = 0; i < PAIRS; i++) {
		for (k = PAIRS; k < 2 * PAIRS; k++) {
			u64 delayed = ~(READINGS_OF(i) | READINGS_OF(k));

			KUNIT_EXPECT_TRUE_MSG(test, runs_at(frequency, delayed), "%d, %d", i, k);
			KUNIT_EXPECT_FALSE(test, runs_at(frequency * 2, delayed));
			KUNIT_EXPECT_FALSE(test, runs_at(frequency / 2, delayed));
		}
	}
}

/* What may come between them is little: no interrupt, no other task */
static void pairs_without_interrupts(struct kunit *test)
{
	runs_at((u64)FAKE_RATE * NSEC_PER_SEC, 0);
	KUNIT_EXPECT_GT(test, fake_time.readings, 0U);
	KUNIT_EXPECT_EQ(test, fake_time.interruptible, 0U);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
}

static struct kunit_case cases[] = {
	KUNIT_CASE(errata_of_every_cpu),
	KUNIT_CASE(counter_of_all_cpus),
	KUNIT_CASE(counter_in_the_right_unit),
	KUNIT_CASE(delay_in_the_self_test),
	KUNIT_CASE(delays_in_all_pairs_but_one),
	KUNIT_CASE(pairs_without_interrupts),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_clock_check",
	.test_cases = cases,
};

kunit_test_suite(suite);
