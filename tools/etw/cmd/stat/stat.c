// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat: summary of a file, and reports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/filter_options.h"
#include "common/manifest_option.h"
#include "common/suggestion.h"
#include "common/time_span.h"
#include "etw.h"
#include "libetl/event_info.h"
#include "report.h"
#include "summary.h"

static const char help[] =
	"stat [--top N] [--cpus] [--json|--csv] [FILTERS] FILE|-\n"
	"           etw stat [OPTIONS] [FILTERS] FILE|- counters|profile|cpu|faults|disk|dpc|memory|\n"
	"           power|processes|providers|stacks|syscalls|waits\n\n"
	"Summarises a trace: session, duration, events by type, losses, counters and samples;\n"
	"and from its context switches the threads that ran longest.\n\n"
	"counters: what each thread counted between the context switches that carry counters,\n"
	"and what follows from it: instructions per cycle, rates of misses. What can't be\n"
	"attributed to a thread is shown apart, by reason.\n"
	"profile: the samples of each thread, by source, with their weight.\n"
	"cpu: how long each thread ran, was ready, waited and for what, which thread readied it most,\n"
	"and its longest time ready; busy and idle time of the processors. Times that the trace\n"
	"does not have are unknown.\n"
	"faults: page faults, and how long the hard ones took, by thread, file, range of addresses.\n"
	"disk: reads, writes, flushes, bytes and how long they took, by disk, process and file.\n"
	"dpc: how often interrupts and deferred work ran and how long, by routine and processor.\n"
	"memory: virtual memory that each process and each caller got, gave back and kept.\n"
	"power: time of each processor in idle states and at frequencies.\n"
	"processes: each process with start, end, parent, exit status, command line, threads.\n"
	"providers: events and bytes by provider and by event; losses by cause.\n"
	"stacks: the callers of all samples, or in the events of --hook, or what threads\n"
	"waited in; as a tree, or folded for flame graphs. With --ends how many stacks there are, how\n"
	"many are whole, and in which file the others end.\n"
	"syscalls: system calls, their errors and how long they took, by call and by process; the\n"
	"slowest calls with their arguments, results and paths; paths that calls failed with.\n"
	"waits: each wait of a thread: when, how long, for what, by its stack; the thread that readied\n"
	"it, with its stack; chains of waits; and the idle time of processors by cause.\n\n"
	"FILTERS are --range, --pid, --tid, --process, --container and --cpu, as in 'etw dump';\n"
	"times are cut off at the ends of the range.\n\n";

static const struct verb_option options[] = {
	{ 'n', 'n', "top", "N", "how many lines of each list (20; 0: all)" },
	{ 'c', 0, "cpus", NULL, "the time of every thread by processor too (of the summary)" },
	{ 'b', 0, "by", "thread|process|cpu|...",
	  "what a line stands for (thread): thread, process, cpu, container;\n"
	  "disk, faults, memory, syscalls: container only;\n"
	  "profile: also function, module; waits: thread, process, container,\n"
	  "reason (the default), caller, waker" },
	{ 'l', 0, "at-least", "MS",
	  "waits, slowest syscalls, periods of power: only those of at least so\n"
	  "many milliseconds (1), or with us, ms or s behind" },
	FILTER_OPTIONS,
	{ .code = OPTION_IDLE },
	{ .code = OPTION_JSON, .help = "as JSON, all of it" },
	{ .code = OPTION_CSV, .help = "comma-separated, all of it" },
	{ .code = OPTION_MANIFEST },
	{ .code = OPTION_FILTERED },
	{ .code = OPTION_FOLDED },
	{ 'e', 0, "ends", NULL, "stacks: how many, how long, and where and why they end" },
	{ .code = OPTION_WAITING },
	{ .code = OPTION_HOOK },
	{ .code = OPTION_INLINE },
	{ .code = OPTION_SYSROOT },
	{ .code = OPTION_KALLSYMS },
	{ }
};

static const char notes[] = "Exit status: 3 when the counters of the file are damaged.\n";

