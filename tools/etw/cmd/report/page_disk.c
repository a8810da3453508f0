// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* When disks transferred what for which process (declared in report.h). */
#include <inttypes.h>
#include "export/export.h"
#include "cmd/stat/disk.h"
#include "etw.h"
#include "items.h"
#include "report.h"

/**
 * struct requests - while the trace is read
 * @log: has the clock
 * @bytes: a moment each: how much; @thread is the index of the process + 1, @what the operation
 * @count: how many at that moment
 */
struct requests {
	const struct etl_logfile *log;
	struct items bytes;
	struct items count;
};

static int take(void *context, const struct disk_request *request)
{
	struct requests *requests = context;
	struct item item = {
		.at = etl_nanoseconds(requests->log, request->time), .thread = request->process,
		.what = request->op, .weight = request->bytes,
	};

	if (request->bytes && items_add(&requests->bytes, &item))
		return no_memory();
	item.weight = 1;
	return items_add(&requests->count, &item) ? no_memory() : 0;
}

void page_process_names(const struct lifetimes *lifetimes)
{
	const struct process *process;
	size_t i;

	fputs("[[null,\"\"]", stdout);
	for (i = 0; i < lifetimes->processes.count; i++) {
		process = lifetimes_process_at(lifetimes, i);
		printf(",[%" PRIu32 ",", process->life.id);
		export_string(stdout, process_name(process));
		putchar(']');
	}
	putchar(']');
}

/* Behind the JSON of the report, which capture_end() takes from standard output */
int page_disk(struct page *page, const struct stat_options *options)
{
	struct requests requests = { .log = &page->trace->log };
	const struct disk_observer observer = { .context = &requests, .take = take };
	struct stat_options with = *options;
	int code;

	with.requests = &observer;
	code = stat_disk(page->trace, page->statistics, &with);
	if (code == EXIT_OK) {
		if (items_finish(&requests.bytes) || items_finish(&requests.count))
			code = failed("%s", strerror(ENOMEM));
		fputs(",\"timeline\":{\"processes\":", stdout);
		page_process_names(page->statistics->lifetimes);
		fputs(",\"bytes\":", stdout);
		items_json(&requests.bytes, stdout);
		fputs(",\"requests\":", stdout);
		items_json(&requests.count, stdout);
		putchar('}');
	}
	items_free(&requests.bytes);
	items_free(&requests.count);
	return code;
}
