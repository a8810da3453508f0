/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The kernel's short names of types, for headers that the module and programs share. */
#ifndef ETW_TOOLS_LINUX_TYPES_H
#define ETW_TOOLS_LINUX_TYPES_H

#include_next <linux/types.h>

typedef __u8 u8;
typedef __u32 u32;

#endif /* ETW_TOOLS_LINUX_TYPES_H */
