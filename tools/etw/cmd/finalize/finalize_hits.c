// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which functions the samples and the stacks of a trace hit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/copy_progress.h"
#include "etw.h"
#include "finalize_names.h"
#include "libetl/array.h"
#include "libetl/guids.h"

static uint64_t key_of(uint64_t kind, uint64_t of, uint64_t address, uint64_t since)
{
	uint64_t parts[] = { kind, of, address, since };

	return map_mix(MAP_MIX, parts, sizeof(parts));
}

enum { MAPPING_OF_IMAGE, MAPPING_OF_FUNCTION };

/* The mapping of an image, or of a function without one. Return: NULL: no memory */
static struct named_mapping *mapping_of(struct finalize_names *names, uint32_t pid,
					uint64_t start, uint64_t time,
					const struct symbol *symbol)
{
	const struct images *images = symbols_images(names->symbols);
	const struct image *image = symbol->image;
	size_t i;

	if (!array_grow((void **)&names->mapping, &names->mapping_room, names->mappings + 1,
			sizeof(*names->mapping))) {
		names->no_memory = true;
		return NULL;
	}
	i = map_add(&names->known_mappings, image ?
		    key_of(MAPPING_OF_IMAGE, image - images->list, 0, 0) :
		    key_of(MAPPING_OF_FUNCTION, pid, start, symbol->since));
	if (i == MAP_NONE) {
		names->no_memory = true;
		return NULL;
	}
	if (i < names->mappings)
		return &names->mapping[i];
	names->mappings++;
	names->mapping[i] = image ? (struct named_mapping){
		.pid = pid, .image = image, .start = image->base, .end = image->end,
		.file = images->module[image->module].path, .time = image->named,
	} : (struct named_mapping){
		.pid = pid, .start = start, .end = start + symbol->reach,
		.file = symbol->module, .time = time,
	};
	return &names->mapping[i];
}

static void add_function(struct finalize_names *names, struct named_mapping *mapping,
			 uint64_t start, const struct symbol *symbol)
{
	uint64_t size = symbol->reach;
	size_t i;

	if (!array_grow((void **)&names->function, &names->function_room, names->functions + 1,
			sizeof(*names->function))) {
		names->no_memory = true;
		return;
	}
	i = map_add(&names->known_functions, key_of(0, mapping - names->mapping, start, 0));
	if (i == MAP_NONE) {
		names->no_memory = true;
		return;
	}
	if (i < names->functions)
		return;
	if (size > mapping->end - start)
		size = mapping->end - start;
	names->function[i] = (struct named_function){
		.start = start, .size = size, .name = symbol->function, .next = mapping->first,
	};
	mapping->first = ++names->functions;
}

static void add_hit(struct finalize_names *names, uint32_t pid, uint64_t address, uint64_t time,
		    const struct symbol *symbol)
{
	uint64_t start = address - symbol->offset;
	struct named_mapping *mapping;

	/* of memory without an image only the name of a function is worth a record */
	if (!symbol->function && !symbol->image)
		return;
	mapping = mapping_of(names, pid, start, time, symbol);
	if (mapping && symbol->function)
		add_function(names, mapping, start, symbol);
}

/* An address means the same as long as its image is there; without an image, once. */
static void hit(struct finalize_names *names, uint32_t pid, uint64_t address, uint64_t time)
{
	bool kernel = is_kernel_address(address, 8);
	size_t known = names->seen.count, i;
	struct symbol symbol;

	if (kernel && names->no_kernel)
		return;
	if (kernel)
		pid = 0;
	i = map_add(&names->seen, key_of(0, pid, address, 0));
	if (i == MAP_NONE || (i == known && !map_make_room((void **)&names->until, i,
							   sizeof(*names->until)))) {
		names->no_memory = true;
		return;
	}
	if (i < known && time < names->until[i])
		return;
	symbols_find(names->symbols, pid, address, time, 0, &symbol);
	if (!names->quiet)
		names_progress(names->seen.count, false);
	names->until[i] = symbol.image ? symbol.image->to : 0;
	add_hit(names, pid, address, time, &symbol);
}

static void see(void *context, const struct etl_record *record)
{
	struct finalize_names *names = context;
	struct sample sample;
	uint32_t pid = 0;
	uint16_t hook;

	if (!hook_of(record, &hook) || !sample_of(&names->samples, record, hook, &sample) ||
	    !sample.address)
		return;
	symbols_process_of(names->symbols, sample.thread_id, record->time, &pid);
	hit(names, pid, sample.address, record->time);
}

/* All but the innermost are where calls return to, as etw dump --symbols takes them. */
static void see_stack(void *context, uint32_t pid, uint64_t time,
		      const struct stack_frames *frames)
{
	uint64_t address;
	uint32_t i;

	for (i = 0; i < frames->count; i++) {
		address = stack_frame(frames, i);
		if (address)
			hit(context, pid, address - (i ? 1 : 0), time);
	}
}

static int by_time(const void *left, const void *right)
{
	const struct named_mapping *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

static int survey(struct finalize_names *names, const struct trace *trace)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;

	if (merge_begin(&merge, trace, false))
		return -1;
	while (merge_next(&merge, &record, &buffer)) {
		symbols_note(names->symbols, record);
		stacks_note(&names->stacks, record);
	}
	merge_end(&merge);
	symbols_ready(names->symbols);
	return 0;
}

static int find(struct finalize_names *names, const struct trace *trace,
		const struct finalize_options *options)
{
	const struct symbol_options where = {
		.sysroot = options->sysroot, .kallsyms = options->kallsyms,
		.no_server = options->no_server,
	};

	names->no_kernel = options->no_kallsyms;
	names->quiet = options->quiet;
	names->stacks = (struct stacks){
		.trace = trace, .see = see, .part = see_stack, .context = names,
	};
	sample_fields_find(&names->samples);
	names->symbols = symbols_new(trace, &where);
	names->no_memory = !names->symbols;
	if (names->no_memory || survey(names, trace) || stacks_walk(&names->stacks))
		return names->no_memory ? failed("%s", strerror(ENOMEM)), -1 : -1;
	if (!names->quiet)
		names_progress(names->seen.count, true);
	if (names->no_memory)
		return failed("%s", strerror(ENOMEM)), -1;
	if (names->mappings)
		qsort(names->mapping, names->mappings, sizeof(*names->mapping), by_time);
	return 0;
}

int finalize_names_find(struct finalizing *finalizing)
{
	struct finalize_names *names = calloc(1, sizeof(*names));
	const struct etl_logfile *log = &finalizing->trace->log;

	if (!names)
		return failed("%s", strerror(ENOMEM)), -1;
	finalizing->functions = names;
	/* Bits 24 to 55 differ between files; 24 bits are left for the records of one file. */
	names->ids = key_of(log->boot_time ^ log->start_time, log->t0, log->end_time, 0) << 32 >> 8;
	return find(names, finalizing->trace, finalizing->options);
}

void finalize_names_free(struct finalize_names *names)
{
	if (!names)
		return;
	symbols_free(names->symbols);
	stacks_free(&names->stacks);
	map_free(&names->seen);
	map_free(&names->known_mappings);
	map_free(&names->known_functions);
	map_free(&names->modules);
	free(names->until);
	free(names->mapping);
	free(names->function);
	free(names);
}
