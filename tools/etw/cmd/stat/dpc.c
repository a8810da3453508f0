// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE dpc: what interrupts and deferred work took, by routine and by processor. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/events/events.h"
#include "libetl/guids.h"
#include "etw.h"
#include "etw_hooks.h"
#include "keyed.h"

/* Of Windows alone */
#define PERFINFO_LOG_TYPE_THREADED_DPC	0x0F42

enum kind { DPC, THREADED_DPC, TIMER_DPC, ISR, KINDS };

static const char *const kind_names[KINDS] = { "DPC", "ThreadedDPC", "TimerDPC", "ISR" };

static const struct {
	uint16_t hook_id;
	enum kind kind;
} sources[] = {
	{ PERFINFO_LOG_TYPE_DPC, DPC },
	{ PERFINFO_LOG_TYPE_THREADED_DPC, THREADED_DPC },
	{ PERFINFO_LOG_TYPE_TIMERDPC, TIMER_DPC },
	{ PERFINFO_LOG_TYPE_INTERRUPT, ISR },
	{ PERFINFO_LOG_TYPE_INTERRUPT_MESSAGE, ISR },
};

#define SOURCES		(sizeof(sources) / sizeof(sources[0]))

/* Of a routine: kind in bits 16 and up, vector below */
#define HEAD(kind, vector)	((uint32_t)(kind) << 16 | (vector))

/**
 * struct routine - one that ran
 * @spans: how long
 * @last: time of its last record, in ticks
 */
struct routine {
	struct spans spans;
	uint64_t last;
};

/**
 * struct processor - what ran on one
 * @dpcs: deferred work
 * @isrs: interrupts
 */
struct processor {
	struct spans dpcs;
	struct spans isrs;
};

/**
 * struct numbers - where the fields of an event are
 * @begun: when it began; it ended at the record's time
 * @routine: what ran
 * @vector: of interrupts
 */
struct numbers {
	struct event_number begun;
	struct event_number routine;
	struct event_number vector;
};

/**
 * struct interrupts - all of it
 * @numbers: of each event of @sources
 * @addresses: of routines, numbered
 * @routines: struct routine by HEAD() and the number of its address
 * @processors: struct processor by number
 */
struct interrupts {
	const struct trace *trace;
	struct numbers numbers[SOURCES];
	struct map addresses;
	struct keyed routines;
	struct keyed processors;
};

static void find_numbers(struct interrupts *interrupts)
{
	struct numbers *numbers = interrupts->numbers;
	size_t i;

	for (i = 0; i < SOURCES; i++, numbers++) {
		event_number_find(&numbers->begun, sources[i].hook_id, "InitialTime");
		event_number_find(&numbers->routine, sources[i].hook_id, "Routine");
		event_number_find(&numbers->vector, sources[i].hook_id, "Vector");
	}
}

/* Return: the index in @sources, or SOURCES */
static size_t source_of(const struct etl_record *record)
{
	uint16_t hook;
	size_t i;

	if (!hook_of(record, &hook))
		return SOURCES;
	for (i = 0; i < SOURCES; i++)
		if (sources[i].hook_id == hook)
			break;
	return i;
}

static int note(struct interrupts *interrupts, const struct etl_record *record,
		uint16_t processor)
{
	size_t source = source_of(record), number;
	const struct numbers *numbers = &interrupts->numbers[source];
	uint64_t address, ns, begun, vector = 0;
	struct processor *cpu;
	struct routine *routine;
	enum kind kind;

	if (source == SOURCES)
		return 0;
	kind = sources[source].kind;
	if (!event_number(&numbers->begun, record, &begun) ||
	    !event_number(&numbers->routine, record, &address) ||
	    (kind == ISR && !event_number(&numbers->vector, record, &vector)))
		return 0;
	ns = record->time > begun ?
	     ns_of_ticks(&interrupts->trace->log, record->time - begun) : 0;
	number = map_add(&interrupts->addresses, address);
	cpu = keyed_of(&interrupts->processors, processor);
	if (number == MAP_NONE || !cpu)
		return -1;
	routine = keyed_of(&interrupts->routines, (uint64_t)HEAD(kind, vector) << 32 | number);
	if (!routine)
		return -1;
	spans_add(&routine->spans, ns);
	spans_add(kind == ISR ? &cpu->isrs : &cpu->dpcs, ns);
	routine->last = record->time;
	return 0;
}

