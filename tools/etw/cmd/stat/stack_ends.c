// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Where the user part of a stack ends, and why there. */
#include <stdlib.h>
#include <string.h>
#include "libetl/images.h"
#include "symbols/module_file.h"
#include "unwind/unwind_table.h"
#include "etw_hooks.h"
#include "events/stack.h"
#include "stack_ends.h"

/**
 * struct end_file - what is known of a file
 * @tried: the rest is valid
 * @here: the file can be read
 * @lowest: the address of its offset 0
 * @table: its unwind table; NULL: it has none
 */
struct end_file {
	bool tried;
	bool here;
	uint64_t lowest;
	struct unwind_table *table;
};

/**
 * struct end_finder - the files of a trace
 * @symbols: which images were where
 * @sysroot: stands before paths of files
 * @file: by number of the module
 * @files: number of these
 */
struct end_finder {
	struct symbols *symbols;
	const char *sysroot;
	struct end_file *file;
	size_t files;
};

struct end_finder *end_finder_new(struct symbols *symbols, const char *sysroot)
{
	struct end_finder *finder = calloc(1, sizeof(*finder));

	if (!finder)
		return NULL;
	finder->symbols = symbols;
	finder->sysroot = sysroot ? sysroot : "";
	finder->files = symbols_images(symbols)->modules;
	finder->file = calloc(finder->files + 1, sizeof(*finder->file));
	if (finder->file)
		return finder;
	free(finder);
	return NULL;
}

static void drop_table(struct end_file *file)
{
	if (!file->table)
		return;
	unwind_table_free(file->table);
	free(file->table);
	file->table = NULL;
}

void end_finder_free(struct end_finder *finder)
{
	size_t i;

	if (!finder)
		return;
	for (i = 0; i < finder->files; i++)
		drop_table(&finder->file[i]);
	free(finder->file);
	free(finder);
}

/* Return: -1: no memory */
static int read_file(struct end_file *file, const struct module *module, const char *sysroot)
{
	struct module_file *found = malloc(sizeof(*found));

	if (!found)
		return -1;
	file->here = !module_file_find(module, sysroot, found);
	if (file->here) {
		file->lowest = found->layout.lowest;
		file->table = malloc(sizeof(*file->table));
		if (file->table && unwind_table_read(found->path, file->table))
			drop_table(file);
		else if (!file->table)
			file->tried = false;
	}
	free(found);
	return file->tried ? 0 : -1;
}

static const struct end_file *file_of(struct end_finder *finder, size_t module)
{
	struct end_file *file = &finder->file[module];

	if (file->tried)
		return file;
	file->tried = true;
	return read_file(file, &symbols_images(finder->symbols)->module[module],
			 finder->sysroot) ? NULL : file;
}

static enum stack_end end_in_file(const struct end_file *file, uint64_t rva)
{
	const struct etw_unwind_row *row;

	if (!file->here)
		return STACK_UNREADABLE;
	if (!file->table)
		return STACK_NO_TABLE;
	row = unwind_table_row(file->table, file->lowest + rva);
	if (!row || row->cfa == ETW_UNWIND_NONE)
		return STACK_NO_RULE;
	return row->cfa == ETW_UNWIND_END ? STACK_WHOLE : STACK_HAS_RULE;
}

/* Where the file says nothing of the code: functions that have no caller */
static bool is_outermost(struct end_finder *finder, const struct stack_event *event,
			 uint64_t address)
{
	static const char *const names[] = { "_start", "clone", "__clone", "clone3", "__clone3" };
	struct symbol symbol;
	size_t i;

	symbols_find(finder->symbols, event->pid, address, event->time,
		     event->user.width == 4 ? SYMBOL_NARROW : 0, &symbol);
	for (i = 0; symbol.function && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(symbol.function, names[i]))
			return true;
	return false;
}

int stack_end_of(struct end_finder *finder, const struct stack_event *event, enum stack_end *end,
		 size_t *module)
{
	const uint32_t count = event->user.count;
	const struct end_file *file;
	const struct image *image;
	uint64_t address;

	*module = MAP_NONE;
	*end = STACK_KERNEL;
	if (!count)
		return 0;
	address = stack_frame(&event->user, count - 1);
	/* the last instruction of a function may be the call */
	address -= count > 1 && address;
	image = images_find(symbols_images(finder->symbols), event->pid, address, event->time);
	*end = STACK_NO_FILE;
	if (image) {
		*module = image->module;
		file = file_of(finder, *module);
		if (!file)
			return -1;
		*end = end_in_file(file, address - image->base);
	}
	if (*end > STACK_HAS_RULE && is_outermost(finder, event, address))
		*end = STACK_WHOLE;
	if (*end != STACK_WHOLE && count >= ETW_STACK_USER_FRAMES)
		*end = STACK_LIMIT;
	return 0;
}
