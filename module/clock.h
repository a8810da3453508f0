/* SPDX-License-Identifier: GPL-2.0 */
/* The clocks of sessions: one read, inlined into every reservation. */
#ifndef ETW_CLOCK_H
#define ETW_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>
#include "../uapi/etw_format.h"
/* User Mode Linux has X86_TSC, too, but its TSC is the host's */
#if defined(CONFIG_X86_TSC) && !defined(CONFIG_UML)
#include <asm/msr.h>
#endif
#ifdef CONFIG_ARM64
#include <asm/arch_timer.h>
#endif

/* Where ticks come from; chosen when a session starts */
enum etw_ticks {
	ETW_TICKS_COUNTER,	/* TSC, CNTVCT */
	ETW_TICKS_MONOTONIC,	/* ns; can step back around an NMI: clamped */
	ETW_TICKS_SYSTEM,	/* FILETIME: frozen base + monotonic; clamped */
};

/**
 * struct etw_clocks - what a session's clocks are made from
 * @ticks: its stamps
 * @qpc: clock 1, which anchors and headers tell in any case: COUNTER or MONOTONIC
 */
struct etw_clocks {
	enum etw_ticks ticks;
	enum etw_ticks qpc;
};

/* Added to the counter so that ticks go on across suspend */
extern u64 etw_counter_offset;

/**
 * struct etw_clamp - what a clock that can step back needs
 * @last: the last stamp given
 * @base: ETW_TICKS_SYSTEM: FILETIME when the monotonic clock was 0
 */
struct etw_clamp {
	u64 last;
	u64 base;
};

u64 etw_tick_slow(enum etw_ticks ticks, struct etw_clamp *clamp);

/**
 * etw_counter() - the architectural counter
 *
 * Ordered against what stands before it in the program, since a stamp read
 * ahead of the W that it belongs to could be older than its predecessor's.
 * Context: any, NMI included.
 */
static __always_inline u64 etw_counter(void)
{
#if defined(CONFIG_X86_TSC) && !defined(CONFIG_UML)
	return rdtsc_ordered();
#elif defined(CONFIG_ARM64)
	u64 ticks;

	/* no fake dependency behind it: the cmpxchg that follows stores */
	isb();
	asm volatile("mrs %0, cntvct_el0" : "=r" (ticks) :: "memory");
	return ticks;
#else
	return 0;
#endif
}

/**
 * etw_tick() - the clock of a session
 * @ticks: which
 * @clamp: of this CPU, for clocks that are clamped
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline u64 etw_tick(enum etw_ticks ticks, struct etw_clamp *clamp)
{
	if (likely(ticks == ETW_TICKS_COUNTER))
		return etw_counter() + READ_ONCE(etw_counter_offset);
	return etw_tick_slow(ticks, clamp);
}

/**
 * struct etw_reading - all clocks, read together
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
