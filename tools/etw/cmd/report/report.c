// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw report: a trace as a page for a browser. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/filter_options.h"
#include "common/new_file.h"
#include "etw.h"
#include "report.h"

static const char help[] =
	"report [--diff OTHER] [FILTERS] [-o OUT.html] FILE|-\n\n"
	"Writes a trace as one page for a browser, which needs no network: a timeline of the\n"
	"processors, processes and events that zooms and selects; tables of threads, waits, disks,\n"
	"faults, interrupts and counters; flame graphs of samples and waits.\n"
	"Its numbers are those of 'etw stat --json'. With --diff the page also compares two files.\n"
	"FILTERS are --range, --pid, --tid, --process, --container and --cpu, as in 'etw dump'.\n\n";

static const struct verb_option options[] = {
	{ 'd', 0, "diff", "OTHER",
	  "compare with this file, which was recorded before: tables of both\n"
	  "values and the change, and flame graphs of the difference" },
	FILTER_OPTIONS,
	{ .code = OPTION_IDLE },
	{ .code = OPTION_SYSROOT },
	{ .code = OPTION_KALLSYMS },
	{ .code = OPTION_OUTPUT, .help = "to this file instead of standard output" },
	{ }
};

static int make(const struct trace *trace, struct stat_options *wanted,
		struct compared *compared, FILE *to)
{
	static struct statistics statistics;
	struct page page = { .trace = trace, .statistics = &statistics, .options = wanted };
	int code = EXIT_FAILED;
	char *data = NULL;
	size_t size;

	page.data = open_memstream(&data, &size);
	if (!page.data)
		return failed("%s", strerror(errno));
	if (!statistics_collect(&statistics, trace, true, &wanted->filter))
		code = page_collect(&page);
	statistics_free(&statistics);
	if (code == EXIT_OK && compared->name) {
		page.options = wanted;
		code = page_collect_other(&page, compared);
	}
	fputs("}\n", page.data);
	if (fclose(page.data))
		code = failed("%s", strerror(ENOMEM));
	/* main() reports an error of standard output */
	if (code == EXIT_OK && page_write(data, size, to) && to != stdout)
		code = EXIT_FAILED;
	free(data);
	return code;
}

/* To standard output without @output, otherwise to a file that is whole, or stays as it was */
static int write_page(struct trace *trace, const char *output, struct stat_options *wanted,
		      struct compared *compared)
{
	struct new_file file;
	FILE *to = stdout;
	int code;

	if (output)
		to = new_file_begin(&file, output);
	if (!to)
		return EXIT_FAILED;
	code = trace_describe(trace) ? EXIT_FAILED : make(trace, wanted, compared, to);
	if (output && (ferror(to) | fclose(to)))
		code = failed("%s: %s", output, strerror(errno));
	if (output && new_file_end(&file, code == EXIT_OK))
		code = EXIT_FAILED;
	return code;
}

static int report_file(const char *name, const char *output, struct stat_options *wanted,
		       struct compared *compared)
{
	struct trace trace;
	int code;

	if (output && (is_same_file(name, output) ||
		       (compared->name && is_same_file(compared->name, output))))
		return failed("%s: this is the trace itself", output);
	if (trace_open(&trace, name))
		return EXIT_FAILED;
	trace_warn(&trace);
	code = write_page(&trace, output, wanted, compared);
	trace_close(&trace);
	return code;
}

/* Filters are of both files. Return: EXIT_OK to go on */
static int take_option(int c, struct stat_options *wanted, struct compared *compared,
		       const char **output)
{
	int code = EXIT_OK;

	if (c == OPTION_OUTPUT) {
		*output = strcmp(optarg, "-") ? optarg : NULL;
	} else if (c == 'd') {
		compared->name = optarg;
	} else if (is_filter_option(c)) {
		code = filter_option_take(&verb_report, c, optarg, &wanted->filter);
		if (code == EXIT_OK)
			code = filter_option_take(&verb_report, c, optarg, &compared->filter);
	} else {
		code = stack_option_take(&verb_report, c, wanted);
	}
	return code;
}

static int report_with(int argc, char **argv, struct stat_options *wanted,
		       struct compared *compared)
{
	const char *output = NULL;
	int c, code;

	while ((c = next_verb_option(&verb_report, argc, argv)) != -1) {
		if (c == OPTION_HELP)
			return print_help(&verb_report);
		code = take_option(c, wanted, compared, &output);
		if (code)
			return code;
	}
	if (argc - optind != 1)
		return usage_error(&verb_report, "report: exactly one file is needed");
	if (compared->name && !strcmp(compared->name, "-") && !strcmp(argv[optind], "-"))
		return usage_error(&verb_report,
				   "report: --diff: standard input can be read only once");
	return report_file(argv[optind], output, wanted, compared);
}

static int report_verb(int argc, char **argv)
{
	struct stat_options wanted = { .filter = EVENT_FILTER_ALL };
	struct compared compared = { .filter = EVENT_FILTER_ALL };
	int code = report_with(argc, argv, &wanted, &compared);

	event_filter_free(&wanted.filter);
	event_filter_free(&compared.filter);
	return code;
}

const struct verb verb_report = {
	.name = "report", .summary = "write a page for a browser: timeline, tables, flame graphs",
	.help = help, .options = options, .run = report_verb,
};