static int collect(struct interrupts *interrupts, const struct event_filter *filter)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (merge_begin(&merge, interrupts->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer))
		if (event_filter_selects(filter, &merge, buffer, record))
			err = note(interrupts, record, buffer->processor);
	merge_end(&merge);
	return err;
}

static void fill_routines(const struct interrupts *interrupts, struct symbols *symbols,
			  struct sheet *sheet)
{
	size_t vector = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "vector");
	size_t address = sheet_column(sheet, SHEET_HEX, SHEET_EVERYWHERE, "routine");
	size_t times = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "times");
	size_t took = spans_columns(sheet, "took");
	size_t kind = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "kind");
	size_t function = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "function"), i;
	const struct routine *routine;
	char name[SYMBOL_TEXT];
	uint64_t key, number;
	struct symbol symbol;
	unsigned int how;

	for (i = 0; i < interrupts->routines.map.count; i++) {
		key = interrupts->routines.map.keys[i];
		routine = keyed_at(&interrupts->routines, i);
		number = interrupts->addresses.keys[(uint32_t)key];
		sheet_row(sheet);
		sheet_text(sheet, kind, kind_names[key >> 48]);
		if (key >> 48 == ISR)
			sheet_number(sheet, vector, key >> 32 & 0xFFFF);
		/* 0: the session doesn't show addresses, or the kernel has no name for it */
		if (number) {
			sheet_number(sheet, address, number);
			/* it is the kernel's */
			how = number >> 32 ? SYMBOL_OFFSET : SYMBOL_OFFSET | SYMBOL_NARROW;
			symbols_find(symbols, 0, number, routine->last, how, &symbol);
			if (symbol.module)
				sheet_text(sheet, function,
					   symbols_name(symbols, 0, number, routine->last,
							how, name, sizeof(name)));
		}
		sheet_number(sheet, times, routine->spans.count);
		spans_put(sheet, took, &routine->spans);
	}
	sheet_sort(sheet, took);
}

static void fill_processors(const struct interrupts *interrupts, struct sheet *sheet)
{
	size_t cpu = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "cpu");
	size_t dpcs = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "DPCs");
	size_t dpc = spans_columns(sheet, "DPC");
	size_t isrs = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "ISRs");
	size_t isr = spans_columns(sheet, "ISR"), i;
	const struct processor *processor;

	for (i = 0; i < interrupts->processors.map.count; i++) {
		processor = keyed_at(&interrupts->processors, i);
		sheet_row(sheet);
		sheet_number(sheet, cpu, interrupts->processors.map.keys[i]);
		sheet_number(sheet, dpcs, processor->dpcs.count);
		spans_put(sheet, dpc, &processor->dpcs);
		sheet_number(sheet, isrs, processor->isrs.count);
		spans_put(sheet, isr, &processor->isrs);
	}
	sheet_sort(sheet, dpc);
}

int stat_dpc(const struct trace *trace, const struct statistics *statistics,
	     const struct stat_options *options)
{
	struct interrupts interrupts = {
		.trace = trace,
		.routines.size = sizeof(struct routine),
		.processors.size = sizeof(struct processor),
	};
	struct sheet routines = { .name = "routines" }, processors = { .name = "cpus" };
	struct sheet *const all[] = { &routines, &processors };
	struct symbols *symbols = NULL;
	int code = EXIT_FAILED;

	find_numbers(&interrupts);
	if (collect(&interrupts, statistics->filter))
		failed("%s: %s", trace->name, strerror(ENOMEM));
	else if (!interrupts.routines.map.count)
		report_lacks(trace, statistics->filter, "interrupts or DPCs", "-e LOADER+DPC+INTERRUPT");
	else
		symbols = symbols_of_trace(trace, &options->where);
	if (symbols) {
		fill_routines(&interrupts, symbols, &routines);
		fill_processors(&interrupts, &processors);
		code = sheets_report(all, sizeof(all) / sizeof(all[0]), options);
	}
	symbols_free(symbols);
	map_free(&interrupts.addresses);
	keyed_free(&interrupts.routines);
	keyed_free(&interrupts.processors);
	return code;
}
