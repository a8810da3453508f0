/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Walks of user stacks by unwind tables. */
#ifndef ETW_UNWIND_WALK_H
#define ETW_UNWIND_WALK_H

#include <linux/jump_label.h>
#include <linux/types.h>
#include "etw_unwind.h"

struct pt_regs;

/**
 * struct etw_unwind_counts - walks by tables of a CPU
 * @frames: frames that a step found
 * @ends: stacks by enum etw_unwind_end
 */
struct etw_unwind_counts {
	u64 frames;
	u64 ends[ETW_UNWIND_ENDS];
};

DECLARE_STATIC_KEY_FALSE(etw_unwind_key);

/* Whether there are tables; without any, an event pays one instruction */
static __always_inline bool etw_unwind_is_on(void)
{
	return static_branch_unlikely(&etw_unwind_key);
}

int etw_unwind_begin(void);
void etw_unwind_end(void);
bool etw_unwind_frames(unsigned long *to, u32 *nr, struct pt_regs *regs);
struct etw_unwind_counts etw_unwind_counts(int cpu);

#endif /* ETW_UNWIND_WALK_H */
