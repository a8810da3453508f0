/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Walks the kernel's part of the current stack. */
#ifndef ETW_STACK_WALK_H
#define ETW_STACK_WALK_H

#include <linux/compiler.h>
#include <linux/types.h>

struct etw_frames;

bool etw_stack_walk(unsigned long *frame, struct etw_frames *to);
u32 etw_stack_unwind(unsigned long *frame, unsigned long *to, u32 most, char *name);

/**
 * etw_stack_drop_unknown() - drop the addresses that the unwinder did not know
 * @frames: addresses that stack_trace_save() returned; zeros are taken out
 * @nr: number of addresses
 *
 * In a kretprobe's trampoline, arm64's unwinder no longer has the return address.
 *
 * Return: number of addresses that remain.
 */
static inline u32 etw_stack_drop_unknown(unsigned long *frames, u32 nr)
{
	u32 i, kept = 0;

	for (i = 0; i < nr; i++)
		if (likely(frames[i]))
			frames[kept++] = frames[i];
	return kept;
}

#endif /* ETW_STACK_WALK_H */
