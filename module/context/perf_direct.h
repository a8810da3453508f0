/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Reading a running counter's register, if the architecture allows it. */
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
 * The value of a perf event is event->count, plus the register's change since
 * hw.prev_count. An update of the two (by an overflow or perf's scheduling) runs on this
 * CPU and interrupts this code, so it is complete when this code goes on. The update shows
 * in prev_count, or, if nothing was counted, in another register number.
 *
 * If an NMI interrupts an update between the two stores, it sees a value that lacks the
 * counts since the previous update. Updates caused by this module are marked
 * (perf_read.c). For other updates perf stops the PMU, or is in its NMI, so only an NMI
 * of another PMU (AMD's IBS) could come.
 */

#if defined(CONFIG_X86_64) && defined(CONFIG_PERF_EVENTS)
#include <asm/perf_event.h>

/* Last fixed counter that counts as general ones do: not slots, not their metrics */
#define ETW_LAST_FIXED	(INTEL_PMC_IDX_FIXED + 2)

/* The event's current register: perf updates event_base_rdpmc when it moves the event. */
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
 * From CPUID's architectural perfmon leaf (0xA, EAX bits 23:16); AMD has always had 48.
 * From Linux 7.3 on perf no longer exports the width. check_direct() in perf_read.c would
 * detect a wrong width.
 */
static inline u32 etw_perf_counter_bits(void)
{
	if (boot_cpu_data.x86_vendor == X86_VENDOR_AMD ||
	    boot_cpu_data.x86_vendor == X86_VENDOR_HYGON)
		return 48;
	return boot_cpu_data.cpuid_level >= 0xA ? (cpuid_eax(0xA) >> 16) & 0xFF : 0;
}

/* Mask of the width of hw.prev_count and the register; 0: the register can't be read. */
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

/* With BTI, an entry begins with a landing pad and is twice as long. */
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
 * In the hardware's numbering, the cycle counter is the last of 32. perf uses that
 * from Linux 6.12 on; before, the cycle counter came first and all others after it.
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
 * If perf has moved the event to another register since etw_perf_direct_mask(), the value
 * is rejected, because the new register may not be readable in this way.
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
 * The register's number is part of the instruction. Selecting it with PMSELR_EL0 would
 * break if an interrupt or NMI selects another, and needs a barrier. So this is a jump
 * table of 32 instructions.
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

/* PMUv3, by its names in device trees and ACPI; other PMUs have other registers. */
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

	/* -1: no register now; 32: the instruction counter, supported since Linux 6.12 */
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
 * etw_perf_direct() - read the value of a running event
 * @perf: active, on this CPU
 * @mask: result of etw_perf_direct_mask()
 * @idx: hw.idx at that call
 * @value: out
 *
 * Context: any, NMI included; preemption off.
 * Return: false if the event was updated meanwhile, or moved to another register. Then
 * the PMU's function must read it.
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
