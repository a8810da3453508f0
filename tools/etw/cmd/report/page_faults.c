// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* When processes had page faults, and waited for them (declared in report.h). */
#include <errno.h>
#include <string.h>
#include "export/export.h"
#include "etw.h"
#include "items.h"
#include "report.h"

/**
 * struct moments - while the trace is read
 * @faults: a moment each; @thread is the index of the process + 1, @what the kind
 * @waits: the same: ns of the wait
 */
struct moments {
	struct items faults;
	struct items waits;
};

static int take(void *context, size_t process, unsigned int kind, int64_t time, uint64_t ns)
{
	struct moments *moments = context;
	struct item item = { .at = time, .thread = process, .what = kind, .weight = 1 };

	if (items_add(&moments->faults, &item))
		return -1;
	item.weight = ns;
	return ns ? items_add(&moments->waits, &item) : 0;
}

static void put_kinds(void)
{
	size_t i;

	for (i = 0; i < FAULT_KINDS; i++) {
		fputs(i ? "," : "[", stdout);
		export_string(stdout, fault_kinds[i]);
	}
	fputs(",\"waits\"]", stdout);
}

/* Behind the JSON of the report, which capture_end() takes from standard output */
int page_faults(struct page *page, const struct stat_options *options)
{
	struct moments moments = { };
	const struct faulted faulted = { .context = &moments, .take = take };
	struct stat_options with = *options;
	int code;

	with.faulted = &faulted;
	code = stat_faults(page->trace, page->statistics, &with);
	if (code == EXIT_OK) {
		if (items_finish(&moments.faults) || items_finish(&moments.waits))
			code = failed("%s", strerror(ENOMEM));
		fputs(",\"timeline\":{\"processes\":", stdout);
		page_process_names(page->statistics->lifetimes);
		fputs(",\"kinds\":", stdout);
		put_kinds();
		fputs(",\"faults\":", stdout);
		items_json(&moments.faults, stdout);
		fputs(",\"waits\":", stdout);
		items_json(&moments.waits, stdout);
		putchar('}');
	}
	items_free(&moments.faults);
	items_free(&moments.waits);
	return code;
}
