// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A module that does nothing, to be one of many: tests/vm/source/process/guest/module_crowd.c */
#include <linux/module.h>

static int __init nothing_init(void)
{
	return 0;
}

static void __exit nothing_exit(void)
{
}

module_init(nothing_init);
module_exit(nothing_exit);
MODULE_DESCRIPTION("Nothing");
MODULE_LICENSE("GPL");
