/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Stacks behind the events of chosen hook ids. */
#ifndef ETW_STACK_H
#define ETW_STACK_H

#include <linux/bitops.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
#include "config/items.h"

struct etw_cached_stack;
struct etw_event_context;
struct etw_ring;
struct etw_rundown;
struct etw_stack_cache;
struct etw_swap_table;
struct pt_regs;
struct task_struct;

/* Hook ids that can be chosen: groups up to ETW_MAX_HOOK_GROUP */
#define ETW_STACK_HOOK_IDS	((ETW_MAX_HOOK_GROUP + 1) << 8)

/**
 * struct etw_stacks - which events of a session have a stack
 * @addresses: kernel frames are captured, too
 * @buffers: it holds a reference on the capture buffers
 * @lock: held while @cache is replaced or its keys are written
 * @cache: frames with stack keys, or NULL
 * @next_cache: future @cache; only used by START and UPDATE
 * @swaps: stacks of threads that don't run, or NULL; kept until the end once needed
 * @hooks: hook ids of events with a stack
 * @chosen: future @hooks; only used by START and UPDATE
 */
struct etw_stacks {
	bool addresses;
	bool buffers;
	struct mutex lock;		/* cache */
	struct etw_stack_cache __rcu *cache;
	struct etw_stack_cache *next_cache;
	struct etw_swap_table *swaps;
	unsigned long hooks[BITS_TO_LONGS(ETW_STACK_HOOK_IDS)];
	unsigned long chosen[BITS_TO_LONGS(ETW_STACK_HOOK_IDS)];
};

/**
 * struct etw_stack_part - the kernel frames or user frames of a stack
 * @entry: their key, in use until etw_stack_cache_drop(); NULL: the frames are written whole
 * @frames: innermost first
 * @nr: number of frames
 * @kernel: kernel frames, else user frames
 */
struct etw_stack_part {
	struct etw_cached_stack *entry;
	const unsigned long *frames;
	u32 nr;
	bool kernel;
};

/* Payload of a context swap (struct wmi_contextswap) */
struct etw_stack_swap {
	u64 threads;
	u64 state;
	u64 wait;
};

static inline bool etw_stacks_have(const unsigned long *hooks, u16 hook_id)
{
	return hook_id < ETW_STACK_HOOK_IDS && test_bit(hook_id, hooks);
}

void etw_stacks_init(struct etw_stacks *stacks, bool addresses);
u64 etw_stacks_bytes(const struct etw_items *items);
u64 etw_stacks_swap_bytes(const struct etw_items *items, const struct etw_stacks *stacks);
int etw_stacks_choose(struct etw_stacks *stacks, const struct etw_items *items,
		      const u64 *secret);
void etw_stacks_take(struct etw_stacks *stacks, struct etw_rundown *rundown);
void etw_stacks_undo(struct etw_stacks *stacks);
void etw_stacks_free(struct etw_stacks *stacks);
void etw_stack_write(struct etw_ring *ring, const struct etw_event_context *context, u64 tick,
		     struct pt_regs *regs);
void etw_stack_swap_in(struct etw_ring *ring, const struct etw_event_context *context, u64 tick,
		       const struct task_struct *next);
bool etw_stack_swap_at_once(struct etw_ring *ring, const struct etw_event_context *context,
			    u64 threads, u64 state, u64 *now, const struct task_struct *next);
void etw_stack_swap_out(const struct etw_event_context *context, unsigned long *frame);

#endif /* ETW_STACK_H */
