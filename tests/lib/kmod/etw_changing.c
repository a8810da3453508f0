// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Holds an exec after the end of its old image, before it records the new one, from the first
 * time that a rundown looks at the process. The exec goes on when the rundown has looked often.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include "meet.h"
#include "process_of.h"

/* More looks than a rundown has that does not wait */
#define LOOKS		20

enum { IDLE, ARMED, LOOKS_FIRST, CHANGES, OVER };

static int step;
module_param(step, int, 0644);
MODULE_PARM_DESC(step, "1: hold the exec that a rundown meets; 3: it is held; 4: go on");

static int looks;
module_param(looks, int, 0444);
MODULE_PARM_DESC(looks, "how often the rundown has looked while the last one was held");

static int at_recorded(struct kprobe *probe, struct pt_regs *regs)
{
	/* a START's rundown is a worker's, and no matter here */
	if (current == process || current->flags & PF_KTHREAD ||
	    regs_get_kernel_argument(regs, 0) != pid)
		return 0;
	if (READ_ONCE(step) == CHANGES && ++looks == LOOKS)
		WRITE_ONCE(step, OVER);
	/* what waits here for the exec keeps it from its CPU */
	if (READ_ONCE(step) != ARMED || task_cpu(process) == smp_processor_id())
		return 0;
	looks = 0;
	WRITE_ONCE(step, LOOKS_FIRST);
	spin_while(READ_ONCE(step) < CHANGES);
	return 0;
}

/* The process table has recorded the old program's end, and the exec is visible. */
static int at_set(struct kprobe *probe, struct pt_regs *regs)
{
	if (current != process || READ_ONCE(step) != LOOKS_FIRST)
		return 0;
	WRITE_ONCE(step, CHANGES);
	spin_while(READ_ONCE(step) < OVER);
	return 0;
}

static struct kprobe recorded = {
	.symbol_name = "etw_process_table_recorded",
	.pre_handler = at_recorded,
};

static struct kprobe set = { .symbol_name = "etw_process_table_set", .pre_handler = at_set };
static struct kprobe *probes[] = { &recorded, &set };

static int __init changing_init(void)
{
	return probe_process(probes, ARRAY_SIZE(probes));
}

static void __exit changing_exit(void)
{
	unprobe_process(probes, ARRAY_SIZE(probes));
}

module_init(changing_init);
module_exit(changing_exit);
MODULE_DESCRIPTION("Lets a rundown look at an exec that is being recorded, for tests of etw");
MODULE_LICENSE("GPL");
