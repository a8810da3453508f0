// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export: a file in the formats of other programs. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include "export/perfetto.h"
#include "libetl/event_info.h"
#include "libetl/output_file.h"
#include "common/filter_options.h"
#include "common/manifest_option.h"
#include "etw.h"
#include "cmd/stat/stacks.h"
#include "common/unfinished.h"
#include "chrome_stacks.h"
#include "perfetto_samples.h"
#include "sqlite.h"
#include "stack_formats.h"

static const char help[] =
	"export --chrome|--perfetto [FILTERS] [-o OUT] FILE|-\n"
	"           etw export --sqlite [FILTERS] -o OUT FILE|-\n"
	"           etw export --folded|--flamegraph|--speedscope|--pprof|--firefox\n"
	"                      [--hook ID|--waiting] [FILTERS] [-o OUT] FILE|-\n"
	"           etw export --flamegraph --diff OTHER|--diff-range FROM-TO [FILTERS] [-o OUT] FILE\n\n"
	"Writes a trace for another program.\n"
	"FILTERS are --range, --pid, --tid, --process, --container and --cpu, as in 'etw dump'.\n\n";

static const struct verb_option options[] = {
	{ 'c', 0, "chrome", NULL,
	  "Trace Event Format, JSON, for Perfetto and chrome://tracing: what\n"
	  "each processor and each thread does, wakeups, samples with stacks,\n"
	  "counters, disk requests, interrupts, events of files, networks and\n"
	  "programs, marks, losses" },
	{ 'p', 0, "perfetto", NULL,
	  "the same in Perfetto's own format, which is smaller and has tables\n"
	  "for SQL" },
	{ 'q', 0, "sqlite", NULL,
	  "a database for SQL: a table for each kind of event, and views that\n"
	  "have the numbers of 'etw stat'" },
	{ .code = OPTION_FOLDED,
	  .help = "for flame graphs, 'process;caller;function weight': the samples,\n"
		  "or the events of --hook, or with --waiting the microseconds that\n"
		  "threads waited in a stack" },
	{ 'f', 0, "flamegraph", NULL,
	  "the same stacks as a picture: an SVG file for a browser, with zoom\n"
	  "and search" },
	{ 's', 0, "speedscope", NULL, "the same stacks for speedscope: JSON" },
	{ 'g', 0, "pprof", NULL, "the same stacks for pprof: its protobuf, packed by gzip" },
	{ 'x', 0, "firefox", NULL,
	  "the same stacks, by thread and time, for profiler.firefox.com: JSON" },
	{ 'd', 0, "diff", "OTHER",
	  "flame graph: colours show what differs from this file, which was\n"
	  "recorded before: red a larger share, blue a smaller one" },
	{ 'r', 0, "diff-range", "FROM-TO",
	  "the same with this range of OTHER, or without --diff of FILE" },
	FILTER_OPTIONS,
	{ .code = OPTION_MANIFEST, .help = "as of 'etw dump'; not for stacks" },
	{ .code = OPTION_IDLE },
	{ .code = OPTION_HOOK },
	{ .code = OPTION_WAITING },
	{ .code = OPTION_INLINE },
	{ .code = OPTION_SYSROOT },
	{ .code = OPTION_KALLSYMS },
	{ .code = OPTION_OUTPUT, .help = "to this file instead of standard output" },
	{ }
};

/**
 * struct comparison - what a flame graph is compared with
 * @wanted: there is one
 * @file: name of another file; NULL: the same
 * @filter: the filters of the verb with a range of its own
 */
struct comparison {
	bool wanted;
	const char *file;
	struct event_filter filter;
};

/* The name of a format; what writes its stacks, or NULL; what gets each event before, or NULL */
static const struct format {
	int code;
	const char *name;
	int (*write)(const struct stack_report *report);
	int (*each)(struct stack_report *report, const struct stack_event *event);
} formats[] = {
	{ .code = 'c', .name = "--chrome" },
	{ .code = 'p', .name = "--perfetto" },
	{ .code = 'q', .name = "--sqlite" },
	{ .code = OPTION_FOLDED, .name = "--folded" },
	{ .code = 'f', .name = "--flamegraph", .write = export_flamegraph },
	{ .code = 's', .name = "--speedscope", .write = export_speedscope },
	{ .code = 'g', .name = "--pprof", .write = export_pprof },
	{ .code = 'x', .name = "--firefox", .write = export_firefox,
	  .each = export_firefox_event },
};

