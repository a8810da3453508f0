// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* ns per event of 16 bytes: lttng-ust; and of the clock that it reads. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_event.h"
#include "batches.h"

static void write_event(uint64_t number)
{
	lttng_ust_tracepoint(etw_bench, event, number, ~number);
}

static void read_clock(uint64_t number)
{
	struct timespec now;

	(void)number;
	clock_gettime(CLOCK_MONOTONIC, &now);
}

int main(void)
{
	bench_run("lttng", write_event);
	bench_run("lttng-clock", read_clock);
	return 0;
}
