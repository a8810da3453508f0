/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Tasks for a rundown. */
#ifndef ETW_RUNDOWN_TASKS_H
#define ETW_RUNDOWN_TASKS_H

#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/types.h>

struct etw_rundown;
struct files_struct;
struct mm_struct;

/**
 * struct etw_task_entry - a task
 * @key: order: kernel threads, then by process id; leaders first, then by
 *	thread id
 * @task: with a reference
 */
struct etw_task_entry {
	u64 key;
	struct task_struct *task;
};

/**
 * struct etw_task_list - all tasks but the idle ones, in order
 * @entries: one for each task
 * @count: number of entries
 */
struct etw_task_list {
	struct etw_task_entry *entries;
	u32 count;
};

/**
 * etw_is_in_exec() - whether a task is in the middle of an exec
 * @task: of any process
 *
 * Context: any. Its address space then may be of the old program or of the new one.
 */
static inline bool etw_is_in_exec(const struct task_struct *task)
{
	/* shares a word with other flags of the task */
	return data_race(!!task->in_execve);
}

int etw_task_list_take(struct etw_task_list *list);
void etw_task_list_drop(struct etw_task_list *list);
u32 etw_task_list_process(const struct etw_task_list *list, u32 first);
void etw_task_comm(struct task_struct *task, char *name, u32 size);
struct mm_struct *etw_process_mm(struct task_struct *task);
int etw_process_files(struct task_struct *task, int (*look)(struct files_struct *files, void *data),
		      void *data);
bool etw_mm_lock(struct etw_rundown *rundown, struct mm_struct *mm);
u32 etw_command_line(struct etw_rundown *rundown, struct mm_struct *mm, char *to);

#endif /* ETW_RUNDOWN_TASKS_H */
