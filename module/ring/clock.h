/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The clocks of sessions: one read, inlined into every reservation. */
#ifndef ETW_CLOCK_H
#define ETW_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>
#include "etw_format.h"
/* User Mode Linux has X86_TSC, too, but its TSC is the host's */
#if defined(CONFIG_X86_TSC) && !defined(CONFIG_UML)
#include <asm/tsc.h>
#endif
#ifdef CONFIG_ARM64
#include <asm/arch_timer.h>
#endif

/* Source of ticks; chosen when a session starts */
enum etw_ticks {
	ETW_TICKS_COUNTER,	/* TSC, CNTVCT */
	ETW_TICKS_MONOTONIC,	/* ns; can step back around an NMI: clamped */
	ETW_TICKS_SYSTEM,	/* FILETIME: frozen base + monotonic; clamped */
};

/**
 * struct etw_clocks - sources of a session's clocks
 * @ticks: source of its stamps
 * @qpc: source of clock 1, which anchors and headers always report: COUNTER or MONOTONIC
 */
struct etw_clocks {
	enum etw_ticks ticks;
	enum etw_ticks qpc;
};

/* Added to the counter so that ticks go on across suspend; one CPU is up when it changes */
extern u64 etw_counter_offset;

/**
 * struct etw_clamp - keeps a CPU's stamps in order
 * @last: the last stamp
 * @base: ETW_TICKS_SYSTEM: FILETIME when the monotonic clock was 0
 */
struct etw_clamp {
	u64 last;
	u64 base;
};

/**
 * struct etw_moment - one reading of the sources of sessions' clocks
 * @counter: for ETW_TICKS_COUNTER
 * @boottime: ns, for the other sources
 *
 * One per event, see etw_moment_of_event(), so that all sessions with the same clock have the
 * same stamp for the event.
 */
struct etw_moment {
	u64 counter;
	u64 boottime;
};

u64 etw_tick_slow(enum etw_ticks ticks, struct etw_clamp *clamp, u64 *boottime);

/**
 * etw_counter() - the architectural counter
 *
 * The processor may read it some tens of nanoseconds before earlier instructions are
 * complete, but never across an interrupt or the return from one.
 *
 * Context: any, NMI included.
 */
static __always_inline u64 etw_counter(void)
{
#if defined(CONFIG_X86_TSC) && !defined(CONFIG_UML)
	return rdtsc();
#elif defined(CONFIG_ARM64)
	u64 ticks;

	asm volatile("mrs %0, cntvct_el0" : "=r" (ticks) :: "memory");
	return ticks;
#else
	return 0;
#endif
}

/**
 * etw_counter_ordered() - the counter, read after all earlier instructions
 *
 * For comparisons with other clocks and other CPUs. Context: any, NMI included.
 */
static __always_inline u64 etw_counter_ordered(void)
{
#if defined(CONFIG_X86_TSC) && !defined(CONFIG_UML)
	return rdtsc_ordered();
#else
#ifdef CONFIG_ARM64
	isb();
#endif
	return etw_counter();
#endif
}

/* The counter as sessions use it */
static __always_inline u64 etw_counter_now(void)
{
	return etw_counter() + etw_counter_offset;
}

/**
 * etw_moment_of_event() - read the counter for all sessions of an event
 *
 * The first session with a slow clock reads that clock: @boottime is 0 until then.
 *
 * Context: any, NMI included; preemption off until the last session has its record.
 */
static __always_inline struct etw_moment etw_moment_of_event(void)
{
	return (struct etw_moment){ .counter = etw_counter_now() };
}

/*
 * Least distance of two stamps of a CPU. A TSC counts dozens of times while a record is
 * written, so it catches up at once with a stamp that was raised by 1. A slow counter would
 * fall behind more and more, so two records may have the same stamp.
 */
#if defined(CONFIG_X86_TSC) && !defined(CONFIG_UML)
#define ETW_COUNTER_STEP	1
#else
#define ETW_COUNTER_STEP	0
#endif

/**
 * etw_tick_counter() - the counter as a session's clock
 * @clamp: of this CPU
 * @now: etw_counter_now(), preemption off since
 *
 * The processor may swap the readings of two records, because ordering them would cost
 * more than all the rest. Therefore no stamp is below the last one of its ring. The update
 * is unlocked and takes two steps. A writer that interrupts us in between reads the counter
 * after us, in time and not only in program order, since interrupts and returns from them
 * order readings. Apart from steps, every value of @clamp->last was read from the counter
 * before. If we overwrite a nested writer's reading with our older one, the next reading
 * is younger than both: another interrupt's, or our own, because W has changed. If we
 * then reserve nothing, etw_ring_advance_clock() must follow, because a writer that we
 * interrupted may use a reading from before.
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline u64 etw_tick_counter(struct etw_clamp *clamp, u64 now)
{
	u64 least = READ_ONCE(clamp->last) + ETW_COUNTER_STEP;

	if (now < least)
		now = least;
	WRITE_ONCE(clamp->last, now);
	return now;
}

/**
 * etw_tick() - stamp of a session's clock
 * @ticks: source
 * @clamp: of this CPU
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline u64 etw_tick(enum etw_ticks ticks, struct etw_clamp *clamp)
{
	if (likely(ticks == ETW_TICKS_COUNTER))
		return etw_tick_counter(clamp, etw_counter_now());
	return etw_tick_slow(ticks, clamp, NULL);
}

/**
 * struct etw_reading - one reading of all clocks
 * @qpc: clock 1
 * @filetime: 100 ns since 1601, UTC
 * @monotonic: ns
 * @monotonic_raw: ns
 * @boottime: ns
 * @uncertainty: ticks of clock 1 between first and last reading
 */
struct etw_reading {
	u64 qpc;
	u64 filetime;
	u64 monotonic;
	u64 monotonic_raw;
	u64 boottime;
	u64 uncertainty;
};

u64 etw_clock_fast_ns(void);
int etw_clock_init(void);
void etw_clock_exit(void);
int etw_clock_choose(u32 clock_type, struct etw_clocks *clocks);
u64 etw_clock_frequency(enum etw_ticks qpc);
u32 etw_clock_mhz(void);
void etw_clock_read_all(enum etw_ticks qpc, struct etw_reading *reading);
u64 etw_clock_to_filetime(enum etw_ticks qpc, u64 ticks);
u64 etw_clock_system_base(const struct etw_reading *reading);
u64 etw_filetime_from_unix_ns(u64 ns);

#endif /* ETW_CLOCK_H */
