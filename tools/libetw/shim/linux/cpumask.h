/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* CPUs: programs run on those that are online. */
#ifndef ETW_SHIM_CPUMASK_H
#define ETW_SHIM_CPUMASK_H

#define cpu_online(cpu)	((void)(cpu), 1)

#endif /* ETW_SHIM_CPUMASK_H */
