/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What a reading of the counter is ordered by. */
#ifndef ETW_SHIM_ARCH_TIMER_H
#define ETW_SHIM_ARCH_TIMER_H

#define isb()	asm volatile("isb" : : : "memory")

#endif /* ETW_SHIM_ARCH_TIMER_H */
