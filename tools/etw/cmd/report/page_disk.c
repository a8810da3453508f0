// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* When disks transferred what for which process (declared in report.h). */
#include <inttypes.h>
#include "export/export.h"
#include "etw.h"
#include "items.h"
#include "report.h"

/**
 * struct requests - while the trace is read
 * @bytes: a moment each: how much; @thread is the index of the process + 1, @what the operation
 * @count: how many at that moment
 */
struct requests {
	struct items bytes;
	struct items count;
};

static int take(void *context, uint64_t process, unsigned int op, int64_t ns, uint64_t bytes)
{
	struct requests *requests = context;
	struct item item = { .at = ns, .thread = process, .what = op, .weight = bytes };

	if (bytes && items_add(&requests->bytes, &item))
		return -1;
	item.weight = 1;
	return items_add(&requests->count, &item);
}

/* Of index + 1: 0 is unknown */
static void put_processes(const struct lifetimes *lifetimes)
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
	struct requests requests = { };
	const struct transfers transfers = { .context = &requests, .take = take };
	struct stat_options with = *options;
	int code;

	with.transfers = &transfers;
	code = stat_disk(page->trace, page->statistics, &with);
	if (code == EXIT_OK) {
		if (items_finish(&requests.bytes) || items_finish(&requests.count))
			code = failed("%s", strerror(ENOMEM));
		fputs(",\"timeline\":{\"processes\":", stdout);
		put_processes(page->statistics->lifetimes);
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
