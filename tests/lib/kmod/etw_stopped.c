// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Stops a CPU where a hypervisor may: in a rundown, with interrupts off, after the check that a
 * process still has the image in the record. The CPU continues when the process has recorded two
 * execs on another CPU.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include "meet.h"
#include "process_of.h"

static unsigned int stopped;
module_param(stopped, uint, 0444);
MODULE_PARM_DESC(stopped, "how often a CPU was, during two execs");

static bool interrupts_were_on(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return regs->flags & X86_EFLAGS_IF;
#else
	return interrupts_enabled(regs);
#endif
}

/* Return: 0: stop_here() follows */
static int is_looking(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return interrupts_were_on(regs) || regs_get_kernel_argument(regs, 0) != pid ||
	       task_cpu(process) == smp_processor_id();
}

static int stop_here(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	u32 execs = READ_ONCE(process->self_exec_id);

	if (!(regs_return_value(regs) & 0xff))
		return 0;
	/* the first one's message comes before the second one counts */
	spin_while(READ_ONCE(process->self_exec_id) - execs < 2);
	stopped += READ_ONCE(process->self_exec_id) - execs >= 2;
	return 0;
}

static struct kretprobe probe = {
	.kp.symbol_name = "etw_process_table_recorded",
	.entry_handler = is_looking,
	.handler = stop_here,
};

static int __init stopped_init(void)
{
	int err = find_process();

	if (err)
		return err;
	err = register_kretprobe(&probe);
	if (err)
		put_task_struct(process);
	return err;
}

static void __exit stopped_exit(void)
{
	unregister_kretprobe(&probe);
	put_task_struct(process);
}

module_init(stopped_init);
module_exit(stopped_exit);
MODULE_DESCRIPTION("Stops a CPU in a rundown, for tests of etw");
MODULE_LICENSE("GPL");
