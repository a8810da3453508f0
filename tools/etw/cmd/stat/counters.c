// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE counters: what threads counted while they ran. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/swap_intervals.h"
#include "etw.h"
#include "filter_inference.h"
#include "ratios.h"
#include "report.h"

/* Numbers of a cell: time, intervals, counters and PEBS index */
#define NS		0
#define INTERVALS	1
#define FIRST		2

static const char *const reasons[CHAIN_BREAKS] = {
	[CHAIN_WHOLE] = "", [CHAIN_BACK] = "a counter went back",
	[CHAIN_LOST] = "records are missing", [CHAIN_PAUSED] = "switches were not recorded",
	[CHAIN_OFFLINE] = "the processor was offline",
	[CHAIN_HIDDEN] = "switches were filtered out",
	[CHAIN_UNCOUNTED] = "a context swap without counters",
};

/**
 * struct counting - the work of the verb
 * @counted: NULL: there is none
 * @inference: what the session's filter left in
 * @left_out: cells of what the filter does not want
 * @back: by processor and column: by how much counters went back
 */
struct counting {
	const struct statistics *statistics;
	const struct counted *counted;
	struct chains chains;
	struct cells cells;
	struct cells left_out;
	struct filter_inference inference;
	uint64_t damage;
	uint64_t (*back)[CHAIN_COLUMNS];
};

static int find_unwanted(void *context, const struct interval *interval)
{
	struct counting *counting = context;

	return filter_inference_find_unwanted(&counting->inference, interval);
}

static int find_wanted(void *context, const struct interval *interval)
{
	struct counting *counting = context;

	return filter_inference_find_wanted(&counting->inference, interval);
}

/* What was counted between two switches can't be divided: it belongs to where its end is. */
static bool is_wanted(const struct counting *counting, const struct interval *interval,
		      enum chain_break why)
{
	const struct event_filter *filter = counting->statistics->filter;
	const struct etl_logfile *log = &counting->chains.trace->log;

	if (!event_filter_wants_time(filter, etl_nanoseconds(log, interval->to)) ||
	    !event_filter_wants_cpu(filter, interval->processor))
		return false;
	return why == CHAIN_WHOLE ? event_filter_wants_id(filter, interval->old, interval->to) :
				    !event_filter_has_threads(filter);
}

/* What an interval counts for its thread */
static int pass_on(struct counting *counting, const struct interval *interval)
{
	const struct counted *counted = counting->counted;
	const struct thread *thread;
	unsigned int i;
	int64_t ns;

	if (!counted || !interval->counted)
		return 0;
	thread = lifetimes_thread(counting->statistics->lifetimes, interval->old, interval->to);
	ns = etl_nanoseconds(&counting->chains.trace->log, interval->to);
	if (!thread)
		return -1;
	for (i = 0; i < counting->chains.columns; i++)
		if (counted->take(counted->context, thread, i, ns, interval->delta[i]))
			return -1;
	return 0;
}

static int attribute(void *context, const struct interval *interval)
{
	struct counting *counting = context;
	enum chain_break why = interval->why;
	bool wanted;
	unsigned int i;
	uint64_t *cell;

	if (why == CHAIN_WHOLE && !filter_inference_see_whole(&counting->inference, interval->old,
							      interval->to))
		why = CHAIN_HIDDEN;
	counting->damage += why == CHAIN_BACK;
	wanted = is_wanted(counting, interval, why);
	if (wanted && why == CHAIN_WHOLE && pass_on(counting, interval))
		return -1;
	if (!wanted)
		cell = cells_of(&counting->left_out, CELL_UNATTRIBUTED, 0, interval->processor);
	else if (why == CHAIN_WHOLE)
		cell = cells_of_thread(&counting->cells, counting->statistics,
				       interval->old, interval->to, interval->processor);
	else
		cell = cells_of(&counting->cells, CELL_UNATTRIBUTED, why, interval->processor);
	if (!cell)
		return -1;
	cell[NS] += interval->ns;
	cell[INTERVALS]++;
	for (i = 0; interval->counted && i < counting->chains.columns; i++) {
		cell[FIRST + i] += interval->delta[i];
		counting->back[interval->processor][i] += interval->back[i];
	}
	return 0;
}

static int walk(struct counting *counting,
		int (*take)(void *context, const struct interval *interval))
{
	counting->chains.take = take;
	counting->chains.context = counting;
	if (!chains_walk(&counting->chains))
		return 0;
	return no_memory();
}

static void add_up(const struct counting *counting, const struct cells *cells,
		   uint64_t (*sum)[CHAIN_COLUMNS])
{
	unsigned int k;
	size_t i;

	for (i = 0; i < cells->map.count; i++)
		for (k = 0; k < counting->chains.columns; k++)
			sum[cell_processor(cells->map.keys[i])][k] +=
				cells->values[i * cells->width + FIRST + k];
}

/*
 * Everything that a processor counted is attributed to a thread or unattributed: the sum of
 * both is the last value less the first one.
 */