/* What can stand behind the file */
static const struct report_verb {
	const char *name;
	int (*run)(const struct trace *trace, const struct statistics *statistics,
		   const struct stat_options *options);
} reports[] = {
	{ "counters", stat_counters }, { "profile", stat_profile }, { "cpu", stat_cpu },
	{ "faults", stat_faults }, { "memory", stat_memory }, { "power", stat_power },
	{ "processes", stat_processes }, { "providers", stat_providers }, { "disk", stat_disk },
	{ "dpc", stat_dpc }, { "stacks", stat_stacks }, { "syscalls", stat_syscalls },
	{ "waits", stat_waits },
};

static const struct report_verb *report_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(reports) / sizeof(reports[0]); i++)
		if (!strcmp(reports[i].name, name))
			return &reports[i];
	return NULL;
}

static bool is_by_function(const struct stat_options *wanted)
{
	return wanted->by == BY_FUNCTION || wanted->by == BY_MODULE;
}

static int stat_trace(const struct trace *trace, const char *what,
		      struct stat_options *wanted)
{
	static struct statistics statistics;
	int code = EXIT_OK;

	if (statistics_collect(&statistics, trace, !what, &wanted->filter))
		return EXIT_FAILED;
	if (!what)
		code = stat_summary(trace, &statistics, wanted);
	else if (wanted->ends)
		code = stat_stack_ends(trace, &statistics, wanted);
	else
		code = (is_by_function(wanted) ? stat_functions : report_named(what)->run)
			(trace, &statistics, wanted);
	statistics_free(&statistics);
	return code;
}

static bool parse_by(const char *text, enum report_by *by)
{
	static const char *const name[] = {
		[BY_THREAD] = "thread", [BY_PROCESS] = "process", [BY_CPU] = "cpu",
		[BY_CONTAINER] = "container",
		[BY_FUNCTION] = "function", [BY_MODULE] = "module",
		[BY_REASON] = "reason", [BY_CALLER] = "caller", [BY_WAKER] = "waker",
	};
	size_t i;

	for (i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		if (strcmp(name[i], text))
			continue;
		*by = i;
		return true;
	}
	return false;
}

/* A number alone is one of milliseconds. */
static bool parse_milliseconds(const char *text, uint64_t *ns)
{
	char *end;
	double number = strtod(text, &end);

	if (time_span_parse(text, ns))
		return true;
	if (end == text || *end || !(number >= 0 && number < 1e12))
		return false;
	*ns = number * 1e6 + 0.5;
	return true;
}

/* Return: EXIT_OK to go on */
static int take_option(int c, struct stat_options *wanted)
{
	switch (c) {
	case 'c':
		wanted->cpus = true;
		break;
	case OPTION_FILTERED:
		wanted->filtered = true;
		break;
	case 'e':
		wanted->ends = true;
		break;
	case OPTION_JSON:
	case OPTION_CSV:
		if (wanted->as != AS_TEXT)
			return usage_error(&verb_stat,
					   "stat: --json and --csv are mutually exclusive");
		wanted->as = c == OPTION_JSON ? AS_JSON : AS_CSV;
		break;
	case 'b':
		if (!parse_by(optarg, &wanted->by))
			return usage_error(&verb_stat,
					   "stat: --by %s: thread, process, cpu, container, "
					   "function, module, reason, caller or waker", optarg);
		wanted->has_by = true;
		break;
	case 'l':
		if (!parse_milliseconds(optarg, &wanted->least))
			return usage_error(&verb_stat, "stat: --at-least %s: milliseconds, or with "
					   "us, ms or s behind", optarg);
		break;
	case 'n':
		if (!parse_number(optarg, 0, UINT32_MAX, &wanted->top))
			return usage_error(&verb_stat, "stat: --top %s: a number of lines is "
					   "needed (0: all)", optarg);
		wanted->has_top = true;
		break;
	case OPTION_MANIFEST:
		return manifest_option_take(optarg, &wanted->infos);
	default:
		if (is_filter_option(c))
			return filter_option_take(&verb_stat, c, optarg, &wanted->filter);
		return stack_option_take(&verb_stat, c, wanted);
	}
	return EXIT_OK;
}

