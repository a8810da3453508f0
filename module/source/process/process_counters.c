// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Process counters, 0320, at a process's end and in rundowns. */
#include <linux/bitops.h>
#include <linux/fdtable.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/seqlock.h>
#include "compat.h"
#include "context/rundown.h"
#include "source/function_probe.h"
#include "process_counters.h"
#include "source/rundown/rundown_tasks.h"
#include "source/source.h"
#include "source/write.h"

ETW_SOURCE_DECLARE(process_counters);

/* A thread that ends moves its faults to its process: retry then, but not for ever. */
#define TRIES	10

/* minflt plus majflt of /proc/PID/stat. Never waits for a writer, which may be on another CPU. */
static u64 faults_of(struct task_struct *task)
{
	const struct signal_struct *signal = task->signal;
	/* only the counter of the seqlock, because the lock may sleep on PREEMPT_RT */
	const seqcount_t *moved = &signal->stats_lock.seqcount.seqcount;
	struct task_struct *thread;
	unsigned int begun;
	u32 tries = 0;
	u64 faults;

	rcu_read_lock();
	do {
		begun = raw_seqcount_begin(moved);
		faults = signal->min_flt + signal->maj_flt;
		for_each_thread(task, thread)
			faults += thread->min_flt + thread->maj_flt;
	} while (read_seqcount_retry(moved, begun) && ++tries < TRIES);
	rcu_read_unlock();
	return faults;
}

static int open_files(struct files_struct *files, void *unused)
{
	const struct fdtable *table;
	int count = 0;
	u32 i;

	rcu_read_lock();
	table = files_fdtable(files);
	for (i = 0; i < table->max_fds / BITS_PER_LONG; i++)
		count += hweight_long(READ_ONCE(table->open_fds[i]));
	rcu_read_unlock();
	return count;
}

static void fill_memory(struct mm_struct *mm, struct wmi_process_counters *counters)
{
	u64 anonymous = etw_mm_counter(mm, MM_ANONPAGES);
	u64 resident = anonymous + etw_mm_counter(mm, MM_FILEPAGES) +
		       etw_mm_counter(mm, MM_SHMEMPAGES);
	u64 mapped = READ_ONCE(mm->total_vm);

	counters->peak_virtual_size = max_t(u64, READ_ONCE(mm->hiwater_vm), mapped) << PAGE_SHIFT;
	counters->peak_working_set_size =
		max_t(u64, READ_ONCE(mm->hiwater_rss), resident) << PAGE_SHIFT;
	counters->virtual_size = mapped << PAGE_SHIFT;
	counters->working_set_size = resident << PAGE_SHIFT;
	counters->pagefile_usage = (u64)etw_mm_counter(mm, MM_SWAPENTS) << PAGE_SHIFT;
	counters->private_page_count = anonymous << PAGE_SHIFT;
}

/* @task is not reaped; the caller holds a reference to @mm if it is not NULL. */
static void fill(struct task_struct *task, struct mm_struct *mm,
		 struct wmi_process_counters *counters)
{
	counters->process_id = etw_process_id(task);
	counters->page_fault_count = faults_of(task);
	if (mm)
		fill_memory(mm, counters);
}

#if defined(CONFIG_KPROBES) && defined(CONFIG_POSIX_TIMERS)	/* else no event at exit */
static void write_event(const struct etw_listeners *listeners,
			const struct wmi_process_counters *counters)
{
	struct etw_event event = {
		.hook_id = WMI_LOG_TYPE_PROCESS_PERFCTR,
		.version = WMI_PROCESS_COUNTERS_VERSION,
		.wanted = ETW_WANTED_ANY,
		.process_id = counters->process_id,
		.payload = { .data = counters, .size = sizeof(*counters) },
	};

	etw_write_all(listeners, &event);
}

/*
 * do_exit() calls exit_itimers() in the last thread of a process, which still has its
 * address space and files. sched_process_exit comes after both are gone, and no tracepoint
 * comes before. exec calls exit_itimers(), too, with threads alive.
 */
static int at_exit_itimers(struct kprobe *probe, struct pt_regs *regs)
{
	const struct etw_listeners *listeners = etw_listeners_of(&etw_source_process_counters);
	struct wmi_process_counters counters = { };

	if (!listeners || atomic_read(&current->signal->live) || !current->mm)
		return 0;
	fill(current, current->mm, &counters);
	if (current->files)
		counters.handle_count = open_files(current->files, NULL);
	write_event(listeners, &counters);
	return 0;
}

static struct etw_function_probe functions[] = {
	{ .symbol = "exit_itimers", .entry = at_exit_itimers },
};

ETW_SOURCE(ETW_ORDER_ANY, process_counters) = {
	.name = "process counters",
	.groups = ETW_GROUPS(PERF_PROCESS_COUNTERS),
	.hooks = ETW_HOOKS(WMI_LOG_TYPE_PROCESS_PERFCTR),
	.functions = functions,
	.nr_functions = ARRAY_SIZE(functions),
};
#endif

/* After its end, the process has its 0320 record. */
static bool is_alive(const void *what)
{
	const struct task_struct *task = what;

	return atomic_read(&task->signal->live);
}

static int write_user_process(struct etw_rundown *rundown, struct task_struct *task,
			      struct etw_rundown_record *record,
			      struct wmi_process_counters *counters)
{
	struct mm_struct *mm;

	etw_rundown_wait(rundown);
	mm = etw_process_mm(task);
	fill(task, mm, counters);
	counters->handle_count = etw_process_files(task, open_files, NULL);
	if (mm)
		mmput_async(mm);
	return etw_rundown_write_record(rundown, record);
}

/**
 * etw_rundown_process_counters() - write a process's counters when a session stops
 * @rundown: the rundown
 * @task: its first thread; a kernel thread stands for System, NULL for Idle; these two
 *	have no counters of their own
 *
 * Context: process; sleeps.
 */
void etw_rundown_process_counters(struct etw_rundown *rundown, struct task_struct *task)
{
	struct wmi_process_counters counters = { };
	struct etw_rundown_record record = {
		.hook_id = WMI_LOG_TYPE_PROCESS_PERFCTR_RUNDOWN,
		.version = WMI_PROCESS_COUNTERS_VERSION,
		.header = ETW_RUNDOWN_PERFINFO,
		.payload = &counters,
		.size = sizeof(counters),
		.what = task,
	};

	if (task && !etw_is_kthread(task)) {
		record.still = is_alive;
		while (write_user_process(rundown, task, &record, &counters) == -EAGAIN)
			;
		return;
	}
	if (task)
		counters.process_id = ETW_SYSTEM_PROCESS_ID;
	etw_rundown_write_record(rundown, &record);
}
