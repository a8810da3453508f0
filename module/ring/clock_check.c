// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Self-test of the clocks: whether the counter is consistent, has its frequency, is trusted. */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/tsc.h>
#endif
#include "clock.h"
#include "clock_check.h"

/**
 * etw_counter_is_trusted() - whether the kernel trusts the counter now
 */
bool etw_counter_is_trusted(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (etw_counter_has_erratum(cpu))
			return false;
#ifdef CONFIG_X86
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) &&
	       boot_cpu_has(X86_FEATURE_NONSTOP_TSC) && !check_tsc_unstable();
#else
	return IS_ENABLED(CONFIG_ARM64);
#endif
}

static void read_counter(void *counter)
{
	*(u64 *)counter = etw_counter_ordered();
}

/**
 * etw_counter_is_one() - whether the counter never goes back when CPUs read it in turn
 *
 * Context: process; sleeps; takes cpus_read_lock.
 */
bool etw_counter_is_one(void)
{
	u64 now, last = 0;
	int round, cpu;
	bool ok = true;

	cpus_read_lock();
	for (round = 0; round < 8; round++) {
		for_each_online_cpu(cpu) {
			smp_call_function_single(cpu, read_counter, &now, 1);
			ok &= now >= last;
			last = now;
		}
	}
	cpus_read_unlock();
	return ok;
}

/* How often counter and raw clock are read together: the closest pair is used */
#define PAIRS	8

/*
 * Counter and raw clock at one instant. The counter shows delays in between, by an NMI or
 * a host that takes the CPU away, and the closest of several pairs is used.
 */
static void read_pair(u64 *ticks, u64 *ns)
{
	u64 before, now, apart, closest = U64_MAX;
	unsigned long flags;
	int tries;

	for (tries = 0; tries < PAIRS; tries++) {
		local_irq_save(flags);
		before = etw_counter_ordered();
		now = ktime_get_raw_ns();
		apart = etw_counter_ordered() - before;
		local_irq_restore(flags);
		if (apart >= closest)
			continue;
		closest = apart;
		*ticks = before + apart / 2;
		*ns = now;
	}
}

/**
 * etw_counter_runs_at() - compare the counter with the kernel's raw clock over 10 ms
 * @frequency: expected; 5 % off means a wrong unit
 *
 * Context: process; sleeps.
 */
bool etw_counter_runs_at(u64 frequency)
{
	u64 ticks[2], ns[2], expected;

	read_pair(&ticks[0], &ns[0]);
	usleep_range(10000, 11000);
	read_pair(&ticks[1], &ns[1]);
	ticks[1] -= ticks[0];
	expected = mul_u64_u64_div_u64(ns[1] - ns[0], frequency, NSEC_PER_SEC);
	return ticks[1] > expected - expected / 20 && ticks[1] < expected + expected / 20;
}

/**
 * etw_slow_clocks_work() - whether the source of the fallback clocks goes on
 *
 * No reading out of 1000 may be more than 1 ms before the one before it.
 */
bool etw_slow_clocks_work(void)
{
	u64 now, last = 0;
	int i;

	for (i = 0; i < 1000; i++, last = now) {
		now = etw_clock_fast_ns();
		if (!now || now + NSEC_PER_MSEC < last)
			return false;
	}
	return true;
}
