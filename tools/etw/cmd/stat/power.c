// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE power: idle states and frequencies of processors over time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/decode.h"
#include "etw.h"
#include "keyed.h"
#include "linux_kind.h"

enum { IDLE, FREQUENCY, KINDS };

static const char *const names[KINDS] = { "Linux.power/cpu_idle", "Linux.power/cpu_frequency" };
static const char *const kind_names[KINDS] = { "idle", "frequency" };

/* What cpu_idle has at the end of an idle period (PWR_EVENT_EXIT) */
#define RUNNING		UINT32_MAX

/**
 * struct level - an idle state or a frequency of a processor
 * @spans: periods of it
 * @running: ns of them in which the processor was not idle
 */
struct level {
	struct spans spans;
	uint64_t running;
};

/**
 * struct current - what a processor is in
 * @known: @level is valid
 * @level: idle state, RUNNING, or kHz
 * @since: ns since the start of the session
 */
struct current {
	bool known;
	uint32_t level;
	int64_t since;
};

/**
 * struct cpu - a processor
 * @now: by kind
 * @last: ns: up to here, the time in which it ran is in the level of its frequency
 * @periods: by kind: ns of all of them
 */
struct cpu {
	struct current now[KINDS];
	int64_t last;
	uint64_t periods[KINDS];
};

/**
 * struct period - for the list
 * @from: ns since the start of the session
 * @ns: how long
 */
struct period {
	int64_t from;
	uint64_t ns;
	uint32_t cpu;
	unsigned int kind;
	uint32_t level;
};

/**
 * struct power - all of it
 * @cpus: struct cpu by number
 * @levels: by kind: struct level by processor and level
 * @least: ns: shorter periods are not in @period
 * @period: @periods of them, in the order of their ends
 */
struct power {
	const struct trace *trace;
	const struct event_filter *filter;
	struct fields *fields;
	struct linux_kinds kinds;
	struct keyed cpus;
	struct keyed levels[KINDS];
	uint64_t least;
	struct period *period;
	size_t periods;
	size_t room;
};

static struct level *level_of(struct power *power, uint32_t cpu, unsigned int kind, uint32_t level)
{
	return keyed_of(&power->levels[kind], (uint64_t)cpu << 32 | level);
}

static int list(struct power *power, uint32_t cpu, unsigned int kind, uint32_t level,
		int64_t from, uint64_t ns)
{
	if (ns < power->least)
		return 0;
	if (!array_grow((void **)&power->period, &power->room, power->periods + 1,
			sizeof(*power->period)))
		return no_memory();
	power->period[power->periods++] = (struct period){
		.from = from, .ns = ns, .cpu = cpu, .kind = kind, .level = level,
	};
	return 0;
}

/* A period that ends; what of it is in the range counts */
static int end_period(struct power *power, uint32_t number, struct cpu *cpu, unsigned int kind,
		      int64_t to)
{
	const struct current *now = &cpu->now[kind];
	int64_t from = now->since;
	uint64_t ns = event_filter_clip(power->filter, &from, &to);
	struct level *level;

	if (!ns)
		return 0;
	level = level_of(power, number, kind, now->level);
	if (!level)
		return no_memory();
	spans_add(&level->spans, ns);
	cpu->periods[kind] += ns;
	return list(power, number, kind, now->level, from, ns);
}

/* The time since the latest event of a processor, if it ran in it, at the frequency that it had */
static int add_running(struct power *power, uint32_t number, struct cpu *cpu, int64_t to)
{
	int64_t from = cpu->last;
	struct level *level;
	uint64_t ns;

	cpu->last = to;
	if (!cpu->now[IDLE].known || cpu->now[IDLE].level != RUNNING || !cpu->now[FREQUENCY].known)
		return 0;
	ns = event_filter_clip(power->filter, &from, &to);
	level = ns ? level_of(power, number, FREQUENCY, cpu->now[FREQUENCY].level) : NULL;
	if (ns && !level)
		return no_memory();
	if (level)
		level->running += ns;
	return 0;
}

