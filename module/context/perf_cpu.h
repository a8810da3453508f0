/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The events of one CPU of a set; only for perf_set.c. */
#ifndef ETW_PERF_CPU_H
#define ETW_PERF_CPU_H

#include "perf_set.h"

struct etw_perf_cpu *etw_perf_cpu_create(struct etw_perf_set *set, int cpu,
					 struct etw_perf_error *error);
void etw_perf_cpu_destroy(struct etw_perf_cpu *cpu);
bool etw_perf_cpu_given_up(const struct etw_perf_set *set, const struct etw_perf_cpu *cpu);

#endif /* ETW_PERF_CPU_H */