static bool has_one_form(const char *what)
{
	return !strcmp(what, "processes") || !strcmp(what, "disk") || !strcmp(what, "dpc") ||
	       !strcmp(what, "faults") || !strcmp(what, "providers") ||
	       !strcmp(what, "syscalls") || !strcmp(what, "power") || !strcmp(what, "memory");
}

/* Whether lines of a report with one form can stand for containers, too */
static bool has_containers(const char *what)
{
	return !strcmp(what, "disk") || !strcmp(what, "faults") || !strcmp(what, "memory") ||
	       !strcmp(what, "syscalls");
}

static int check_one_form(const char *what, const struct stat_options *wanted)
{
	bool grouped = wanted->by == BY_CONTAINER && has_containers(what);

	if (wanted->filtered || (wanted->by != BY_THREAD && !grouped))
		return usage_error(&verb_stat, has_containers(what) ?
				   "stat %s: --by container is the only one, and --filtered is "
				   "not possible" :
				   "stat %s: without --by, --filtered", what);
	return EXIT_OK;
}

/* They are of all events, and name no functions. */
static int check_ends(const struct stat_options *wanted)
{
	if (wanted->folded || wanted->waiting || wanted->by_hook || wanted->where.inlined ||
	    wanted->where.kallsyms || wanted->by != BY_THREAD || wanted->filtered)
		return usage_error(&verb_stat,
				   "stat stacks --ends: without --folded, --waiting, --hook, "
				   "--inline, --kallsyms, --by, --filtered");
	return EXIT_OK;
}

/* Return: EXIT_OK when what is asked of stacks goes together */
static int check_stacks(const char *what, const struct stat_options *wanted)
{
	if (!what || strcmp(what, "stacks")) {
		if (wanted->folded || wanted->waiting || wanted->by_hook || wanted->ends)
			return usage_error(&verb_stat,
					   "stat: --ends, --folded, --waiting, --hook: of stacks only");
		return EXIT_OK;
	}
	if (wanted->ends)
		return check_ends(wanted);
	if (wanted->by != BY_THREAD || wanted->filtered)
		return usage_error(&verb_stat, "stat stacks: without --by, --filtered");
	if (wanted->folded && wanted->as != AS_TEXT)
		return usage_error(&verb_stat, "stat stacks: --folded and %s are mutually exclusive",
				   wanted->as == AS_JSON ? "--json" : "--csv");
	if (wanted->waiting && wanted->by_hook)
		return usage_error(&verb_stat,
				   "stat stacks: --waiting and --hook are mutually exclusive");
	return EXIT_OK;
}

/* Return: EXIT_OK when --by names something that the report has lines for */
static int check_by(const char *what, const struct stat_options *wanted)
{
	bool waits = what && !strcmp(what, "waits");

	if (is_by_function(wanted) && (!what || strcmp(what, "profile")))
		return usage_error(&verb_stat, "stat: --by function, --by module: of profile only");
	if (wanted->by >= BY_REASON && !waits)
		return usage_error(&verb_stat,
				   "stat: --by reason, --by caller, --by waker: of waits only");
	if (waits && (wanted->by == BY_CPU || wanted->filtered))
		return usage_error(&verb_stat, "stat waits: without --by cpu, --filtered");
	if (!waits && (!what || (strcmp(what, "syscalls") && strcmp(what, "power"))) &&
	    wanted->least != STAT_DEFAULT_LEAST)
		return usage_error(&verb_stat, "stat: --at-least: of waits, syscalls and power only");
	return EXIT_OK;
}

/* Whether a report names what is at addresses */
static bool has_symbols(const char *what, const struct stat_options *wanted)
{
	return what && (!strcmp(what, "stacks") || !strcmp(what, "dpc") || !strcmp(what, "waits") ||
			!strcmp(what, "syscalls") || !strcmp(what, "memory") ||
			is_by_function(wanted));
}

