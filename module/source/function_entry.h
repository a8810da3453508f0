/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Entries of kernel functions by ftrace instead of a kprobe. */
#ifndef ETW_FUNCTION_ENTRY_H
#define ETW_FUNCTION_ENTRY_H

#include <linux/types.h>
#include "function_probe.h"

/* Probes that are unregistered together: one wait for their handlers, one change of the filter */
#define ETW_FUNCTIONS_TOGETHER	16U

int etw_function_entry_hook(struct etw_function_probe *probe, struct kprobe *kprobe);
void etw_function_entries_unhook(struct etw_function_probe *probes, u32 nr);
void etw_function_entries_exit(void);

#endif /* ETW_FUNCTION_ENTRY_H */
