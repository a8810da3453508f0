// SPDX-License-Identifier: GPL-2.0
/* etw stat: summary of a file, and who ran on the CPUs. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../libetl/event_names.h"
#include "../../libetl/text.h"
#include "../control/hooks.h"
#include "../etw.h"
#include "../print_fields.h"
#include "report.h"

static const char help[] =
	"stat [--top N] [--cpus] FILE|-\n"
	"           etw stat [OPTIONS] FILE|- counters|profile|cpu|faults|disk|dpc|processes|stacks\n\n"
	"Summarises a trace: session, duration, events by type, losses, counters and samples;\n"
	"and from its context switches the threads that ran longest.\n\n"
	"counters: what each thread counted between the context switches that carry counters,\n"
	"and what follows from it: instructions per cycle, rates of misses. What can't be\n"
	"attributed to a thread is told apart, by reason.\n"
	"profile: the samples of each thread, by source, with their weight.\n"
	"cpu: how long each thread ran, was ready, waited and for what, who readied it most, and\n"
	"its longest time ready; busy and idle time of the processors. What the trace can't tell\n"
	"is unknown.\n"
	"faults: page faults, and how long the hard ones took, by thread, file, range of addresses.\n"
	"disk: reads, writes, flushes, bytes and how long they took, by disk, process and file.\n"
	"dpc: how often interrupts and deferred work ran and how long, by routine and processor.\n"
	"processes: each process with start, end, parent, exit status, command line, threads.\n"
	"stacks: who called whom in the samples, or in the events of --hook, or what threads\n"
	"waited in; as a tree, or folded for flame graphs.\n\n"
	"  -n, --top N   how many threads (20; 0: all)\n"
	"      --cpus    the time of every thread by processor too (of the summary)\n"
	"      --by thread|process|cpu|function\n"
	"                what a line stands for (thread); function: of profile only\n"
	"      --folded  stacks: 'process;caller;function weight', a line each\n"
	"      --waiting stacks: how long threads waited, by the stacks of context swaps, in\n"
	"                microseconds\n"
	"      --hook ID stacks: of these events instead of the samples\n"
	"      --sysroot DIR\n"
	"                files with symbols are under it\n"
	"      --kallsyms FILE\n"
	"                the kernel's symbols, instead of those in the trace\n"
	"      --json    as JSON, all of it\n"
	"      --csv     comma-separated, all of it\n"
	"      --filtered\n"
	"                the session had a filter by process: switches of others are missing\n"
	"  -h, --help    this text\n\n"
	"Exit status: 3 when the counters of the file are damaged.\n";

static const struct option options[] = {
	{ "top", required_argument, NULL, 'n' },
	{ "cpus", no_argument, NULL, 'c' },
	{ "by", required_argument, NULL, 'b' },
	{ "json", no_argument, NULL, 'j' },
	{ "csv", no_argument, NULL, 'v' },
	{ "filtered", no_argument, NULL, 'f' },
	{ "folded", no_argument, NULL, 'F' },
	{ "waiting", no_argument, NULL, 'w' },
	{ "hook", required_argument, NULL, 'k' },
	{ "sysroot", required_argument, NULL, 'S' },
	{ "kallsyms", required_argument, NULL, 'K' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static void print_head(const struct trace *trace, const struct statistics *statistics)
{
	const struct etl_logfile *log = &trace->log;
	char text[3 * 256 + 1] = "";
	int64_t length = etl_nanoseconds(log, statistics->last);

	if (log->name)
		text_from_utf16(trace->bytes + log->name, log->name_size - 2, text, sizeof(text));
	printf("session     ");
	text_print_quoted(text, stdout);
	text_from_filetime(log->start_time, text, sizeof(text));
	printf("\nstarted     %s UTC\n", text);
	if (log->end_time && log->end_time >= log->start_time)
		length = (log->end_time - log->start_time) * 100;
	printf("duration    %.6f s%s\n", length / 1e9,
	       log->end_time ? "" : " (to the last event: the file is not closed)");
	printf("system      version %u.%u build %u, %u processors, %u-bit, clock %s at %" PRIu64
	       " Hz\n", log->version[0], log->version[1], log->provider_version,
	       log->number_of_processors, 8 * log->pointer_size, clock_name(log->clock_type),
	       etl_frequency(log));
	printf("buffers     %zu of %u bytes\n", trace->count, log->buffer_size);
	printf("events      %" PRIu64 "\n", statistics->events);
	printf("lost        %u events, %u buffers\n", log->events_lost, log->buffers_lost);
}

static void print_types(const struct statistics *statistics)
{
	size_t i;

	puts("\n    events type");
	for (i = 0; i < statistics->types.nr; i++)
		printf("%10" PRIu64 " %s\n", statistics->types.count[i].events,
		       statistics->types.count[i].name);
}

static void print_processors(const struct statistics *statistics)
{
	size_t i;

	puts("\n   switches      busy s      idle s cpu");
	for (i = 0; i < ETL_PROCESSORS; i++)
		if (statistics->cpu[i].switches)
			printf("%11" PRIu64 " %11.6f %11.6f %3zu\n", statistics->cpu[i].switches,
			       statistics->cpu[i].busy / 1e9, statistics->cpu[i].idle / 1e9, i);
}

static void print_thread_cpus(const struct thread *thread)
{
	size_t i;

	for (i = 0; i < thread->cpus; i++)
		if (thread->ns_of_cpu[i])
			printf("            %11.6f s on cpu %zu\n", thread->ns_of_cpu[i] / 1e9, i);
}

static void print_threads(const struct statistics *statistics, uint32_t top, bool cpus)
{
	size_t i, n = 0;

	puts("\n  on CPU s   switches     pid     tid process/thread");
	for (i = 0; i < statistics->threads && (!top || n < top); i++) {
		const struct thread *thread = statistics->by_time[i];

		if (!thread->switches || !thread->tid)
			continue;
		n++;
		printf("%10.6f %10" PRIu64 " ", thread->ns / 1e9, thread->switches);
		if (thread->has_pid)
			printf("%7u", thread->pid);
		else
			printf("%7s", "?");
		printf(" %7u ", thread->tid);
		text_print_quoted(statistics_process_name(statistics, thread), stdout);
		putchar(' ');
		text_print_quoted(thread->name ? thread->name : "", stdout);
		putchar('\n');
		if (cpus)
			print_thread_cpus(thread);
	}
}

static void print_all(const struct trace *trace, const struct statistics *statistics,
		      const struct stat_options *wanted)
{
	print_head(trace, statistics);
	perf_summary_print(&statistics->perf);
	print_types(statistics);
	if (!statistics->switches)
		return;
	print_processors(statistics);
	print_threads(statistics, wanted->top, wanted->cpus);
}

/* What can stand behind the file */
static const struct report_verb {
	const char *name;
	int (*run)(const struct trace *trace, const struct statistics *statistics,
		   const struct stat_options *options);
} reports[] = {
	{ "counters", stat_counters }, { "profile", stat_profile }, { "cpu", stat_cpu },
	{ "faults", stat_faults }, { "processes", stat_processes },
	{ "disk", stat_disk }, { "dpc", stat_dpc },
	{ "stacks", stat_stacks },
};

