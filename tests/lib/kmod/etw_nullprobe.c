// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A probe on sched_switch that does nothing: what any tracer pays at least. */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

static struct tracepoint *sched_switch;

static void find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_switch"))
		sched_switch = tp;
}

static void nothing(void *data, bool preempt, struct task_struct *prev, struct task_struct *next,
		    unsigned int prev_state)
{
}

static int __init nullprobe_init(void)
{
	for_each_kernel_tracepoint(find, NULL);
	if (!sched_switch)
		return -ENOENT;
	return tracepoint_probe_register(sched_switch, nothing, NULL);
}

static void __exit nullprobe_exit(void)
{
	tracepoint_probe_unregister(sched_switch, nothing, NULL);
	tracepoint_synchronize_unregister();
}

module_init(nullprobe_init);
module_exit(nullprobe_exit);
MODULE_DESCRIPTION("An empty probe, to measure against");
MODULE_LICENSE("GPL");
