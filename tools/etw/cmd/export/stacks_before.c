// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The stacks of another file or range, for a picture of the difference. */
#include <string.h>
#include "cmd/stat/stacks.h"
#include "etw.h"
#include "stack_formats.h"

/* Takes the tree away from the report, which ends after this */
static int keep(const struct stack_report *report)
{
	report->before->tree = *report->tree;
	memset(report->tree, 0, sizeof(*report->tree));
	return 0;
}

int stacks_before(const char *name, const struct stat_options *options,
		  struct event_filter *filter, struct stacks_before *before)
{
	static struct statistics statistics;
	struct stat_options with = *options;
	const char *file = strrchr(name, '/');
	int code = EXIT_FAILED;
	struct trace trace;

	before->name = file ? file + 1 : name;
	with.before = before;
	with.format = keep;
	if (trace_open(&trace, name))
		return EXIT_FAILED;
	trace_warn(&trace);
	if (!statistics_collect(&statistics, &trace, false, filter))
		code = stat_stacks(&trace, &statistics, &with);
	statistics_free(&statistics);
	trace_close(&trace);
	return code;
}
