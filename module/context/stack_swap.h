/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Stacks of threads that don't run, in preallocated slots. */
#ifndef ETW_STACK_SWAP_H
#define ETW_STACK_SWAP_H

#include <linux/types.h>
#include "stack_capture.h"

struct etw_swap_table;
struct task_struct;

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

size_t etw_swap_table_bytes(const struct etw_swap_table *table);
struct etw_swap_table *etw_swap_table_create(void);
void etw_swap_table_free(struct etw_swap_table *table);
struct etw_frames *etw_swap_put(struct etw_swap_table *table);
struct etw_frames *etw_swap_get(const struct etw_swap_table *table,
				const struct task_struct *task);
void etw_swap_forget(struct etw_swap_table *table, const struct task_struct *task);

#endif /* ETW_STACK_SWAP_H */
