// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump --count: events by name. */
#include <inttypes.h>
#include <stdio.h>
#include "libetl/event_counts.h"
#include "dump.h"
#include "common/print_fields.h"

static struct event_counts counts;
static uint64_t events;

void dump_count_event(struct line *line)
{
	events++;
	event_counts_add(&counts, line->record);
}

void dump_print_counts(const struct trace *trace)
{
	size_t i;

	printf("%10" PRIu64 " events in %zu buffers\n", events, trace->count);
	event_counts_sort(&counts);
	for (i = 0; i < counts.nr; i++) {
		printf("%10" PRIu64 " ", counts.count[i].events);
		text_print_event(counts.count[i].name, stdout);
		putchar('\n');
	}
	event_counts_free(&counts);
}
