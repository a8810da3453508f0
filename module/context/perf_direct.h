/* SPDX-License-Identifier: GPL-2.0 */
/* Reading a running counter's register, where the architecture lets the kernel. */
#ifndef ETW_PERF_DIRECT_H
#define ETW_PERF_DIRECT_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include <asm/local64.h>
#include "compat.h"

/*
 * What a perf event has counted is event->count, plus what the register moved
 * since hw.prev_count. Whoever updates the two (an overflow, perf's scheduling)
 * runs on this CPU and over us, so it is done by the time we go on; that it ran
 * shows in prev_count, or, where nothing was counted, in another register's number.
 *
 * One who is interrupted between the two stores is seen half done by an NMI: such
 * a value lacks what was counted since the update before. Our own readings say so
 * (perf_read.c). Other updates are perf's: it stops the PMU, or is in its NMI, so
 * that only an NMI of another PMU could come (AMD's IBS).
 */

#if defined(CONFIG_X86_64) && defined(CONFIG_PERF_EVENTS)
#include <asm/perf_event.h>

/* Fixed counters that count as others do: not slots, not their metrics */
#define ETW_LAST_FIXED	(INTEL_PMC_IDX_FIXED + 2)

/* Whichever register it has now: perf says anew what it is called for this instruction. */
static __always_inline long etw_perf_place(const struct hw_perf_event *hw)
{
	return READ_ONCE(hw->event_base_rdpmc);
}

static __always_inline long etw_perf_expected(const struct hw_perf_event *hw, long idx)
{
	return etw_perf_place(hw);
}

static __always_inline u64 etw_perf_register(long place)
{
	u32 low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" ((int)place));
	return low | (u64)high << 32;
}

static inline bool etw_perf_is_core(const struct perf_event *perf)
{
	static const char * const names[] = { "cpu", "cpu_core", "cpu_atom", "cpu_lowpower" };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (perf->pmu->name && !strcmp(perf->pmu->name, names[i]))
			return true;
	return false;
}

/*
 * Architectural perfmon tells it (leaf 0xA, EAX bits 23:16), AMD has always had 48.
 * From 7.3 on perf tells modules no more; a wrong one would not agree with the
 * PMU's own reading.
 */
static inline u32 etw_perf_counter_bits(void)
{
	if (boot_cpu_data.x86_vendor == X86_VENDOR_AMD ||
	    boot_cpu_data.x86_vendor == X86_VENDOR_HYGON)
		return 48;
	return boot_cpu_data.cpuid_level >= 0xA ? (cpuid_eax(0xA) >> 16) & 0xFF : 0;
}

/* Width of what hw.prev_count and the register hold; 0: it can't be read so. */
static inline u64 etw_perf_direct_mask(const struct perf_event *perf)
{
	u32 bits = etw_perf_counter_bits();
	int idx = perf->hw.idx;

	if (!etw_perf_is_core(perf) || idx < 0 || idx > ETW_LAST_FIXED)
		return 0;
	return bits && bits <= 64 ? GENMASK_ULL(bits - 1, 0) : 0;
}

#elif defined(CONFIG_ARM64) && defined(CONFIG_HW_PERF_EVENTS)
#include <linux/perf/arm_pmu.h>
#include <asm/sysreg.h>

/* Where the kernel marks what a register may branch to, an entry is twice as long. */
#ifdef CONFIG_ARM64_BTI_KERNEL
#define ETW_ENTRY_SHIFT		"4"
#define ETW_ENTRY_BEGIN		"	hint	#36\n	nop\n"
#else
#define ETW_ENTRY_SHIFT		"3"
#define ETW_ENTRY_BEGIN
#endif
#define ETW_ENTRY(name) \
	ETW_ENTRY_BEGIN "	mrs	%0, " name "_el0\n	b	2f\n"
#define ETW_ENTRIES(numbers) \
	"	.irp	number, " numbers "\n" ETW_ENTRY("pmevcntr\\number\\()") "	.endr\n"

