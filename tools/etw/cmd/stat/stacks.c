// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE stacks, and profile --by function: what stacks say. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "control/hooks.h"
#include "etw.h"
#include "etw_hooks.h"
#include "keyed.h"
#include "stacks.h"
#include "terminal.h"

/* Of a tree for people: what is rarer than one in so many is left out */
#define TREE_PART	200

/* Two names and what is between them */
#define EVENTS_TEXT	(2 * EVENT_NAME + 2)

/* Of the events that are wanted */
static void events_text(const struct stack_report *report, char to[EVENTS_TEXT])
{
	char first[EVENT_NAME], second[EVENT_NAME];

	if (!report->all_samples) {
		hook_name(report->hook_id, to, EVENTS_TEXT);
		return;
	}
	hook_name(PERFINFO_LOG_TYPE_SAMPLED_PROFILE, first, sizeof(first));
	hook_name(PERFINFO_LOG_TYPE_PMC_INTERRUPT, second, sizeof(second));
	snprintf(to, EVENTS_TEXT, "%s, %s", first, second);
}

static void say_counts(const struct stack_report *report)
{
	const struct terminal terminal = terminal_of_stdout();
	const struct stacks *stacks = &report->stacks;
	char name[EVENTS_TEXT], text[EVENTS_TEXT + 256];

	events_text(report, name);
	snprintf(text, sizeof(text), "%s: %" PRIu64 " events, %" PRIu64 " with a kernel stack, %"
		 PRIu64 " with a user stack", name, report->events, report->with_kernel,
		 report->with_user);
	terminal_wrap(&terminal, text, 2);
	putchar('\n');
	snprintf(text, sizeof(text), "%" PRIu64 " stacks in the trace, %" PRIu64 " of these events, %"
		 PRIu64 " of keys that nothing defines; %" PRIu64 " definitions", stacks->records,
		 stacks->matched, stacks->unresolved, stacks->defined);
	terminal_wrap(&terminal, text, 2);
	fputs("\n\n", stdout);
}

/* The tree is written as it is walked: it may be large. */
static void print_json(const struct stack_report *report)
{
	const struct stacks *stacks = &report->stacks;

	fputs("{\"stacks\":", stdout);
	call_tree_json(report->tree);
	printf(",\"events\":%" PRIu64 ",\"with_kernel_stack\":%" PRIu64
	       ",\"with_user_stack\":%" PRIu64 ",\"stacks_in_trace\":%" PRIu64
	       ",\"stacks_of_events\":%" PRIu64 ",\"stacks_undefined\":%" PRIu64
	       ",\"definitions\":%" PRIu64 ",\"waits_left_out\":%" PRIu64
	       ",\"samples_left_out\":%" PRIu64 "}\n", report->events, report->with_kernel,
	       report->with_user, stacks->records, stacks->matched, stacks->unresolved,
	       stacks->defined, report->unsure, report->left_out);
}

/* The options that record the wanted events with stacks */
static void how_to_record(const struct stack_report *report, char *to, size_t room)
{
	char name[EVENT_NAME];

	if (report->all_samples) {
		snprintf(to, room, "-e PROC_THREAD+LOADER+PROFILE -F 1000 --stackwalk Profile");
		return;
	}
	hook_name(report->hook_id, name, sizeof(name));
	if (report->hook_id == PERFINFO_LOG_TYPE_CONTEXTSWAP)
		snprintf(to, room, "-e PROC_THREAD+LOADER+CSWITCH --stackwalk %s", name);
	else
		snprintf(to, room, "-e EVENTS --stackwalk %s; EVENTS: their group, and LOADER, of "
			 "'etw list events'", name);
}

/* Without stacks each event stands alone, and no function has a caller. */
static void warn_of_parts(const struct stack_report *report)
{
	char how[EVENT_NAME + 96];

	if (report->with_user && !symbols_have_images(report->symbols))
		report_lacks_part(report->trace, "images", "programs' functions have no names",
				  "-e PROC_THREAD+LOADER");
	if (report->with_kernel || report->with_user)
		return;
	how_to_record(report, how, sizeof(how));
	report_lacks_part(report->trace, "stacks of these events", "their callers are unknown",
			  how);
}

static int print_tree(struct stack_report *report, const struct stat_options *options)
{
	if (options->format) {
		if (options->format(report))
			return EXIT_FAILED;
	} else if (options->folded) {
		call_tree_folded(report->tree);
	} else if (options->as == AS_JSON) {
		print_json(report);
	} else if (options->as == AS_CSV) {
		if (call_tree_csv(report->tree))
			return no_memory(), EXIT_FAILED;
	} else {
		warn_of_parts(report);
		say_counts(report);
		call_tree_text(report->tree, options->top ? TREE_PART : 0, options->top);
	}
	symbols_warn(report->symbols, false);
	return EXIT_OK;
}

