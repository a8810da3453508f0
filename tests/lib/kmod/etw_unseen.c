// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Holds an exec that has counted until a rundown learns of the process, and both until they
 * meet: the exec is about to record its end, by what it knows, just when the rundown enters what
 * it has seen.
 */
#include <linux/binfmts.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include "meet.h"
#include "process_of.h"

enum { IDLE, ARMED, HELD, LEARNS, CHANGES, LOOKED };

static int step;
module_param(step, int, 0644);
MODULE_PARM_DESC(step, "1: hold its next exec; 2: it is held; 5: they have met");

/* Instead of setup_new_exec(), which the kernel calls behind the count */
static void held_setup(struct linux_binprm *bprm)
{
	int ticks;

	for (ticks = 0; READ_ONCE(step) == HELD && ticks < 10 * HZ; ticks++)
		schedule_timeout_uninterruptible(1);
	setup_new_exec(bprm);
}

static int at_setup(struct kprobe *probe, struct pt_regs *regs)
{
	if (current != process || READ_ONCE(step) != ARMED)
		return 0;
	WRITE_ONCE(step, HELD);
	instruction_pointer_set(regs, (unsigned long)held_setup);
	return 1;
}

static int at_learn(struct kprobe *probe, struct pt_regs *regs)
{
	if (current == process || regs_get_kernel_argument(regs, 0) != pid ||
	    READ_ONCE(step) != HELD)
		return 0;
	/* what waits here for the exec keeps it from its CPU */
	if (task_cpu(process) == smp_processor_id()) {
		WRITE_ONCE(step, IDLE);
		return 0;
	}
	WRITE_ONCE(step, LEARNS);
	spin_while(READ_ONCE(step) < CHANGES);
	return 0;
}

static int at_change(struct kprobe *probe, struct pt_regs *regs)
{
	if (current != process || READ_ONCE(step) != LEARNS)
		return 0;
	WRITE_ONCE(step, CHANGES);
	spin_while(READ_ONCE(step) < LOOKED);
	/* for it to be written */
	spin_for(20 * NSEC_PER_MSEC);
	return 0;
}

/* Not only what it has learned: also whether that is still so */
static int at_recorded(struct kprobe *probe, struct pt_regs *regs)
{
	if (current != process && regs_get_kernel_argument(regs, 0) == pid &&
	    READ_ONCE(step) == CHANGES)
		WRITE_ONCE(step, LOOKED);
	return 0;
}

/* So that at_setup() may say where to go on */
static void after_setup(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe setup = {
	.symbol_name = "setup_new_exec", .pre_handler = at_setup, .post_handler = after_setup,
};

static struct kprobe learn = { .symbol_name = "etw_process_table_learn", .pre_handler = at_learn };

static struct kprobe change = {
	.symbol_name = "etw_process_table_change", .pre_handler = at_change,
};

static struct kprobe recorded = {
	.symbol_name = "etw_process_table_recorded",
	.pre_handler = at_recorded,
};

static struct kprobe *probes[] = { &setup, &learn, &change, &recorded };

static int __init unseen_init(void)
{
	return probe_process(probes, ARRAY_SIZE(probes));
}

static void __exit unseen_exit(void)
{
	unprobe_process(probes, ARRAY_SIZE(probes));
}

module_init(unseen_init);
module_exit(unseen_exit);
MODULE_DESCRIPTION("Lets an exec that no probe saw begin meet a rundown, for tests of etw");
MODULE_LICENSE("GPL");