/*
 * As the hardware numbers counters, the cycle counter is the last of 32. perf did
 * so from 6.12 on; before, the cycle counter came first and all others after it.
 */
#if ARMPMU_MAX_HWEVENTS > 32
#define ETW_CYCLES_FIRST
#define ETW_CYCLES_LAST		ETW_ENTRY("pmccntr")
#define ETW_CYCLES_IDX		31
#else
#define ETW_CYCLES_FIRST	ETW_ENTRY("pmccntr")
#define ETW_CYCLES_LAST
#define ETW_CYCLES_IDX		0
#endif
#define ETW_LAST_COUNTER_IDX	31

/*
 * Of what perf has given another register since it was looked at, whatever is read is not
 * taken: the new one need not be of those that can be.
 */
static __always_inline long etw_perf_place(const struct hw_perf_event *hw)
{
	return READ_ONCE(hw->idx);
}

static __always_inline long etw_perf_expected(const struct hw_perf_event *hw, long idx)
{
	return idx;
}

/*
 * The number is in the instruction: selecting one by a register (PMSELR_EL0) is not for
 * those who nest, and needs a barrier. So it is one jump into 32 of them.
 */
static __always_inline u64 etw_perf_register(long place)
{
	u64 now;

	asm volatile("	adr	%0, 1f\n"
		     "	add	%0, %0, %1, lsl #" ETW_ENTRY_SHIFT "\n"
		     "	br	%0\n"
		     "1:\n"
		     ETW_CYCLES_FIRST
		     ETW_ENTRIES("0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15")
		     ETW_ENTRIES("16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30")
		     ETW_CYCLES_LAST
		     "2:"
		     : "=&r" (now) : "r" (place));
	return now;
}

/* PMUv3, as device trees and ACPI call it; others' have registers of their own. */
static inline bool etw_perf_is_core(const struct perf_event *perf)
{
	return perf->pmu->task_ctx_nr == perf_hw_context && perf->pmu->name &&
	       (strstarts(perf->pmu->name, "armv8_") || strstarts(perf->pmu->name, "armv9_"));
}

/*
 * perf counts modulo 2^32 unless an event asks for 64 bits, which only the cycle
 * counter has in one register everywhere.
 */
static inline u64 etw_perf_direct_mask(const struct perf_event *perf)
{
	int idx = READ_ONCE(perf->hw.idx);

	/* -1: none now; 32: the instruction counter that 6.12 knows */
	if (!etw_perf_is_core(perf) || idx < 0 || idx > ETW_LAST_COUNTER_IDX)
		return 0;
	if (perf->hw.flags & ARMPMU_EVT_64BIT)
		return idx == ETW_CYCLES_IDX ? U64_MAX : 0;
	return U32_MAX;
}

#else

static __always_inline long etw_perf_place(const struct hw_perf_event *hw)
{
	return 0;
}

static __always_inline long etw_perf_expected(const struct hw_perf_event *hw, long idx)
{
	return idx;
}

static __always_inline u64 etw_perf_register(long place)
{
	return 0;
}

static inline u64 etw_perf_direct_mask(const struct perf_event *perf)
{
	return 0;
}

#endif

/**
 * etw_perf_direct() - what a running event has counted
 * @perf: active, on this CPU
 * @mask: of etw_perf_direct_mask()
 * @idx: hw.idx when that was asked
 * @value: out
 *
 * Context: any, NMI included; preemption off.
 * Return: false: it was updated meanwhile, or has another register: ask its PMU.
 */
static __always_inline bool etw_perf_direct(const struct perf_event *perf, u64 mask, long idx,
					    u64 *value)
{
	long place = etw_perf_expected(&perf->hw, idx);
	u64 before = local64_read(&perf->hw.prev_count);
	u64 count, now;

	barrier();	/* an update in between shows in prev_count */
	count = local64_read(&perf->count);
	now = etw_perf_register(place);
	barrier();
	*value = count + ((now - before) & mask);
	return likely(local64_read(&perf->hw.prev_count) == before &&
		      etw_perf_place(&perf->hw) == place);
}

#endif /* ETW_PERF_DIRECT_H */
