// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE profile: the samples of each thread, by source. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/samples.h"
#include "libetl/text.h"
#include "etw.h"
#include "etw_extension.h"
#include "report.h"
#include "sources.h"

/* Numbers of a cell: all samples; samples and weight of each source */
#define ALL		0
#define SAMPLES(i)	(1 + 2 * (i))
#define WEIGHT(i)	(2 + 2 * (i))

/* The timer's interval if the trace does not contain it; Windows' default */
#define DEFAULT_INTERVAL	10000

/**
 * struct profile - the work of the verb
 * @left_out: samples of more sources
 * @selected: the filter wants the record at hand
 */
struct profile {
	const struct statistics *statistics;
	struct sources sources;
	struct cells cells;
	struct sample_fields fields;
	uint64_t left_out;
	bool selected;
};

/* Return: false: it is no sample */
static bool is_sample(const struct profile *profile, const struct etl_record *record,
		      struct sample *sample)
{
	if (!sample_of(&profile->fields, record, record->hook_id, sample))
		return false;
	if (sample->timer)
		sample->source = ETW_PROFILE_SOURCE_TIME;
	return true;
}

static int survey(struct profile *profile, const struct etl_record *record, uint16_t processor)
{
	struct sample_interval interval;
	struct source *source;
	struct sample sample;

	(void)processor;
	if (sample_interval_of(record, &interval)) {
		sources_note(&profile->sources, &interval);
	} else if (is_sample(profile, record, &sample)) {
		source = source_of(&profile->sources, sample.source);
		if (source)
			source->samples = true;
		else
			profile->left_out++;
	}
	return 0;
}

static int count(struct profile *profile, const struct etl_record *record, uint16_t processor)
{
	struct sample_interval interval;
	struct source *source;
	struct sample sample;
	uint64_t *cell;

	if (sample_interval_of(record, &interval)) {
		source = source_of(&profile->sources, interval.source);
		if (source)
			source->interval = interval.interval;
		return 0;
	}
	if (!profile->selected || !is_sample(profile, record, &sample) ||
	    (!sample.thread_id && !profile->statistics->filter->idle))
		return 0;
	source = source_of(&profile->sources, sample.source);
	if (!source)
		return 0;
	cell = cells_of_thread(&profile->cells, profile->statistics, sample.thread_id, record->time,
			       processor);
	if (!cell)
		return -1;
	cell[ALL] += sample.count;
	cell[SAMPLES(source - profile->sources.source)] += sample.count;
	cell[WEIGHT(source - profile->sources.source)] +=
		(uint64_t)sample.count * source->interval * (source->number ? 1 : 100);
	return 0;
}

static int walk(struct profile *profile, const struct trace *trace,
		int (*take)(struct profile *profile, const struct etl_record *record,
			    uint16_t processor))
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (merge_begin(&merge, trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer)) {
		if (record->header != ETL_PERFINFO && record->header != ETL_SYSTEM)
			continue;
		profile->selected = event_filter_selects(profile->statistics->filter, &merge,
							 buffer, record);
		err = take(profile, record, buffer->processor);
	}
	merge_end(&merge);
	if (err)
		failed("%s", strerror(ENOMEM));
	return err;
}

static void make_columns(const struct profile *profile, struct report *report)
{
	const struct source *source;
	char name[COUNTER_NAME + 8];
	unsigned int i;
	int length;

	for (i = 0; i < profile->sources.count; i++) {
		source = &profile->sources.source[i];
		if (!source->samples)
			continue;
		report_column(report, COLUMN_COUNT, SAMPLES(i), 0, source->name);
		length = text_fit(source->name, 80);
		snprintf(name, sizeof(name), "%.*s %%", length, source->name);
		report_column(report, COLUMN_SHARE, SAMPLES(i), 0, name);
		if (!source->number) {
			report_column(report, COLUMN_TIME, WEIGHT(i), 0, "s");
		} else if (source->before) {
			snprintf(name, sizeof(name), "%.*s events", length, source->name);
			report_column(report, COLUMN_COUNT, WEIGHT(i), 0, name);
		}
	}
}

/* Before the first record with the interval, the old interval of that record applies. */
static void begin_count(struct profile *profile)
{
	struct source *source;
	unsigned int i;

	for (i = 0; i < profile->sources.count; i++) {
		source = &profile->sources.source[i];
		source->interval = source->before;
		if (!source->number && !source->interval)
			source->interval = DEFAULT_INTERVAL;
	}
	profile->cells.width = WEIGHT(profile->sources.count);
}

static int print(const struct profile *profile, const struct statistics *statistics,
		 const struct stat_options *options)
{
	struct report report = {
		.statistics = statistics, .cells = &profile->cells, .by = options->by,
		.top = options->top,
	};

	make_columns(profile, &report);
	if (report_make(&report))
		return EXIT_FAILED;
	report_print(&report, options);
	report_free(&report);
	return EXIT_OK;
}

int stat_profile(const struct trace *trace, const struct statistics *statistics,
		 const struct stat_options *options)
{
	struct profile profile = { .statistics = statistics };
	int code = EXIT_FAILED;

	if (!statistics->perf.timer_samples && !statistics->perf.counter_samples)
		return report_lacks(trace, NULL, "samples", "-e PROC_THREAD+LOADER+PROFILE -F 1000");
	sample_fields_find(&profile.fields);
	if (!walk(&profile, trace, survey)) {
		begin_count(&profile);
		if (!walk(&profile, trace, count))
			code = print(&profile, statistics, options);
	}
	if (profile.left_out)
		warn("%s: %" PRIu64 " samples of more than %u sources are left out", trace->name,
		     profile.left_out, SOURCES);
	cells_free(&profile.cells);
	return code;
}
