/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Lets sources that the module and programs share find ARRAY_SIZE(). */
#ifndef ETW_TOOLS_LINUX_KERNEL_H
#define ETW_TOOLS_LINUX_KERNEL_H

#include_next <linux/kernel.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

#endif /* ETW_TOOLS_LINUX_KERNEL_H */
