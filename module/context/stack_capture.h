/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Captures the stack of the current thread into a buffer of this CPU. */
#ifndef ETW_STACK_CAPTURE_H
#define ETW_STACK_CAPTURE_H

#include <linux/kallsyms.h>
#include <linux/types.h>
#include "etw_hooks.h"
#include "stack_skip.h"

struct pt_regs;

/**
 * struct etw_stack - a captured stack
 * @busy: in use
 * @nr_kernel: number of kernel frames
 * @nr_user: number of user frames
 * @kernel: first frame in @raw that is not the tracer's
 * @raw: result of the unwinder
 * @user: user frames, innermost first
 * @name: buffer for the name of a function that is looked up
 */
struct etw_stack {
	bool busy;
	u32 nr_kernel;
	u32 nr_user;
	const unsigned long *kernel;
	unsigned long raw[ETW_STACK_TRACER_FRAMES + ETW_STACK_KERNEL_FRAMES];
	unsigned long user[ETW_STACK_USER_FRAMES];
	char name[KSYM_SYMBOL_LEN];
};

int etw_stack_buffers_get(void);
void etw_stack_buffers_put(void);
struct etw_stack *etw_stack_capture(struct pt_regs *regs, bool kernel);
void etw_stack_release(struct etw_stack *stack);

/* stack_user.c */
u32 etw_stack_user_frames(unsigned long *to, struct pt_regs *sample);

#endif /* ETW_STACK_CAPTURE_H */
