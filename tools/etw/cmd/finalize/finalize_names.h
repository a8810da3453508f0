/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Names of the functions that samples and stacks of a trace hit. */
#ifndef ETW_FINALIZE_NAMES_H
#define ETW_FINALIZE_NAMES_H

#include "finalize.h"
#include "libetl/event_stacks.h"
#include "libetl/samples.h"
#include "symbols/symbols.h"

/**
 * struct named_function - a function that was hit
 * @start: its first address
 * @size: bytes that have its name
 * @name: as the linker knows it
 * @next: the next one of the mapping, its index + 1; 0: none
 */
struct named_function {
	uint64_t start;
	uint64_t size;
	const char *name;
	size_t next;
};

/**
 * struct named_mapping - what functions belong to: an image, or memory without one
 * @pid: process; 0: the kernel
 * @image: NULL: a function that no file contains has a mapping of its own
 * @start: first address
 * @end: behind the last one
 * @file: path of the image, or what the memory is called
 * @time: of the image's first event, or of the first hit
 * @first: function, its index + 1; 0: none has a name
 */
struct named_mapping {
	uint32_t pid;
	const struct image *image;
	uint64_t start;
	uint64_t end;
	const char *file;
	uint64_t time;
	size_t first;
};

/**
 * struct finalize_names - what was hit
 * @symbols: of the trace
 * @stacks: while they are read
 * @samples: where the fields of samples are
 * @no_kernel: its functions are left out
 * @quiet: no progress
 * @no_memory: something is missing
 * @seen: addresses of processes
 * @until: by index of @seen: up to then the address means the same
 * @known_mappings: by where they are; while they are found, the index is that in @mapping
 * @mapping: @mappings of them; by time when all are found
 * @known_functions: by mapping and address; the index is that in @function
 * @function: @functions of them
 * @modules: of images that got a record
 * @ids: numbers of records begin here, because merged files must not share them
 * @next: the first mapping that is not written
 */
struct finalize_names {
	struct symbols *symbols;
	struct stacks stacks;
	struct sample_fields samples;
	bool no_kernel;
	bool quiet;
	bool no_memory;
	struct map seen;
	uint64_t *until;
	struct map known_mappings;
	struct named_mapping *mapping;
	size_t mappings;
	size_t mapping_room;
	struct map known_functions;
	struct named_function *function;
	size_t functions;
	size_t function_room;
	struct map modules;
	uint64_t ids;
	size_t next;
};

/* All return 0, or -1 after a message. Before the records are copied: */
int finalize_names_find(struct finalizing *finalizing);
/* Before each record: writes what stands before @time */
int finalize_names_due(struct finalizing *finalizing, uint64_t time);
/* After the last one */
int finalize_names_rest(struct finalizing *finalizing);
void finalize_names_free(struct finalize_names *names);

#endif /* ETW_FINALIZE_NAMES_H */
