/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What runs: threads and their signal handlers, nothing else. */
#ifndef ETW_SHIM_PREEMPT_H
#define ETW_SHIM_PREEMPT_H

#define in_nmi()	0

#endif /* ETW_SHIM_PREEMPT_H */
