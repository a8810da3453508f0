// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Keeps stacks of threads from when they are switched out until they are switched in. */
#include <linux/atomic.h>
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

	return struct_size(table, slots, places + ETW_SWAP_REACH - 1);
}

/**
 * etw_swap_table_bytes() - memory size of a table
 * @table: a table, or NULL: one that would be created now
 *
 * Context: any.
 */
size_t etw_swap_table_bytes(const struct etw_swap_table *table)
{
	return bytes_of(table ? 1U << (64 - table->shift) : count_places());
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
		table->shift = 64 - ilog2(places);
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

/**
 * etw_swap_find_further() - find the slot of a thread that is not at its hash value
 * @slot: the slot there
 * @task: the thread
 *
 * Return: the slot, or NULL.
 */
struct etw_swap_slot *etw_swap_find_further(struct etw_swap_slot *slot,
					    const struct task_struct *task)
{
	u32 i;

	for (i = 1; i < ETW_SWAP_REACH; i++)
		if (READ_ONCE((++slot)->task) == task)
			return slot;
	return NULL;
}

/**
 * etw_swap_claim() - claim a free slot
 * @slot: the slot at the thread's hash value
 * @task: the thread
 *
 * Return: the slot, or NULL.
 */
struct etw_swap_slot *etw_swap_claim(struct etw_swap_slot *slot, struct task_struct *task)
{
	u32 i;

	for (i = 0; i < ETW_SWAP_REACH; i++, slot++)
		if (!READ_ONCE(slot->task) && !cmpxchg(&slot->task, NULL, task))
			return slot;
	return NULL;
}

/**
 * etw_swap_forget() - a thread is switched out for the last time
 * @table: a table
 * @task: the thread
 */
void etw_swap_forget(struct etw_swap_table *table, const struct task_struct *task)
{
	struct etw_swap_slot *slot = etw_swap_find(table, task);

	if (slot)
		WRITE_ONCE(slot->task, NULL);
}
