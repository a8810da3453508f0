/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Walks an address space for a rundown, while its process may end or exec. */
#ifndef ETW_RUNDOWN_SPACE_H
#define ETW_RUNDOWN_SPACE_H

#include <linux/types.h>

struct etw_rundown;
struct etw_task_entry;
struct mm_struct;
struct task_struct;

/* Most mappings that a step visits, so that the walk can end between steps */
#define ETW_SPACE_STEP	512

/**
 * struct etw_space_walk - a walk through an address space
 * @task: a thread in it
 * @mm: the address space; held within a step only
 * @from: address where the next step begins
 * @ticks: how much longer to wait for an exec
 */
struct etw_space_walk {
	struct task_struct *task;
	struct mm_struct *mm;
	unsigned long from;
	u32 ticks;
};

/*
 * A step writes what it found, and moves @from past it; it never waits for free space.
 * Returns 0 or -EAGAIN: there may be more; -ENOENT: there is no more; -ESRCH: the thread is
 * gone, but another one may exist; -ETIME: the lock was not free in time.
 */
typedef int etw_space_step(struct etw_rundown *rundown, struct etw_space_walk *walk);

bool etw_space_is_there(const struct etw_space_walk *walk);
void etw_space_walk(struct etw_rundown *rundown, struct etw_space_walk *walk,
		    const struct etw_task_entry *entry, u32 count, etw_space_step *step);

#endif /* ETW_RUNDOWN_SPACE_H */
