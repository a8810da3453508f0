// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Holds a process where it enters a function, the first time that it does, or the nth, for as long
 * as that is wanted: it sleeps there with what locks it has, or turns where it may not sleep. A
 * function of no more than six arguments, all in registers.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include "process_of.h"

typedef unsigned long function_type(unsigned long a, unsigned long b, unsigned long c,
				    unsigned long d, unsigned long e, unsigned long f);

static char *function;
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "where");

static int space_of;
module_param(space_of, int, 0444);
MODULE_PARM_DESC(space_of, "a process: only where one of the first two arguments is its address space");
static const struct mm_struct *space;

static int nth = 1;
module_param(nth, int, 0444);
MODULE_PARM_DESC(nth, "how often it comes there, with this time");

static bool turns;
module_param(turns, bool, 0444);
MODULE_PARM_DESC(turns, "it keeps its CPU, but for interrupts");

static bool hold = true;
module_param(hold, bool, 0644);
MODULE_PARM_DESC(hold, "0: it may go on");

static bool came, held;
module_param(held, bool, 0444);
MODULE_PARM_DESC(held, "it is there");

static struct kprobe probe;

/* Instead of the function, which comes afterwards */
static unsigned long held_call(unsigned long a, unsigned long b, unsigned long c,
			       unsigned long d, unsigned long e, unsigned long f)
{
	function_type *call = (function_type *)probe.addr;
	unsigned long result;

	while (READ_ONCE(hold))
		if (turns)
			cpu_relax();
		else
			schedule_timeout_uninterruptible(1);
	result = call(a, b, c, d, e, f);
	WRITE_ONCE(held, false);
	return result;
}

static bool is_for_space(struct pt_regs *regs)
{
	return (const void *)regs_get_kernel_argument(regs, 0) == space ||
	       (const void *)regs_get_kernel_argument(regs, 1) == space;
}

static int at_entry(struct kprobe *entered, struct pt_regs *regs)
{
	if (current != process || came)
		return 0;
	if (space && !is_for_space(regs))
		return 0;
	if (--nth)
		return 0;
	came = true;
	WRITE_ONCE(held, true);
	instruction_pointer_set(regs, (unsigned long)held_call);
	return 1;
}

/* So that at_entry() may say where to go on */
static void after_entry(struct kprobe *entered, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe *probes[] = { &probe };

/* It is compared, and no more: nothing keeps it. Return: 0 or -ESRCH */
static int find_space(void)
{
	struct pid *of = find_get_pid(space_of);
	struct task_struct *task = get_pid_task(of, PIDTYPE_PID);
	struct mm_struct *mm = task ? get_task_mm(task) : NULL;

	space = mm;
	if (mm)
		mmput(mm);
	if (task)
		put_task_struct(task);
	put_pid(of);
	return mm ? 0 : -ESRCH;
}

static int __init held_init(void)
{
	if (space_of && find_space())
		return -ESRCH;
	probe.symbol_name = function;
	probe.pre_handler = at_entry;
	probe.post_handler = after_entry;
	return probe_process(probes, ARRAY_SIZE(probes));
}

static void __exit held_exit(void)
{
	WRITE_ONCE(hold, false);
	while (READ_ONCE(held))
		schedule_timeout_uninterruptible(1);
	unprobe_process(probes, ARRAY_SIZE(probes));
}

module_init(held_init);
module_exit(held_exit);
MODULE_DESCRIPTION("Holds a process in a function, for tests of etw");
MODULE_LICENSE("GPL");