static int refuse_report(const char *file, const char *what)
{
	struct suggestion suggestion;
	size_t i;

	if (report_named(file))
		return usage_error(&verb_stat, "stat: the file is before the report (etw stat %s "
				   "%s)", what, file);
	suggestion_begin(&suggestion, what);
	for (i = 0; i < sizeof(reports) / sizeof(reports[0]); i++)
		suggestion_try(&suggestion, reports[i].name);
	return usage_error(&verb_stat, "stat: there is no report '%s'%s (counters, profile, cpu, "
			   "faults, disk, dpc, memory, power, processes, providers, stacks, "
			   "syscalls or waits)", what, suggestion_text(&suggestion));
}

static int check_usage(int argc, char **argv, const struct stat_options *wanted)
{
	const char *what = argc - optind == 2 ? argv[optind + 1] : NULL;

	if (argc - optind < 1)
		return usage_error(&verb_stat, "stat: missing FILE (etw stat FILE [REPORT])");
	if (argc - optind > 2)
		return usage_error(&verb_stat, "stat: one file and at most one report (etw stat "
				   "FILE [REPORT])");
	if (what && !report_named(what))
		return refuse_report(argv[optind], what);
	if (check_by(what, wanted))
		return EXIT_USAGE;
	if (wanted->filter.idle && (!what || (strcmp(what, "profile") && strcmp(what, "stacks"))))
		return usage_error(&verb_stat, "stat: --idle: of profile and stacks only");
	if (wanted->filter.cpus && what && !strcmp(what, "processes"))
		return usage_error(&verb_stat, "stat processes: without --cpu");
	if (event_filter_has_threads(&wanted->filter) && what && !strcmp(what, "power"))
		return usage_error(&verb_stat, "stat power: without --pid, --tid, --process, "
				   "--container");
	if (check_stacks(what, wanted))
		return EXIT_USAGE;
	if (!has_symbols(what, wanted) && (wanted->where.sysroot || wanted->where.kallsyms))
		return usage_error(&verb_stat, "stat: --sysroot, --kallsyms: of stacks, waits, dpc, "
				   "memory, syscalls and profile --by function only");
	if (wanted->where.inlined && (!what || (strcmp(what, "stacks") &&
						wanted->by != BY_FUNCTION)))
		return usage_error(&verb_stat,
				   "stat: --inline: of stacks and profile --by function only");
	if (what && has_one_form(what) && check_one_form(what, wanted))
		return EXIT_USAGE;
	if (what && wanted->cpus)
		return usage_error(&verb_stat, "stat %s: --by cpu instead of --cpus", what);
	if (!what && (wanted->by != BY_THREAD || wanted->filtered))
		return usage_error(&verb_stat, "stat: --by, --filtered: not of the summary");
	return EXIT_OK;
}

static int stat_file(const char *name, const char *what, struct stat_options *wanted)
{
	struct trace trace;
	int code;

	if (trace_open(&trace, name))
		return EXIT_FAILED;
	trace_warn(&trace);
	manifest_option_give(&wanted->infos, &trace);
	code = trace_describe(&trace) ? EXIT_FAILED : stat_trace(&trace, what, wanted);
	trace_close(&trace);
	return code;
}

static int stat_verb(int argc, char **argv)
{
	struct stat_options wanted = {
		.top = 20, .least = STAT_DEFAULT_LEAST, .filter = EVENT_FILTER_ALL,
	};
	int c, code = EXIT_OK;

	while (!code && (c = next_verb_option(&verb_stat, argc, argv)) != -1) {
		if (c == OPTION_HELP) {
			code = print_help(&verb_stat);
			goto out;
		}
		code = take_option(c, &wanted);
	}
	if (!code)
		code = check_usage(argc, argv, &wanted);
	if (!code)
		code = stat_file(argv[optind], argv[optind + 1], &wanted);
out:
	event_filter_free(&wanted.filter);
	event_infos_free(wanted.infos);
	return code;
}

const struct verb verb_stat = {
	.name = "stat", .summary = "summarise a file: events, threads, CPUs",
	.help = help, .options = options, .notes = notes, .run = stat_verb,
};
