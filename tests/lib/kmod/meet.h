/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* For test modules that hold a CPU until another one has come to where they meet. */
#ifndef ETW_TEST_MEET_H
#define ETW_TEST_MEET_H

#include <linux/compiler.h>
#include <linux/ktime.h>
#include <linux/processor.h>
#include <linux/timekeeping.h>

/* Not for ever; the other CPU is an emulated one on a machine that others use */
#define MEET_PATIENCE	(10 * NSEC_PER_SEC)

/*
 * Both by the clock: what a loop of delays takes was measured by an emulator that may be
 * another one now. Any context.
 */
#define spin_while(condition)							\
do {										\
	u64 since = ktime_get_mono_fast_ns();					\
										\
	while ((condition) && ktime_get_mono_fast_ns() - since < MEET_PATIENCE)	\
		cpu_relax();							\
} while (0)

static inline void spin_for(u64 ns)
{
	u64 since = ktime_get_mono_fast_ns();

	while (ktime_get_mono_fast_ns() - since < ns)
		cpu_relax();
}

#endif /* ETW_TEST_MEET_H */
