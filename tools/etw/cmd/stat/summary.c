// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE: session, events by type, processors, and the threads that ran longest. */
#include <inttypes.h>
#include <stdio.h>
#include "libetl/event_names.h"
#include "libetl/text.h"
#include "etw.h"
#include "common/print_fields.h"
#include "summary.h"

int64_t summary_duration(const struct trace *trace, const struct statistics *statistics)
{
	const struct etl_logfile *log = &trace->log;

	if (log->end_time && log->end_time >= log->start_time)
		return (log->end_time - log->start_time) * 100;
	return etl_nanoseconds(log, statistics->last);
}

void summary_name(const struct trace *trace, char to[SUMMARY_NAME])
{
	to[0] = '\0';
	if (trace->log.name)
		text_from_utf16(trace->bytes + trace->log.name, trace->log.name_size - 2, to,
				SUMMARY_NAME);
}

bool summary_has_thread(const struct statistics *statistics, const struct thread_time *time)
{
	/* after an exec a thread can run without a context switch to it */
	return (time->switches || time->ns) && time->thread->life.id &&
	       event_filter_wants_thread(statistics->filter, time->thread);
}

static void print_head(const struct trace *trace, const struct statistics *statistics)
{
	uint64_t overwritten = losses_overwritten(&statistics->losses);
	const struct etl_logfile *log = &trace->log;
	char text[SUMMARY_NAME];

	summary_name(trace, text);
	printf("session     ");
	text_print_quoted(text, stdout);
	text_from_filetime(log->start_time, text, sizeof(text));
	printf("\nstarted     %s UTC\n", text);
	printf("duration    %.6f s%s\n", summary_duration(trace, statistics) / 1e9,
	       log->end_time ? "" : " (to the last event: the file is not closed)");
	printf("system      version %u.%u build %u, %u processors, %u-bit, clock %s at %" PRIu64
	       " Hz\n", log->version[0], log->version[1], log->provider_version,
	       log->number_of_processors, 8 * log->pointer_size, clock_name(log->clock_type),
	       etl_frequency(log));
	printf("buffers     %zu of %u bytes\n", trace->count, log->buffer_size);
	printf("events      %" PRIu64 "\n", statistics->events);
	printf("lost        %u events, %u buffers\n",
	       losses_with(&statistics->losses, log->events_lost), log->buffers_lost);
	if (overwritten)
		printf("overwritten %" PRIu64 " events in memory, before this file was written\n",
		       overwritten);
}

/* @top: how many, 0: all */
static void print_types(const struct statistics *statistics, uint32_t top)
{
	size_t i, shown = statistics->types.nr;
	uint64_t others = 0;

	if (top && top < shown)
		shown = top;

	puts("\n    events type");
	for (i = 0; i < shown; i++) {
		printf("%10" PRIu64 " ", statistics->types.count[i].events);
		text_print_event(statistics->types.count[i].name, stdout);
		putchar('\n');
	}
	for (; i < statistics->types.nr; i++)
		others += statistics->types.count[i].events;
	if (shown < statistics->types.nr)
		printf("%10" PRIu64 " %zu others\n", others, statistics->types.nr - shown);
}

static void print_processors(const struct statistics *statistics)
{
	size_t i;

	puts("\n   switches      busy s      idle s      lost s cpu");
	for (i = 0; i < ETL_PROCESSORS; i++)
		if (statistics->cpu[i].seen && event_filter_wants_cpu(statistics->filter, i))
			printf("%11" PRIu64 " %11.6f %11.6f %11.6f %3zu\n",
			       statistics->cpu[i].switches, statistics->cpu[i].busy / 1e9,
			       statistics->cpu[i].idle / 1e9, statistics->cpu[i].lost / 1e9, i);
}

static void print_thread_cpus(const struct thread_time *time)
{
	size_t i;

	for (i = 0; i < time->cpus; i++)
		if (time->cpu[i].ns)
			printf("            %11.6f s on cpu %u\n", time->cpu[i].ns / 1e9,
			       time->cpu[i].processor);
}

static void print_threads(const struct statistics *statistics, uint32_t top, bool cpus)
{
	size_t i, n = 0;

	puts("\n  on CPU s   switches     pid     tid process/thread");
	for (i = 0; i < statistics->threads && (!top || n < top); i++) {
		const struct thread_time *time = &statistics->times[i];
		const struct thread *thread = time->thread;

		if (!summary_has_thread(statistics, time))
			continue;
		n++;
		printf("%10.6f %10" PRIu64 " ", time->ns / 1e9, time->switches);
		if (thread->process)
			printf("%7u", thread->process->life.id);
		else
			printf("%7s", "?");
		printf(" %7u ", thread->life.id);
		text_print_quoted(process_name(thread->process), stdout);
		putchar(' ');
		text_print_quoted(thread_name(thread), stdout);
		putchar('\n');
		if (cpus)
			print_thread_cpus(time);
	}
}

int stat_summary(const struct trace *trace, const struct statistics *statistics,
		 const struct stat_options *wanted)
{
	if (wanted->as == AS_JSON)
		return summary_json(trace, statistics);
	print_head(trace, statistics);
	perf_summary_print(&statistics->perf);
	/* without the option, all types are listed: they say what the trace contains */
	print_types(statistics, wanted->has_top ? wanted->top : 0);
	if (!statistics->switches && !event_filter_leaves_out(statistics->filter))
		return EXIT_OK;
	print_processors(statistics);
	print_threads(statistics, wanted->top, wanted->cpus);
	return EXIT_OK;
}
