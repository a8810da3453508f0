/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A thread and its process as records name them. */
#ifndef ETW_THREAD_IDS_H
#define ETW_THREAD_IDS_H

#include <linux/param.h>
#include <linux/sched.h>
#include <linux/types.h>

/**
 * struct etw_system_ids - thread, process and times of a SYSTEM header
 * @thread_id: pid
 * @process_id: tgid; 4 for kernel threads
 * @kernel_time: in units of the stream's TimerResolution
 * @user_time: in units of the stream's TimerResolution
 */
struct etw_system_ids {
	u32 thread_id;
	u32 process_id;
	u32 kernel_time;
	u32 user_time;
};

/* 100 ns units in a tick: TimerResolution of the stream */
#define ETW_TIMER_RESOLUTION	(10000000 / HZ)

/* In records all kernel threads belong to process 4. */
#define ETW_SYSTEM_PROCESS_ID	4

/* Flags of @task; bits that change while the task runs are unreliable. */
static inline unsigned int etw_task_flags(const struct task_struct *task)
{
	/* the kernel writes them plainly, and we may interrupt it between read and write */
	return data_race(READ_ONCE(task->flags));
}

static inline bool etw_is_kthread(const struct task_struct *task)
{
	return etw_task_flags(task) & PF_KTHREAD;
}

/**
 * etw_process_id() - get the process id of a task for records
 * @task: a task
 *
 * Consumers resolve kernel-only stacks for process 4 alone, so process 4 owns
 * all kernel threads. The pid 4 always belongs to a kernel thread, so no program
 * can have it. (kernel-events.rst 1.4)
 */
static inline u32 etw_process_id(const struct task_struct *task)
{
	if (etw_is_kthread(task))
		return task->pid ? ETW_SYSTEM_PROCESS_ID : 0;
	return task->tgid;
}

void etw_system_ids_of(struct task_struct *task, struct etw_system_ids *ids);
void etw_system_ids_current(struct etw_system_ids *ids);

#endif /* ETW_THREAD_IDS_H */
