// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* PDBs of the store. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "store.h"
#include "symbols/demangle.h"

static uint16_t machine_of(uint16_t machine)
{
	return machine == EM_AARCH64 ? PDB_MACHINE_ARM64 :
	       machine == EM_386 ? PDB_MACHINE_X86 : PDB_MACHINE_X64;
}

struct pdb *store_pdb_new(const struct store *store, const struct module *module,
			  const uint8_t id[IMAGE_ID_BYTES])
{
	struct pdb_info info = {
		.age = STORE_AGE, .machine = machine_of(store->machine), .name = module->name,
	};

	memcpy(info.guid, id, IMAGE_ID_BYTES);
	return pdb_new(&info);
}

static void add_function(struct pdb *pdb, uint64_t rva, uint64_t size, const char *symbol)
{
	char *name = symbol_demangle(symbol);

	pdb_add_function(pdb, rva, size > UINT32_MAX ? UINT32_MAX : size, name ? name : symbol,
			 symbol);
	free(name);
}

uint64_t store_pdb_functions(struct pdb *pdb, const struct symbol_table *table, uint64_t base,
			     uint64_t end, const struct module *module)
{
	const struct function *function;
	uint64_t size, next, outside = 0;
	size_t i;

	for (i = 0; i < table->count; i++) {
		function = &table->function[i];
		if (module && !symbols_is_of_image(table->text + function->module, module))
			continue;
		if (function->address < base || function->address >= end ||
		    function->address - base > UINT32_MAX) {
			outside++;
			continue;
		}
		next = i + 1 < table->count ? function[1].address : end;
		size = function->size;
		if (!size)
			size = next - function->address < SYMBOL_LONGEST ?
			       next - function->address : SYMBOL_LONGEST;
		if (size > end - function->address)
			size = end - function->address;
		add_function(pdb, function->address - base, size, table->text + function->name);
	}
	return outside;
}

/* "GUID" and age without separators: the first three numbers of a GUID are little-endian */
static void name_guid(const uint8_t id[IMAGE_ID_BYTES], char *to, size_t room)
{
	static const uint8_t order[IMAGE_ID_BYTES] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15,
	};
	size_t i;

	for (i = 0; i < IMAGE_ID_BYTES; i++)
		snprintf(to + 2 * i, room - 2 * i, "%02X", id[order[i]]);
	snprintf(to + 2 * i, room - 2 * i, "%X", STORE_AGE);
}

bool store_pdb_write(struct store *store, struct pdb *pdb, const struct module *module,
		     const uint8_t id[IMAGE_ID_BYTES], struct stored *image)
{
	char path[STORE_PATH];
	const char *why;
	FILE *file;

	name_guid(id, image->guid, sizeof(image->guid));
	snprintf(path, sizeof(path), "%s.pdb/%s/%s.pdb", module->name, image->guid, module->name);
	file = store_create(store, path);
	if (!file)
		return false;
	errno = 0;
	why = pdb_write(pdb, file, &image->counts);
	/* an error of the file itself is one of the store */
	if (!store_finish(store, file, path, !why) && store->failed)
		return false;
	image->why = why;
	store->written += !why;
	return true;
}
