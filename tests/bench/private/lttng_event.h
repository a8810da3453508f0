/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* lttng-ust: an event of two 64-bit fields. Included more than once. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER etw_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng_event.h"

#if !defined(ETW_BENCH_LTTNG_EVENT_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define ETW_BENCH_LTTNG_EVENT_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(
	etw_bench, event,
	LTTNG_UST_TP_ARGS(uint64_t, first, uint64_t, second),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint64_t, first, first)
		lttng_ust_field_integer(uint64_t, second, second)
	)
)

#endif

#include <lttng/tracepoint-event.h>