/* An idle period begins and ends by an event; two begins or two ends have a lost event between */
static bool fits(unsigned int kind, const struct current *now, uint32_t level)
{
	return now->known &&
	       (kind == FREQUENCY || (now->level == RUNNING) != (level == RUNNING));
}

static int change(struct power *power, uint32_t number, unsigned int kind, uint32_t level,
		  int64_t ns)
{
	struct cpu *cpu = keyed_of(&power->cpus, number);
	struct current *now;
	int err;

	if (!cpu)
		return no_memory();
	now = &cpu->now[kind];
	/* a frequency that is set once more goes on */
	if (kind == FREQUENCY && now->known && now->level == level)
		return 0;
	if (kind == IDLE && now->known && !fits(kind, now, level))
		cpu->last = ns;
	err = add_running(power, number, cpu, ns);
	if (!err && fits(kind, now, level))
		err = end_period(power, number, cpu, kind, ns);
	*now = (struct current){ .known = true, .level = level, .since = ns };
	return err;
}

static int note(struct power *power, const struct etl_record *record)
{
	const struct field *state, *cpu;
	int kind = linux_kind_of(&power->kinds, record);

	if (kind < 0)
		return no_memory();
	if (kind == KINDS)
		return 0;
	fields_reset(power->fields);
	decode_payload(record, power->fields);
	state = fields_find(power->fields, "state");
	/* the processor of a frequency may be another than the one that writes the event */
	cpu = fields_find(power->fields, "cpu_id");
	if (!state || !cpu || !event_filter_wants_cpu(power->filter, cpu->number))
		return 0;
	return change(power, cpu->number, kind, state->number,
		      etl_nanoseconds(&power->trace->log, record->time));
}

/* What a processor is in at the end of the trace lasts until there */
static int finish(struct power *power, int64_t end)
{
	struct cpu *cpu;
	uint32_t number;
	int err = 0;
	size_t i, k;

	for (i = 0; !err && i < power->cpus.map.count; i++) {
		number = power->cpus.map.keys[i];
		cpu = keyed_at(&power->cpus, i);
		err = add_running(power, number, cpu, end);
		for (k = 0; !err && k < KINDS; k++)
			if (cpu->now[k].known)
				err = end_period(power, number, cpu, k, end);
	}
	return err;
}

static int collect(struct power *power, uint64_t last)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (merge_begin(&merge, power->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer))
		err = note(power, record);
	merge_end(&merge);
	return err ? err : finish(power, etl_nanoseconds(&power->trace->log, last));
}

/* The length of the trace, or of what the range has of it */
static uint64_t whole_time(const struct power *power, uint64_t last)
{
	int64_t from = 0, to = etl_nanoseconds(&power->trace->log, last);

	return event_filter_clip(power->filter, &from, &to);
}

static void put_share(struct sheet *sheet, size_t column, uint64_t part, uint64_t whole)
{
	if (whole)
		sheet_number(sheet, column, ((__int128)part * 10000 + whole / 2) / whole);
}

static void level_text(unsigned int kind, uint32_t level, char to[32])
{
	if (kind == IDLE && level == RUNNING)
		snprintf(to, 32, "running");
	else
		snprintf(to, 32, "%" PRIu32 "%s", level, kind == IDLE ? "" : " kHz");
}

