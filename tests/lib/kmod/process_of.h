/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* For test modules that are about one process, the one of their parameter pid. */
#ifndef ETW_TEST_PROCESS_OF_H
#define ETW_TEST_PROCESS_OF_H

#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

static int pid;
module_param(pid, int, 0444);
MODULE_PARM_DESC(pid, "the process, or one of its threads");
static struct task_struct *process;

/* Return: 0, and put_task_struct() of it is due; -ESRCH. */
static inline int find_process(void)
{
	struct pid *of = find_get_pid(pid);

	process = get_pid_task(of, PIDTYPE_PID);
	put_pid(of);
	return process ? 0 : -ESRCH;
}

/* Return: 0, and unprobe_process() is due; else as find_process() or register_kprobes(). */
static inline int probe_process(struct kprobe **probes, int nr)
{
	int err = find_process();

	if (err)
		return err;
	err = register_kprobes(probes, nr);
	if (err)
		put_task_struct(process);
	return err;
}

/*
 * A task that a probe sent here may have been preempted on its way out, which RCU does not wait
 * for.
 */
static inline void unprobe_process(struct kprobe **probes, int nr)
{
	unregister_kprobes(probes, nr);
	synchronize_rcu_tasks();
	put_task_struct(process);
}

#endif /* ETW_TEST_PROCESS_OF_H */
