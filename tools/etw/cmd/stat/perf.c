// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat: which counters, PEBS indexes and samples a trace has. */
#include <inttypes.h>
#include <stdio.h>
#include "common/print_fields.h"
#include "collect.h"

void perf_summary_print(const struct perf_summary *perf)
{
	char name[COUNTER_NAME];
	unsigned int i;

	if (perf->counted) {
		printf("counters    %" PRIu64 " records carry them, %" PRIu64 " context swaps",
		       perf->counted, perf->counted_switches);
		for (i = 0; i < perf->counters; i++) {
			perf_summary_name(perf, i, name, sizeof(name));
			fputs(i ? ", " : ": ", stdout);
			text_print_quoted(name, stdout);
		}
		puts(perf->counters ? " ('etw stat FILE counters')" : "");
	}
	if (perf->indexed)
		printf("PEBS        %" PRIu64 " context swaps carry the index "
		       "('etw stat FILE counters')\n", perf->indexed);
	if (perf->timer_samples || perf->counter_samples)
		printf("samples     %" PRIu64 " by time, %" PRIu64
		       " by counters ('etw stat FILE profile')\n",
		       perf->timer_samples, perf->counter_samples);
}
