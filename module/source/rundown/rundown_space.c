// SPDX-License-Identifier: GPL-2.0
/* An address space as a rundown goes through it, while its process may end, or exec. */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include "context/rundown.h"
#include "rundown_space.h"
#include "rundown_tasks.h"

/* Ticks that an exec is waited for: one that takes longer most likely has the old image still */
#define EXEC_TICKS	3

/**
 * etw_space_is_there() - whether what is in an address space may be told of its process
 * @walk: within a step
 *
 * Context: any. Return: neither has the process ended, nor the thread, nor has that become
 * another program.
 */
bool etw_space_is_there(const struct etw_space_walk *walk)
{
	return atomic_read(&walk->task->signal->live) && READ_ONCE(walk->task->mm) == walk->mm;
}

/* Returns as a step does; -EBUSY: not yet. */
static int step_in(struct etw_rundown *rundown, struct etw_space_walk *walk, struct mm_struct *mm,
		   etw_space_step *step)
{
	/*
	 * What an exec has by now may be of the image whose Process Start is to come. Asked
	 * once the address space is known: of one that changes afterwards nothing is told.
	 */
	if (!walk->mm && walk->ticks && etw_is_in_exec(walk->task))
		return -EBUSY;
	if (!walk->mm)
		walk->mm = mm;
	/* else it has become another program, which tells of itself */
	return walk->mm == mm ? step(rundown, walk) : -ENOENT;
}

/*
 * Neither the lock nor the address space is held while we wait for room: the reader
 * may be this very process, and what one has that ends meanwhile is to end before it does.
 */
static int next_step(struct etw_rundown *rundown, struct etw_space_walk *walk,
		     etw_space_step *step)
{
	struct mm_struct *mm;
	int err;

	etw_rundown_wait(rundown);
	mm = get_task_mm(walk->task);
	if (!mm)
		return -ESRCH;
	err = step_in(rundown, walk, mm, step);
	mmput_async(mm);
	if (err != -EBUSY)
		return err;
	walk->ticks--;
	schedule_timeout_killable(1);
	return 0;
}

/**
 * etw_space_walk() - tell what is in the address space of a process
 * @rundown: where to
 * @walk: how; its user may have it within something of its own
 * @entry: threads of the process
 * @count: how many
 * @step: what tells it, part by part
 *
 * By the first thread that has an address space: others may have ended.
 * Context: process; sleeps.
 */
void etw_space_walk(struct etw_rundown *rundown, struct etw_space_walk *walk,
		    const struct etw_task_entry *entry, u32 count, etw_space_step *step)
{
	int err = -ESRCH;

	walk->mm = NULL;
	walk->from = 0;
	walk->ticks = EXEC_TICKS;
	for (; count && err == -ESRCH; count--, entry++) {
		walk->task = entry->task;
		do
			err = next_step(rundown, walk, step);
		while (!err || err == -EAGAIN);
	}
}
