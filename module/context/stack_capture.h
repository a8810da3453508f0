/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Captures the stack of the current thread into a buffer of this CPU. */
#ifndef ETW_STACK_CAPTURE_H
#define ETW_STACK_CAPTURE_H

#include <linux/compiler.h>
#include <linux/kallsyms.h>
#include <linux/types.h>
#include "etw_hooks.h"
#include "stack_cache.h"
#include "stack_skip.h"

struct pt_regs;

/* Most frames of this module and its callers that a walk by the table leaves out */
#define ETW_STACK_OWN_FRAMES	16
/* Kernel frames whose places are kept */
#define ETW_STACK_PLACES	48
/* Of these, places that a function reached that aligns its stack */
#define ETW_STACK_ALIGNED	4

/**
 * struct etw_stack_places - where a walk by the table found its frames
 * @era: of the table
 * @nr: number of frames with a place
 * @nr_aligned: number of @aligned
 * @whole: the walk found one more frame, directly below the registers of the kernel's entry
 * @aligned: functions that align their stack: index of the next place, and the lowest of the
 *	three words that could have been it
 * @place: distance of each from the first one, in words; on arm64 of each frame record, with
 *	the one behind the last frame
 *
 * The next walk into the same memory compares the words at these places. As long as they
 * are the same, the table would lead to the same places.
 */
struct etw_stack_places {
	u32 era;
	u16 nr;
	u8 nr_aligned;
	bool whole;
	struct {
		u16 index;
		u16 beside;
	} aligned[ETW_STACK_ALIGNED];
	u16 place[ETW_STACK_PLACES];
};

/**
 * struct etw_frames - the frames of a stack
 * @nr_own: number of frames of this module and its callers
 * @nr_kernel: number of kernel frames
 * @nr_user: number of user frames
 * @kernel_hint: where the key of the kernel frames was last
 * @user_hint: the same for the user frames, without their stamp
 * @places: places of the first frames, for the next walk
 * @frame: own frames, kernel frames, then user frames, each innermost first
 */
struct etw_frames {
	u32 nr_own;
	u32 nr_kernel;
	u32 nr_user;
	struct etw_stack_hint kernel_hint;
	struct etw_stack_hint user_hint;
	struct etw_stack_places places;
	unsigned long frame[ETW_STACK_OWN_FRAMES + ETW_STACK_KERNEL_FRAMES +
			    ETW_STACK_USER_FRAMES];
};

/* The kernel frames will be others than those before. */
static inline void etw_forget_kernel_frames(struct etw_frames *frames)
{
	frames->places.nr = 0;
	frames->kernel_hint.stamp = 0;
}

static inline unsigned long *etw_kernel_frames(struct etw_frames *frames)
{
	return frames->frame + frames->nr_own;
}

static inline unsigned long *etw_user_frames(struct etw_frames *frames)
{
	return etw_kernel_frames(frames) + frames->nr_kernel;
}

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
void etw_stack_capture(struct etw_stack_buffer *buffer, struct etw_frames *to,
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
	const unsigned long *end = from + nr;

	if (nr & 1)
		*to++ = *from++;
	if (nr & 2) {
		unsigned long first = from[0], second = from[1];

		to[0] = first;
		to[1] = second;
		from += 2;
		to += 2;
	}
	for (; from < end; from += 4, to += 4) {
		unsigned long first = from[0], second = from[1], third = from[2], fourth = from[3];

		to[0] = first;
		to[1] = second;
		to[2] = third;
		to[3] = fourth;
		barrier();	/* otherwise the compiler may call memcpy() */
	}
}

/* stack_user.c */
u32 etw_stack_user_frames(unsigned long *to, struct pt_regs *sample);

#endif /* ETW_STACK_CAPTURE_H */
