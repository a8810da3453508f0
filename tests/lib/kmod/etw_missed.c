// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Calls that kprobes can't see: from within another probe's handler. ftrace sees them. */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>

static int calls = 100;
module_param(calls, int, 0444);
MODULE_PARM_DESC(calls, "how many can't be seen, and how many can");

#ifdef CONFIG_KPROBES

/* Each sets a nice value that is another one. */
static void set_nice(void)
{
	set_user_nice(current, task_nice(current) == 3 ? 4 : 3);
}

static noinline void step(void)
{
	barrier();
}

/* The kernel lets no probe interrupt a probe: it counts. */
static int enter_step(struct kprobe *probe, struct pt_regs *regs)
{
	set_nice();
	return 0;
}

static struct kprobe probe = { .addr = (kprobe_opcode_t *)step, .pre_handler = enter_step };

static int __init missed_init(void)
{
	int i, err = register_kprobe(&probe);

	for (i = 0; !err && i < calls; i++) {
		step();
		set_nice();
	}
	if (!err)
		unregister_kprobe(&probe);
	return err;
}

#else

static int __init missed_init(void)
{
	return -EOPNOTSUPP;
}

#endif /* CONFIG_KPROBES */

static void __exit missed_exit(void)
{
}

module_init(missed_init);
module_exit(missed_exit);
MODULE_DESCRIPTION("Calls that function probes miss");
MODULE_LICENSE("GPL");
