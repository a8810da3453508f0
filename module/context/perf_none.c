// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Kernels without perf have no counters; declared in perf_set.h. */
#include <linux/err.h>
#include "perf_set.h"

/* No set can be created, so the other functions are never called with one. */

struct etw_perf_set *etw_perf_set_create(const struct perf_event_attr *attrs, u32 nr,
					 perf_overflow_handler_t handler, void *context,
					 struct etw_perf_error *error)
{
	*error = (struct etw_perf_error){ .reason = ETW_REASON_NO_EVENT };
	return ERR_PTR(-EOPNOTSUPP);
}

void etw_perf_set_destroy(struct etw_perf_set *set)
{
}

int etw_perf_set_period(struct etw_perf_set *set, u32 index, u64 period)
{
	return -EOPNOTSUPP;
}

u32 etw_perf_set_method(struct etw_perf_set *set, u32 index, u32 processor)
{
	return ETW_METHOD_NONE;
}

int etw_perf_sets_init(void)
{
	return 0;
}

void etw_perf_sets_exit(void)
{
}
