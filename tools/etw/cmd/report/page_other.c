// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The file that the page's file is compared with (declared in report.h). */
#include "etw.h"
#include "report.h"

static int collect(struct page *page, struct trace *trace, struct compared *compared)
{
	static struct statistics statistics;
	struct stat_options options = *page->options;
	struct page other = {
		.trace = trace, .statistics = &statistics, .options = &options,
		.data = page->data, .is_other = true,
	};
	int code = EXIT_FAILED;

	options.filter = compared->filter;
	if (!statistics_collect(&statistics, trace, true, &compared->filter)) {
		page_section(page, "other");
		code = page_collect(&other);
		putc('}', page->data);
	}
	statistics_free(&statistics);
	return code;
}

int page_collect_other(struct page *page, struct compared *compared)
{
	struct trace trace;
	int code;

	if (trace_open(&trace, compared->name))
		return EXIT_FAILED;
	trace_warn(&trace);
	code = trace_describe(&trace) ? EXIT_FAILED : collect(page, &trace, compared);
	trace_close(&trace);
	return code;
}
