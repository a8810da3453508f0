// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The clocks of sessions: choice of the counter for QPC, suspend, readings. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/cpufreq.h>
#include <linux/kcsan-checks.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/syscore_ops.h>
#include <linux/timekeeping.h>
#include <asm/local.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif
#include "compat.h"
#include "clock.h"
#include "clock_check.h"

/* FILETIME of 1970-01-01, in 100 ns since 1601-01-01 */
#define FILETIME_OF_UNIX_EPOCH	116444736000000000ULL

/* Most readings of all clocks, and how close together one must be to end them */
#define READ_TRIES		8
#define READ_CLOSE_100NS	500

u64 etw_counter_offset __read_mostly;

static char *qpc_wish = "auto";
module_param_named(qpc, qpc_wish, charp, 0444);
MODULE_PARM_DESC(qpc, "clock 1: auto, counter (TSC, CNTVCT even where the kernel calls it unreliable), monotonic");

/* The self-test's choice, and the frequency of the counter */
static enum etw_ticks qpc_ticks __read_mostly = ETW_TICKS_MONOTONIC;
static u64 counter_hz __read_mostly;

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
 * The kernel may read its clock during an update, and checks a sequence number
 * afterwards. KCSAN does not recognise that before 6.13 and reports a false data
 * race. A report from an NMI would wait for ever for the report that it interrupted.
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
 * etw_tick_slow() - stamp from the kernel's clock
 * @ticks: ETW_TICKS_MONOTONIC or ETW_TICKS_SYSTEM
 * @clamp: of this CPU
 * @boottime: NULL, or the event's reading; if it is 0, the clock is read here
 *
 * The fast clock can step back when an NMI interrupts its update, but stamps in a
 * buffer must not. @clamp->last only grows, by unlocked cmpxchg, since a nested
 * context may have moved it. It grows with each stamp, because stamp and CPU link
 * a stack to its event: no two records of a CPU may have the same stamp. Records
 * that come faster than ticks run ahead of the clock until it catches up.
 * CLOCK_BOOTTIME goes on while the machine sleeps, as QPC does.
 *
 * Context: any, NMI included; preemption off.
 */
u64 etw_tick_slow(enum etw_ticks ticks, struct etw_clamp *clamp, u64 *boottime)
{
	u64 last, tick, now = boottime && *boottime ? *boottime : etw_clock_fast_ns();

	if (boottime)
		*boottime = now;
	if (ticks == ETW_TICKS_SYSTEM)
		now = clamp->base + div_u64(now, 100);
	do {
		last = READ_ONCE(clamp->last);
		tick = max(now, last + 1);
	} while (cmpxchg_local(&clamp->last, last, tick) != last);
	return tick;
}

static bool counter_is_forced(void)
{
	return !strcmp(qpc_wish, "counter");
}

/* The kernel may mark the counter unstable later, or a new CPU may have a bad one. */
static enum etw_ticks qpc_now_trusted(void)
{
	if (qpc_ticks == ETW_TICKS_COUNTER && !counter_is_forced() && !etw_counter_is_trusted()) {
		pr_info_once("the counter is no longer reliable: new sessions go by the monotonic clock\n");
		return ETW_TICKS_MONOTONIC;
	}
	return qpc_ticks;
}

/**
 * etw_clock_choose() - choose the sources of a session's clocks
 * @clock_type: ETW_CLOCK_*
 * @clocks: out; fixed for the session's life
 *
 * Context: process.
 * Return: 0; -EOPNOTSUPP for the cycle counter if there is no invariant one;
 * -EINVAL.
 */
int etw_clock_choose(u32 clock_type, struct etw_clocks *clocks)
{
	clocks->qpc = qpc_now_trusted();
	switch (clock_type) {
	case ETW_CLOCK_QPC:
		clocks->ticks = clocks->qpc;
		return 0;
	case ETW_CLOCK_SYSTEM:
		clocks->ticks = ETW_TICKS_SYSTEM;
		return 0;
	case ETW_CLOCK_CYCLE:
		/* arm64 has no cycle counter that runs without a PMU user */
		if (!IS_ENABLED(CONFIG_X86) || clocks->qpc != ETW_TICKS_COUNTER)
			return -EOPNOTSUPP;
		clocks->ticks = ETW_TICKS_COUNTER;
		return 0;
	}
	return -EINVAL;
}

/**
 * etw_clock_frequency() - ticks per second of clock 1
 * @qpc: source of clock 1
 */
u64 etw_clock_frequency(enum etw_ticks qpc)
{
	return qpc == ETW_TICKS_COUNTER ? counter_hz : NSEC_PER_SEC;
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
		khz = div_u64(etw_clock_frequency(qpc_ticks), 1000);
	return max(1U, khz / 1000);
}