static void fill_levels(const struct power *power, unsigned int kind, struct sheet *sheet,
			uint64_t whole)
{
	size_t cpu = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "cpu");
	size_t times = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "times");
	size_t time = spans_columns(sheet, "time");
	size_t running = sheet_column(sheet, SHEET_TIME, kind == FREQUENCY ? SHEET_EVERYWHERE :
				      SHEET_NOWHERE, "running");
	size_t share = sheet_column(sheet, SHEET_SHARE, SHEET_EVERYWHERE, "%");
	size_t name = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE,
				   kind == IDLE ? "state" : "frequency"), i;
	const struct keyed *levels = &power->levels[kind];
	const struct level *level;
	uint64_t known;
	char text[32];

	for (i = 0; i < levels->map.count; i++) {
		level = keyed_at(levels, i);
		sheet_row(sheet);
		sheet_number(sheet, cpu, levels->map.keys[i] >> 32);
		sheet_number(sheet, times, level->spans.count);
		spans_put(sheet, time, &level->spans);
		sheet_number(sheet, running, level->running);
		put_share(sheet, share, level->spans.ns, whole);
		level_text(kind, levels->map.keys[i], text);
		sheet_text(sheet, name, text);
	}
	/* what no period of a processor has */
	for (i = 0; levels->map.count && i < power->cpus.map.count; i++) {
		known = ((const struct cpu *)keyed_at(&power->cpus, i))->periods[kind];
		if (known >= whole)
			continue;
		sheet_row(sheet);
		sheet_number(sheet, cpu, power->cpus.map.keys[i]);
		sheet_number(sheet, time, whole - known);
		put_share(sheet, share, whole - known, whole);
		sheet_text(sheet, name, "unknown");
	}
	sheet_sort(sheet, time);
}

static void fill_periods(const struct power *power, struct sheet *sheet)
{
	size_t at = sheet_column(sheet, SHEET_MOMENT, SHEET_EVERYWHERE, "at");
	size_t time = sheet_column(sheet, SHEET_TIME, SHEET_EVERYWHERE, "time");
	size_t cpu = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "cpu");
	size_t kind = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "kind");
	size_t name = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "level"), i;
	const struct period *period = power->period;
	char text[32];

	for (i = 0; i < power->periods; i++, period++) {
		sheet_row(sheet);
		sheet_number(sheet, at, period->from);
		sheet_number(sheet, time, period->ns);
		sheet_number(sheet, cpu, period->cpu);
		sheet_text(sheet, kind, kind_names[period->kind]);
		level_text(period->kind, period->level, text);
		sheet_text(sheet, name, text);
	}
}

static int print(const struct power *power, uint64_t last, const struct stat_options *options)
{
	struct sheet idle = { .name = "states" }, frequency = { .name = "frequencies" };
	struct sheet periods = { .name = "periods" };
	struct sheet *const all[] = { &idle, &frequency, &periods };
	uint64_t whole = whole_time(power, last);

	fill_levels(power, IDLE, &idle, whole);
	fill_levels(power, FREQUENCY, &frequency, whole);
	fill_periods(power, &periods);
	return sheets_report(all, sizeof(all) / sizeof(all[0]), options);
}

static void release_level(void *value)
{
	spans_free(&((struct level *)value)->spans);
}

int stat_power(const struct trace *trace, const struct statistics *statistics,
	       const struct stat_options *options)
{
	struct power power = {
		.trace = trace, .filter = statistics->filter, .least = options->least,
		.fields = malloc(sizeof(struct fields)), .cpus.size = sizeof(struct cpu),
		.levels = { { .size = sizeof(struct level), .release = release_level },
			    { .size = sizeof(struct level), .release = release_level } },
	};
	int code = EXIT_FAILED;

	linux_kinds_begin(&power.kinds, names, KINDS);
	if (!power.fields)
		no_memory();
	else if (!collect(&power, statistics->last))
		code = power.cpus.map.count ? print(&power, statistics->last, options) :
		       report_lacks(trace, statistics->filter,
				    "idle states or frequencies of processors", "-e 'power:*'");
	linux_kinds_end(&power.kinds);
	keyed_free(&power.cpus);
	keyed_free(&power.levels[IDLE]);
	keyed_free(&power.levels[FREQUENCY]);
	free(power.period);
	free(power.fields);
	return code;
}
