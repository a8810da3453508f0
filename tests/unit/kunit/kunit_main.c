// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The module of the KUnit suites: they run when it is loaded. */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include "part.h"

unsigned int etw_kunit_part = 1;
module_param_named(part, etw_kunit_part, uint, 0444);
MODULE_PARM_DESC(part, "Run one Nth of the long loops: for kernels where they take minutes");

MODULE_DESCRIPTION("KUnit suites of etw.ko");
MODULE_LICENSE("GPL");
