// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Walks an address space for a rundown, while its process may end or exec. */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include "context/rundown.h"
#include "rundown_space.h"
#include "rundown_tasks.h"

/* Ticks to wait for an exec; one that takes longer most likely still has the old image */
#define EXEC_TICKS	3

/**
 * etw_space_is_there() - whether an address space may be recorded for its process
 * @walk: within a step
 *
 * Context: any. Return: true if the process and the thread have not ended, and the thread
 * has not executed another program.
 */
bool etw_space_is_there(const struct etw_space_walk *walk)
{
	return atomic_read(&walk->task->signal->live) && READ_ONCE(walk->task->mm) == walk->mm;
}

/* Returns as a step does; -EBUSY: try again later. */
static int step_in(struct etw_rundown *rundown, struct etw_space_walk *walk, struct mm_struct *mm,
		   etw_space_step *step)
{
	/*
	 * During an exec, the address space may be of a program without a Process Start so far.
	 * Checked once it is known: nothing is written of one that changes afterwards.
	 */
	if (!walk->mm && walk->ticks && etw_is_in_exec(walk->task))
		return -EBUSY;
	if (!walk->mm)
		walk->mm = mm;
	/* else it has executed another program, which writes its own events */
	return walk->mm == mm ? step(rundown, walk) : -ENOENT;
}

/*
 * Neither the lock nor the address space is held while waiting for free space: the reader
 * may be this very process, and an address space must end before its process does.
 */
static int next_step(struct etw_rundown *rundown, struct etw_space_walk *walk,
		     etw_space_step *step)
{
	struct mm_struct *mm;
	int err;

	etw_rundown_wait(rundown);
	if (!etw_rundown_goes_on(rundown))
		return -ETIME;
	mm = get_task_mm(walk->task);
	if (!mm)
		return -ESRCH;
	err = step_in(rundown, walk, mm, step);
	mmput_async(mm);
	if (err != -EBUSY)
		return err;
	if (etw_rundown_may_nap(rundown)) {
		walk->ticks--;
		schedule_timeout_killable(1);
	} else {
		walk->ticks = 0;
	}
	return 0;
}

/**
 * etw_space_walk() - write what is in the address space of a process
 * @rundown: destination
 * @walk: state of the walk; the caller may embed it in a larger structure
 * @entry: threads of the process
 * @count: number of threads
 * @step: writes one part after another
 *
 * Uses the first thread that has an address space, since others may have ended. An address
 * space that is not written to its end counts as one lost record.
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
	if (err == -ETIME)
		etw_rundown_cut(rundown, 1);
}
