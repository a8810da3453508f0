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
#include "../compat.h"

/*
 * What a perf event has counted is event->count, plus what the register moved
 * since hw.prev_count. Whoever updates the two (an overflow, perf's scheduling)
 * runs on this CPU and over us, so it is done by the time we go on; that it ran
 * shows in prev_count.
 *
 * One who is interrupted between the two stores is seen half done by an NMI: such
 * a value lacks what was counted since the update before. Only NMIs of the PMU
 * write events, and perf stops the PMU, or is in its NMI, while it updates.
 */

#if defined(CONFIG_X86_64) && defined(CONFIG_PERF_EVENTS)
#include <asm/perf_event.h>

/* Fixed counters that count as others do: not slots, not their metrics */
#define ETW_LAST_FIXED	(INTEL_PMC_IDX_FIXED + 2)

static __always_inline u64 etw_perf_register(const struct hw_perf_event *hw)
{
	u32 low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (hw->event_base_rdpmc));
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

/*
 * As the hardware numbers counters, the cycle counter is the last of 32. perf did
 * so from 6.12 on; before, the cycle counter came first and all others after it.
 */
#if ARMPMU_MAX_HWEVENTS > 32
#define ETW_COUNTER_NUMBER(idx)	(idx)
#else
#define ETW_COUNTER_NUMBER(idx)	((idx) - 1)
#endif
#define ETW_CYCLE_COUNTER	31

/*
 * The number is in the instruction: selecting one by a register is not for those
 * who nest. 32 cases, so that no bound has to be checked.
 */
static __always_inline u64 etw_perf_register(const struct hw_perf_event *hw)
{
	switch (ETW_COUNTER_NUMBER(hw->idx) & ETW_CYCLE_COUNTER) {
	case 0:
		return read_sysreg(pmevcntr0_el0);
	case 1:
		return read_sysreg(pmevcntr1_el0);
	case 2:
		return read_sysreg(pmevcntr2_el0);
	case 3:
		return read_sysreg(pmevcntr3_el0);
	case 4:
		return read_sysreg(pmevcntr4_el0);
	case 5:
		return read_sysreg(pmevcntr5_el0);
	case 6:
		return read_sysreg(pmevcntr6_el0);
	case 7:
		return read_sysreg(pmevcntr7_el0);
	case 8:
		return read_sysreg(pmevcntr8_el0);
	case 9:
		return read_sysreg(pmevcntr9_el0);
	case 10:
		return read_sysreg(pmevcntr10_el0);
	case 11:
		return read_sysreg(pmevcntr11_el0);
	case 12:
		return read_sysreg(pmevcntr12_el0);
	case 13:
		return read_sysreg(pmevcntr13_el0);
	case 14:
		return read_sysreg(pmevcntr14_el0);
	case 15:
		return read_sysreg(pmevcntr15_el0);
	case 16:
		return read_sysreg(pmevcntr16_el0);
	case 17:
		return read_sysreg(pmevcntr17_el0);
	case 18:
		return read_sysreg(pmevcntr18_el0);
	case 19:
		return read_sysreg(pmevcntr19_el0);
	case 20:
		return read_sysreg(pmevcntr20_el0);
	case 21:
		return read_sysreg(pmevcntr21_el0);
	case 22:
		return read_sysreg(pmevcntr22_el0);
	case 23:
		return read_sysreg(pmevcntr23_el0);
	case 24:
		return read_sysreg(pmevcntr24_el0);
	case 25:
		return read_sysreg(pmevcntr25_el0);
	case 26:
		return read_sysreg(pmevcntr26_el0);
	case 27:
		return read_sysreg(pmevcntr27_el0);
	case 28:
		return read_sysreg(pmevcntr28_el0);
	case 29:
		return read_sysreg(pmevcntr29_el0);
	case 30:
		return read_sysreg(pmevcntr30_el0);
	case ETW_CYCLE_COUNTER:
		return read_sysreg(pmccntr_el0);
	}
	unreachable();
}

/*
 * perf counts modulo 2^32 unless an event asks for 64 bits, which only the cycle
 * counter has in one register everywhere.
 */
static inline u64 etw_perf_direct_mask(const struct perf_event *perf)
{
	int idx = perf->hw.idx, number = ETW_COUNTER_NUMBER(idx);

	if (perf->pmu->task_ctx_nr != perf_hw_context || !perf->pmu->name ||
	    !strstarts(perf->pmu->name, "armv8_"))
		return 0;
	/* -1: none yet; -1 of the old numbers: cycles; 32: 6.12's instruction counter */
	if (idx < 0 || number > ETW_CYCLE_COUNTER)
		return 0;
	if (perf->hw.flags & ARMPMU_EVT_64BIT)
		return (number & ETW_CYCLE_COUNTER) == ETW_CYCLE_COUNTER ? U64_MAX : 0;
	return U32_MAX;
}

#else

static __always_inline u64 etw_perf_register(const struct hw_perf_event *hw)
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
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline u64 etw_perf_direct(struct perf_event *perf, u64 mask)
{
	u64 before, count, now;

	do {
		before = local64_read(&perf->hw.prev_count);
		barrier();	/* an update in between shows in prev_count */
		count = local64_read(&perf->count);
		now = etw_perf_register(&perf->hw);
		barrier();
	} while (unlikely(local64_read(&perf->hw.prev_count) != before));
	return count + ((now - before) & mask);
}

#endif /* ETW_PERF_DIRECT_H */
