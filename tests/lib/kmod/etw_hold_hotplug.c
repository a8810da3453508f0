// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Holds a CPU that goes offline half way, and with it all tasks that want CPUs to stay; and
 * one that comes, before it runs: loaded before etw.ko, before that has seen to its buffers.
 */
#include <linux/cpuhotplug.h>
#include <linux/moduleparam.h>
#include <linux/module.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(waiters);
static int hold, hold_coming;
static bool held;
static int state, coming_state;

static int set(const char *value, const struct kernel_param *kp)
{
	int err = param_set_int(value, kp);

	wake_up_all(&waiters);
	return err;
}

static const struct kernel_param_ops ops = { .set = set, .get = param_get_int };

module_param_cb(hold, &ops, &hold, 0644);
MODULE_PARM_DESC(hold, "while it is 1 a CPU that goes waits");
module_param_cb(hold_coming, &ops, &hold_coming, 0644);
MODULE_PARM_DESC(hold_coming, "while it is 1 a CPU that comes waits");
module_param(held, bool, 0444);
MODULE_PARM_DESC(held, "one waits");

static int wait_while(const int *holds)
{
	if (!READ_ONCE(*holds))
		return 0;
	WRITE_ONCE(held, true);
	wait_event(waiters, !READ_ONCE(*holds));
	WRITE_ONCE(held, false);
	return 0;
}

static int goes(unsigned int cpu)
{
	return wait_while(&hold);
}

static int comes(unsigned int cpu)
{
	return wait_while(&hold_coming);
}

static int __init hold_init(void)
{
	coming_state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "etw:hold-coming", comes,
						 NULL);
	if (coming_state < 0)
		return coming_state;
	state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "etw:hold", NULL, goes);
	if (state < 0)
		cpuhp_remove_state_nocalls(coming_state);
	return state < 0 ? state : 0;
}

static void __exit hold_exit(void)
{
	cpuhp_remove_state_nocalls(state);
	cpuhp_remove_state_nocalls(coming_state);
}

module_init(hold_init);
module_exit(hold_exit);
MODULE_DESCRIPTION("Holds CPU hotplug, for tests of etw");
MODULE_LICENSE("GPL");
