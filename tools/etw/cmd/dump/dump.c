// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump: the events of a file as text, JSON lines, CSV or XML. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "dump.h"
#include "common/filter_options.h"
#include "common/manifest_option.h"
#include "etw.h"
#include "libetl/event_info.h"
#include "libetl/text.h"
#include "symbols/symbols.h"
#include "tmf/tmf.h"

static const char help[] =
	"dump [--json|--csv|--xml|--count] [--hook ID,..] [--range FROM-TO]\n"
	"           [--pid PID,..] [--tid TID,..] [--process NAME,..] [--cpu CPU,..]\n"
	"           [--activity GUID]...\n"
	"           [--tmf FILE]... [--manifest FILE]... [--symbols [--sysroot DIR]\n"
	"           [--kallsyms FILE]] [--names] [--unordered] FILE|-\n\n"
	"Prints the events of a trace, merged by time over all processors: one line each with\n"
	"seconds since the start, processor, name and fields. '-' is standard input.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_JSON, .help = "one JSON object a line" },
	{ .code = OPTION_CSV, .help = "comma-separated: time, cpu, pid, tid, name, fields" },
	{ .code = OPTION_OUTPUT, .argument = "DIR",
	  .help = "--csv: a file for each kind of event in this folder, with a\n"
		  "column for each field" },
	{ 'x', 0, "xml", NULL, "XML as tracerpt writes it" },
	{ 'n', 0, "count", NULL, "only count them, by name" },
	{ .code = OPTION_HOOK, .argument = "ID,..",
	  .help = "only these kernel events, by hook id or name" },
	FILTER_OPTIONS,
	{ 'a', 0, "activity", "GUID",
	  "only events of this activity, and of activities that it started; may\n"
	  "be given several times" },
	{ 't', 0, "tmf", "FILE",
	  "messages of programs as text, by a TMF file of 'etw tmf' or of\n"
	  "Windows' tracepdb; may be given several times" },
	{ .code = OPTION_MANIFEST },
	{ 's', 0, "symbols", NULL, "names beside addresses: module!function+offset" },
	{ 'N', 0, "names", NULL,
	  "names beside ids: processes of threads, paths of files, paths of\n"
	  "system calls; and the thread that readied another one" },
	{ .code = OPTION_SYSROOT },
	{ .code = OPTION_KALLSYMS },
	{ 'v', 'v', "verbose", NULL, "say which files have no symbols, and why" },
	{ 'u', 0, "unordered", NULL, "in the order of the file" },
	{ }
};

/* How to print; any of them may be missing */
static const struct format {
	int code;
	void (*head)(void);
	void (*print)(struct line *line);
	void (*tail)(void);
} formats[] = {
	{ 0, NULL, dump_print_text, NULL },
	{ OPTION_JSON, NULL, dump_print_json, NULL },
	{ OPTION_CSV, dump_csv_head, dump_print_csv, NULL },
	{ OPTION_OUTPUT, NULL, dump_print_table, NULL },
	{ 'x', dump_xml_head, dump_print_xml, dump_xml_tail },
	{ 'n', NULL, dump_count_event, NULL },
};

static const struct format *format_of(int code)
{
	const struct format *format = formats;

	while (format->code != code)
		format++;
	return format;
}

/**
 * struct dump_request - what is asked for
 * @filter: which events
 * @activities: of which activities
 * @tmf: messages that are known
 * @infos: events that manifests describe; NULL: none
 * @format: code of the format's option
 * @folder: for files of OPTION_OUTPUT
 * @where: symbols are
 * @symbols: names of addresses, NULL: are not wanted
 * @name: addresses
 * @names: of ids, NULL: are not wanted
 * @calls: paths of system calls, NULL: are not wanted
 * @name_ids: they are
 * @verbose: report files without symbols
 * @unordered: in the order of the file
 * @help: only how to ask
 */
struct dump_request {
	struct event_filter filter;
	struct activities activities;
	struct tmf tmf;
	struct event_infos *infos;
	struct symbol_options where;
	struct symbols *symbols;
	bool name;
	struct dump_names *names;
	struct dump_calls *calls;
	bool name_ids;
	bool verbose;
	int format;
	const char *folder;
	bool unordered;
	bool help;
};

/* Return: whether it is to be printed */
static bool prepare(struct line *line, struct dump_request *request)
{
	if (!event_filter_wants_record(&request->filter, line->buffer, line->record) ||
	    !dump_activities_want(&request->activities, line->record))
		return false;
	event_name(line->record, line->name, sizeof(line->name));
	if (request->format == 'n' && !event_filter_has_threads(&request->filter))
		return true;
	fields_reset(&line->fields);
	dump_header_fields(line);
	if (!tmf_decode(&request->tmf, line->record, &line->trace->log, line->buffer->processor,
			&line->fields))
		decode_payload(line->record, &line->fields);
	if (request->symbols)
		dump_add_symbols(line, request->symbols);
	if (!event_filter_wants_fields(&request->filter, line->buffer, line->record,
				       &line->fields))
		return false;
	if (request->names)
		dump_add_names(line, request->names);
	if (request->calls)
		dump_calls_add(line, request->calls);
	return true;
}

static void pass_hole(struct dump_request *request, uint16_t processor)
{
	event_filter_hole(&request->filter, processor);
	if (request->names)
		dump_names_hole(request->names, processor);
}

/* Return: 0, or -1 after a message */
static int see(const struct line *line, struct dump_request *request)
{
	if (request->names && dump_names_see(request->names, line))
		return -1;
	return request->calls ? dump_calls_see(request->calls, line->record) : 0;
}

