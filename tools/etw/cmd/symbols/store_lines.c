// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Source lines of a PDB of the store. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "store.h"

/**
 * struct taking - lines while they come
 * @pdb: where they go
 * @files: source files by their path; numbers of both are the same, below @most
 * @most: number of files that the PDB can have
 * @path: of the last one, because most rows have the file of the row before
 * @number: of the last one
 * @beyond: lines above 4 GB
 * @no_memory: a line has no file
 */
struct taking {
	struct pdb *pdb;
	struct map files;
	size_t most;
	char path[STORE_PATH];
	uint32_t number;
	uint64_t beyond;
	bool no_memory;
};

static uint32_t number_of(struct taking *taking, const char *file)
{
	size_t known = taking->files.count;
	size_t i;

	if (!strcmp(taking->path, file))
		return taking->number;
	i = map_add(&taking->files, map_mix(MAP_MIX, file, strlen(file)));
	if (i == MAP_NONE) {
		taking->no_memory = true;
		return PDB_NO_FILE;
	}
	if (i == known && pdb_add_file(taking->pdb, file) == PDB_NO_FILE)
		taking->most = taking->most < i ? taking->most : i;
	snprintf(taking->path, sizeof(taking->path), "%s", file);
	taking->number = i < taking->most ? i : PDB_NO_FILE;
	return taking->number;
}

static void take(void *context, uint64_t rva, const char *file, uint32_t line)
{
	struct taking *taking = context;

	if (rva > UINT32_MAX)
		taking->beyond += line > 0;
	else
		pdb_add_line(taking->pdb, rva, file ? number_of(taking, file) : PDB_NO_FILE, line);
}

void store_lines(const struct store *store, struct pdb *pdb, const char *path,
		 const struct elf_layout *layout, struct stored *image)
{
	struct taking taking = { .pdb = pdb, .most = SIZE_MAX };
	const char *why;

	if (store->options->no_lines) {
		image->why_no_lines = STORE_NO_LINES;
		return;
	}
	why = elf_lines_read(path, layout->lowest, take, &taking, &image->left);
	if (why && layout->debug[0])
		why = elf_lines_read(layout->debug, layout->lowest, take, &taking, &image->left);
	map_free(&taking.files);
	image->left.rows += taking.beyond;
	image->why_no_lines = why;
	if (taking.no_memory)
		image->why = strerror(ENOMEM);
}
