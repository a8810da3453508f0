// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Stack records: behind their event, on the same CPU, kernel frames first. */
#include <linux/sched.h>
#include "record/perfinfo.h"
#include "record/thread_ids.h"
#include "ring/reserve.h"
#include "event_context.h"
#include "stack.h"
#include "stack_cache.h"
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

static_assert(sizeof(struct etw_stack_swap) == sizeof(struct wmi_contextswap));

/* Units of 8 bytes: a record by key; a whole one without its frames; a context swap */
#define KEY_UNITS	((sizeof(struct perfinfo_trace_header) + \
			  sizeof(struct perfinfo_stack_by_key)) / sizeof(u64))
#define WHOLE_UNITS	((sizeof(struct perfinfo_trace_header) + \
			  sizeof(struct perfinfo_stack)) / sizeof(u64))
#define SWAP_UNITS	((sizeof(struct perfinfo_trace_header) + \
			  sizeof(struct etw_stack_swap)) / sizeof(u64))

static __always_inline bool has_record(const struct etw_stack_part *part)
{
	return part->entry || part->nr;
}

static __always_inline u32 units_of(const struct etw_stack_part *part)
{
	return part->entry ? KEY_UNITS : WHOLE_UNITS + part->nr;
}

static __always_inline void put_by_key(u64 *to, u64 tick, const struct perfinfo_stack *head,
				       const struct etw_stack_part *part)
{
	u16 hook_id = part->kernel ? PERFINFO_LOG_TYPE_STACKTRACE_KEY_KERNEL :
				     PERFINFO_LOG_TYPE_STACKTRACE_KEY_USER;

	to[0] = etw_perfinfo_word(hook_id, PERFINFO_STACK_VERSION, KEY_UNITS * sizeof(u64));
	to[1] = tick;
	*(struct perfinfo_stack_by_key *)(to + 2) = (struct perfinfo_stack_by_key){
		.event_time_stamp = head->event_time_stamp,
		.stack_key = part->entry->key,
		.process_id = head->process_id,
		.thread_id = head->thread_id,
	};
}

/* Return: behind the record. */
static __always_inline u64 *put_part(u64 *to, u64 tick, const struct perfinfo_stack *head,
				     const struct etw_stack_part *part)
{
	u32 units = units_of(part);

	if (part->entry) {
		put_by_key(to, tick, head, part);
		return to + units;
	}
	to[0] = etw_perfinfo_word(PERFINFO_LOG_TYPE_STACKWALK, PERFINFO_STACK_VERSION,
				  units * sizeof(u64));
	to[1] = tick;
	*(struct perfinfo_stack *)(to + 2) = *head;
	etw_copy_frames((unsigned long *)to + WHOLE_UNITS, part->frames, part->nr);
	return to + units;
}

/* Write a part where it fits; otherwise it is a loss. */
static noinline void put_alone(struct etw_ring *ring, const struct perfinfo_stack *head,
			       const struct etw_stack_part *part)
{
	u32 size = units_of(part) * sizeof(u64);
	struct etw_reservation at;

	if (!has_record(part) || !etw_reserve(ring, size, &at, ETW_RESERVE_COUNT))
		return;
	put_part(at.data, at.tick, head, part);
	etw_commit(ring, &at, size);
}

/*
 * Write both parts, and before them the context swap, if any, by one exchange.
 * Return: false if nothing was written, because they do not fit or an interrupt came between.
 */
static __always_inline bool put_at_once(struct etw_ring *ring, const struct etw_stack_swap *swap,
					u64 *now, struct perfinfo_stack *head,
					const struct etw_stack_part *kernel,
					const struct etw_stack_part *user)
{
	u64 added = swap ? etw_w_add(0, SWAP_UNITS) : 0, *to;
	const bool direct = etw_has_fast_atomics();
	struct etw_reservation at;

	if (has_record(kernel))
		added = etw_w_add(added, units_of(kernel));
	if (has_record(user))
		added = etw_w_add(added, units_of(user));
	if (!added)
		return true;
	if (unlikely(!etw_reserve_added_once(ring, added, now, direct, &at)))
		return false;
	to = at.data;
	if (swap) {
		to[0] = etw_perfinfo_word(PERFINFO_LOG_TYPE_CONTEXTSWAP, WMI_CONTEXTSWAP_VERSION,
					  SWAP_UNITS * sizeof(u64));
		to[1] = at.tick;
		*(struct etw_stack_swap *)(to + 2) = *swap;
		to += SWAP_UNITS;
		head->event_time_stamp = at.tick;
	}
	if (has_record(kernel))
		to = put_part(to, at.tick, head, kernel);
	if (has_record(user))
		to = put_part(to, at.tick, head, user);
	if (unlikely(etw_commit_once(&at, (u8 *)to - (u8 *)at.data, direct)))
		etw_slot_publish(ring, at.slot);
	return true;
}

static __always_inline struct etw_stack_part kernel_part(struct etw_frames *frames,
							 struct etw_cached_stack *entry)
{
	return (struct etw_stack_part){
		.entry = entry, .frames = etw_kernel_frames(frames), .nr = frames->nr_kernel,
		.kernel = true,
	};
}

static __always_inline struct etw_stack_part user_part(struct etw_frames *frames,
						       struct etw_cached_stack *entry)
{
	return (struct etw_stack_part){
		.entry = entry, .frames = etw_user_frames(frames), .nr = frames->nr_user,
	};
}

