/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What files of the module that are compiled into the tool need of this header. */
#ifndef ETW_TOOLS_LINUX_COMPILER_H
#define ETW_TOOLS_LINUX_COMPILER_H

#ifndef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#endif
#define unlikely(condition)	__builtin_expect(!!(condition), 0)

#endif /* ETW_TOOLS_LINUX_COMPILER_H */
