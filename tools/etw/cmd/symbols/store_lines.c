// SPDX-License-Identifier: GPL-2.0
/* Source lines of a PDB of the store. */
#include <stdlib.h>
#include <string.h>
#include "store.h"
#include "symbols/elf_lines.h"

/**
 * struct taking - lines while they come
 * @pdb: where they go
 * @files: source files by their path; numbers of both are the same
 */
struct taking {
	struct pdb *pdb;
	struct map files;
};

static uint32_t number_of(struct taking *taking, const char *file)
{
	size_t known = taking->files.count;
	size_t i = map_add(&taking->files, map_mix(MAP_MIX, file, strlen(file)));

	if (i == MAP_NONE)
		return PDB_NO_FILE;
	if (i == known)
		pdb_add_file(taking->pdb, file);
	return i;
}

static void take(void *context, uint64_t rva, const char *file, uint32_t line)
{
	struct taking *taking = context;

	if (rva <= UINT32_MAX)
		pdb_add_line(taking->pdb, rva, file ? number_of(taking, file) : PDB_NO_FILE, line);
}

const char *store_lines(struct pdb *pdb, const char *path, const struct elf_layout *layout)
{
	struct taking taking = { .pdb = pdb };
	const char *why = elf_lines_read(path, layout->lowest, take, &taking);

	if (why && layout->debug[0])
		why = elf_lines_read(layout->debug, layout->lowest, take, &taking);
	map_free(&taking.files);
	return why;
}
