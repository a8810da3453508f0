// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Collects what etw stat prints, in one pass over the merged events. */
#include <stdlib.h>
#include <string.h>
#include "libetl/guids.h"
#include "etw.h"
#include "collect.h"
#include "times.h"

static int by_time(const void *left, const void *right)
{
	const struct thread_time *a = left, *b = right;
	const struct lifetime *first = &a->thread->life, *second = &b->thread->life;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (first->id != second->id)
		return first->id < second->id ? -1 : 1;
	return first->index < second->index ? -1 : first->index > second->index;
}

static int by_events(const void *left, const void *right)
{
	const struct event_count *a = left, *b = right;

	if (a->events != b->events)
		return a->events > b->events ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void sort(struct statistics *statistics)
{
	size_t i;

	/* the array has room for more */
	if (statistics->threads > statistics->lifetimes->threads.count)
		statistics->threads = statistics->lifetimes->threads.count;
	for (i = 0; i < statistics->threads; i++)
		statistics->times[i].thread = lifetimes_thread_at(statistics->lifetimes, i);
	if (statistics->threads)
		qsort(statistics->times, statistics->threads, sizeof(*statistics->times), by_time);
	event_counts_sort(&statistics->types);
	if (statistics->types.nr)
		qsort(statistics->types.count, statistics->types.nr, sizeof(struct event_count),
		      by_events);
}

static void count(struct statistics *statistics, const struct etl_record *record)
{
	statistics->events++;
	event_counts_add(&statistics->types, record);
	statistics->switches += is_context_swap(record);
	if (record->header == ETL_SYSTEM || record->header == ETL_PERFINFO)
		perf_summary_add(&statistics->perf, record);
}

static int note(struct statistics *statistics, const struct trace *trace,
		const struct etl_record *record)
{
	if (lifetimes_note(statistics->lifetimes, &trace->log, record))
		return no_memory();
	return etl_is_ours(record) && losses_note(&statistics->losses, record, &trace->log) ?
	       no_memory() : 0;
}

static int pass(struct statistics *statistics, struct times *times, const struct trace *trace)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	uint16_t processor = 0;
	bool all = !times || !event_filter_leaves_out(statistics->filter);
	struct merge merge;
	size_t broken;
	int err = 0;

	if (merge_begin(&merge, trace, false))
		return -1;
	for (broken = merge.broken; !err && merge_next(&merge, &record, &buffer);
	     broken = merge.broken) {
		if (all || event_filter_selects(statistics->filter, &merge, buffer, record))
			count(statistics, record);
		err = note(statistics, trace, record);
		statistics->last = merge_time(&merge);
		if (!times || err)
			continue;
		/* the step on from the record before came over what can't be read */
		if (merge.broken != broken)
			times_hole(times, processor);
		processor = buffer->processor;
		if (times_concern(record))
			err = times_take(times, buffer, record);
	}
	merge_warn(&merge);
	merge_end(&merge);
	return err;
}

int statistics_collect(struct statistics *statistics, const struct trace *trace, bool with_times,
		       struct event_filter *filter)
{
	struct times times;
	int err;

	memset(statistics, 0, sizeof(*statistics));
	statistics->filter = filter;
	if (event_filter_select(filter, trace))
		return -1;
	statistics->last = trace->log.t0;
	statistics->lifetimes = malloc(sizeof(*statistics->lifetimes));
	if (!statistics->lifetimes)
		return no_memory();
	lifetimes_begin(statistics->lifetimes);
	if (with_times)
		times_begin(&times, statistics, trace);
	err = pass(statistics, with_times ? &times : NULL, trace);
	if (with_times && !err)
		err = times_end(&times);
	if (with_times)
		times_free(&times);
	if (err)
		return -1;
	sort(statistics);
	return 0;
}

void statistics_free(struct statistics *statistics)
{
	size_t i;

	for (i = 0; i < statistics->threads; i++)
		free(statistics->times[i].cpu);
	free(statistics->times);
	if (statistics->lifetimes)
		lifetimes_free(statistics->lifetimes);
	free(statistics->lifetimes);
	event_counts_free(&statistics->types);
	losses_free(&statistics->losses);
	memset(statistics, 0, sizeof(*statistics));
}
