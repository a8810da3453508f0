// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A thread and its process as records name them, and their times. */
#include <linux/math64.h>
#include "thread_ids.h"

/**
 * etw_process_id() - get the process id of a task for records
 * @task: a task
 *
 * Consumers resolve kernel-only stacks for process 4 alone, so process 4 owns
 * all kernel threads. The pid 4 always belongs to a kernel thread, so no program
 * can have it. (kernel-events.rst 1.4)
 */
u32 etw_process_id(const struct task_struct *task)
{
	if (etw_is_kthread(task))
		return task->pid ? ETW_SYSTEM_PROCESS_ID : 0;
	return task->tgid;
}

/**
 * etw_system_ids_of() - get the fields of a SYSTEM header for a task
 * @task: a task
 * @ids: out
 */
void etw_system_ids_of(struct task_struct *task, struct etw_system_ids *ids)
{
	const u32 ns = ETW_TIMER_RESOLUTION * 100;

	ids->thread_id = task->pid;
	ids->process_id = etw_process_id(task);
	ids->kernel_time = div_u64(READ_ONCE(task->stime), ns);
	ids->user_time = div_u64(READ_ONCE(task->utime), ns);
}

/**
 * etw_system_ids_current() - get the fields of a SYSTEM header for the current task
 * @ids: out
 */
void etw_system_ids_current(struct etw_system_ids *ids)
{
	etw_system_ids_of(current, ids);
}