/* Return: NULL: the option is none of a format */
static const struct format *format_of(int code)
{
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (formats[i].code == code)
			return &formats[i];
	return NULL;
}

/* What is not whole does not stay. Return: the code */
static int end_output(int code)
{
	if (code)
		unfinished_remove();
	unfinished_end();
	return code;
}

/* Return: NULL: see errno */
static FILE *create(const char *output)
{
	int fd = output_open(output, O_WRONLY | O_TRUNC, NULL);

	if (fd < 0)
		errno = -fd;
	return fd < 0 ? NULL : fdopen(fd, "w");
}

static int write_chrome(const struct trace *trace, FILE *to, struct stat_options *options)
{
	static struct export export;
	int err;

	memset(&export, 0, sizeof(export));
	export.trace = trace;
	export.filter = &options->filter;
	export.to = to;
	err = export_chrome_with_stacks(&export, options);
	export_names_free(&export);
	return err;
}

static int write_perfetto(const struct trace *trace, FILE *to, struct stat_options *options)
{
	static struct perfetto perfetto;
	int err;

	if (event_filter_select(&options->filter, trace))
		return -1;
	memset(&perfetto, 0, sizeof(perfetto));
	perfetto.export.trace = trace;
	perfetto.export.filter = &options->filter;
	perfetto.export.to = to;
	err = export_perfetto_with_samples(&perfetto, options);
	export_perfetto_free(&perfetto);
	return err;
}

static int export_events(const char *name, const char *output, struct stat_options *options,
			 int (*write)(const struct trace *trace, FILE *to,
				      struct stat_options *options))
{
	struct trace trace;
	FILE *to;
	int code;

	if (output && is_same_file(name, output))
		return failed("%s: this is the trace itself", output);
	if (trace_open(&trace, name))
		return EXIT_FAILED;
	trace_warn(&trace);
	manifest_option_give(&options->infos, &trace);
	if (trace_describe(&trace)) {
		trace_close(&trace);
		return EXIT_FAILED;
	}
	to = output ? create(output) : stdout;
	if (!to) {
		code = failed("%s: %s", output, strerror(errno));
		trace_close(&trace);
		return code;
	}
	unfinished_begin(output);
	code = write(&trace, to, options) ? EXIT_FAILED : EXIT_OK;
	if (output && (ferror(to) | fclose(to)))
		code = failed("%s: %s", output, strerror(errno));
	trace_close(&trace);
	return end_output(code);
}

/* The stacks of etw stat, into the file */
static int write_stacks(const char *name, const char *output, struct stat_options *options)
{
	static struct statistics statistics;
	struct trace trace;
	int code = EXIT_FAILED, err;

	if (output && is_same_file(name, output))
		return failed("%s: this is the trace itself", output);
	if (trace_open(&trace, name))
		return EXIT_FAILED;
	trace_warn(&trace);
	err = output ? output_redirect(output) : 0;
	if (err) {
		code = failed("%s: %s", output, strerror(-err));
	} else {
		unfinished_begin(output);
		if (!statistics_collect(&statistics, &trace, false, &options->filter))
			code = stat_stacks(&trace, &statistics, options);
	}
	if (output && !code && (fflush(stdout) || ferror(stdout)))
		code = failed("%s: %s", output, strerror(errno));
	statistics_free(&statistics);
	trace_close(&trace);
	return end_output(code);
}

static int export_stacks(const char *name, const char *output, struct stat_options *options,
			 struct comparison *comparison)
{
	struct stacks_before before = { };
	int code = EXIT_OK;

	if (output && comparison->file && is_same_file(comparison->file, output))
		return failed("%s: this is the trace itself", output);
	if (comparison->wanted) {
		code = stacks_before(comparison->file ?: name, options, &comparison->filter,
				     &before);
		options->before = &before;
	}
	if (code == EXIT_OK)
		code = write_stacks(name, output, options);
	call_tree_free(&before.tree);
	return code;
}

/* A range is of one side, other filters are of both. Return: EXIT_OK to go on */
static int take_filter(int c, struct stat_options *stacks, struct comparison *comparison)
{
	int code = filter_option_take(&verb_export, c, optarg, &stacks->filter);

	if (code == EXIT_OK && c != OPTION_RANGE)
		code = filter_option_take(&verb_export, c, optarg, &comparison->filter);
	return code;
}

