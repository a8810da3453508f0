/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Lets sources that the module and programs share find memcpy() and the like. */
#ifndef ETW_TOOLS_LINUX_STRING_H
#define ETW_TOOLS_LINUX_STRING_H

#include <string.h>

#endif /* ETW_TOOLS_LINUX_STRING_H */
