/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A program is preempted anyway. */
#ifndef ETW_SHIM_SCHED_H
#define ETW_SHIM_SCHED_H

#define cond_resched()	((void)0)

#endif /* ETW_SHIM_SCHED_H */
