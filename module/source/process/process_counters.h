/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Process counters: memory, page faults, open files. */
#ifndef ETW_PROCESS_COUNTERS_H
#define ETW_PROCESS_COUNTERS_H

struct etw_rundown;
struct task_struct;

void etw_rundown_process_counters(struct etw_rundown *rundown, struct task_struct *task);

#endif /* ETW_PROCESS_COUNTERS_H */
