/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Long loops of the suites, which may run in part. */
#ifndef _ETW_KUNIT_PART_H
#define _ETW_KUNIT_PART_H

#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/types.h>

/* The parameter part=N: loops that only repeat go round an Nth of the times. */
extern unsigned int etw_kunit_part;

/**
 * part_of() - how often such a loop goes round
 * @count: when all of it runs
 */
static inline u32 part_of(u32 count)
{
	return DIV_ROUND_UP(count, max(etw_kunit_part, 1U));
}

/**
 * part_step() - the step of a loop over many places
 *
 * The step is odd, so that the loop visits even and odd places.
 */
static inline u32 part_step(void)
{
	return etw_kunit_part > 1 ? etw_kunit_part | 1 : 1;
}

#endif
