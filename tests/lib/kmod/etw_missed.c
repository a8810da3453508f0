// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Calls that kprobes can't see: from within another probe's handler. ftrace sees those from the
 * handler at a function's entry, not those from a breakpoint's.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>

static int calls = 100;
module_param(calls, int, 0444);
MODULE_PARM_DESC(calls, "how many of each: by probes at an entry, by breakpoints, by no probe");

#ifdef CONFIG_KPROBES

/* Each sets a nice value that is another one. */
static void set_nice(void)
{
	set_user_nice(current, task_nice(current) == 3 ? 4 : 3);
}

#ifdef CONFIG_X86_64
#define TAKE_ADDRESS	"leaq 1f(%%rip), %0\n"
#else
#define TAKE_ADDRESS	"adr %0, 1f\n"
#endif

/* Return: the address of an instruction inside the function. */
static noinline kprobe_opcode_t *step(void)
{
	kprobe_opcode_t *inside;

	asm volatile(TAKE_ADDRESS "1: nop" : "=r"(inside));
	return inside;
}

/* The kernel lets no probe interrupt a probe: it counts. */
static int in_step(struct kprobe *probe, struct pt_regs *regs)
{
	set_nice();
	return 0;
}

/* With it, the kernel keeps the breakpoint, and steps over the instruction. */
static void after_step(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe entry = { .addr = (kprobe_opcode_t *)step, .pre_handler = in_step };
static struct kprobe inside = { .pre_handler = in_step, .post_handler = after_step };

static int __init missed_init(void)
{
	struct kprobe *probes[] = { &entry, &inside };
	int i, err;

	inside.addr = step();
	err = register_kprobes(probes, ARRAY_SIZE(probes));
	for (i = 0; !err && i < calls; i++) {
		step();
		set_nice();
	}
	if (!err)
		unregister_kprobes(probes, ARRAY_SIZE(probes));
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
