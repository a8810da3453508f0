/* SPDX-License-Identifier: GPL-2.0 */
/* A thread and its process as records name them. */
#ifndef ETW_THREAD_IDS_H
#define ETW_THREAD_IDS_H

#include <linux/param.h>
#include <linux/sched.h>
#include <linux/types.h>

/**
 * struct etw_system_ids - what a SYSTEM header says of its thread
 * @thread_id: pid
 * @process_id: tgid; 4 for kernel threads
 * @kernel_time: in units of the stream's TimerResolution
 * @user_time: likewise
 */
struct etw_system_ids {
	u32 thread_id;
	u32 process_id;
	u32 kernel_time;
	u32 user_time;
};

/* 100 ns units in a tick: TimerResolution of the stream */
#define ETW_TIMER_RESOLUTION	(10000000 / HZ)

/* Ids as consumers see them: all kernel threads belong to process 4. */
#define ETW_SYSTEM_PROCESS_ID	4

/*
 * A task's own flags: it changes others of them at any moment, and we may be in an
 * interrupt between its reading and writing them.
 */
static inline bool etw_is_kthread(const struct task_struct *task)
{
	return READ_ONCE(task->flags) & PF_KTHREAD;
}

u32 etw_process_id(const struct task_struct *task);
void etw_system_ids_of(struct task_struct *task, struct etw_system_ids *ids);
void etw_system_ids_current(struct etw_system_ids *ids);

#endif /* ETW_THREAD_IDS_H */
