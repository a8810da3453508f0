// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The stacks of samples and of waits, and when their events were (declared in report.h). */
#include <inttypes.h>
#include <stdlib.h>
#include "export/export.h"
#include "etw.h"
#include "cmd/stat/stacks.h"
#include "items.h"
#include "report.h"

/* What of the events of one report is kept: one runs at a time */
static struct items items;

static int keep(struct stack_report *report, const struct stack_event *event)
{
	struct lifetimes *lifetimes = report->statistics->lifetimes;
	const struct thread *thread = NULL;
	const struct item item = {
		.at = etl_nanoseconds(&report->trace->log, event->time),
		.what = report->tree->at, .weight = event->weight,
	};
	struct item with = item;

	if (event->has_tid) {
		thread = lifetimes_thread(lifetimes, event->tid, event->time);
		if (!thread)
			return no_memory();
	}
	with.thread = thread ? thread->life.index : UINT32_MAX;
	return items_add(&items, &with) ? no_memory() : 0;
}

static void put_tree(const struct call_tree *tree)
{
	size_t i;

	fputs("\"names\":[", stdout);
	for (i = 0; i < tree->hashes.count; i++) {
		fputs(i ? ",\n" : "", stdout);
		export_string(stdout, tree->name[i].text);
	}
	fputs("],\"kernel\":[", stdout);
	for (i = 0; i < tree->hashes.count; i++)
		printf(i ? ",%u" : "%u", tree->name[i].is_kernel);
	fputs("],\"parent\":[", stdout);
	for (i = 0; i < tree->nodes; i++)
		printf(i ? ",%u" : "%u", tree->node[i].parent);
	fputs("],\"name\":[", stdout);
	for (i = 0; i < tree->nodes; i++)
		printf(i ? ",%u" : "%u", tree->node[i].name);
	fputs("],\"self\":[", stdout);
	for (i = 0; i < tree->nodes; i++)
		printf(i ? ",%" PRIu64 : "%" PRIu64, tree->node[i].self);
	fputs("]", stdout);
}

static int put(const struct stack_report *report)
{
	const struct stacks *stacks = &report->stacks;

	if (items_finish(&items))
		return no_memory();
	printf("{\"events\":%" PRIu64 ",\"with_kernel_stack\":%" PRIu64
	       ",\"with_user_stack\":%" PRIu64 ",\"stacks_in_trace\":%" PRIu64
	       ",\"waits_left_out\":%" PRIu64 ",\"unit\":%u,\"weight\":%" PRIu64 ",\n",
	       report->events, report->with_kernel, report->with_user, stacks->records,
	       report->unsure, report->tree->unit, report->tree->weight);
	put_tree(report->tree);
	fputs(",\"items\":", stdout);
	items_json(&items, stdout);
	putchar('}');
	return 0;
}

int page_stacks(struct page *page, const struct stat_options *options)
{
	struct stat_options with = *options;
	int code;

	with.format = put;
	with.each = page->is_other ? NULL : keep;
	code = stat_stacks(page->trace, page->statistics, &with);
	items_free(&items);
	return code;
}
