// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Registrations of kprobes that find no memory: fault injection does not reach them, as a
 * worker makes them. @nth counts down with each; the one that makes it 0 gets ENOMEM.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/stacktrace.h>

static unsigned int nth;
module_param(nth, uint, 0644);
MODULE_PARM_DESC(nth, "which registration fails; 0: none, or it did");

/* Instead of register_kprobe() */
static noinline int no_memory(struct kprobe *probe)
{
	return -ENOMEM;
}

/* Stacks by frame pointers lack the caller of a function that has made no frame yet. */
static unsigned long caller(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return *(unsigned long *)kernel_stack_pointer(regs);
#else
	return procedure_link_pointer(regs);
#endif
}

/* In the form of fail-nth: tests/stress/faults/guest/failnth/state.h reads these lines */
static void tell(struct pt_regs *regs)
{
	unsigned long entries[32];
	unsigned int i, n = stack_trace_save(entries, ARRAY_SIZE(entries), 0);

	pr_info("FAULT_INJECTION: forcing a failure\n");
	pr_info("=> %pS\n", (void *)caller(regs));
	for (i = 0; i < n; i++)
		pr_info("=> %pS\n", (void *)entries[i]);
}

/* The registering task holds no lock here, and there is one at a time: the module's worker. */
static int before(struct kprobe *probe, struct pt_regs *regs)
{
	if (!nth || --nth)
		return 0;
	tell(regs);
	instruction_pointer_set(regs, (unsigned long)no_memory);
	return 1;
}

/* With this the kernel makes no jump of the probe: that could go nowhere else. */
static void after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

/* A return probe is registered by this function, too. */
static struct kprobe probe = {
	.symbol_name = "register_kprobe",
	.pre_handler = before,
	.post_handler = after,
};

static int __init no_probes_init(void)
{
	return register_kprobe(&probe);
}

static void __exit no_probes_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(no_probes_init);
module_exit(no_probes_exit);
MODULE_DESCRIPTION("Kprobes without memory, for tests");
MODULE_LICENSE("GPL");
