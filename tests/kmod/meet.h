/* SPDX-License-Identifier: GPL-2.0 */
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
 * By the clock: what a loop of delays takes was measured by an emulator that may be another
 * one now. Any context.
 */
static inline void spin_until(const int *step, int is)
{
	u64 since = ktime_get_mono_fast_ns();

	while (READ_ONCE(*step) < is && ktime_get_mono_fast_ns() - since < MEET_PATIENCE)
		cpu_relax();
}

#endif /* ETW_TEST_MEET_H */
