// SPDX-License-Identifier: GPL-2.0
/* etw dump --count: events by name. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dump.h"

struct count {
	char name[EVENT_NAME];
	uint64_t events;
};

static struct count *counts;
static size_t nr_counts;
static uint64_t events;

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct count *)a)->name, ((const struct count *)b)->name);
}

void dump_count_event(struct line *line)
{
	struct count *more;
	size_t i;

	events++;
	for (i = 0; i < nr_counts; i++) {
		if (strcmp(counts[i].name, line->name))
			continue;
		counts[i].events++;
		return;
	}
	more = reallocarray(counts, nr_counts + 1, sizeof(*counts));
	if (!more)
		return;
	counts = more;
	strcpy(counts[nr_counts].name, line->name);
	counts[nr_counts++].events = 1;
}

void dump_print_counts(const struct trace *trace)
{
	size_t i;

	printf("%10" PRIu64 " events in %zu buffers\n", events, trace->count);
	qsort(counts, nr_counts, sizeof(*counts), by_name);
	for (i = 0; i < nr_counts; i++)
		printf("%10" PRIu64 " %s\n", counts[i].events, counts[i].name);
	free(counts);
}
