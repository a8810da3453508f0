// SPDX-License-Identifier: GPL-2.0
/* etw stat: summary of a file, and who ran on the CPUs. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "etw.h"
#include "fields.h"
#include "names.h"
#include "stat.h"
#include "text.h"

static const char help[] =
	"stat [--top N] [--cpus] FILE|-\n\n"
	"Summarises a trace: session, duration, events by type, losses; and from its context\n"
	"switches the threads that ran longest.\n\n"
	"  -n, --top N   how many threads (20; 0: all)\n"
	"      --cpus    the time of every thread by processor too\n"
	"  -h, --help    this text\n";

static const struct option options[] = {
	{ "top", required_argument, NULL, 'n' },
	{ "cpus", no_argument, NULL, 'c' },
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
	for (i = 0; i < statistics->types; i++)
		printf("%10" PRIu64 " %s\n", statistics->type[i].events,
		       statistics->type[i].name);
}

static void print_processors(const struct statistics *statistics)
{
	size_t i;

	puts("\n   switches      busy s      idle s cpu");
	for (i = 0; i < STAT_CPUS; i++)
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

static int stat_trace(const struct trace *trace, uint32_t top, bool cpus)
{
	static struct statistics statistics;

	if (trace_readable(trace) || statistics_collect(&statistics, trace))
		return EXIT_FAILED;
	print_head(trace, &statistics);
	print_types(&statistics);
	if (statistics.switches) {
		print_processors(&statistics);
		print_threads(&statistics, top, cpus);
	}
	statistics_free(&statistics);
	return EXIT_OK;
}

static int stat_verb(int argc, char **argv)
{
	struct trace trace;
	uint32_t top = 20;
	bool cpus = false;
	int c, code;

	while ((c = next_option(&verb_stat, argc, argv, ":n:h", options)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == 'h')
			return print_help(&verb_stat);
		if (c == 'c')
			cpus = true;
		else if (!parse_number(optarg, 0, UINT32_MAX, &top))
			return usage_error(&verb_stat, "stat: --top %s: no number", optarg);
	}
	if (argc - optind != 1)
		return usage_error(&verb_stat, "stat: exactly one file is needed");
	if (trace_open(&trace, argv[optind]))
		return EXIT_FAILED;
	code = stat_trace(&trace, top, cpus);
	trace_close(&trace);
	return code;
}

const struct verb verb_stat = { "stat", "summarise a file: events, threads, CPUs", help,
				stat_verb };