static int say_none(const struct stack_report *report)
{
	char name[EVENTS_TEXT], what[EVENTS_TEXT + 16], how[EVENT_NAME + 96];

	events_text(report, name);
	snprintf(what, sizeof(what), "%s %s",
		 report->weight == WEIGH_WAITING ? "waits in events" : "events", name);
	how_to_record(report, how, sizeof(how));
	return report_lacks(report->trace, report->statistics->filter, what, how);
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
		if (report->left_out)
			warn("%s: %" PRIu64 " samples of more than %u sources are left out",
			     report->trace->name, report->left_out, SOURCES);
		if (report->events)
			code = print(report, options);
		else
			say_none(report);
	}
	stack_report_free(report);
	return code;
}

int stat_stacks(const struct trace *trace, const struct statistics *statistics,
		const struct stat_options *options)
{
	struct stack_report report = {
		.trace = trace, .statistics = statistics, .where = &options->where,
		.each = options->each, .before = options->before,
	};

	if (options->waiting) {
		report.hook_id = PERFINFO_LOG_TYPE_CONTEXTSWAP;
		report.weight = WEIGH_WAITING;
	} else if (options->by_hook) {
		report.hook_id = options->hook;
	} else {
		report.all_samples = true;
	}
	return make_and_print(&report, options, print_tree);
}

enum { SELF, SELF_SHARE, ALL, ALL_SHARE, PROCESS, MODULE, FUNCTION, SOURCE };

/* A sample has several functions in its stack: what is with callees has no sum. */
static void make_columns(struct sheet *sheet, bool by_module)
{
	enum sheet_where where = by_module ? SHEET_NOWHERE : SHEET_EVERYWHERE;

	sheet->name = by_module ? "modules" : "functions";
	if (sheet->columns)
		return;
	sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "samples");
	sheet_column(sheet, SHEET_PERCENT, SHEET_EVERYWHERE, "%");
	sheet_column(sheet, SHEET_PART, SHEET_EVERYWHERE, "with callees");
	sheet_column(sheet, SHEET_SHARE, SHEET_EVERYWHERE, "with callees %");
	sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "process");
	sheet_column(sheet, SHEET_TEXT, by_module ? SHEET_EVERYWHERE : SHEET_IN_EXPORT, "module");
	sheet_column(sheet, SHEET_TEXT, where, "function");
	sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "source");
}

/* Hundredths of a percent */
static uint64_t share_of(const struct call_tree *tree, uint64_t weight)
{
	return tree->weight ? ((__int128)weight * 10000 + tree->weight / 2) / tree->weight : 0;
}

static void put_module(struct sheet *sheet, const char *function)
{
	const char *end = strchr(function, '!');
	char text[SYMBOL_TEXT];

	snprintf(text, sizeof(text), "%.*s", end ? (int)(end - function) : 0, function);
	sheet_text(sheet, MODULE, text);
}

static void fill(const struct call_tree *tree, const char *source, struct sheet *sheet,
		 bool by_module)
{
	const struct call_name *function;
	size_t i;

	make_columns(sheet, by_module);
	for (i = 0; i < tree->hashes.count; i++) {
		function = &tree->name[i];
		/* the root, processes: nothing ends there that has an address */
		if (!strchr(function->text, '!') && !function->self)
			continue;
		sheet_row(sheet);
		sheet_number(sheet, SELF, function->self);
		sheet_number(sheet, SELF_SHARE, share_of(tree, function->self));
		sheet_number(sheet, ALL, function->all);
		sheet_number(sheet, ALL_SHARE, share_of(tree, function->all));
		sheet_text(sheet, PROCESS, function->several ? "(several)" :
						       tree->name[function->top].text);
		put_module(sheet, function->text);
		sheet_text(sheet, FUNCTION, function->text);
		sheet_text(sheet, SOURCE, source);
	}
}

/* Samples of two sources have no sum: text has a table of each, other forms a column */
static int print_functions(struct stack_report *report, const struct stat_options *options)
{
	struct sheet sheets[SOURCES] = { }, *all[SOURCES];
	size_t count = 0, i;
	int code;

	for (i = 0; i < report->sources.count; i++) {
		if (!report->trees[i].nodes)
			continue;
		if (!count || options->as == AS_TEXT)
			all[count++] = &sheets[i];
		fill(&report->trees[i], report->sources.source[i].name, all[count - 1],
		     report->by_module);
	}
	for (i = 0; i < count; i++)
		sheet_sort(all[i], SELF);
	code = sheets_report(all, count, options);
	symbols_warn(report->symbols, false);
	return code;
}

int stat_functions(const struct trace *trace, const struct statistics *statistics,
		   const struct stat_options *options)
{
	struct stack_report report = {
		.trace = trace, .statistics = statistics, .where = &options->where,
		.all_samples = true, .by_source = true, .by_module = options->by == BY_MODULE,
	};

	return make_and_print(&report, options, print_functions);
}
