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
#include "terminal.h"

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

/* Numbers have thousands and units on a terminal, and are plain for programs */
static const char *count_text(const struct terminal *terminal, uint64_t number,
			      char to[TERMINAL_NUMBER])
{
	if (terminal->is)
		terminal_count(number, to);
	else
		snprintf(to, TERMINAL_NUMBER, "%" PRIu64, number);
	return to;
}

/* @unit: behind the number for programs: their tables have the unit in the heads */
static const char *time_text(const struct terminal *terminal, int64_t ns, const char *unit,
			     char to[TERMINAL_NUMBER])
{
	if (terminal->is)
		terminal_time(ns, to);
	else
		snprintf(to, TERMINAL_NUMBER, "%.6f%s", ns / 1e9, unit);
	return to;
}

/* @people: the same without units */
static void print_table_head(const struct terminal *terminal, const char *programs,
			     const char *people)
{
	putchar('\n');
	terminal_begin_head(terminal);
	fputs(terminal->is ? people : programs, stdout);
	terminal_end_head(terminal);
	putchar('\n');
}

static void print_buffers(const struct terminal *terminal, const struct trace *trace)
{
	char count[TERMINAL_NUMBER], size[TERMINAL_NUMBER];

	if (terminal->is)
		terminal_bytes(trace->log.buffer_size, size);
	else
		snprintf(size, sizeof(size), "%u bytes", trace->log.buffer_size);
	printf("buffers     %s of %s\n", count_text(terminal, trace->count, count), size);
}

static void print_losses(const struct terminal *terminal, const struct trace *trace,
			 const struct statistics *statistics)
{
	uint64_t overwritten = losses_overwritten(&statistics->losses);
	const struct etl_logfile *log = &trace->log;
	char events[TERMINAL_NUMBER], buffers[TERMINAL_NUMBER];

	printf("lost        %s events, %s buffers\n",
	       count_text(terminal, losses_with(&statistics->losses, log->events_lost), events),
	       count_text(terminal, log->buffers_lost, buffers));
	if (overwritten)
		printf("overwritten %s events in memory, before this file was written\n",
		       count_text(terminal, overwritten, events));
}

static void print_head(const struct terminal *terminal, const struct trace *trace,
		       const struct statistics *statistics)
{
	const struct etl_logfile *log = &trace->log;
	char text[SUMMARY_NAME], number[TERMINAL_NUMBER];

	summary_name(trace, text);
	printf("session     ");
	if (terminal->width > 12)
		terminal_print(text, terminal->width - 12, false);
	else
		text_print_quoted(text, stdout);
	text_from_filetime(log->start_time, text, sizeof(text));
	printf("\nstarted     %s UTC\n", text);
	printf("duration    %s%s\n",
	       time_text(terminal, summary_duration(trace, statistics), " s", number),
	       log->end_time ? "" : " (to the last event: the file is not closed)");
	snprintf(text, sizeof(text), "system      version %u.%u build %u, %u processors, %u-bit, clock "
		 "%s at %" PRIu64 " Hz", log->version[0], log->version[1], log->provider_version,
		 log->number_of_processors, 8 * log->pointer_size, clock_name(log->clock_type),
		 etl_frequency(log));
	terminal_wrap(terminal, text, 12);
	putchar('\n');
	print_buffers(terminal, trace);
	printf("events      %s\n", count_text(terminal, statistics->events, number));
	print_losses(terminal, trace, statistics);
}

