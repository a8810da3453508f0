// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The timeline of the processors (declared in report.h). */
#include <inttypes.h>
#include "libetl/swap_intervals.h"
#include "etw.h"
#include "cmd/stat/cpu.h"
#include "items.h"
#include "report.h"

/* Instead of the index of a thread */
#define NOT_KNOWN	((uint32_t)-1)
#define LOST		((uint32_t)-2)
#define NOT_WANTED	((uint32_t)-3)

/**
 * struct timeline - while the trace is read
 * @filter: which times, processors and threads are wanted
 * @items: which thread ran; @what is the processor, and idle times have none
 */
struct timeline {
	const struct event_filter *filter;
	struct items items;
};

static int take(void *context, uint16_t cpu, enum chain_break why, const struct thread *thread,
		int64_t from, int64_t to)
{
	struct timeline *timeline = context;
	struct item item = { .what = cpu, .thread = NOT_KNOWN };

	if ((why == CHAIN_WHOLE && !thread) || !event_filter_wants_cpu(timeline->filter, cpu))
		return 0;
	item.weight = event_filter_clip(timeline->filter, &from, &to);
	if (!item.weight)
		return 0;
	item.at = from;
	item.length = item.weight;
	if (thread)
		item.thread = event_filter_wants_thread(timeline->filter, thread) ?
			      thread->life.index : NOT_WANTED;
	else if (why == CHAIN_LOST)
		item.thread = LOST;
	return items_add(&timeline->items, &item);
}

/* Behind the JSON of the report, which capture_end() takes from standard output */
static int end(void *context, const struct cpu_life *cpu)
{
	struct timeline *timeline = context;
	bool first = true;
	size_t i;

	if (items_finish(&timeline->items))
		return no_memory();
	fputs(",\"timeline\":{\"cpus\":[", stdout);
	for (i = 0; i < ETL_PROCESSORS; i++) {
		if (!cpu[i].seen || !event_filter_wants_cpu(timeline->filter, i))
			continue;
		printf("%s{\"cpu\":%zu,\"first\":%" PRId64 ",\"last\":%" PRId64 "}",
		       first ? "" : ",", i, cpu[i].first, cpu[i].last);
		first = false;
	}
	fputs("],\"items\":", stdout);
	items_json(&timeline->items, stdout);
	putchar('}');
	return 0;
}

int page_cpu(struct page *page, const struct stat_options *options)
{
	struct timeline timeline = { .filter = page->statistics->filter };
	const struct cpu_spent spent = { .context = &timeline, .take = take, .end = end };
	struct stat_options with = *options;
	int code;

	with.spent = &spent;
	code = stat_cpu(page->trace, page->statistics, &with);
	items_free(&timeline.items);
	return code;
}
