// SPDX-License-Identifier: GPL-2.0
/* Clocks: which counter stands for QPC, its self-test, suspend, all readings. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/cpu.h>
#include <linux/cpufreq.h>
#include <linux/delay.h>
#include <linux/kcsan-checks.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/syscore_ops.h>
#include <linux/timekeeping.h>
#include <asm/local.h>
#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/tsc.h>
#endif
#include "clock.h"
#include "compat.h"

/* FILETIME of 1970-01-01, in 100 ns since 1601-01-01 */
#define FILETIME_OF_UNIX_EPOCH	116444736000000000ULL

/* How often all clocks are read until they are that close together */
#define READ_TRIES		8
#define READ_CLOSE_100NS	500

u64 etw_counter_offset __read_mostly;

static char *qpc = "auto";
module_param(qpc, charp, 0444);
MODULE_PARM_DESC(qpc, "clock 1: auto, counter (TSC, CNTVCT even where the kernel calls it unreliable), monotonic");

static enum etw_ticks qpc_ticks __read_mostly = ETW_TICKS_MONOTONIC;
static u64 qpc_frequency __read_mostly = NSEC_PER_SEC;

/**
 * etw_filetime_from_unix_ns() - FILETIME of a CLOCK_REALTIME reading
 * @ns: since 1970
 */
u64 etw_filetime_from_unix_ns(u64 ns)
{
	return FILETIME_OF_UNIX_EPOCH + div_u64(ns, 100);
}

/**
 * etw_clock_fast_ns() - CLOCK_BOOTTIME; can step back around its update
 *
 * The kernel reads its clock while it is written, and looks at a sequence number
 * afterwards, which KCSAN isn't told before 6.13. Its reports would not only be
 * wrong: one from an NMI waits for ever for the one that it interrupted.
 *
 * Context: any, NMI included. Return: ns.
 */
u64 etw_clock_fast_ns(void)
{
	u64 now;

	kcsan_disable_current();
	now = ktime_get_boot_fast_ns();
	kcsan_enable_current();
	return now;
}

/**
 * etw_tick_slow() - clocks made from the kernel's
 * @ticks: ETW_TICKS_MONOTONIC or ETW_TICKS_SYSTEM
 * @clamp: of this CPU
 *
 * The fast clock can step back when an NMI interrupts its update; nobody may
 * see that within a buffer. @clamp->last only grows, by unlocked cmpxchg
 * since a nested context may have moved it. CLOCK_BOOTTIME goes on while the
 * machine sleeps, as QPC does.
 *
 * Context: any, NMI included; preemption off.
 */
u64 etw_tick_slow(enum etw_ticks ticks, struct etw_clamp *clamp)
{
	u64 last, now = etw_clock_fast_ns();

	if (ticks == ETW_TICKS_SYSTEM)
		now = clamp->base + div_u64(now, 100);
	do {
		last = READ_ONCE(clamp->last);
		if (now <= last)
			return last;
	} while (cmpxchg_local(&clamp->last, last, now) != last);
	return now;
}

/**
 * etw_clock_ticks() - where the ticks of a session's clock come from
 * @clock_type: ETW_CLOCK_*
 * @ticks: out
 *
 * Return: 0; -EOPNOTSUPP for the cycle counter where there is no invariant
 * one; -EINVAL.
 */
int etw_clock_ticks(u32 clock_type, enum etw_ticks *ticks)
{
	switch (clock_type) {
	case ETW_CLOCK_QPC:
		*ticks = qpc_ticks;
		return 0;
	case ETW_CLOCK_SYSTEM:
		*ticks = ETW_TICKS_SYSTEM;
		return 0;
	case ETW_CLOCK_CYCLE:
		/* arm64 gives no cycle counter that runs without a PMU user */
		if (!IS_ENABLED(CONFIG_X86) || qpc_ticks != ETW_TICKS_COUNTER)
			return -EOPNOTSUPP;
		*ticks = ETW_TICKS_COUNTER;
		return 0;
	}
	return -EINVAL;
}

/**
 * etw_clock_frequency() - ticks per second of clock 1
 */
u64 etw_clock_frequency(void)
{
	return qpc_frequency;
}

/**
 * etw_clock_mhz() - CpuSpeedInMHz; never 0, since readers divide by it
 */
u32 etw_clock_mhz(void)
{
	u32 khz;

#ifdef CONFIG_X86
	khz = tsc_khz;
#else
	khz = cpufreq_quick_get_max(0);
#endif
	if (!khz)
		khz = div_u64(qpc_frequency, 1000);
	return max(1U, khz / 1000);
}

static u64 qpc_now(void)
{
	struct etw_clamp none = { };

	return etw_tick(qpc_ticks, &none);
}

static void read_once(struct etw_reading *reading)
{
	unsigned long flags;
	u64 before, after;

	local_irq_save(flags);
	before = qpc_now();
	reading->filetime = etw_filetime_from_unix_ns(ktime_get_real_ns());
	reading->monotonic = ktime_get_ns();
	reading->monotonic_raw = ktime_get_raw_ns();
	reading->boottime = ktime_get_boottime_ns();
	after = qpc_now();
	local_irq_restore(flags);

	reading->qpc = before + (after - before) / 2;
	reading->uncertainty = after - before;
}

/**
 * etw_clock_read_all() - read all clocks at one instant
 * @reading: out
 *
 * An NMI, or a host that takes the CPU away in the middle, pulls them apart by
 * milliseconds: then they are read again, and the closest counts.
 *
 * Context: process or interrupt, not NMI (the precise clocks take seqlocks).
 */
