/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Checks of the clocks' sources: for clock.c only. */
#ifndef ETW_CLOCK_CHECK_H
#define ETW_CLOCK_CHECK_H

#include <linux/percpu.h>
#include <linux/types.h>
#ifdef CONFIG_ARM64
#include <asm/arch_timer.h>
#endif

/* Whether the kernel works around an erratum of a CPU's counter */
static inline bool etw_counter_has_erratum(int cpu)
{
#if defined(CONFIG_ARM64) && defined(CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND)
	return per_cpu(timer_unstable_counter_workaround, cpu);
#else
	return false;
#endif
}

bool etw_counter_is_trusted(void);
bool etw_counter_is_one(void);
bool etw_counter_runs_at(u64 frequency);
bool etw_slow_clocks_work(void);

#endif /* ETW_CLOCK_CHECK_H */
