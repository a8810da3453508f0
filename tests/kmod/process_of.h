/* SPDX-License-Identifier: GPL-2.0 */
/* For test modules that are about one process, the one of their parameter pid. */
#ifndef ETW_TEST_PROCESS_OF_H
#define ETW_TEST_PROCESS_OF_H

#include <linux/module.h>
#include <linux/pid.h>
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

#endif /* ETW_TEST_PROCESS_OF_H */
