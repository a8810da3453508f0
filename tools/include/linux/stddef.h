/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Lets sources that the module and programs share find offsetof(). */
#ifndef ETW_TOOLS_LINUX_STDDEF_H
#define ETW_TOOLS_LINUX_STDDEF_H

#include <stddef.h>
#include_next <linux/stddef.h>

#endif /* ETW_TOOLS_LINUX_STDDEF_H */
