/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Writes the names of counters and the sampling intervals of a session to its stream. */
#ifndef ETW_DESCRIBE_H
#define ETW_DESCRIBE_H

#include <linux/types.h>

struct etw_session_rundown;

void etw_rundown_describe(struct etw_session_rundown *rundown, u16 hook_id);

#endif /* ETW_DESCRIBE_H */
