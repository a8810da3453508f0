// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Tasks for a rundown: all of them in order, and their strings. */
#include <linux/bits.h>
#include <linux/delay.h>
#include <linux/highmem.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sort.h>
#include <linux/string.h>
#include "compat.h"
#include "context/rundown.h"
#include "record/thread_ids.h"
#include "ring/ring.h"
#include "source/process_values.h"
#include "rundown_tasks.h"

#define KEY_PROCESS_SHIFT	32
#define KEY_NOT_LEADER		BIT_ULL(31)

/* Tasks that are collected in one RCU section */
#define TASKS_AT_ONCE		512U

static u64 key_of(const struct task_struct *task)
{
	u64 key = task->pid;

	if (!thread_group_leader((struct task_struct *)task))
		key |= KEY_NOT_LEADER;
	if (!etw_is_kthread(task))
		key |= (u64)task->tgid << KEY_PROCESS_SHIFT;
	return key;
}

/* A million tasks take seconds to sort. */
static int compare(const void *a, const void *b)
{
	u64 left = ((const struct etw_task_entry *)a)->key;
	u64 right = ((const struct etw_task_entry *)b)->key;

	cond_resched();
	return left < right ? -1 : left > right;
}

static bool grow(struct etw_task_list *list, u32 *capacity)
{
	u32 next = max(2 * *capacity, 4 * TASKS_AT_ONCE);
	struct etw_task_entry *entries = kvmalloc_array(next, sizeof(*entries), ETW_GFP_BUFFER);

	if (!entries)
		return false;
	if (list->count)
		memcpy(entries, list->entries, list->count * sizeof(*entries));
	kvfree(list->entries);
	list->entries = entries;
	*capacity = next;
	return true;
}

/*
 * The task after @task in the kernel's lists, where @task is or was in this RCU section. A
 * process that ends now has no threads in its list. Return: NULL at the end.
 */
static struct task_struct *task_after(struct task_struct *task)
{
	struct list_head *next = rcu_dereference(list_next_rcu(&task->thread_node));
	struct task_struct *process = task->group_leader;

	if (task != &init_task && next != &task->signal->thread_head)
		return list_entry(next, struct task_struct, thread_node);
	for (process = next_task(process); process != &init_task; process = next_task(process)) {
		task = list_first_or_null_rcu(&process->signal->thread_head, struct task_struct,
					      thread_node);
		if (task)
			return task;
	}
	return NULL;
}

/*
 * The last task that is still in the kernel's lists, where the walk continues. Those behind it
 * in @list have ended, and are dropped.
 */
static struct task_struct *last_alive(struct etw_task_list *list)
{
	while (list->count) {
		struct task_struct *task = list->entries[list->count - 1].task;

		if (pid_alive(task))
			return task;
		put_task_struct(task);
		list->count--;
	}
	return &init_task;
}

/* Adds up to @most tasks to those of @list. Return: false at the end. */
static bool collect(struct etw_task_list *list, u32 most)
{
	struct task_struct *task;

	rcu_read_lock();
	for (task = task_after(last_alive(list)); task && most; task = task_after(task), most--) {
		struct etw_task_entry *entry = &list->entries[list->count++];

		entry->task = get_task_struct(task);
		entry->key = key_of(task);
	}
	rcu_read_unlock();
	return task;
}

/**
 * etw_task_list_take() - list all tasks with references
 * @list: out
 *
 * One sorted array of all, 16 bytes each, instead of batches: the kernel's list of tasks is
 * in order of creation, so batches by process id would need a walk through it for each
 * batch. (kernel-events.rst 10.2) It is collected and sorted with scheduling points.
 *
 * Context: process; sleeps.
 * Return: 0 or -ENOMEM.
 */
int etw_task_list_take(struct etw_task_list *list)
{
	u32 capacity = 0;

	*list = (struct etw_task_list){ };
	do {
		cond_resched();
		if (list->count + TASKS_AT_ONCE > capacity && !grow(list, &capacity)) {
			etw_task_list_drop(list);
			return -ENOMEM;
		}
	} while (collect(list, TASKS_AT_ONCE));
	sort(list->entries, list->count, sizeof(*list->entries), compare, NULL);
	return 0;
}

/**
 * etw_task_list_drop() - undo etw_task_list_take()
 * @list: taken
 *
 * Context: process.
 */
void etw_task_list_drop(struct etw_task_list *list)
{
	u32 i;

	for (i = 0; i < list->count; i++) {
		put_task_struct(list->entries[i].task);
		cond_resched();
	}
	kvfree(list->entries);
	list->entries = NULL;
	list->count = 0;
}

/**
 * etw_task_list_process() - find the end of a process's tasks
 * @list: taken
 * @first: index of its first task
 *
 * All kernel threads are one process. Return: index after its last task.
 */