static bool is_conserved(const struct counting *counting)
{
	uint64_t (*sum)[CHAIN_COLUMNS] = calloc(ETL_PROCESSORS, sizeof(*sum));
	const struct chain_cpu *cpu = counting->chains.cpu;
	bool conserved = sum;
	unsigned int k;
	size_t i;

	if (sum) {
		add_up(counting, &counting->cells, sum);
		add_up(counting, &counting->left_out, sum);
	}
	for (i = 0; sum && i < ETL_PROCESSORS; i++)
		for (k = 0; k < counting->chains.columns; k++)
			conserved &= sum[i][k] - counting->back[i][k] ==
				     cpu[i].last[k] - cpu[i].first[k];
	free(sum);
	return conserved;
}

static void make_columns(const struct counting *counting, struct report *report)
{
	const struct perf_summary *perf = &counting->statistics->perf;
	char names[ETL_MAX_COUNTERS][COUNTER_NAME];
	unsigned int i;

	report_column(report, COLUMN_TIME, NS, 0, "on CPU s");
	report_column(report, COLUMN_COUNT, INTERVALS, 0, "intervals");
	for (i = 0; i < counting->chains.counters; i++) {
		perf_summary_name(perf, i, names[i], sizeof(names[i]));
		report_column(report, COLUMN_COUNT, FIRST + i, 0, names[i]);
	}
	if (counting->chains.pebs)
		report_column(report, COLUMN_COUNT, FIRST + i, 0, "PEBS records");
	report_ratios(report, names, counting->chains.counters, FIRST);
}

static int print(struct counting *counting, const struct stat_options *options)
{
	struct report report = {
		.statistics = counting->statistics, .cells = &counting->cells, .reasons = reasons,
		.by = options->by, .top = options->top, .damage = counting->damage,
		.filtered = counting->inference.filtered,
	};

	make_columns(counting, &report);
	if (report_make(&report))
		return EXIT_FAILED;
	report_print(&report, options);
	report_free(&report);
	return EXIT_OK;
}

static int warn_of(const struct counting *counting, const struct trace *trace)
{
	const struct perf_summary *perf = &counting->statistics->perf;
	int code = EXIT_OK;

	if (!is_conserved(counting))
		return failed("%s: the sums don't add up: this is an error of the tool",
			      trace->name);
	if (counting->inference.filtered)
		warn("%s: switches are missing, as with a filter: only threads with all "
		     "their switches have lines", trace->name);
	if (perf->configs && perf->named != perf->counters)
		warn("%s: %u counters have names, %u have values: the names are left out",
		     trace->name, perf->named, perf->counters);
	if (counting->damage) {
		warn("%s: damaged: counters went back in %" PRIu64 " places ('etw check')",
		     trace->name, counting->damage);
		code = EXIT_VIOLATIONS;
	}
	if (counting->chains.odd) {
		warn("%s: damaged: %" PRIu64 " context swaps have another number of counters "
		     "('etw check')", trace->name, counting->chains.odd);
		code = EXIT_VIOLATIONS;
	}
	return code;
}

static int count(struct counting *counting, const struct trace *trace,
		 const struct stat_options *options)
{
	struct filter_evidence *idle;
	int code;

	counting->chains.cpu = calloc(ETL_PROCESSORS, sizeof(*counting->chains.cpu));
	counting->back = calloc(ETL_PROCESSORS, sizeof(*counting->back));
	if (!counting->chains.cpu || !counting->back)
		return failed("%s", strerror(ENOMEM));
	counting->chains.filtered = options->filtered;
	counting->inference.filtered = options->filtered;
	if (options->filtered) {
		idle = filter_evidence_of(&counting->inference, 0, 0);
		if (!idle)
			return failed("%s", strerror(ENOMEM));
		idle->unwanted = true;
	}
	if (chains_find_filter(&counting->chains))
		return failed("%s", strerror(ENOMEM));
	if (walk(counting, find_unwanted) ||
	    (counting->inference.filtered && walk(counting, find_wanted)) ||
	    walk(counting, attribute))
		return EXIT_FAILED;
	code = warn_of(counting, trace);
	if (code != EXIT_FAILED && print(counting, options))
		code = EXIT_FAILED;
	return code;
}

int stat_counters(const struct trace *trace, const struct statistics *statistics,
		  const struct stat_options *options)
{
	const struct perf_summary *perf = &statistics->perf;
	struct counting counting = {
		.statistics = statistics, .inference.statistics = statistics,
		.counted = options->counted,
	};
	struct gaps gaps;
	int code;

	if (!perf->counters && !perf->pebs)
		return report_lacks(trace, NULL, "context swaps that carry counters",
				    "-c cycles,instructions@CSWITCH");
	if (gaps_find(&gaps, trace))
		return EXIT_FAILED;
	counting.chains = (struct chains){
		.trace = trace, .gaps = &gaps, .counters = perf->counters, .pebs = perf->pebs,
		.columns = perf->counters + perf->pebs,
	};
	counting.cells.width = FIRST + counting.chains.columns;
	counting.left_out.width = counting.cells.width;
	code = count(&counting, trace, options);
	cells_free(&counting.cells);
	cells_free(&counting.left_out);
	filter_inference_free(&counting.inference);
	free(counting.chains.cpu);
	free(counting.back);
	gaps_free(&gaps);
	return code;
}
