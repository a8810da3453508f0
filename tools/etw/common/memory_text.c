// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The memory of a session's buffers, as text. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/sysinfo.h>
#include "memory_text.h"

static double total_bytes(void)
{
	struct sysinfo machine;

	if (sysinfo(&machine))
		return 0;
	return (double)machine.totalram * machine.mem_unit;
}

const char *memory_text(uint64_t buffers, uint32_t buffer_size)
{
	double bytes = (double)buffers * buffer_size, total = total_bytes();
	static char text[64];

	snprintf(text, sizeof(text), "%.1f MB, %.1f %% of the memory", bytes / 1e6,
		 total ? bytes * 100 / total : 0);
	return text;
}

void memory_report(const struct etw_statistics *statistics, uint32_t maximum)
{
	if (!statistics->buffers_most)
		return;
	fprintf(stderr, "etw: at most %u buffers were in use (%s); ", statistics->buffers_most,
		memory_text(statistics->buffers_most, statistics->buffer_size));
	fprintf(stderr, "the limit was %u (%s)\n", maximum,
		memory_text(maximum, statistics->buffer_size));
}
