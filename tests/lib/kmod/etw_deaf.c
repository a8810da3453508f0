// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A CPU that hears no interrupt: the writer's, for as many milliseconds as are written. */
#include <linux/irqflags.h>
#include <linux/module.h>
#include "meet.h"

static int deaf_set(const char *text, const struct kernel_param *param)
{
	unsigned long flags;
	unsigned int ms;
	int err = kstrtouint(text, 0, &ms);

	if (err)
		return err;
	local_irq_save(flags);
	spin_for((u64)ms * NSEC_PER_MSEC);
	local_irq_restore(flags);
	return 0;
}

static const struct kernel_param_ops deaf_ops = { .set = deaf_set };
module_param_cb(ms, &deaf_ops, NULL, 0200);
MODULE_PARM_DESC(ms, "hear nothing for so long");

MODULE_DESCRIPTION("A deaf CPU, for tests");
MODULE_LICENSE("GPL");
