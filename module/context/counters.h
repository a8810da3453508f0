/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Perf event attributes for counters of a configuration extension. */
#ifndef ETW_COUNTERS_H
#define ETW_COUNTERS_H

#include <linux/perf_event.h>
#include "config/items.h"

void etw_counter_attr(const struct etw_items *items, u32 i, struct perf_event_attr *attr);
u32 etw_counters_attrs(const struct etw_items *items, struct perf_event_attr *attrs, u32 *index);
bool etw_counter_is_counted(const struct etw_items *items, u32 i);

#endif /* ETW_COUNTERS_H */
