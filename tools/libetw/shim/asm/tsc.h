/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The time stamp counter. */
#ifndef ETW_SHIM_TSC_H
#define ETW_SHIM_TSC_H

#include <linux/compiler.h>
#include <linux/types.h>

static __always_inline u64 rdtsc(void)
{
	u32 low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high));
	return low | (u64)high << 32;
}

/* After all loads that stand before it in the program have their values */
static __always_inline u64 rdtsc_ordered(void)
{
	u32 low, high;

	asm volatile("lfence; rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return low | (u64)high << 32;
}

#endif /* ETW_SHIM_TSC_H */
