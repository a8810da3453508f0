// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Stack records: behind their event, on the same CPU, kernel frames first. */
#include <linux/sched.h>
#include "record/perfinfo.h"
#include "record/thread_ids.h"
#include "event_context.h"
#include "stack.h"
#include "stack_capture.h"
#include "stack_keys.h"
#include "stack_swap.h"

/*
 * The stack is captured after its event is written, so a lost event costs nothing more.
 * A stack record without free space is a loss like any other.
 * (kernel-events.rst 11.1, 11.2)
 */

static_assert(sizeof(struct perfinfo_trace_header) + sizeof(struct perfinfo_stack) +
	      ETW_STACK_KERNEL_FRAMES * sizeof(u64) <= ETW_MAX_RECORD &&
	      ETW_STACK_USER_FRAMES <= ETW_STACK_KERNEL_FRAMES);

static noinline void put_whole(struct etw_ring *ring, const struct perfinfo_stack *head,
			       const unsigned long *frames, u32 nr)
{
	u32 size = sizeof(struct perfinfo_trace_header) + sizeof(*head) + nr * sizeof(*frames);
	struct etw_reservation at;
	u64 *to;

	if (unlikely(!etw_reserve(ring, size, &at, ETW_RESERVE_COUNT)))
		return;
	to = at.data;
	to[0] = etw_perfinfo_word(PERFINFO_LOG_TYPE_STACKWALK, PERFINFO_STACK_VERSION, size);
	to[1] = at.tick;
	to += sizeof(struct perfinfo_trace_header) / sizeof(*to);
	*(struct perfinfo_stack *)to = *head;
	to += sizeof(*head) / sizeof(*to);
	etw_copy_frames((unsigned long *)to, frames, nr);
	etw_commit(ring, &at, size);
}

static void put_part(struct etw_ring *ring, struct etw_stack_cache *cache,
		     const struct etw_stack_part *part)
{
	if (part->nr >= ETW_STACK_CACHED_FRAMES && etw_stack_put_key(ring, cache, part))
		return;
	if (part->nr)
		put_whole(ring, &part->head, part->frames, part->nr);
}

static noinline void put_by_key(struct etw_ring *ring, struct etw_stack_cache *cache,
				const struct perfinfo_stack *head, struct etw_frames *frames)
{
	struct etw_stack_part part = {
		.head = *head, .frames = etw_kernel_frames(frames), .nr = frames->nr_kernel,
		.hint = &frames->kernel_hint, .kernel = true,
	};

	put_part(ring, cache, &part);
	part.frames = etw_user_frames(frames);
	part.hint = &frames->user_hint;
	part.nr = frames->nr_user;
	part.kernel = false;
	put_part(ring, cache, &part);
}

static __always_inline void put_parts(struct etw_ring *ring, const struct etw_stacks *stacks,
				      const struct perfinfo_stack *head, struct etw_frames *frames)
{
	struct etw_stack_cache *cache = rcu_dereference_sched(stacks->cache);

	if (cache) {
		put_by_key(ring, cache, head, frames);
		return;
	}
	if (frames->nr_kernel)
		put_whole(ring, head, etw_kernel_frames(frames), frames->nr_kernel);
	if (frames->nr_user)
		put_whole(ring, head, etw_user_frames(frames), frames->nr_user);
}

/**
 * etw_stack_write() - write the current thread's stack behind its event
 * @ring: ring of the event
 * @context: event context, with a stack for the event
 * @tick: the event's stamp
 * @regs: registers of a sample, or NULL
 *
 * Context: any; preemption off.
 */
void etw_stack_write(struct etw_ring *ring, const struct etw_event_context *context, u64 tick,
		     struct pt_regs *regs)
{
	const struct etw_stacks *stacks = &context->stacks;
	const struct perfinfo_stack head = {
		.event_time_stamp = tick,
		.process_id = etw_process_id(current),
		.thread_id = current->pid,
	};
	struct etw_stack_buffer *buffer = etw_stack_take();

	if (unlikely(!buffer)) {
		this_cpu_inc(*context->uncounted);
		return;
	}
	if (regs)
		etw_stack_capture_sample(buffer, &buffer->frames, regs, stacks->addresses);
	else
		etw_stack_capture(buffer, &buffer->frames, __builtin_frame_address(0),
				  stacks->addresses);
	put_parts(ring, stacks, &head, &buffer->frames);
	etw_stack_release(buffer);
}

/**
 * etw_stack_swap_in() - write the stack of the thread that is switched in
 * @ring: ring of the context swap event
 * @context: event context, with a stack for context swaps
 * @tick: the context swap's stamp
 * @next: the thread
 *
 * Context: sched_switch.
 */
void etw_stack_swap_in(struct etw_ring *ring, const struct etw_event_context *context, u64 tick,
		       const struct task_struct *next)
{
	const struct etw_stacks *stacks = &context->stacks;
	const struct perfinfo_stack head = {
		.event_time_stamp = tick,
		.process_id = etw_process_id(next),
		.thread_id = next->pid,
	};
	struct etw_swap_table *table;
	struct etw_frames *frames;

	smp_rmb();	/* pairs with etw_stacks_take(): the hook id has a stack */
	table = READ_ONCE(stacks->swaps);
	frames = table && next->pid ? etw_swap_get(table, next) : NULL;
	if (frames)
		put_parts(ring, stacks, &head, frames);
}

/**
 * etw_stack_swap_out() - keep the current thread's stack until it is switched in
 * @context: event context, with a stack for context swaps
 *
 * Context: sched_switch, where the thread's memory can still be read.
 */
void etw_stack_swap_out(const struct etw_event_context *context)
{
	const struct etw_stacks *stacks = &context->stacks;
	struct etw_swap_table *table;
	struct etw_frames *frames;

	smp_rmb();	/* as in etw_stack_swap_in() */
	table = READ_ONCE(stacks->swaps);
	if (!table || !current->pid)
		return;
	if (READ_ONCE(current->__state) == TASK_DEAD) {
		etw_swap_forget(table, current);
		return;
	}
	frames = etw_swap_put(table);
	if (unlikely(!frames || !etw_stack_capture(NULL, frames, __builtin_frame_address(0),
						   stacks->addresses)))
		this_cpu_inc(*context->uncounted);
}
