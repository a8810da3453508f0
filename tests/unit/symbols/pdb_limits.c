// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What the writer of PDBs refuses, leaves out and cuts. pdb_limits CASE FILE: prints the result. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "pdb/pdb.h"

#define MANY	150000u

static void add_many(struct pdb *pdb)
{
	char name[64];
	uint32_t i;

	pdb_add_section(pdb, 0x1000, MANY * 16);
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "a_function_of_a_long_file_%06" PRIu32, i);
		pdb_add_function(pdb, 0x1000 + i * 16, 16, name, name);
	}
}

static void add_names(struct pdb *pdb)
{
	/* two bytes each: the cut is between characters */
	char *name = calloc(1, PDB_LONGEST_NAME + 8);
	uint32_t i;

	if (!name)
		return;
	name[0] = 'x';
	for (i = 1; i < PDB_LONGEST_NAME + 2; i += 2)
		memcpy(name + i, "\303\244", 2);
	pdb_add_section(pdb, 0x1000, 0x100);
	pdb_add_function(pdb, 0x1000, 0x400, name, "short");
	pdb_add_function(pdb, 0x1100, 4, "behind", "behind");
	pdb_add_function(pdb, 0xFFF, 4, "before", "before");
	free(name);
}

static void add_lines(struct pdb *pdb)
{
	uint32_t file = pdb_add_file(pdb, "/a.c");

	pdb_add_section(pdb, 0x1000, 0x100);
	pdb_add_line(pdb, 0x1000, file, 0xFFFFFF);
	pdb_add_line(pdb, 0x1010, file, 0x1000000);
	pdb_add_line(pdb, 0x1020, PDB_NO_FILE, 0);
}

static void add_case(struct pdb *pdb, const char *what)
{
	uint32_t i, file;
	char name[32];

	if (!strcmp(what, "overlap")) {
		pdb_add_section(pdb, 0x2000, 0x1000);
		pdb_add_section(pdb, 0x1000, 0x1001);
	} else if (!strcmp(what, "beyond")) {
		pdb_add_section(pdb, 0xFFFFF000, 0x1000);
	} else if (!strcmp(what, "sections")) {
		for (i = 0; i < 65535; i++)
			pdb_add_section(pdb, i * 16, 16);
	} else if (!strcmp(what, "files")) {
		pdb_add_section(pdb, 0x1000, 0x20000);
		for (i = 0; i < 65537; i++) {
			snprintf(name, sizeof(name), "/%" PRIu32 ".c", i);
			file = pdb_add_file(pdb, name);
			pdb_add_line(pdb, 0x1000 + i, file, 1);
		}
		pdb_add_line(pdb, 0x1000 + i, PDB_NO_FILE, 0);
	} else if (!strcmp(what, "names")) {
		add_names(pdb);
	} else if (!strcmp(what, "lines")) {
		add_lines(pdb);
	} else if (!strcmp(what, "many")) {
		add_many(pdb);
	}
}

int main(int argc, char **argv)
{
	struct pdb_info info = { .age = 1, .machine = PDB_MACHINE_X64, .name = "image" };
	struct pdb_counts counts = { };
	struct pdb *pdb = pdb_new(&info);
	FILE *file = argc == 3 ? fopen(argv[2], "w") : NULL;
	const char *why;

	if (!file || !pdb)
		return 1;
	add_case(pdb, argv[1]);
	why = pdb_write(pdb, file, &counts);
	if (fclose(file) && !why)
		why = "the file could not be closed";
	pdb_free(pdb);
	printf("%s, functions %" PRIu64 ", outside %" PRIu64 ", cut %" PRIu64 ", lines %" PRIu64
	       ", unlined %" PRIu64 "\n", why ? why : "written", counts.functions,
	       counts.outside, counts.cut, counts.lines, counts.unlined);
	return 0;
}
