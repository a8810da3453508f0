// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A module that is notified of listeners: its state, and how often it changed. */
#include <linux/delay.h>
#include <linux/module.h>
#include "etw_kernel.h"

static atomic_t calls;

static void changed(struct etw_provider *provider)
{
	atomic_inc(&calls);
	/* a removal has to wait meanwhile */
	msleep(20);
}

/* {00000011-0000-0000-0000-000000000000}, and one that doesn't ask to be called */
static struct etw_provider loud = { .guid = { .data1 = 0x11 }, .changed = changed };
static struct etw_provider quiet = { .guid = { .data1 = 0x11 } };
static bool added;

static int tell(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%d %u %u %u %x %u %u\n", atomic_read(&calls), loud.enabled,
			  (u32)loud.logger_id, loud.level, loud.enable_flags,
			  etw_provider_enabled(&quiet), quiet.level);
}

/* 0: remove; 1: add again */
static int set(const char *value, const struct kernel_param *kp)
{
	bool add;
	int err = kstrtobool(value, &add);

	if (err || add == added)
		return err;
	added = add;
	if (add)
		return etw_provider_add(&loud);
	etw_provider_remove(&loud);
	return 0;
}

static const struct kernel_param_ops ops = { .get = tell, .set = set };
module_param_cb(state, &ops, NULL, 0600);
MODULE_PARM_DESC(state, "calls, enabled, logger, level, flags; of the quiet one enabled, level");

static int __init hearer_init(void)
{
	int err = etw_provider_add(&loud);

	if (err)
		return err;
	added = true;
	err = etw_provider_add(&quiet);
	if (err)
		etw_provider_remove(&loud);
	return err;
}

static void __exit hearer_exit(void)
{
	etw_provider_remove(&quiet);
	if (added)
		etw_provider_remove(&loud);
}

module_init(hearer_init);
module_exit(hearer_exit);
MODULE_DESCRIPTION("Providers of etw.ko that learn which sessions listen");
MODULE_LICENSE("GPL");