static int dump_trace(const struct trace *trace, struct dump_request *request)
{
	const struct format *format = format_of(request->format);
	static struct line line;
	struct merge merge;
	uint16_t processor = 0;
	int code = EXIT_OK;
	size_t broken;

	if (event_filter_survey(&request->filter, trace) ||
	    dump_activities_survey(&request->activities, trace) ||
	    merge_begin(&merge, trace, request->unordered))
		return EXIT_FAILED;
	line.trace = trace;
	if (format->head)
		format->head();
	for (broken = merge.broken; merge_next(&merge, &line.record, &line.buffer) &&
	     !ferror(stdout); broken = merge.broken) {
		/* the step on from the record before came over what can't be read */
		if (merge.broken != broken)
			pass_hole(request, processor);
		processor = line.buffer->processor;
		if (see(&line, request)) {
			code = EXIT_FAILED;
			break;
		}
		if (prepare(&line, request))
			format->print(&line);
	}
	if (format->tail)
		format->tail();
	if (request->format == 'n')
		dump_print_counts(trace);
	merge_warn(&merge);
	merge_end(&merge);
	return code;
}

/* Of text for other programs and files: fewer and larger writes than by stdio's own buffer */
static void enlarge_output(void)
{
	static char buffer[1 << 16];

	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
}

static int dump_file(const char *name, struct dump_request *request)
{
	struct trace trace;
	int code;

	if (trace_open(&trace, name))
		return EXIT_FAILED;
	trace_warn(&trace);
	enlarge_output();
	tmf_ready(&request->tmf);
	manifest_option_give(&request->infos, &trace);
	/* a trace that cannot be opened leaves no folder */
	if (trace_describe(&trace) || (request->folder && dump_tables_begin(request->folder))) {
		trace_close(&trace);
		return EXIT_FAILED;
	}
	if (request->name)
		request->symbols = symbols_of_trace(&trace, &request->where);
	if (request->name_ids) {
		request->names = dump_names_of(&trace);
		request->calls = dump_calls_new();
	}
	if ((request->name && !request->symbols) ||
	    (request->name_ids && (!request->names || !request->calls)))
		code = EXIT_FAILED;
	else
		code = dump_trace(&trace, request);
	dump_names_free(request->names);
	dump_calls_free(request->calls);
	if (request->symbols)
		symbols_warn(request->symbols, request->verbose);
	symbols_free(request->symbols);
	trace_close(&trace);
	return code;
}

static int take_activity(struct dump_request *request, const char *text)
{
	struct etw_guid guid;

	if (!text_to_guid(text, &guid))
		return usage_error(&verb_dump, "dump: --activity %s: no GUID", text);
	return dump_activity_add(&request->activities, &guid) ? EXIT_FAILED : EXIT_OK;
}

/* Takes an option with a value. Return: EXIT_OK, or another exit code after a message */
static int parse_value(int c, const char *text, struct dump_request *request)
{
	if (c == OPTION_OUTPUT) {
		request->folder = text;
		return EXIT_OK;
	}
	if (c == 'a')
		return take_activity(request, text);
	if (c == 't')
		return tmf_read(&request->tmf, text) ? EXIT_OK : EXIT_FAILED;
	if (c == OPTION_MANIFEST)
		return manifest_option_take(text, &request->infos);
	if (symbol_option_take(c, text, &request->where))
		return EXIT_OK;
	if (c == OPTION_HOOK)
		return dump_take_hooks(text, &request->filter);
	return filter_option_take(&verb_dump, c, text, &request->filter);
}

static int parse_word(int c, struct dump_request *request)
{
	if (c == 'u')
		request->unordered = true;
	else if (c == 's')
		request->name = true;
	else if (c == 'N')
		request->name_ids = true;
	else if (c == 'v')
		request->verbose = true;
	else if (c == OPTION_HELP)
		request->help = true;
	else if (request->format && request->format != c)
		return usage_error(&verb_dump,
				   "dump: --json, --csv, --xml and --count are mutually exclusive");
	else
		request->format = c;
	return EXIT_OK;
}

static int check_usage(int words, struct dump_request *request)
{
	if (request->folder && request->format != OPTION_CSV)
		return usage_error(&verb_dump, "dump: --output: with --csv only");
	if (request->folder)
		request->format = OPTION_OUTPUT;
	if (words != 1)
		return usage_error(&verb_dump, "dump: exactly one file is needed");
	if (!request->name && (request->where.sysroot || request->where.kallsyms ||
			       request->verbose))
		return usage_error(&verb_dump,
				   "dump: --sysroot, --kallsyms, --verbose: with --symbols only");
	return EXIT_OK;
}

static int parse(int argc, char **argv, struct dump_request *request)
{
	int c, code = EXIT_OK;

	while (code == EXIT_OK && !request->help &&
	       (c = next_verb_option(&verb_dump, argc, argv)) != -1) {
		if (c == '?')
			code = EXIT_USAGE;
		else
			code = optarg ? parse_value(c, optarg, request) : parse_word(c, request);
	}
	return code == EXIT_OK && !request->help ? check_usage(argc - optind, request) : code;
}

static int dump(int argc, char **argv)
{
	struct dump_request request = { .filter = EVENT_FILTER_ALL };
	int code = parse(argc, argv, &request);

	if (code == EXIT_OK)
		code = request.help ? print_help(&verb_dump) : dump_file(argv[optind], &request);
	if (request.format == OPTION_OUTPUT && dump_tables_end())
		code = EXIT_FAILED;
	event_filter_free(&request.filter);
	dump_activities_free(&request.activities);
	tmf_free(&request.tmf);
	event_infos_free(request.infos);
	return code;
}

const struct verb verb_dump = {
	.name = "dump", .summary = "print the events of a file",
	.help = help, .options = options, .run = dump,
};
