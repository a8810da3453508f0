// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* When interrupts and deferred work ran (declared in report.h). */
#include <errno.h>
#include <string.h>
#include "cmd/stat/interrupts.h"
#include "etw.h"
#include "items.h"
#include "report.h"

/**
 * struct moments - while the trace is read
 * @log: has the clock
 * @count: a moment each; @thread is the processor, @what 1 for interrupts, 0 for deferred work
 * @times: the same: ns that they took
 * @no_memory: something is missing
 */
struct moments {
	const struct etl_logfile *log;
	struct items count;
	struct items times;
	bool no_memory;
};

static void take(void *context, const struct interrupt *interrupt)
{
	struct moments *moments = context;
	struct item item = {
		.at = etl_nanoseconds(moments->log, interrupt->time),
		.thread = interrupt->processor, .what = interrupt->has_vector, .weight = 1,
	};

	if (items_add(&moments->count, &item))
		moments->no_memory = true;
	item.weight = interrupt->ns;
	if (interrupt->ns && items_add(&moments->times, &item))
		moments->no_memory = true;
}

/* Behind the JSON of the report, which capture_end() takes from standard output */
int page_interrupts(struct page *page, const struct stat_options *options)
{
	struct moments moments = { .log = &page->trace->log };
	const struct interrupt_observer observer = { .context = &moments, .take = take };
	struct stat_options with = *options;
	int code;

	with.interrupts = &observer;
	code = stat_dpc(page->trace, page->statistics, &with);
	if (code == EXIT_OK) {
		if (moments.no_memory || items_finish(&moments.count) ||
		    items_finish(&moments.times))
			code = failed("%s", strerror(ENOMEM));
		fputs(",\"timeline\":{\"count\":", stdout);
		items_json(&moments.count, stdout);
		fputs(",\"times\":", stdout);
		items_json(&moments.times, stdout);
		putchar('}');
	}
	items_free(&moments.count);
	items_free(&moments.times);
	return code;
}