static const struct report_verb *report_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(reports) / sizeof(reports[0]); i++)
		if (!strcmp(reports[i].name, name))
			return &reports[i];
	return NULL;
}

static int stat_trace(const struct trace *trace, const char *what,
		      const struct stat_options *wanted)
{
	static struct statistics statistics;
	int code = EXIT_OK;

	if (statistics_collect(&statistics, trace))
		return EXIT_FAILED;
	if (!what)
		print_all(trace, &statistics, wanted);
	else
		code = (wanted->by == BY_FUNCTION ? stat_functions : report_named(what)->run)
			(trace, &statistics, wanted);
	statistics_free(&statistics);
	return code;
}

static bool parse_by(const char *text, enum report_by *by)
{
	static const char *const name[] = {
		[BY_THREAD] = "thread", [BY_PROCESS] = "process", [BY_CPU] = "cpu",
		[BY_FUNCTION] = "function",
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

/* Those of stacks. Return: EXIT_OK to go on */
static int take_stack_option(int c, struct stat_options *wanted)
{
	switch (c) {
	case 'F':
		wanted->folded = true;
		break;
	case 'w':
		wanted->waiting = true;
		break;
	case 'k':
		if (!hook_parse(optarg, &wanted->hook))
			return usage_error(&verb_stat, "stat: --hook %s: neither an id nor a name",
					   optarg);
		break;
	case 'S':
		wanted->where.sysroot = optarg;
		break;
	case 'K':
		wanted->where.kallsyms = optarg;
		break;
	default:
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

/* Return: EXIT_OK to go on */
static int take_option(int c, struct stat_options *wanted)
{
	switch (c) {
	case 'c':
		wanted->cpus = true;
		break;
	case 'f':
		wanted->filtered = true;
		break;
	case 'j':
	case 'v':
		if (wanted->as != AS_TEXT)
			return usage_error(&verb_stat, "stat: --json, --csv: only one");
		wanted->as = c == 'j' ? AS_JSON : AS_CSV;
		break;
	case 'b':
		if (!parse_by(optarg, &wanted->by))
			return usage_error(&verb_stat,
					   "stat: --by %s: thread, process, cpu or function",
					   optarg);
		break;
	case 'n':
		if (!parse_number(optarg, 0, UINT32_MAX, &wanted->top))
			return usage_error(&verb_stat, "stat: --top %s: no number", optarg);
		break;
	default:
		return take_stack_option(c, wanted);
	}
	return EXIT_OK;
}

static bool has_one_form(const char *what)
{
	return !strcmp(what, "processes") || !strcmp(what, "disk") || !strcmp(what, "dpc") ||
	       !strcmp(what, "faults");
}

/* Return: EXIT_OK when what is asked of stacks goes together */
static int check_stacks(const char *what, const struct stat_options *wanted)
{
	if (!what || strcmp(what, "stacks")) {
		if (wanted->folded || wanted->waiting || wanted->hook)
			return usage_error(&verb_stat,
					   "stat: --folded, --waiting, --hook: of stacks only");
		return EXIT_OK;
	}
	if (wanted->as == AS_CSV || wanted->by != BY_THREAD || wanted->filtered)
		return usage_error(&verb_stat, "stat stacks: without --csv, --by, --filtered");
	if (wanted->folded && wanted->as == AS_JSON)
		return usage_error(&verb_stat, "stat stacks: --folded, --json: only one");
	if (wanted->waiting && wanted->hook)
		return usage_error(&verb_stat, "stat stacks: --waiting, --hook: only one");
	return EXIT_OK;
}

static int check_usage(int argc, char **argv, const struct stat_options *wanted)
{
	const char *what = argc - optind == 2 ? argv[optind + 1] : NULL;

	if (argc - optind < 1 || argc - optind > 2)
		return usage_error(&verb_stat, "stat: exactly one file is needed");
	if (what && !report_named(what))
		return usage_error(&verb_stat,
				   "stat: %s: counters, profile, cpu, faults, disk, dpc, processes or stacks",
				   what);
	if (wanted->by == BY_FUNCTION && (!what || strcmp(what, "profile")))
		return usage_error(&verb_stat, "stat: --by function: of profile only");
	if (check_stacks(what, wanted))
		return EXIT_USAGE;
	if (what && has_one_form(what) && (wanted->by != BY_THREAD || wanted->filtered))
		return usage_error(&verb_stat, "stat %s: without --by, --filtered", what);
	if (what && wanted->cpus)
		return usage_error(&verb_stat, "stat %s: --by cpu instead of --cpus", what);
	if (!what && (wanted->as != AS_TEXT || wanted->by != BY_THREAD || wanted->filtered))
		return usage_error(&verb_stat,
				   "stat: --by, --json, --csv, --filtered: not of the summary");
	return EXIT_OK;
}

static int stat_verb(int argc, char **argv)
{
	struct stat_options wanted = { .top = 20 };
	struct trace trace;
	int c, code;

	while ((c = next_option(&verb_stat, argc, argv, ":n:h", options)) != -1) {
		if (c == 'h')
			return print_help(&verb_stat);
		code = take_option(c, &wanted);
		if (code)
			return code;
	}
	code = check_usage(argc, argv, &wanted);
	if (code)
		return code;
	if (trace_open(&trace, argv[optind]))
		return EXIT_FAILED;
	trace_warn(&trace);
	code = stat_trace(&trace, argv[optind + 1], &wanted);
	trace_close(&trace);
	return code;
}

const struct verb verb_stat = {
	.name = "stat", .summary = "summarise a file: events, threads, CPUs",
	.help = help, .run = stat_verb,
};