u32 etw_task_list_process(const struct etw_task_list *list, u32 first)
{
	u64 process = list->entries[first].key >> KEY_PROCESS_SHIFT;
	u32 end = first;

	while (end < list->count && list->entries[end].key >> KEY_PROCESS_SHIFT == process)
		end++;
	return end;
}

/**
 * etw_task_comm() - copy a task's name
 * @task: a task; the caller holds a reference
 * @name: out
 * @size: bytes in @name
 *
 * As __get_task_comm(), which newer kernels lack.
 * Context: process.
 */
void etw_task_comm(struct task_struct *task, char *name, u32 size)
{
	task_lock(task);
	strscpy(name, task->comm, size);
	task_unlock(task);
}

/**
 * etw_process_mm() - get the address space of a process
 * @task: one of its threads; the caller holds a reference
 *
 * Uses a thread that still has one, since the first may have ended before the others.
 *
 * The last mmput() frees the whole address space: gigabytes, and files of file systems that
 * may not respond. If all threads end meanwhile, that would be this thread, which may keep a
 * STOP waiting. So the caller leaves it to a kernel worker.
 *
 * Context: process. Return: with a reference, for mmput_async(); NULL if all threads have
 * ended, and for kernel threads.
 */
struct mm_struct *etw_process_mm(struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);
	struct task_struct *thread;

	if (mm || etw_is_kthread(task))
		return mm;
	rcu_read_lock();
	for_each_thread(task, thread) {
		mm = get_task_mm(thread);
		if (mm)
			break;
	}
	rcu_read_unlock();
	return mm;
}

/**
 * etw_process_files() - visit the table of open files of a process
 * @task: one of its threads; the caller holds a reference
 * @look: called under task_lock(), which keeps the table, and RCU
 * @data: passed to @look
 *
 * Uses a thread that still has one: see etw_process_mm(). Locks as the kernel's SAK does.
 * Context: process. Return: the result of @look; 0 if all threads have ended.
 */
int etw_process_files(struct task_struct *task, int (*look)(struct files_struct *files, void *data),
		      void *data)
{
	struct files_struct *files = NULL;
	struct task_struct *thread;
	int result = 0;

	rcu_read_lock();
	for_each_thread(task, thread) {
		task_lock(thread);
		files = thread->files;
		if (files)
			result = look(files, data);
		task_unlock(thread);
		if (files)
			break;
	}
	rcu_read_unlock();
	return result;
}

/* FOLL_ANON: no file pages, since their file system may not respond. Under mmap_lock */
static u32 copy_arguments(struct mm_struct *mm, char *to)
{
	unsigned long at = READ_ONCE(mm->arg_start);
	unsigned long left = READ_ONCE(mm->arg_end) - at;
	struct page *page;
	u32 n, got = 0;

	for (left = min_t(unsigned long, left, ETW_COMMAND_TEXT); left; left -= n) {
		n = min_t(unsigned long, left, PAGE_SIZE - offset_in_page(at));
		if (etw_get_user_page(mm, at, FOLL_ANON, &page) != 1)
			break;
		memcpy_from_page(to + got, page, offset_in_page(at), n);
		put_page(page);
		got += n;
		at += n;
	}
	return got;
}

/**
 * etw_mm_lock() - lock an address space for reading
 * @rundown: the rundown
 * @mm: the caller holds a reference; up_read(&mm->mmap_lock) follows
 *
 * A stuck process may hold the lock for ever, and many processes may hold theirs most of the
 * time. So this gives up after some tries, or when the rundown has no more naps.
 *
 * Context: process; sleeps.
 * Return: whether the lock is held.
 */
bool etw_mm_lock(struct etw_rundown *rundown, struct mm_struct *mm)
{
	int tries;

	for (tries = 0; !down_read_trylock(&mm->mmap_lock); tries++) {
		if (tries == 10 || !etw_rundown_may_nap(rundown))
			return false;
		usleep_range(500, 2000);
	}
	return true;
}

/**
 * etw_command_line() - copy a process's arguments
 * @rundown: the rundown
 * @mm: its address space; the caller holds a reference
 * @to: out: ETW_COMMAND_TEXT bytes
 *
 * (kernel-events.rst 5.2)
 *
 * Context: process; sleeps.
 * Return: bytes of text; 0 if it is not available.
 */
u32 etw_command_line(struct etw_rundown *rundown, struct mm_struct *mm, char *to)
{
	u32 got;

	if (!etw_mm_lock(rundown, mm))
		return 0;
	got = copy_arguments(mm, to);
	up_read(&mm->mmap_lock);
	return etw_command_line_tidy(to, got);
}