/* For comparison with other clocks */
static u64 qpc_now(enum etw_ticks qpc)
{
	struct etw_clamp none = { };

	if (likely(qpc == ETW_TICKS_COUNTER))
		return etw_counter_ordered() + READ_ONCE(etw_counter_offset);
	return etw_tick_slow(qpc, &none, NULL);
}

static void read_once(enum etw_ticks qpc, struct etw_reading *reading)
{
	unsigned long flags;
	u64 before, after;

	local_irq_save(flags);
	before = qpc_now(qpc);
	reading->filetime = etw_filetime_from_unix_ns(ktime_get_real_ns());
	reading->monotonic = ktime_get_ns();
	reading->monotonic_raw = ktime_get_raw_ns();
	reading->boottime = ktime_get_boottime_ns();
	after = qpc_now(qpc);
	local_irq_restore(flags);

	reading->qpc = before + (after - before) / 2;
	reading->uncertainty = after - before;
}

/**
 * etw_clock_read_all() - read all clocks at one instant
 * @qpc: source of clock 1
 * @reading: out
 *
 * An NMI, or a host that takes the CPU away in the middle, can pull the readings
 * apart by milliseconds. Then all are read again, and the closest set is used.
 *
 * Context: process or interrupt, not NMI (the precise clocks take seqlocks).
 */
void etw_clock_read_all(enum etw_ticks qpc, struct etw_reading *reading)
{
	struct etw_reading again;
	int tries = READ_TRIES;

	read_once(qpc, reading);
	while (etw_clock_to_filetime(qpc, reading->uncertainty) > READ_CLOSE_100NS && --tries) {
		read_once(qpc, &again);
		if (again.uncertainty < reading->uncertainty)
			*reading = again;
	}
}

/**
 * etw_clock_to_filetime() - convert a duration from ticks of clock 1 to 100 ns
 * @qpc: source of clock 1
 * @ticks: duration; below a century
 */
u64 etw_clock_to_filetime(enum etw_ticks qpc, u64 ticks)
{
	return mul_u64_u64_div_u64(ticks, 10000000, etw_clock_frequency(qpc));
}

/**
 * etw_clock_system_base() - offset of clock 2 from the boot time clock
 * @reading: at the session's start
 *
 * Fixed at the start, so that stamps stay in order. Anchors report later steps of
 * the wall clock.
 */
u64 etw_clock_system_base(const struct etw_reading *reading)
{
	return reading->filetime - div_u64(reading->boottime, 100);
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

static void choose_qpc(void)
{
	u64 frequency = counter_frequency();

	if (!strcmp(qpc_wish, "monotonic") || !frequency)
		return;
	if (!counter_is_forced() && (!etw_counter_is_trusted() || !etw_counter_is_one() ||
				     !etw_counter_runs_at(frequency)))
		return;
	counter_hz = frequency;
	qpc_ticks = ETW_TICKS_COUNTER;
}

static struct etw_reading suspended;

static int clock_suspend(ETW_SYSCORE_ARGS)
{
	suspended.boottime = ktime_get_boot_fast_ns();
	suspended.qpc = qpc_now(qpc_ticks);
	return 0;
}

/*
 * Firmware may have reset or stopped the counter. One CPU is up and interrupts
 * are off; the kernel's clocks were resumed before us.
 */
static void clock_resume(ETW_SYSCORE_ARGS)
{
	u64 slept = ktime_get_boot_fast_ns() - suspended.boottime;
	u64 due;

	if (qpc_ticks != ETW_TICKS_COUNTER)
		return;
	due = suspended.qpc + mul_u64_u64_div_u64(slept, counter_hz, NSEC_PER_SEC);
	WRITE_ONCE(etw_counter_offset, etw_counter_offset + due - qpc_now(qpc_ticks));
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
	if (strcmp(qpc_wish, "auto") && strcmp(qpc_wish, "monotonic") && !counter_is_forced()) {
		pr_err("qpc=%s: use auto, counter or monotonic\n", qpc_wish);
		return -EINVAL;
	}
	if (!etw_slow_clocks_work()) {
		pr_err("the kernel's monotonic clock went back in the self-test\n");
		return -ENODEV;
	}
	choose_qpc();
	etw_register_syscore(clock_syscore, clock_syscore_ops);
	pr_info("clock 1: %s, %llu Hz\n",
		qpc_ticks == ETW_TICKS_COUNTER ? "counter" : "monotonic",
		etw_clock_frequency(qpc_ticks));
	return 0;
}

/**
 * etw_clock_exit() - undo etw_clock_init()
 */
void etw_clock_exit(void)
{
	etw_unregister_syscore(clock_syscore, clock_syscore_ops);
}
