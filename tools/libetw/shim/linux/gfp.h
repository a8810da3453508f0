/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* How the kernel asks for memory: all the same to a program. */
#ifndef ETW_SHIM_GFP_H
#define ETW_SHIM_GFP_H

#define GFP_KERNEL		0
#define __GFP_NOWARN		0
#define __GFP_RETRY_MAYFAIL	0

#endif /* ETW_SHIM_GFP_H */
