// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A thread and its process as records name them, and their times. */
#include <linux/math64.h>
#include "thread_ids.h"

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
