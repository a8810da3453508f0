// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Captures frames of the current thread, in any context; also declared in stack.h. */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include "ring/ring.h"
#include "event_context.h"
#include "stack_capture.h"
#include "stack_sites.h"
#include "stack_swap.h"
#include "stack_walk.h"

/* Task, softirq, interrupt and NMI nest strictly: a buffer each */
#define LEVELS		4

static uint stack_compare_mask = 1023;
module_param(stack_compare_mask, uint, 0644);
MODULE_PARM_DESC(stack_compare_mask,
		 "compare one of so many walks of kernel stacks plus one with the unwinder (0: all; a power of two less one)");

static DEFINE_PER_CPU(struct etw_stack_counts, counts);
static DEFINE_PER_CPU(struct etw_stack_buffer *, buffers);
static bool unwinder_only;
static DEFINE_MUTEX(users_lock);	/* users and buffers */
static u32 users;

static void free_buffers(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		kvfree(per_cpu(buffers, cpu));
		per_cpu(buffers, cpu) = NULL;
	}
}

static int make_buffers(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct etw_stack_buffer *stacks = kvcalloc(LEVELS, sizeof(*stacks), ETW_GFP_BUFFER);

		if (!stacks) {
			free_buffers();
			return -ENOMEM;
		}
		per_cpu(buffers, cpu) = stacks;
		per_cpu(counts, cpu) = (struct etw_stack_counts){ 0 };
	}
	WRITE_ONCE(unwinder_only, false);
	return 0;
}

/**
 * etw_stack_buffers_get() - allocate the capture buffers, or take a reference
 *
 * Context: process; sleeps. Return: 0; -ENOMEM.
 */
int etw_stack_buffers_get(void)
{
	int err = 0;

	mutex_lock(&users_lock);
	if (!users) {
		err = etw_sites_get();
		if (err)
			goto unlock;
		err = make_buffers();
		if (err)
			etw_sites_put();
	}
	if (!err)
		users++;
unlock:
	mutex_unlock(&users_lock);
	return err;
}

/**
 * etw_stack_buffers_put() - undo etw_stack_buffers_get()
 *
 * Context: process; sleeps; no probe of the caller's session runs any more.
 */
void etw_stack_buffers_put(void)
{
	mutex_lock(&users_lock);
	if (!--users) {
		etw_sites_put();
		free_buffers();
	}
	mutex_unlock(&users_lock);
}

/**
 * etw_stack_counts() - how a CPU's kernel stacks were walked
 * @cpu: a possible CPU
 *
 * Context: any.
 */
struct etw_stack_counts etw_stack_counts(int cpu)
{
	const struct etw_stack_counts *of = per_cpu_ptr(&counts, cpu);

	return (struct etw_stack_counts){
		.walked = READ_ONCE(of->walked),
		.unwound = READ_ONCE(of->unwound),
		.compared = READ_ONCE(of->compared),
		.different = READ_ONCE(of->different),
	};
}

static u32 unwind(struct etw_stack_buffer *buffer)
{
	u32 nr = stack_trace_save(buffer->unwound, ARRAY_SIZE(buffer->unwound), 0);

	return etw_stack_drop_unknown(buffer->unwound, nr);
}

static void no_kernel_frames(struct etw_frames *to)
{
	etw_forget_kernel_frames(to);
	to->nr_own = 0;
	to->nr_kernel = 0;
}

static void take_unwound(struct etw_frames *to, const struct etw_stack_buffer *buffer, u32 first,
			 u32 nr)
{
	etw_forget_kernel_frames(to);
	to->nr_own = 0;
	to->nr_kernel = min_t(u32, nr - first, ETW_STACK_KERNEL_FRAMES);
	etw_copy_frames(to->frame, buffer->unwound + first, to->nr_kernel);
}

/*
 * A sample's frames. The unwinder goes through interrupts and NMIs, and undoes kretprobes'
 * changes of return addresses. Its frames include the interrupted function.
 */
static void sample_frames(struct etw_stack_buffer *buffer, struct etw_frames *to,
			  struct pt_regs *regs)
{
	u32 nr = unwind(buffer);
	u32 first = etw_stack_skip_to(buffer->unwound, nr, instruction_pointer(regs));

	take_unwound(to, buffer, first, nr);
	if (!to->nr_kernel) {
		/* a precise sample of an earlier moment, or the unwinder stopped before */
		to->frame[0] = instruction_pointer(regs);
		to->nr_kernel = 1;
	}
}

static bool is_own(unsigned long address, void *name)
{
	return within_module_core(address, THIS_MODULE);
}

static bool is_machinery(unsigned long address, void *name)
{
	return etw_site_is_tracers(address, name);
}

static u32 skip_tracer(const unsigned long *frames, u32 nr, char *name)
{
	const struct etw_stack_rules rules = {
		.is_own = is_own, .is_machinery = is_machinery, .data = name,
	};

	return etw_stack_skip_tracer(frames, nr, &rules);
}

/**
 * etw_stack_take() - take this CPU's buffer for a capture
 *
 * Context: any, NMI included; preemption off until etw_stack_release().
 * Return: the buffer; NULL if that of this nesting level is in use.
 */
struct etw_stack_buffer *etw_stack_take(void)
{
	struct etw_stack_buffer *buffer;

	/* pairs with etw_stacks_take(): the caller has seen a hook id with stacks */
	smp_rmb();
	buffer = *this_cpu_ptr(&buffers) + interrupt_context_level();
	if (unlikely(READ_ONCE(buffer->busy)))
		return NULL;
	WRITE_ONCE(buffer->busy, true);
	barrier();	/* an interruption at the same level must see busy */
	return buffer;
}