/* @top: how many, 0: all */
static void print_types(const struct terminal *terminal, const struct statistics *statistics,
			uint32_t top)
{
	char number[TERMINAL_NUMBER];
	size_t i, shown = statistics->types.nr;
	uint64_t others = 0;

	if (top && top < shown)
		shown = top;

	print_table_head(terminal, "    events type", "       events type");
	for (i = 0; i < shown; i++) {
		printf("%*s ", terminal->is ? 13 : 10,
		       count_text(terminal, statistics->types.count[i].events, number));
		if (terminal->width > 14)
			terminal_print(statistics->types.count[i].name, terminal->width - 14, false);
		else
			text_print_event(statistics->types.count[i].name, stdout);
		putchar('\n');
	}
	for (; i < statistics->types.nr; i++)
		others += statistics->types.count[i].events;
	if (shown < statistics->types.nr)
		printf("%*s %zu others\n", terminal->is ? 13 : 10,
		       count_text(terminal, others, number), statistics->types.nr - shown);
}

static void print_processors(const struct terminal *terminal, const struct statistics *statistics)
{
	char count[TERMINAL_NUMBER], busy[TERMINAL_NUMBER], idle[TERMINAL_NUMBER];
	char lost[TERMINAL_NUMBER];
	const struct cpu_time *cpu;
	size_t i;

	print_table_head(terminal, "   switches      busy s      idle s      lost s cpu",
			 "   switches        busy        idle        lost cpu");
	for (i = 0; i < ETL_PROCESSORS; i++) {
		cpu = &statistics->cpu[i];
		if (cpu->seen && event_filter_wants_cpu(statistics->filter, i))
			printf("%11s %11s %11s %11s %3zu\n",
			       count_text(terminal, cpu->switches, count),
			       time_text(terminal, cpu->busy, "", busy),
			       time_text(terminal, cpu->idle, "", idle),
			       time_text(terminal, cpu->lost, "", lost), i);
	}
}

static void print_thread_cpus(const struct terminal *terminal, const struct thread_time *time)
{
	char number[TERMINAL_NUMBER];
	size_t i;

	for (i = 0; i < time->cpus; i++)
		if (time->cpu[i].ns)
			printf("            %*s on cpu %u\n", terminal->is ? 11 : 13,
			       time_text(terminal, time->cpu[i].ns, " s", number),
			       time->cpu[i].processor);
}

/* Characters of a line before the names */
#define BEFORE_NAMES	38

static void print_threads(const struct terminal *terminal, const struct statistics *statistics,
			  uint32_t top, bool cpus)
{
	char ran[TERMINAL_NUMBER], count[TERMINAL_NUMBER];
	size_t i, n = 0;

	print_table_head(terminal, "  on CPU s   switches     pid     tid process/thread",
			 "    on CPU   switches     pid     tid process/thread");
	for (i = 0; i < statistics->threads && (!top || n < top); i++) {
		const struct thread_time *time = &statistics->times[i];
		const struct thread *thread = time->thread;

		if (!summary_has_thread(statistics, time))
			continue;
		n++;
		printf("%10s %10s ", time_text(terminal, time->ns, "", ran),
		       count_text(terminal, time->switches, count));
		if (thread->process)
			printf("%7u", thread->process->life.id);
		else
			printf("%7s", "?");
		printf(" %7u ", thread->life.id);
		terminal_names(process_name(thread->process), thread_name(thread),
			       terminal_names_room(terminal, BEFORE_NAMES));
		putchar('\n');
		if (cpus)
			print_thread_cpus(terminal, time);
	}
}

int stat_summary(const struct trace *trace, const struct statistics *statistics,
		 const struct stat_options *wanted)
{
	const struct terminal terminal = terminal_of_stdout();

	if (wanted->as == AS_JSON)
		return summary_json(trace, statistics);
	if (wanted->as == AS_CSV)
		return summary_csv(trace, statistics);
	print_head(&terminal, trace, statistics);
	perf_summary_print(&statistics->perf);
	/* without the option, all types are listed: they say what the trace contains */
	print_types(&terminal, statistics, wanted->has_top ? wanted->top : 0);
	if (!statistics->switches && !event_filter_leaves_out(statistics->filter))
		return EXIT_OK;
	print_processors(&terminal, statistics);
	print_threads(&terminal, statistics, wanted->top, wanted->cpus);
	return EXIT_OK;
}
