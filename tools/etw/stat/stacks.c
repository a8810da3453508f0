// SPDX-License-Identifier: GPL-2.0
/* etw stat FILE stacks, and profile --by function: what stacks say. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../control/hooks.h"
#include "../etw.h"
#include "etw_hooks.h"
#include "keyed.h"
#include "stacks.h"

/* Of a tree for people: what is rarer than one in so many is left out */
#define TREE_PART	200

static void say_counts(const struct stack_report *report)
{
	const struct stacks *stacks = &report->stacks;
	char name[EVENT_NAME];

	hook_name(report->hook_id, name, sizeof(name));
	printf("%s: %" PRIu64 " events, %" PRIu64 " with a kernel stack, %" PRIu64
	       " with a user stack\n", name, report->events, report->with_kernel,
	       report->with_user);
	printf("%" PRIu64 " stacks in the trace, %" PRIu64 " of these events, %" PRIu64
	       " of keys that nothing defines; %" PRIu64 " definitions\n\n", stacks->records,
	       stacks->matched, stacks->unresolved, stacks->defined);
}

static int print_tree(struct stack_report *report, const struct stat_options *options)
{
	if (options->folded) {
		call_tree_folded(&report->tree);
	} else if (options->as == AS_JSON) {
		call_tree_json(&report->tree);
	} else {
		say_counts(report);
		call_tree_text(&report->tree, options->top ? TREE_PART : 0);
	}
	symbols_warn(report->symbols, false);
	return EXIT_OK;
}

static int make_and_print(struct stack_report *report, const struct stat_options *options,
			  int (*print)(struct stack_report *report,
				       const struct stat_options *options))
{
	int code = EXIT_FAILED;

	if (!stack_report_make(report)) {
		if (report->unsure)
			warn("%s: %" PRIu64 " waits are left out: switches may be missing in them",
			     report->trace->name, report->unsure);
		if (report->events)
			code = print(report, options);
		else
			failed("%s: there are no such events", report->trace->name);
	}
	stack_report_free(report);
	return code;
}

int stat_stacks(const struct trace *trace, const struct statistics *statistics,
		const struct stat_options *options)
{
	struct stack_report report = {
		.trace = trace, .statistics = statistics, .where = &options->where,
		.hook_id = PERFINFO_LOG_TYPE_SAMPLED_PROFILE,
	};

	if (options->waiting) {
		report.hook_id = PERFINFO_LOG_TYPE_CONTEXTSWAP;
		report.weight = WEIGH_WAITING;
	} else if (options->by_hook) {
		report.hook_id = options->hook;
	}
	return make_and_print(&report, options, print_tree);
}

static void fill(const struct stack_report *report, struct sheet *sheet)
{
	size_t self = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "samples");
	size_t all = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "with callees");
	size_t name = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "function");
	const struct call_tree *tree = &report->tree;
	const struct call_name *function;
	size_t i;

	for (i = 0; i < tree->hashes.count; i++) {
		function = &tree->name[i];
		/* the root, processes: nothing ends there that has an address */
		if (!strchr(function->text, '!') && !function->self)
			continue;
		sheet_row(sheet);
		sheet_number(sheet, self, function->self);
		sheet_number(sheet, all, function->all);
		sheet_text(sheet, name, function->text);
	}
	sheet_sort(sheet, self);
}

static int print_functions(struct stack_report *report, const struct stat_options *options)
{
	struct sheet sheet = { .name = "functions" };
	struct sheet *all[] = { &sheet };
	int code;

	fill(report, &sheet);
	code = sheets_report(all, 1, options);
	symbols_warn(report->symbols, false);
	return code;
}

int stat_functions(const struct trace *trace, const struct statistics *statistics,
		   const struct stat_options *options)
{
	struct stack_report report = {
		.trace = trace, .statistics = statistics, .where = &options->where,
		.hook_id = PERFINFO_LOG_TYPE_SAMPLED_PROFILE,
	};

	return make_and_print(&report, options, print_functions);
}