void etw_clock_read_all(struct etw_reading *reading)
{
	struct etw_reading again;
	int tries = READ_TRIES;

	read_once(reading);
	while (etw_clock_to_filetime(reading->uncertainty) > READ_CLOSE_100NS && --tries) {
		read_once(&again);
		if (again.uncertainty < reading->uncertainty)
			*reading = again;
	}
}

/**
 * etw_clock_to_filetime() - a length of time, from ticks of clock 1 to 100 ns
 * @ticks: how long; below a century
 */
u64 etw_clock_to_filetime(u64 ticks)
{
	return mul_u64_u64_div_u64(ticks, 10000000, qpc_frequency);
}

/**
 * etw_clock_system_base() - what clock 2 adds to the monotonic clock
 * @reading: at the session's start
 *
 * Frozen then: later steps of the wall clock are told by anchors, and stamps
 * stay in order.
 */
u64 etw_clock_system_base(const struct etw_reading *reading)
{
	return reading->filetime - div_u64(reading->boottime, 100);
}

static void read_counter(void *counter)
{
	*(u64 *)counter = etw_counter();
}

/* One CPU after the other reads the counter: it may never go back. */
static bool counter_is_one(void)
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

/* The counter against the kernel's raw clock over 10 ms: 5 % is a wrong unit */
static bool counter_runs_at(u64 frequency)
{
	u64 ticks, ns, expected;

	ns = ktime_get_raw_ns();
	ticks = etw_counter();
	usleep_range(10000, 11000);
	ticks = etw_counter() - ticks;
	ns = ktime_get_raw_ns() - ns;
	expected = mul_u64_u64_div_u64(ns, frequency, NSEC_PER_SEC);
	return ticks > expected - expected / 20 && ticks < expected + expected / 20;
}

static u64 counter_frequency(void)
{
#if defined(CONFIG_X86)
	return (u64)tsc_khz * 1000;
#elif defined(CONFIG_ARM64)
	return arch_timer_get_cntfrq();
#else
	return 0;
#endif
}

static bool counter_is_trusted(void)
{
#if defined(CONFIG_X86)
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) &&
	       boot_cpu_has(X86_FEATURE_NONSTOP_TSC) && !check_tsc_unstable();
#elif defined(CONFIG_ARM64) && defined(CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND)
	return !__this_cpu_read(timer_unstable_counter_workaround);
#else
	return IS_ENABLED(CONFIG_ARM64);
#endif
}

static void choose_qpc(void)
{
	u64 frequency = counter_frequency();
	bool forced = !strcmp(qpc, "counter");

	if (!strcmp(qpc, "monotonic") || !frequency)
		return;
	if (!forced && (!counter_is_trusted() || !counter_is_one() ||
			!counter_runs_at(frequency)))
		return;
	qpc_ticks = ETW_TICKS_COUNTER;
	qpc_frequency = frequency;
}

/* The fallbacks: 1000 readings in a row may not go back. */
static bool slow_clocks_work(void)
{
	static const enum etw_ticks kinds[] = { ETW_TICKS_MONOTONIC, ETW_TICKS_SYSTEM };
	struct etw_clamp clamp = { };
	u64 now, last = 0;
	int i, k;

	for (k = 0; k < ARRAY_SIZE(kinds); k++, last = 0) {
		clamp.last = 0;
		for (i = 0; i < 1000; i++, last = now) {
			now = etw_tick_slow(kinds[k], &clamp);
			if (!now || now < last)
				return false;
		}
	}
	return true;
}

static struct etw_reading suspended;

static int clock_suspend(ETW_SYSCORE_ARGS)
{
	suspended.boottime = ktime_get_boot_fast_ns();
	suspended.qpc = qpc_now();
	return 0;
}

/*
 * Firmware may have reset the counter, or it may have stood still. One CPU is
 * up and interrupts are off; the kernel's clocks were resumed before us.
 */
static void clock_resume(ETW_SYSCORE_ARGS)
{
	u64 slept = ktime_get_boot_fast_ns() - suspended.boottime;
	u64 due = suspended.qpc + mul_u64_u64_div_u64(slept, qpc_frequency, NSEC_PER_SEC);

	if (qpc_ticks == ETW_TICKS_COUNTER)
		WRITE_ONCE(etw_counter_offset, etw_counter_offset + due - qpc_now());
}

static struct syscore_ops clock_syscore_ops = {
	.suspend = clock_suspend,
	.resume = clock_resume,
};

ETW_SYSCORE(clock_syscore, clock_syscore_ops);

/**
 * etw_clock_init() - choose and test the clocks
 *
 * Return: 0; -EINVAL for a bad parameter; -ENODEV when a clock goes back.
 */
int etw_clock_init(void)
{
	if (strcmp(qpc, "auto") && strcmp(qpc, "counter") && strcmp(qpc, "monotonic")) {
		pr_err("qpc=%s: use auto, counter or monotonic\n", qpc);
		return -EINVAL;
	}
	if (!slow_clocks_work()) {
		pr_err("the kernel's monotonic clock went back in the self-test\n");
		return -ENODEV;
	}
	choose_qpc();
	etw_register_syscore(clock_syscore, clock_syscore_ops);
	pr_info("clock 1: %s, %llu Hz\n",
		qpc_ticks == ETW_TICKS_COUNTER ? "counter" : "monotonic", qpc_frequency);
	return 0;
}

/**
 * etw_clock_exit() - undo etw_clock_init()
 */
void etw_clock_exit(void)
{
	etw_unregister_syscore(clock_syscore, clock_syscore_ops);
}
