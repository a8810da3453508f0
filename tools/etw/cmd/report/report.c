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
	"report [FILTERS] [-o OUT.html] FILE|-\n\n"
	"Writes a trace as one page for a browser, which needs no network: a timeline of the\n"
	"processors, processes and events that zooms and selects; tables of threads, waits, disks,\n"
	"faults, interrupts and counters; flame graphs of samples and waits.\n"
	"Its numbers are those of 'etw stat --json'.\n"
	"FILTERS are --range, --pid, --tid, --process, --container and --cpu, as in 'etw dump'.\n\n";

static const struct verb_option options[] = {
	FILTER_OPTIONS,
	{ .code = OPTION_IDLE },
	{ .code = OPTION_SYSROOT },
	{ .code = OPTION_KALLSYMS },
	{ .code = OPTION_OUTPUT, .help = "to this file instead of standard output" },
	{ }
};

static int make(const struct trace *trace, struct stat_options *wanted, FILE *to)
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
	if (fclose(page.data))
		code = failed("%s", strerror(ENOMEM));
	if (code == EXIT_OK && page_write(data, size, to))
		code = EXIT_FAILED;
	statistics_free(&statistics);
	free(data);
	return code;
}

/* To standard output without @output, otherwise to a file that is whole, or stays as it was */
static int write_page(struct trace *trace, const char *output, struct stat_options *wanted)
{
	struct new_file file;
	FILE *to = stdout;
	int code;

	if (output)
		to = new_file_begin(&file, output);
	if (!to)
		return EXIT_FAILED;
	code = trace_describe(trace) ? EXIT_FAILED : make(trace, wanted, to);
	if (output && (ferror(to) | fclose(to)))
		code = failed("%s: %s", output, strerror(errno));
	if (output && new_file_end(&file, code == EXIT_OK))
		code = EXIT_FAILED;
	return code;
}

static int report_file(const char *name, const char *output, struct stat_options *wanted)
{
	struct trace trace;
	int code;

	if (output && is_same_file(name, output))
		return failed("%s: this is the trace itself", output);
	if (trace_open(&trace, name))
		return EXIT_FAILED;
	trace_warn(&trace);
	code = write_page(&trace, output, wanted);
	trace_close(&trace);
	return code;
}

/* Return: EXIT_OK to go on */
static int take_option(int c, struct stat_options *wanted, const char **output)
{
	if (c == OPTION_OUTPUT)
		*output = strcmp(optarg, "-") ? optarg : NULL;
	else if (is_filter_option(c))
		return filter_option_take(&verb_report, c, optarg, &wanted->filter);
	else
		return stack_option_take(&verb_report, c, wanted);
	return EXIT_OK;
}

static int report_verb(int argc, char **argv)
{
	struct stat_options wanted = { .filter = EVENT_FILTER_ALL };
	const char *output = NULL;
	int c, code = EXIT_OK;

	while (!code && (c = next_verb_option(&verb_report, argc, argv)) != -1) {
		if (c == OPTION_HELP) {
			event_filter_free(&wanted.filter);
			return print_help(&verb_report);
		}
		code = take_option(c, &wanted, &output);
	}
	if (!code && argc - optind != 1)
		code = usage_error(&verb_report, "report: exactly one file is needed");
	if (!code)
		code = report_file(argv[optind], output, &wanted);
	event_filter_free(&wanted.filter);
	return code;
}

const struct verb verb_report = {
	.name = "report", .summary = "write a page for a browser: timeline, tables, flame graphs",
	.help = help, .options = options, .run = report_verb,
};
