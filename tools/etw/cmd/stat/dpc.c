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
#include "interrupts.h"
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
 * @sums: they are wanted
 * @each: gets each one, with @context; may be NULL
 */
struct interrupts {
	const struct trace *trace;
	struct numbers numbers[SOURCES];
	struct map addresses;
	struct keyed routines;
	struct keyed processors;
	bool sums;
	void (*each)(void *context, const struct interrupt *interrupt);
	void *context;
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
static size_t source_of(uint16_t hook)
{
	size_t i;

	for (i = 0; i < SOURCES; i++)
		if (sources[i].hook_id == hook)
			break;
	return i;
}

bool is_interrupt_hook(uint16_t hook)
{
	return source_of(hook) < SOURCES;
}

static int count(struct interrupts *interrupts, enum kind kind, const struct interrupt *interrupt)
{
	size_t number = map_add(&interrupts->addresses, interrupt->routine);
	struct processor *cpu = keyed_of(&interrupts->processors, interrupt->processor);
	struct routine *routine;

	if (number == MAP_NONE || !cpu)
		return -1;
	routine = keyed_of(&interrupts->routines,
			   (uint64_t)HEAD(kind, interrupt->vector) << 32 | number);
	if (!routine)
		return -1;
	spans_add(&routine->spans, interrupt->ns);
	spans_add(kind == ISR ? &cpu->isrs : &cpu->dpcs, interrupt->ns);
	routine->last = interrupt->time;
	return 0;
}

static int note(struct interrupts *interrupts, const struct etl_record *record,
		uint16_t processor)
{
	struct interrupt interrupt = { .time = record->time, .processor = processor };
	const struct numbers *numbers;
	uint64_t begun, vector = 0;
	enum kind kind;
	uint16_t hook;
	size_t source;

	source = hook_of(record, &hook) ? source_of(hook) : SOURCES;
	if (source == SOURCES)
		return 0;
	numbers = &interrupts->numbers[source];
	kind = sources[source].kind;
	if (!event_number(&numbers->begun, record, &begun) ||
	    !event_number(&numbers->routine, record, &interrupt.routine) ||
	    (kind == ISR && !event_number(&numbers->vector, record, &vector)))
		return 0;
	interrupt.kind = kind_names[kind];
	interrupt.has_vector = kind == ISR;
	interrupt.vector = vector;
	if (record->time > begun)
		interrupt.ns = ns_of_ticks(&interrupts->trace->log, record->time - begun);
	if (interrupts->each)
		interrupts->each(interrupts->context, &interrupt);
	return interrupts->sums ? count(interrupts, kind, &interrupt) : 0;
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

int interrupts_find(const struct trace *trace, const struct event_filter *filter,
		    void (*each)(void *context, const struct interrupt *interrupt), void *context)
{
	struct interrupts interrupts = { .trace = trace, .each = each, .context = context };

	find_numbers(&interrupts);
	return collect(&interrupts, filter) ? no_memory() : 0;
}

const char *interrupt_function(struct symbols *symbols, uint64_t routine, uint64_t time,
			       char name[SYMBOL_TEXT])
{
	/* it is the kernel's */
	unsigned int how = routine >> 32 ? SYMBOL_OFFSET : SYMBOL_OFFSET | SYMBOL_NARROW;
	struct symbol symbol;

	/* 0: the session doesn't show addresses, or the kernel has no name for it */
	if (!routine)
		return NULL;
	symbols_find(symbols, 0, routine, time, how, &symbol);
	return symbol.module ? symbols_name(symbols, 0, routine, time, how, name, SYMBOL_TEXT) :
			       NULL;
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

	for (i = 0; i < interrupts->routines.map.count; i++) {
		key = interrupts->routines.map.keys[i];
		routine = keyed_at(&interrupts->routines, i);
		number = interrupts->addresses.keys[(uint32_t)key];
		sheet_row(sheet);
		sheet_text(sheet, kind, kind_names[key >> 48]);
		if (key >> 48 == ISR)
			sheet_number(sheet, vector, key >> 32 & 0xFFFF);
		if (number)
			sheet_number(sheet, address, number);
		if (interrupt_function(symbols, number, routine->last, name))
			sheet_text(sheet, function, name);
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

static void release_routine(void *value)
{
	spans_free(&((struct routine *)value)->spans);
}

static void release_processor(void *value)
{
	struct processor *processor = value;

	spans_free(&processor->dpcs);
	spans_free(&processor->isrs);
}

int stat_dpc(const struct trace *trace, const struct statistics *statistics,
	     const struct stat_options *options)
{
	struct interrupts interrupts = {
		.trace = trace, .sums = true,
		.routines = { .size = sizeof(struct routine), .release = release_routine },
		.processors = { .size = sizeof(struct processor), .release = release_processor },
	};
	struct sheet routines = { .name = "routines" }, processors = { .name = "cpus" };
	struct sheet *const all[] = { &routines, &processors };
	struct symbols *symbols = NULL;
	int code = EXIT_FAILED;

	if (options->interrupts) {
		interrupts.each = options->interrupts->take;
		interrupts.context = options->interrupts->context;
	}
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
