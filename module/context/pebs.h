/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The PEBS index: how many PEBS records a CPU has written so far. */
#ifndef ETW_PEBS_H
#define ETW_PEBS_H

#include <linux/types.h>

int etw_pebs_get(void);
void etw_pebs_put(void);
u32 etw_pebs_format(void);
bool etw_pebs_index(u64 *index);

#endif /* ETW_PEBS_H */