/* Return: EXIT_OK to go on */
static int take_option(int c, struct stat_options *stacks, struct comparison *comparison,
		       const struct format **format, const char **output)
{
	const struct format *wanted = format_of(c);
	int code = EXIT_OK;

	comparison->wanted |= c == 'd' || c == 'r';
	if (wanted && *format && *format != wanted)
		return usage_error(&verb_export, "export: %s and %s are mutually exclusive",
				   (*format)->name, wanted->name);
	if (wanted)
		*format = wanted;
	else if (c == OPTION_OUTPUT)
		*output = strcmp(optarg, "-") ? optarg : NULL;
	else if (c == OPTION_MANIFEST)
		code = manifest_option_take(optarg, &stacks->infos);
	else if (is_filter_option(c))
		return take_filter(c, stacks, comparison);
	else if (c == 'd')
		comparison->file = optarg;
	else if (c == 'r')
		code = filter_option_take(&verb_export, OPTION_RANGE, optarg, &comparison->filter);
	else
		return stack_option_take(&verb_export, c, stacks);
	return code;
}

static int say_no_format(void)
{
	char names[128] = "";
	size_t i, used = 0;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		used += snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
				 formats[i].name);
	return usage_error(&verb_export, "export: missing format (one of %s)", names);
}

static bool is_of_stacks(const struct format *format)
{
	return format->code != 'c' && format->code != 'p' && format->code != 'q';
}

/* Return: EXIT_OK when the options go together */
static int check_usage(const struct format *format, const struct stat_options *stacks,
		       const struct comparison *comparison)
{
	if (!format)
		return say_no_format();
	if (format->code != 'f' && comparison->wanted)
		return usage_error(&verb_export, "export: --diff, --diff-range: of --flamegraph only");
	if (!is_of_stacks(format) &&
	    (stacks->by_hook || stacks->waiting || stacks->where.inlined))
		return usage_error(&verb_export, "export: --hook, --waiting, --inline: not of %s",
				   format->name);
	if (is_of_stacks(format) && stacks->infos)
		return usage_error(&verb_export, "export: --manifest: not of %s", format->name);
	if ((format->code == 'c' || format->code == 'p') && stacks->filter.idle)
		return usage_error(&verb_export, "export: --idle: not of %s", format->name);
	/* what runs lasts until the next switch of its processor, whatever that switches to */
	if (format->code == 'p' && event_filter_has_threads(&stacks->filter))
		return usage_error(&verb_export, "export: --pid, --tid, --process, --container: "
				   "not of %s", format->name);
	if (stacks->by_hook && stacks->waiting)
		return usage_error(&verb_export,
				   "export: --waiting and --hook are mutually exclusive");
	return EXIT_OK;
}

static int export_with(int argc, char **argv, struct stat_options *stacks,
		       struct comparison *comparison)
{
	const struct format *format = NULL;
	const char *output = NULL;
	int c, code;

	while ((c = next_verb_option(&verb_export, argc, argv)) != -1) {
		if (c == OPTION_HELP)
			return print_help(&verb_export);
		code = take_option(c, stacks, comparison, &format, &output);
		if (code)
			return code;
	}
	code = check_usage(format, stacks, comparison);
	if (code)
		return code;
	if (argc - optind != 1)
		return usage_error(&verb_export, "export: exactly one file is needed");
	if (comparison->wanted && !strcmp(argv[optind], "-") &&
	    !strcmp(comparison->file ?: "-", "-"))
		return usage_error(&verb_export, "export: --diff, --diff-range: standard input "
				   "can be read only once");
	stacks->format = format->write;
	stacks->each = format->each;
	if (format->code == 'q' && !output)
		return usage_error(&verb_export, "export: --sqlite: missing -o FILE");
	if (format->code == 'q')
		return export_sqlite(argv[optind], output, stacks);
	if (format->code == 'c')
		return export_events(argv[optind], output, stacks, write_chrome);
	if (format->code == 'p')
		return export_events(argv[optind], output, stacks, write_perfetto);
	return export_stacks(argv[optind], output, stacks, comparison);
}

static int export_verb(int argc, char **argv)
{
	struct stat_options stacks = {
		.folded = true, .least = STAT_DEFAULT_LEAST, .filter = EVENT_FILTER_ALL,
	};
	struct comparison comparison = { .filter = EVENT_FILTER_ALL };
	int code = export_with(argc, argv, &stacks, &comparison);

	event_filter_free(&stacks.filter);
	event_filter_free(&comparison.filter);
	event_infos_free(stacks.infos);
	return code;
}

const struct verb verb_export = {
	.name = "export", .summary = "write a flame graph, or a file for Perfetto and others",
	.help = help, .options = options, .run = export_verb,
};
