// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The string table "/names" with the paths of source files. Format: microsoft-pdb,
 * PDB/include/nmt.h.
 *
 *	u32 signature, u32 version of the hash, u32 bytes of texts
 *	texts, each with a zero behind it; the first is empty
 *	u32 number of slots, u32 offsets of texts in the slots of a hash table, 0 for none
 *	u32 number of texts
 */
#include <stdlib.h>
#include <string.h>
#include "streams.h"

#define SIGNATURE	0xEFFEEFFEu
#define HASH_VERSION	1u

uint32_t *pdb_name_offsets(const struct pdb *pdb)
{
	uint32_t *offsets = calloc(pdb->nr_files + 1, sizeof(*offsets)), at = 1;
	size_t i;

	for (i = 0; offsets && i < pdb->nr_files; i++) {
		offsets[i] = at;
		at += strlen(pdb_text(pdb, pdb->files[i])) + 1;
	}
	return offsets;
}

/* Open addressing: a text is in the first free slot from that of its hash on. */
static void fill_slots(const struct pdb *pdb, uint32_t *slots, uint32_t count)
{
	uint32_t at = 1, slot;
	const char *path;
	size_t i;

	for (i = 0; i < pdb->nr_files; i++) {
		path = pdb_text(pdb, pdb->files[i]);
		slot = pdb_hash(path) % count;
		while (slots[slot])
			slot = (slot + 1) % count;
		slots[slot] = at;
		at += strlen(path) + 1;
	}
}

void pdb_build_names(const struct pdb *pdb, struct bytes *names)
{
	uint32_t count = pdb->nr_files * 3 / 2 + 1, *slots = calloc(count, sizeof(*slots));
	size_t i, start;

	bytes_u32(names, SIGNATURE);
	bytes_u32(names, HASH_VERSION);
	bytes_u32(names, 0);
	start = names->size;
	bytes_text(names, "");
	for (i = 0; i < pdb->nr_files; i++)
		bytes_text(names, pdb_text(pdb, pdb->files[i]));
	bytes_put_u32(names, start - 4, names->size - start);
	bytes_u32(names, count);
	if (slots)
		fill_slots(pdb, slots, count);
	else
		names->no_memory = true;
	for (i = 0; slots && i < count; i++)
		bytes_u32(names, slots[i]);
	bytes_u32(names, pdb->nr_files);
	free(slots);
}
