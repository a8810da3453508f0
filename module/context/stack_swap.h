/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Stacks of threads that don't run, in preallocated slots. */
#ifndef ETW_STACK_SWAP_H
#define ETW_STACK_SWAP_H

#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include <linux/types.h>
#include "stack_capture.h"

/**
 * struct etw_swap_slot - the stack of a thread when it was switched out
 * @task: the thread; NULL: free slot
 * @switches: the thread's number of switches at that time
 * @started: start time of the thread, because a task's memory may be reused
 * @stack: its frames
 */
struct etw_swap_slot {
	struct task_struct *task;
	u64 switches;
	u64 started;
	struct etw_frames stack;
};

/* Number of slots, from a thread's hash on, that may hold its stack */
#define ETW_SWAP_REACH		16U

/**
 * struct etw_swap_table - slots of threads
 * @shift: 64 less log2 of the number of hash values
 * @slots: one per hash value, plus ETW_SWAP_REACH - 1
 *
 * No locks: the CPU that switches a thread out writes its slot's frames, and the CPU that
 * switches the thread in reads them; the scheduler orders the two. Threads only compete
 * for free slots, by cmpxchg of a slot's task.
 */
struct etw_swap_table {
	u32 shift;
	struct etw_swap_slot slots[];
};

size_t etw_swap_table_bytes(const struct etw_swap_table *table);
struct etw_swap_table *etw_swap_table_create(void);
void etw_swap_table_free(struct etw_swap_table *table);
struct etw_swap_slot *etw_swap_find_further(struct etw_swap_slot *slot,
					    const struct task_struct *task);
struct etw_swap_slot *etw_swap_claim(struct etw_swap_slot *slot, struct task_struct *task);
void etw_swap_forget(struct etw_swap_table *table, const struct task_struct *task);

static inline u64 etw_switches_of(const struct task_struct *task)
{
	return (u64)READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
}

static inline struct etw_swap_slot *etw_swap_place_of(const struct etw_swap_table *table,
						      const struct task_struct *task)
{
	return (struct etw_swap_slot *)&table->slots[(u64)task * GOLDEN_RATIO_64 >> table->shift];
}

/* The slot of a thread, or NULL */
static __always_inline struct etw_swap_slot *etw_swap_find(const struct etw_swap_table *table,
							   const struct task_struct *task)
{
	struct etw_swap_slot *slot = etw_swap_place_of(table, task);

	if (likely(READ_ONCE(slot->task) == task))
		return slot;
	return etw_swap_find_further(slot, task);
}

/**
 * etw_swap_put() - the current thread is being switched out
 * @table: a table
 *
 * Context: sched_switch. Return: memory for its stack, or NULL.
 */
static __always_inline struct etw_frames *etw_swap_put(struct etw_swap_table *table)
{
	struct etw_swap_slot *slot = etw_swap_find(table, current);

	if (unlikely(!slot))
		slot = etw_swap_claim(etw_swap_place_of(table, current), current);
	if (unlikely(!slot))
		return NULL;
	slot->switches = etw_switches_of(current);
	slot->started = current->start_time;
	return &slot->stack;
}

/**
 * etw_swap_get() - a thread is being switched in
 * @table: a table
 * @task: the thread
 *
 * If the probe missed a switch, the slot has an old stack. The thread's own count of
 * switches reveals that.
 *
 * Context: sched_switch. Return: the thread's stack, or NULL.
 */
static __always_inline struct etw_frames *etw_swap_get(const struct etw_swap_table *table,
						       const struct task_struct *task)
{
	struct etw_swap_slot *slot = etw_swap_find(table, task);

	if (!slot || slot->switches != etw_switches_of(task) ||
	    slot->started != task->start_time)
		return NULL;
	return &slot->stack;
}

#endif /* ETW_STACK_SWAP_H */
