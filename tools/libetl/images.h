/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Which image was at an address of a process at a time. */
#ifndef ETW_IMAGES_H
#define ETW_IMAGES_H

#include "fields.h"
#include "map.h"
#include "trace.h"

#define IMAGE_ID_BYTES	16

/**
 * struct module - a file that images were mapped from
 * @path: as the trace has it, slashes for backslashes where it is one of ours
 * @name: behind the last separator of @path
 * @pid: of the first image of it; without a build-id, of all: a path of another process may
 *	lead to another file
 * @stamp: first 4 bytes of the build-id as the image says, 0: unknown
 * @has_id: @id is valid
 * @id: of the trace: the first bytes of its build-id
 * @symbols: struct symbol_table, made by its first user
 * @inlines: struct elf_inlines, made by its first user
 * @inlines_tried: so it was tried
 * @tried: likewise for @symbols
 * @why: and in words, why there are none
 */
struct module {
	char *path;
	const char *name;
	uint32_t pid;
	uint32_t stamp;
	bool has_id;
	uint8_t id[IMAGE_ID_BYTES];
	void *symbols;
	void *inlines;
	bool inlines_tried;
	bool tried;
	const char *why;
};

/**
 * struct image - a module at a place for a time
 * @pid: process; 0: the kernel
 * @module: index into images->module
 * @base: where it is
 * @end: behind it
 * @from: session clock; 0: from the beginning
 * @to: UINT64_MAX: to the end
 * @named: time of the first event that names it
 * @reach: highest end of all images of @pid from the lowest base to this one
 * @first: index of the first of @pid with this @base
 */
struct image {
	uint32_t pid;
	uint32_t module;
	uint64_t base;
	uint64_t end;
	uint64_t from;
	uint64_t to;
	uint64_t named;
	uint64_t reach;
	size_t first;
};

/**
 * struct id_note - what merging says of an image
 * @base: where the image is
 * @pid: its process
 * @time: of the image's event
 * @id: what its symbols are found by
 */
struct id_note {
	uint64_t base;
	uint64_t time;
	uint32_t pid;
	uint8_t id[IMAGE_ID_BYTES];
};

/**
 * struct images - all of a trace
 * @list: by process, base and time once images_ready() was called
 * @module: different files
 * @modules: of them
 * @names: indexes in @module by path and stamp, or process
 * @pids: processes that have images
 * @open: by index in @pids: images that are there while they are collected, a tree by place
 * @ids: @nr_ids of them, as they come
 * @fields: of the record that is being noted
 * @no_memory: something is missing
 */
struct images {
	struct image *list;
	size_t count;
	size_t room;
	struct module *module;
	size_t modules;
	size_t module_room;
	struct map names;
	struct map pids;
	void **open;
	size_t open_room;
	struct id_note *ids;
	size_t nr_ids;
	size_t id_room;
	struct fields *fields;
	bool no_memory;
};

/* A record of the trace, in order of time: takes what it says of images */
void images_note(struct images *images, const struct etl_record *record);
/*
 * Code that comes to a place at a time, under a name. What is in its way goes.
 * @from: 0: it is there from the beginning; what was in its way is then never found
 */
void images_place(struct images *images, uint32_t pid, uint64_t base, uint64_t size,
		  uint64_t from, const char *name);
/* Code that goes from its place to another one; does nothing if there is none */
void images_move(struct images *images, uint32_t pid, uint64_t base, uint64_t to, uint64_t size,
		 uint64_t time);
/* After the last: the table can be asked */
void images_ready(struct images *images);
/* NULL: there was none */
const struct image *images_find(const struct images *images, uint32_t pid, uint64_t address,
				uint64_t time);
/* Whether one was there at any time */
bool images_ever(const struct images *images, uint32_t pid, uint64_t address);
void images_free(struct images *images);

#endif /* ETW_IMAGES_H */