/* A separate function, so that the parts of put_both() can stay in registers */
static noinline void put_separately(struct etw_ring *ring, struct perfinfo_stack head,
				    struct etw_frames *frames,
				    struct etw_cached_stack *kernel_entry,
				    struct etw_cached_stack *user_entry)
{
	const struct etw_stack_part kernel = kernel_part(frames, kernel_entry);
	const struct etw_stack_part user = user_part(frames, user_entry);

	put_alone(ring, &head, &kernel);
	put_alone(ring, &head, &user);
}

/* Return: false if @swap is not NULL and was not written, nor were the parts. */
static __always_inline bool put_both(struct etw_ring *ring, const struct etw_stack_swap *swap,
				     u64 *now, struct perfinfo_stack head,
				     struct etw_frames *frames,
				     struct etw_cached_stack *kernel_entry,
				     struct etw_cached_stack *user_entry)
{
	const struct etw_stack_part kernel = kernel_part(frames, kernel_entry);
	const struct etw_stack_part user = user_part(frames, user_entry);
	struct perfinfo_stack copy = head;

	if (likely(put_at_once(ring, swap, now, &copy, &kernel, &user)))
		return true;
	if (!swap)
		put_separately(ring, head, frames, kernel_entry, user_entry);
	return !swap;
}

/* Return: the key of a part, in use; NULL if it has none. */
static __always_inline struct etw_cached_stack *
take_key(struct etw_ring *ring, struct etw_stack_cache *cache, struct etw_stack_hint *hint,
	 const unsigned long *frames, u32 nr, bool kernel)
{
	struct etw_cached_stack *entry = NULL;

	if (nr < ETW_STACK_CACHED_FRAMES)
		return NULL;
	if (likely(!kernel || hint->stamp))
		entry = etw_stack_cache_hinted(cache, hint, frames, nr, kernel);
	if (likely(entry))
		return entry;
	return etw_stack_find_key(ring, cache, hint, frames, nr, kernel);
}

static __always_inline bool put_by_keys(struct etw_ring *ring, struct etw_stack_cache *cache,
					const struct etw_stack_swap *swap, u64 *now,
					struct perfinfo_stack head, struct etw_frames *frames)
{
	struct etw_cached_stack *kernel, *user;
	bool done;

	kernel = take_key(ring, cache, &frames->kernel_hint, etw_kernel_frames(frames),
			  frames->nr_kernel, true);
	user = take_key(ring, cache, &frames->user_hint, etw_user_frames(frames),
			frames->nr_user, false);
	done = put_both(ring, swap, now, head, frames, kernel, user);
	if (kernel)
		etw_stack_cache_drop(kernel);
	if (user)
		etw_stack_cache_drop(user);
	return done;
}

static __always_inline bool put_parts(struct etw_ring *ring, const struct etw_stacks *stacks,
				      const struct etw_stack_swap *swap, u64 *now,
				      struct perfinfo_stack head, struct etw_frames *frames)
{
	struct etw_stack_cache *cache = rcu_dereference_sched(stacks->cache);

	if (cache)
		return put_by_keys(ring, cache, swap, now, head, frames);
	return put_both(ring, swap, now, head, frames, NULL, NULL);
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
	u64 now;

	if (unlikely(!buffer)) {
		this_cpu_inc(*context->uncounted);
		return;
	}
	if (regs)
		etw_stack_capture_sample(buffer, &buffer->frames, regs, stacks->addresses);
	else
		etw_stack_capture(buffer, &buffer->frames, __builtin_frame_address(0),
				  stacks->addresses);
	now = etw_counter_now();
	put_parts(ring, stacks, NULL, &now, head, &buffer->frames);
	etw_stack_release(buffer);
}

/* Return: the stack of a thread that is switched in, or NULL. */
static __always_inline struct etw_frames *swapped(const struct etw_stacks *stacks,
						  const struct task_struct *next)
{
	struct etw_swap_table *table;

	smp_rmb();	/* pairs with etw_stacks_take(): the hook id has a stack */
	table = READ_ONCE(stacks->swaps);
	return table && next->pid ? etw_swap_get(table, next) : NULL;
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
	struct etw_frames *frames = swapped(&context->stacks, next);
	const struct perfinfo_stack head = {
		.event_time_stamp = tick,
		.process_id = etw_process_id(next),
		.thread_id = next->pid,
	};
	u64 now = etw_counter_now();

	if (frames)
		put_parts(ring, &context->stacks, NULL, &now, head, frames);
}

/**
 * etw_stack_swap_at_once() - write a context swap and the stack of the thread that is switched in
 * @ring: a ring
 * @context: event context, with a stack for context swaps, which have no counters
 * @threads: first word of the context swap
 * @state: second word
 * @now: counter at the event; read again if an interrupt came between
 * @next: the thread
 *
 * Context: sched_switch.
 * Return: false if nothing was written: there is no stack, not enough space in the buffer, or the
 * session's clock is not the counter.
 */
bool etw_stack_swap_at_once(struct etw_ring *ring, const struct etw_event_context *context,
			    u64 threads, u64 state, u64 *now, const struct task_struct *next)
{
	const struct etw_stack_swap swap = { .threads = threads, .state = state };
	const struct perfinfo_stack head = {
		.process_id = etw_process_id(next),
		.thread_id = next->pid,
	};
	struct etw_frames *frames;

	/* otherwise each switch would look for its keys twice, and give a key to each new stack */
	if (unlikely(!ring->limit))
		return false;
	frames = swapped(&context->stacks, next);
	return frames && put_parts(ring, &context->stacks, &swap, now, head, frames);
}
