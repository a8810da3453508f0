// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What threads counted when (declared in report.h). */
#include "etw.h"
#include "items.h"
#include "report.h"

static int take(void *context, const struct thread *thread, unsigned int counter, int64_t ns,
		uint64_t count)
{
	const struct item item = {
		.at = ns, .thread = thread->life.index, .what = counter, .weight = count,
	};

	return count ? items_add(context, &item) : 0;
}

/* Behind the JSON of the report, which capture_end() takes from standard output */
int page_counters(struct page *page, const struct stat_options *options)
{
	struct items items = { };
	const struct counted counted = { .context = &items, .take = take };
	struct stat_options with = *options;
	int code;

	with.counted = &counted;
	code = stat_counters(page->trace, page->statistics, &with);
	if (code == EXIT_OK || code == EXIT_VIOLATIONS) {
		if (items_finish(&items))
			code = failed("%s", strerror(ENOMEM));
		fputs(",\"timeline\":", stdout);
		items_json(&items, stdout);
	}
	items_free(&items);
	return code;
}
