// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Counts the samples of functions by instruction. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/images.h"
#include "etw.h"
#include "etw_extension.h"
#include "symbols/demangle.h"
#include "annotate.h"

struct sampled *annotate_function(const struct annotation *annotation, size_t i)
{
	return keyed_at(&annotation->known, annotation->order[i]);
}

/* As the linker has the name or as people read it, there with or without parameters */
static bool has_name(const char *function, const char *wanted)
{
	size_t length = strlen(wanted);
	char *readable;
	bool same;

	if (!strcmp(function, wanted))
		return true;
	readable = symbol_demangle(function);
	same = readable && !strncmp(readable, wanted, length) &&
	       (!readable[length] || readable[length] == '(');
	free(readable);
	return same;
}

enum { NOT_COMPARED, IS_WANTED, IS_OTHER };

/* Names are compared once: all samples of a function have the same text. */
static bool is_wanted(struct annotation *annotation, const struct symbol *symbol)
{
	const struct annotate_options *options = annotation->options;
	uint8_t *answer;

	if (!symbol->function ||
	    (options->module && (!symbol->module || strcmp(symbol->module, options->module))))
		return false;
	answer = keyed_of(&annotation->names, (uintptr_t)symbol->function);
	if (!answer)
		return has_name(symbol->function, options->function);
	if (*answer == NOT_COMPARED)
		*answer = has_name(symbol->function, options->function) ? IS_WANTED : IS_OTHER;
	return *answer == IS_WANTED;
}

/* One function is in one place of its file, wherever processes have that mapped. */
static uint64_t key_of(const struct symbol *symbol, uint64_t start)
{
	uint64_t place[2] = { 0, start };

	if (symbol->image) {
		place[0] = symbol->image->module + 1;
		place[1] = start - symbol->image->base;
	}
	return map_mix(MAP_MIX, place, sizeof(place));
}

static int add(struct annotation *annotation, const struct sample *sample, uint32_t pid,
	       uint64_t time, const struct symbol *symbol, size_t source)
{
	uint64_t start = sample->address - symbol->offset, *counts;
	struct sampled *function = keyed_of(&annotation->known, key_of(symbol, start));

	if (!function)
		return no_memory();
	if (!function->all) {
		function->symbol = *symbol;
		function->pid = pid;
		function->time = time;
		function->start = start;
		function->at.size = SOURCES * sizeof(uint64_t);
	}
	function->all += sample->count;
	function->total[source] += sample->count;
	counts = keyed_of(&function->at, symbol->offset);
	if (!counts)
		return no_memory();
	counts[source] += sample->count;
	return 0;
}

static int take(struct annotation *annotation, const struct etl_record *record,
		const struct sample *sample)
{
	uint32_t number = sample->timer ? ETW_PROFILE_SOURCE_TIME : sample->source, pid = 0;
	struct source *source = source_of(&annotation->sources, number);
	struct symbol symbol;
	size_t i;

	if (!source) {
		annotation->left_out++;
		return 0;
	}
	i = source - annotation->sources.source;
	source->samples = true;
	annotation->total[i] += sample->count;
	annotation->all += sample->count;
	symbols_process_of(annotation->symbols, sample->thread_id, record->time, &pid);
	symbols_find(annotation->symbols, pid, sample->address, record->time,
		     annotation->trace->log.pointer_size == 4 ? SYMBOL_NARROW : 0, &symbol);
	return is_wanted(annotation, &symbol) ?
	       add(annotation, sample, pid, record->time, &symbol, i) : 0;
}

static int by_samples(const void *left, const void *right, void *context)
{
	const struct annotation *annotation = context;
	const struct sampled *a = keyed_at(&annotation->known, *(const size_t *)left);
	const struct sampled *b = keyed_at(&annotation->known, *(const size_t *)right);

	if (a->all != b->all)
		return a->all > b->all ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

static int sort(struct annotation *annotation)
{
	size_t i, count = annotation->known.map.count;

	annotation->order = calloc(count + 1, sizeof(*annotation->order));
	if (!annotation->order)
		return no_memory();
	for (i = 0; i < count; i++)
		annotation->order[i] = i;
	qsort_r(annotation->order, count, sizeof(*annotation->order), by_samples, annotation);
	return 0;
}

int annotate_count(struct annotation *annotation)
{
	struct event_filter *filter = &annotation->options->filter;
	struct sample_interval interval;
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct sample_fields fields;
	struct sample sample;
	struct merge merge;
	int err = 0;

	annotation->known.size = sizeof(struct sampled);
	annotation->names.size = sizeof(uint8_t);
	sample_fields_find(&fields);
	if (event_filter_select(filter, annotation->trace) ||
	    merge_begin(&merge, annotation->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer)) {
		if (record->header != ETL_PERFINFO && record->header != ETL_SYSTEM)
			continue;
		if (sample_interval_of(record, &interval))
			sources_note(&annotation->sources, &interval);
		else if (sample_of(&fields, record, record->hook_id, &sample) &&
			 (sample.thread_id || filter->idle) &&
			 event_filter_selects(filter, &merge, buffer, record))
			err = take(annotation, record, &sample);
	}
	merge_warn(&merge);
	merge_end(&merge);
	return err ? err : sort(annotation);
}
