// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw annotate: the instructions and source lines of a function, with their samples. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/filter_options.h"
#include "common/verb_options.h"
#include "etw.h"
#include "annotate.h"

/* Functions that are shown; many can have one name */
#define FUNCTIONS_MOST	10

static const char help[] =
	"annotate [OPTION...] FILE [MODULE!]FUNCTION\n\n"
	"Shows where in a function the samples of a trace are: by source line, where the file has\n"
	"debug information, and by instruction. The code comes from the file that the trace names,\n"
	"verified by its build-id, and for the running kernel from /proc/kcore, for root.\n"
	"Without --all, text leaves out instructions that are far from samples.\n\n";

static const struct verb_option options[] = {
	{ 'a', 'a', "all", NULL, "print all instructions of the function" },
	{ 'i', 0, "intel", NULL, "Intel's syntax for x86_64, instead of AT&T's" },
	FILTER_OPTIONS,
	{ .code = OPTION_IDLE },
	{ .code = OPTION_JSON, .help = "functions, lines and instructions as JSON" },
	{ .code = OPTION_CSV, .help = "all instructions, comma-separated" },
	{ .code = OPTION_SYSROOT },
	{ .code = OPTION_KALLSYMS },
	{ }
};

static int take_option(int c, struct annotate_options *wanted)
{
	switch (c) {
	case 'a':
		wanted->whole = true;
		break;
	case 'i':
		wanted->intel = true;
		break;
	case OPTION_IDLE:
		wanted->filter.idle = true;
		break;
	case OPTION_JSON:
	case OPTION_CSV:
		if (wanted->as != ANNOTATE_TEXT)
			return usage_error(&verb_annotate,
					   "annotate: --json and --csv are mutually exclusive");
		wanted->as = c == OPTION_JSON ? ANNOTATE_JSON : ANNOTATE_CSV;
		break;
	default:
		if (symbol_option_take(c, optarg, &wanted->where))
			break;
		return is_filter_option(c) ? filter_option_take(&verb_annotate, c, optarg,
								&wanted->filter) : EXIT_USAGE;
	}
	return EXIT_OK;
}

static int show(struct annotation *annotation)
{
	bool text = annotation->options->as == ANNOTATE_TEXT;
	size_t i, count = annotation->known.map.count;
	struct annotate_sheets sheets;
	const struct sampled *function;
	struct code code;
	int err = 0;

	if (!text)
		annotate_sheets_begin(&sheets, annotation);
	for (i = 0; !err && i < count && i < FUNCTIONS_MOST; i++) {
		function = annotate_function(annotation, i);
		err = annotate_code(annotation, function, &code);
		if (!err && text)
			fputs(i ? "\n" : "", stdout);
		if (!err && text)
			annotate_text(annotation, function, &code);
		else if (!err)
			annotate_sheets_add(&sheets, annotation, function, &code);
		annotate_code_free(&code);
	}
	if (count > FUNCTIONS_MOST)
		warn("annotate: %zu more functions have this name (give MODULE!FUNCTION)",
		     count - FUNCTIONS_MOST);
	if (!text && annotate_sheets_end(&sheets, annotation))
		return EXIT_FAILED;
	return err ? EXIT_FAILED : EXIT_OK;
}

static int none_found(const struct annotation *annotation)
{
	const struct annotate_options *wanted = annotation->options;

	if (!annotation->all)
		return failed("annotate: %s: there are no samples (etw record -p cpu)",
			      annotation->trace->name);
	symbols_warn(annotation->symbols, false);
	return failed("annotate: %s: no sample is in %s%s%s (etw stat lists: profile --by function)",
		      annotation->trace->name, wanted->module ? wanted->module : "",
		      wanted->module ? "!" : "", wanted->function);
}

static int annotate_trace(const struct trace *trace, struct annotate_options *wanted)
{
	struct annotation annotation = { .trace = trace, .options = wanted };
	int code = EXIT_FAILED;
	size_t i;

	annotation.symbols = symbols_of_trace(trace, &wanted->where);
	if (annotation.symbols && !annotate_count(&annotation))
		code = annotation.known.map.count ? show(&annotation) : none_found(&annotation);
	if (annotation.left_out)
		warn("%s: %" PRIu64 " samples of more than %u sources are left out", trace->name,
		     annotation.left_out, SOURCES);
	for (i = 0; i < annotation.known.map.count; i++)
		keyed_free(&((struct sampled *)keyed_at(&annotation.known, i))->at);
	keyed_free(&annotation.known);
	keyed_free(&annotation.names);
	free(annotation.order);
	symbols_free(annotation.symbols);
	return code;
}

static int annotate_file(const char *name, char *function, struct annotate_options *wanted)
{
	char *mark = strchr(function, '!');
	struct trace trace;
	int code;

	wanted->function = function;
	if (mark) {
		*mark = '\0';
		wanted->module = function;
		wanted->function = mark + 1;
	}
	if (!*wanted->function)
		return usage_error(&verb_annotate, "annotate: the name of a function is needed");
	if (trace_open(&trace, name))
		return EXIT_FAILED;
	trace_warn(&trace);
	code = annotate_trace(&trace, wanted);
	trace_close(&trace);
	return code;
}

static int annotate_verb(int argc, char **argv)
{
	struct annotate_options wanted = { .filter = EVENT_FILTER_ALL };
	int c, code = EXIT_OK;

	while (!code && (c = next_verb_option(&verb_annotate, argc, argv)) != -1) {
		if (c == OPTION_HELP) {
			event_filter_free(&wanted.filter);
			return print_help(&verb_annotate);
		}
		code = take_option(c, &wanted);
	}
	if (!code && argc - optind != 2)
		code = usage_error(&verb_annotate,
				   "annotate: exactly one file and one function are needed");
	if (!code)
		code = annotate_file(argv[optind], argv[optind + 1], &wanted);
	event_filter_free(&wanted.filter);
	return code;
}

const struct verb verb_annotate = {
	.name = "annotate", .summary = "samples by instruction and source line of a function",
	.help = help, .options = options, .run = annotate_verb,
};
