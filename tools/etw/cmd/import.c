// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw import: a recording of perf, trace-cmd, LTTng or .NET becomes a trace. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "common/child_process.h"
#include "common/progress_line.h"
#include "common/unfinished.h"
#include "common/verb_options.h"
#include "etw.h"
#include "import.h"
#include "import/import.h"
#include "import/import_limits.h"
#include "libetl/reader.h"
#include "libetl/text.h"

static const char help[] =
	"import FILE -o OUT\n\n"
	"Writes a recording of perf as a trace: switches, ready threads, samples, page faults,\n"
	"disk transfers, stacks, processes, threads and images become the events that the module\n"
	"records. All other tracepoints become events that describe themselves, with all their\n"
	"fields.\n"
	"FILE is a perf.data, also a compressed or a piped one; - is standard input. FILE may\n"
	"also be a trace.dat of trace-cmd, or a folder with CTF traces, as LTTng writes them.\n"
	"A .nettrace of .NET's EventPipe (versions 4 to 6) becomes the events that .NET writes on\n"
	"Windows.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_OUTPUT, .help = "the file to write" },
	{ .code = OPTION_JSON, .help = "the summary as JSON" },
	{ .code = OPTION_QUIET },
	{ }
};

struct count {
	const char *name;
	uint64_t value;
};

#define COUNTS	29

static void list_counts(const struct importing *importing, struct count list[COUNTS + 1])
{
	const struct import_counts *counts = &importing->counts;
	const struct count all[COUNTS + 1] = {
		{ "switches", counts->switches }, { "ready", counts->ready },
		{ "samples", counts->samples }, { "counters", counts->counters },
		{ "faults", counts->faults }, { "disk", counts->disk },
		{ "interrupts", counts->interrupts }, { "dpcs", counts->dpcs },
		{ "calls", counts->calls }, { "stacks", counts->stacks },
		{ "processes", counts->processes }, { "threads", counts->threads },
		{ "images", counts->images }, { "tracepoints", counts->tracepoints },
		{ "events", counts->events }, { "descriptions", counts->descriptions },
		{ "others", counts->others }, { "lost", counts->lost },
		{ "missed", counts->missed },
		{ "aux", counts->aux }, { "too_large", counts->cut },
		{ "images_left_out", counts->images_left_out },
		{ "guests", counts->guests }, { "lost_packets", counts->lost_packets },
		{ "unwound", counts->unwound }, { "partly", counts->parts },
		{ "skipped", counts->skipped },
		{ "late", importing->stream.late },
		{ "unreadable", importing->stream.unreadable },
	};

	memcpy(list, all, sizeof(all));
}

