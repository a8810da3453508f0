/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Walks the kernel's part of the current stack. */
#ifndef ETW_STACK_WALK_H
#define ETW_STACK_WALK_H

#include <linux/types.h>

u32 etw_stack_walk(unsigned long *frame, unsigned long *to, u32 most);
u32 etw_stack_unwind(unsigned long *frame, unsigned long *to, u32 most, char *name);

#endif /* ETW_STACK_WALK_H */
