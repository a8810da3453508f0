// SPDX-License-Identifier: GPL-2.0
/* Holds a CPU that goes offline half way, and with it everybody who wants CPUs to stay. */
#include <linux/cpuhotplug.h>
#include <linux/moduleparam.h>
#include <linux/module.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(waiters);
static int hold;
static bool held;
static int state;

static int set(const char *value, const struct kernel_param *kp)
{
	int err = param_set_int(value, kp);

	wake_up_all(&waiters);
	return err;
}

static const struct kernel_param_ops ops = { .set = set, .get = param_get_int };

module_param_cb(hold, &ops, &hold, 0644);
MODULE_PARM_DESC(hold, "while it is 1 a CPU that goes waits");
module_param(held, bool, 0444);
MODULE_PARM_DESC(held, "one waits");

static int goes(unsigned int cpu)
{
	WRITE_ONCE(held, true);
	wait_event(waiters, !READ_ONCE(hold));
	WRITE_ONCE(held, false);
	return 0;
}

static int __init hold_init(void)
{
	state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "etw:hold", NULL, goes);
	return state < 0 ? state : 0;
}

static void __exit hold_exit(void)
{
	cpuhp_remove_state_nocalls(state);
}

module_init(hold_init);
module_exit(hold_exit);
MODULE_DESCRIPTION("Holds CPU hotplug, for tests of etw");
MODULE_LICENSE("GPL");