/**
 * etw_stack_release() - release a buffer
 * @buffer: of etw_stack_take()
 */
void etw_stack_release(struct etw_stack_buffer *buffer)
{
	barrier();
	WRITE_ONCE(buffer->busy, false);
}

/*
 * The share of walks that is done both ways. The table must agree with the unwinder; after a
 * difference only the unwinder walks, until the last session with stacks ends.
 */
static void compare_with(struct etw_stack_buffer *buffer, struct etw_frames *to)
{
	u32 nr = unwind(buffer);
	u32 first = skip_tracer(buffer->unwound, nr, buffer->name);

	this_cpu_inc(counts.compared);
	nr = min_t(u32, nr - first, ETW_STACK_KERNEL_FRAMES);
	if (nr == to->nr_kernel &&
	    !memcmp(buffer->unwound + first, etw_kernel_frames(to), nr * sizeof(to->frame[0])))
		return;
	this_cpu_inc(counts.different);
	WRITE_ONCE(unwinder_only, true);
	take_unwound(to, buffer, first, first + nr);
}

static noinline void compare(struct etw_stack_buffer *buffer, struct etw_frames *to)
{
	struct etw_stack_buffer *own = buffer ?: etw_stack_take();

	if (!own)
		return;
	compare_with(own, to);
	if (!buffer)
		etw_stack_release(own);
}

static noinline bool event_frames_unwound(struct etw_stack_buffer *buffer, struct etw_frames *to,
					  unsigned long *frame)
{
	struct etw_stack_buffer *own = buffer ?: etw_stack_take();
	u32 nr;

	if (!own)
		return false;
	nr = etw_stack_unwind(frame, own->unwound, ARRAY_SIZE(own->unwound), own->name);
	this_cpu_inc(counts.unwound);
	take_unwound(to, own, skip_tracer(own->unwound, nr, own->name), nr);
	if (!buffer)
		etw_stack_release(own);
	return true;
}

/* The frames of an event, from its own function on */
static __always_inline bool event_frames(struct etw_stack_buffer *buffer, struct etw_frames *to,
					 unsigned long *frame)
{
	if (unlikely(READ_ONCE(unwinder_only) || !etw_stack_walk(frame, to)))
		return event_frames_unwound(buffer, to, frame);
	if (unlikely(!((this_cpu_inc_return(counts.walked) - 1) & READ_ONCE(stack_compare_mask))))
		compare(buffer, to);
	return true;
}

/*
 * If @buffer is NULL, the unwinder takes this CPU's buffer.
 * Return: false, without frames, if the unwinder must walk, but that buffer is in use.
 */
static __always_inline bool capture(struct etw_stack_buffer *buffer, struct etw_frames *to,
				    unsigned long *frame, bool kernel)
{
	if (likely(kernel)) {
		if (!event_frames(buffer, to, frame)) {
			no_kernel_frames(to);
			to->nr_user = 0;
			return false;
		}
	} else {
		no_kernel_frames(to);
	}
	to->nr_user = etw_stack_user_frames(etw_user_frames(to), NULL);
	return true;
}

/**
 * etw_stack_capture() - capture the current stack of the current thread, for an event
 * @buffer: this CPU's, taken
 * @to: out: the frames
 * @frame: __builtin_frame_address(0) of the caller
 * @kernel: capture kernel frames, without the tracer's
 *
 * Page faults are not taken: a page that is not in memory ends the stack.
 *
 * Context: any, NMI included; preemption off.
 */
void etw_stack_capture(struct etw_stack_buffer *buffer, struct etw_frames *to,
		       unsigned long *frame, bool kernel)
{
	capture(buffer, to, frame, kernel);
}

/**
 * etw_stack_swap_out() - keep the current thread's stack until it is switched in
 * @context: event context, with a stack for context swaps
 * @frame: __builtin_frame_address(0) of a caller, direct or not
 *
 * Context: sched_switch, where the thread's memory can still be read.
 */
void etw_stack_swap_out(const struct etw_event_context *context, unsigned long *frame)
{
	const struct etw_stacks *stacks = &context->stacks;
	struct etw_swap_table *table;
	struct etw_frames *frames;

	smp_rmb();	/* as in swapped() */
	table = READ_ONCE(stacks->swaps);
	if (!table || !current->pid)
		return;
	if (READ_ONCE(current->__state) == TASK_DEAD) {
		etw_swap_forget(table, current);
		return;
	}
	frames = etw_swap_put(table);
	if (unlikely(!frames || !capture(NULL, frames, frame, stacks->addresses)))
		this_cpu_inc(*context->uncounted);
}

/**
 * etw_stack_capture_sample() - capture the current stack of the current thread, for a sample
 * @buffer: this CPU's, taken
 * @to: out: the frames
 * @regs: registers of the sample
 * @kernel: capture kernel frames
 *
 * Page faults are not taken, as in etw_stack_capture().
 *
 * Context: any, NMI included; preemption off.
 */
void etw_stack_capture_sample(struct etw_stack_buffer *buffer, struct etw_frames *to,
			      struct pt_regs *regs, bool kernel)
{
	no_kernel_frames(to);
	if (kernel && !user_mode(regs))
		sample_frames(buffer, to, regs);
	to->nr_user = etw_stack_user_frames(etw_user_frames(to), regs);
}
