/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A program that is killed asks nothing any more. */
#ifndef ETW_SHIM_SCHED_SIGNAL_H
#define ETW_SHIM_SCHED_SIGNAL_H

#include <linux/sched.h>

#define fatal_signal_pending(task)	0

#endif
