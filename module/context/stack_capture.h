/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Captures the stack of the current thread into a buffer of this CPU. */
#ifndef ETW_STACK_CAPTURE_H
#define ETW_STACK_CAPTURE_H

#include <linux/compiler.h>
#include <linux/kallsyms.h>
#include <linux/types.h>
#include "etw_hooks.h"
#include "stack_skip.h"

struct pt_regs;

/**
 * struct etw_frames - the frames of a stack
 * @nr_kernel: number of kernel frames
 * @nr_user: number of user frames
 * @frame: kernel frames, then user frames, each innermost first
 */
struct etw_frames {
	u32 nr_kernel;
	u32 nr_user;
	unsigned long frame[ETW_STACK_KERNEL_FRAMES + ETW_STACK_USER_FRAMES];
};

/**
 * struct etw_stack_buffer - memory of a CPU and nesting level for one capture
 * @busy: in use
 * @frames: the captured stack, if the caller has no other memory for it
 * @unwound: frames of the unwinder, with the tracer's
 * @name: name of a function that is looked up
 */
struct etw_stack_buffer {
	bool busy;
	struct etw_frames frames;
	unsigned long unwound[ETW_STACK_TRACER_FRAMES + ETW_STACK_KERNEL_FRAMES];
	char name[KSYM_SYMBOL_LEN];
};

/**
 * struct etw_stack_counts - how kernel stacks were walked, but for those of samples
 * @walked: by the table of return addresses
 * @unwound: by the unwinder
 * @compared: of @walked, those that the unwinder walked, too
 * @different: of @compared, those that differed
 */
struct etw_stack_counts {
	u64 walked;
	u64 unwound;
	u64 compared;
	u64 different;
};

struct etw_stack_counts etw_stack_counts(int cpu);
int etw_stack_buffers_get(void);
void etw_stack_buffers_put(void);
struct etw_stack_buffer *etw_stack_take(void);
void etw_stack_release(struct etw_stack_buffer *buffer);
bool etw_stack_capture(struct etw_stack_buffer *buffer, struct etw_frames *to,
		       unsigned long *frame, bool kernel);
void etw_stack_capture_sample(struct etw_stack_buffer *buffer, struct etw_frames *to,
			      struct pt_regs *regs, bool kernel);

/**
 * etw_copy_frames() - copy frames
 * @to: destination
 * @from: source
 * @nr: number of frames; few, for which the kernel's memcpy() takes longer
 */
static __always_inline void etw_copy_frames(unsigned long *to, const unsigned long *from, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		WRITE_ONCE(to[i], from[i]);
}

/* stack_user.c */
u32 etw_stack_user_frames(unsigned long *to, struct pt_regs *sample);

#endif /* ETW_STACK_CAPTURE_H */
