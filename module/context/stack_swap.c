// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Keeps stacks of threads from when they are switched out until they are switched in. */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include "ring/ring.h"
#include "stack_swap.h"

/* Limits of the number of slots, which is twice that of threads; a slot has about 2.4 KB */
#define LEAST_SLOTS	1024U
#define MOST_SLOTS	16384U
/* Number of slots, from a thread's hash on, that may hold its stack */
#define REACH		16U

/**
 * struct etw_swap_table - slots of threads
 * @bits: log2 of the number of hash values
 * @slots: one per hash value, plus REACH - 1
 *
 * No locks: the CPU that switches a thread out writes its slot's frames, and the CPU that
 * switches the thread in reads them; the scheduler orders the two. Threads only compete
 * for free slots, by cmpxchg of a slot's task.
 */
struct etw_swap_table {
	u32 bits;
	struct etw_swap_slot slots[];
};

static u32 count_threads(void)
{
	struct task_struct *process, *thread;
	u32 n = 0;

	rcu_read_lock();
	for_each_process_thread(process, thread)
		n++;
	rcu_read_unlock();
	return n;
}

static u32 count_places(void)
{
	return roundup_pow_of_two(clamp(2 * count_threads(), LEAST_SLOTS, MOST_SLOTS));
}

static size_t bytes_of(u32 places)
{
	struct etw_swap_table *table;

	return struct_size(table, slots, places + REACH - 1);
}

/**
 * etw_swap_table_bytes() - memory size of a table
 * @table: a table, or NULL: one that would be created now
 *
 * Context: any.
 */
size_t etw_swap_table_bytes(const struct etw_swap_table *table)
{
	return bytes_of(table ? 1U << table->bits : count_places());
}

/**
 * etw_swap_table_create() - create a table for the threads of this machine
 *
 * Context: process; sleeps. Return: NULL without memory.
 */
struct etw_swap_table *etw_swap_table_create(void)
{
	u32 places = count_places();
	struct etw_swap_table *table = kvzalloc(bytes_of(places), ETW_GFP_BUFFER);

	if (table)
		table->bits = ilog2(places);
	return table;
}

/**
 * etw_swap_table_free() - free it
 * @table: a table without users, or NULL
 */
void etw_swap_table_free(struct etw_swap_table *table)
{
	kvfree(table);
}

static u64 switches_of(const struct task_struct *task)
{
	return (u64)READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
}

static struct etw_swap_slot *place_of(const struct etw_swap_table *table,
				      const struct task_struct *task)
{
	return (struct etw_swap_slot *)&table->slots[hash_ptr(task, table->bits)];
}

static struct etw_swap_slot *find(const struct etw_swap_table *table,
				  const struct task_struct *task)
{
	struct etw_swap_slot *slot = place_of(table, task);
	u32 i;

	for (i = 0; i < REACH; i++, slot++)
		if (READ_ONCE(slot->task) == task)
			return slot;
	return NULL;
}

static struct etw_swap_slot *claim(struct etw_swap_table *table, struct task_struct *task)
{
	struct etw_swap_slot *slot = place_of(table, task);
	u32 i;

	for (i = 0; i < REACH; i++, slot++)
		if (!READ_ONCE(slot->task) && !cmpxchg(&slot->task, NULL, task))
			return slot;
	return NULL;
}

/**
 * etw_swap_put() - the current thread is being switched out
 * @table: a table
 *
 * Context: sched_switch. Return: memory for its stack, or NULL.
 */
struct etw_frames *etw_swap_put(struct etw_swap_table *table)
{
	struct etw_swap_slot *slot = find(table, current);

	if (!slot)
		slot = claim(table, current);
	if (!slot)
		return NULL;
	slot->switches = switches_of(current);
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
struct etw_frames *etw_swap_get(const struct etw_swap_table *table,
				const struct task_struct *task)
{
	struct etw_swap_slot *slot = find(table, task);

	if (!slot || slot->switches != switches_of(task) || slot->started != task->start_time)
		return NULL;
	return &slot->stack;
}

/**
 * etw_swap_forget() - a thread is switched out for the last time
 * @table: a table
 * @task: the thread
 */
void etw_swap_forget(struct etw_swap_table *table, const struct task_struct *task)
{
	struct etw_swap_slot *slot = find(table, task);

	if (slot)
		WRITE_ONCE(slot->task, NULL);
}