static int print_json(const struct importing *importing, const char *output)
{
	struct count list[COUNTS + 1], *count;
	json_t *root = json_object();

	list_counts(importing, list);
	json_object_set_new(root, "file", json_string(output));
	for (count = list; count->name; count++)
		json_object_set_new(root, count->name, json_integer(count->value));
	json_dumpf(root, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(root);
	return EXIT_OK;
}

static int print_summary(const struct importing *importing, const char *output)
{
	struct count list[COUNTS + 1], *count;
	const char *comma = ": ";

	list_counts(importing, list);
	fputs(output, stdout);
	for (count = list; count->name; count++) {
		if (!count->value)
			continue;
		printf("%s%" PRIu64 " %s", comma, count->value, count->name);
		comma = ", ";
	}
	putchar('\n');
	return EXIT_OK;
}

/* What is not in the trace is reported in any case. */
static void warn_of_rest(const struct importing *importing, const char *name)
{
	const struct import_counts *counts = &importing->counts;

	if (counts->aux)
		warn("import: %s: %" PRIu64 " records of AUX data are not imported", name,
		     counts->aux);
	if (counts->missed)
		warn("import: %s: switches are missing in %" PRIu64 " places, where perf recorded "
		     "no loss: each is one lost event", name, counts->missed);
	if (counts->lost_packets)
		warn("import: %s: %" PRIu64 " packets are lost: how many events they had is unknown",
		     name, counts->lost_packets);
	if (counts->parts)
		warn("import: %s: branches, registers or copies of stacks of %" PRIu64
		     " samples are not imported (stacks need libdw and the programs' files)", name,
		     counts->parts);
	if (counts->guests)
		warn("import: %s: %" PRIu64 " samples have addresses of a guest of KVM, which this "
		     "machine's images do not name", name, counts->guests);
	if (counts->cut)
		warn("import: %s: %" PRIu64 " records are too large for a trace", name,
		     counts->cut);
	if (counts->images_left_out)
		warn("import: %s: %" PRIu64 " images are left out: a process has too many, or "
		     "forks copy too many", name, counts->images_left_out);
	if (counts->skipped)
		warn("import: %s: %" PRIu64 " records have no time, or an unknown processor",
		     name, counts->skipped);
	if (importing->stream.unreadable)
		warn("import: %s: %" PRIu64 " records are damaged or of an unknown event", name,
		     importing->stream.unreadable);
	if (importing->stream.late)
		warn("import: %s: %" PRIu64 " records are not in order of time", name,
		     importing->stream.late);
	if (!importing->file.has_clock)
		warn("import: %s: it has no time of day: the time of its last change is used%s", name,
		     importing->tasks_by_events ? "" :
		     " (record with perf's option -k CLOCK_MONOTONIC)");
}

static void show_progress(void *context, uint64_t at)
{
	const struct importing *importing = context;
	static time_t shown;
	static unsigned int calls;

	if (++calls % 0x4000 || time(NULL) == shown)
		return;
	shown = time(NULL);
	progress_line("%.1f of %.1f MB", at / 1e6, importing->file.size / 1e6);
}

static uint64_t last_change(const char *name)
{
	struct timespec now;
	struct stat stat_;

	clock_gettime(CLOCK_REALTIME, &now);
	if (strcmp(name, "-") && !stat(name, &stat_))
		now = stat_.st_mtim;
	return FILETIME_OF_UNIX + now.tv_sec * 10000000ull + now.tv_nsec / 100;
}

static int import_file(struct importing *importing, const struct trace *input,
		       struct child_process *child, bool quiet)
{
	const char *output = child->output;
	int err;

	importing->changed = last_change(input->name);
	importing->stream.mapped = input->mapped;
	if (!quiet && progress_line_possible())
		importing->stream.progress = show_progress;
	unfinished_hold();
	err = input->bytes ?
	      import_open(importing, input->name, input->bytes, input->size, output) :
	      import_is_perf_folder(input->name) ?
	      import_open_perf_folder(importing, input->name, output) :
	      import_open_ctf(importing, input->name, output);
	if (!err)
		child_process_writes(child);
	unfinished_begin(err ? NULL : output);
	if (!err)
		err = import_run(importing);
	unfinished_end();
	progress_line_clear();
	return err ? EXIT_FAILED : EXIT_OK;
}

static bool is_folder(const char *name)
{
	struct stat stat_;

	return strcmp(name, "-") && !stat(name, &stat_) && S_ISDIR(stat_.st_mode);
}

/* By libtracecmd or libbabeltrace2, which may crash on a damaged file, or not come to an end */
static bool is_read_by_library(const struct trace *input)
{
	return input->bytes ? trace_formats_begin(input->bytes, input->size) :
			      !import_is_perf_folder(input->name);
}

static int import_input(const struct trace *input, struct child_process *child, bool json,
			bool quiet)
{
	struct importing *importing = calloc(1, sizeof(*importing));
	int code;

	if (!importing)
		return failed("%s", strerror(ENOMEM));
	code = import_file(importing, input, child, quiet);
	if (!code) {
		warn_of_rest(importing, input->name);
		code = json ? print_json(importing, child->output) :
		       quiet ? EXIT_OK : print_summary(importing, child->output);
	}
	import_free(importing);
	free(importing);
	return code;
}

static bool is_trace(const struct trace *input)
{
	struct etl_logfile log;

	return input->bytes && !etl_logfile_of(input->bytes, input->size, &log);
}

int import_recording(const char *name, const char *output, bool json, bool quiet)
{
	struct child_process child = { .file = name, .output = output };
	struct trace input = { .name = name };
	int code = -1;

	if (!is_folder(name) && trace_load(&input, name))
		return EXIT_FAILED;
	if (is_trace(&input)) {
		trace_close(&input);
		return failed("import: %s: this is a trace already ('etw stat %s')", name, name);
	}
	if (is_read_by_library(&input)) {
		code = child_process_run(&child);
		if (code < 0)
			import_limit_library(import_input_size(name));
	}
	/* in the child, if there is one */
	if (code < 0)
		code = import_input(&input, &child, json, quiet);
	trace_close(&input);
	return code;
}

static int import_verb(int argc, char **argv)
{
	const char *output = NULL;
	bool json = false, quiet = false;
	int c;

	while ((c = next_verb_option(&verb_import, argc, argv)) != -1) {
		if (c == OPTION_HELP)
			return print_help(&verb_import);
		if (c == OPTION_OUTPUT)
			output = optarg;
		else if (c == OPTION_JSON)
			json = true;
		else if (c == OPTION_QUIET)
			quiet = true;
		else
			return EXIT_USAGE;
	}
	if (!output)
		return usage_error(&verb_import, "import: missing -o OUT");
	if (!strcmp(output, "-"))
		return usage_error(&verb_import, "import: -o needs a file, not standard output");
	if (argc - optind != 1)
		return usage_error(&verb_import, "import: exactly one FILE is needed");
	if (strcmp(argv[optind], "-") && is_same_file(argv[optind], output))
		return failed("import: %s: this is the file to read", output);
	return import_recording(argv[optind], output, json, quiet);
}

const struct verb verb_import = {
	.name = "import", .summary = "write a recording of perf, trace-cmd, LTTng or .NET as a trace",
	.help = help, .options = options, .run = import_verb,
};
