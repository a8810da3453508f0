/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The time before and after what is measured: the processor's counter, and ns. */
#ifndef ETW_TEST_TICKS_H
#define ETW_TEST_TICKS_H

#include <stdint.h>
#include <time.h>

/* Not before what stands before it is done */
static inline uint64_t tick(void)
{
#if defined(__x86_64__)
	uint32_t low, high;

	__asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high) :: "memory");
	return (uint64_t)high << 32 | low;
#else
	uint64_t value;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(value) :: "memory");
	return value;
#endif
}

static inline uint64_t nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

#endif /* ETW_TEST_TICKS_H */
