// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The module of the KUnit suites: they run when it is loaded. */
#include <linux/module.h>

MODULE_DESCRIPTION("KUnit suites of etw.ko");
MODULE_LICENSE("GPL");
