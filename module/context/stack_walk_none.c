// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Kernel stacks by the unwinder only: User Mode Linux, others; declared in stack_walk.h. */
#include <linux/stacktrace.h>
#include "stack_walk.h"

/**
 * etw_stack_walk() - not here
 * @frame: not used
 * @to: not used
 *
 * Return: false: the unwinder must walk.
 */
bool etw_stack_walk(unsigned long *frame, struct etw_frames *to)
{
	return false;
}

/**
 * etw_stack_unwind() - walk the kernel's part of the current stack by the unwinder
 * @frame: not used
 * @to: out: return addresses, innermost first, the tracer's too
 * @most: most of them
 * @name: not used
 *
 * Context: any. Return: number of addresses.
 */
u32 etw_stack_unwind(unsigned long *frame, unsigned long *to, u32 most, char *name)
{
	return stack_trace_save(to, most, 0);
}
