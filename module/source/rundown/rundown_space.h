/* SPDX-License-Identifier: GPL-2.0 */
/* An address space as a rundown goes through it, while its process may end, or exec. */
#ifndef ETW_RUNDOWN_SPACE_H
#define ETW_RUNDOWN_SPACE_H

#include <linux/types.h>

struct etw_rundown;
struct etw_task_entry;
struct mm_struct;
struct task_struct;

/**
 * struct etw_space_walk - an address space that is told of
 * @task: a thread in it
 * @mm: it; held within a step only
 * @from: where the next step looks
 * @ticks: how long an exec may be waited for still
 */
struct etw_space_walk {
	struct task_struct *task;
	struct mm_struct *mm;
	unsigned long from;
	u32 ticks;
};

/*
 * A step: tells what was found, and moves @from behind what was told; never waits for room.
 * Returns 0 or -EAGAIN: there may be more; -ENOENT: there is none; -ESRCH: the thread is not
 * there any more, another one may be.
 */
typedef int etw_space_step(struct etw_rundown *rundown, struct etw_space_walk *walk);

bool etw_space_is_there(const struct etw_space_walk *walk);
void etw_space_walk(struct etw_rundown *rundown, struct etw_space_walk *walk,
		    const struct etw_task_entry *entry, u32 count, etw_space_step *step);

#endif /* ETW_RUNDOWN_SPACE_H */
