// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A program or library of the trace: the file by build-id, its debug file, its PDB. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "store.h"
#include "symbols/module_file.h"

void store_name_id(struct stored *image, const uint8_t *id, unsigned int bytes)
{
	unsigned int i;

	for (i = 0; i < bytes; i++)
		snprintf(image->id + 2 * i, 3, "%02x", id[i]);
}

/* PerfView's layout, and gdb's and perf's as links into it */
bool store_files(struct store *store, const struct module *module, const char *from,
		 const struct elf_layout *layout, struct stored *image)
{
	/* a safe name and a build-id, twice */
	char path[1024], target[1088];

	snprintf(path, sizeof(path), "%s/elf-buildid-%s/%s", module->name, image->id,
		 module->name);
	if (!store_copy(store, from, path, layout->id, layout->id_bytes,
			&image->has_file))
		return false;
	snprintf(target, sizeof(target), "../../%s", path);
	snprintf(path, sizeof(path), ".build-id/%.2s/%s", image->id, image->id + 2);
	if (image->has_file && !store_link(store, target, path))
		return false;
	if (!layout->debug[0])
		return true;
	snprintf(path, sizeof(path), "_.debug/elf-buildid-sym-%s/_.debug", image->id);
	if (!store_copy(store, layout->debug, path, layout->id, layout->id_bytes,
			&image->has_debug))
		return false;
	snprintf(target, sizeof(target), "../../%s", path);
	snprintf(path, sizeof(path), ".build-id/%.2s/%s.debug", image->id, image->id + 2);
	return !image->has_debug || store_link(store, target, path);
}

static void add_sections(struct pdb *pdb, const struct elf_layout *layout)
{
	size_t i;

	for (i = 0; i < layout->segments; i++)
		if (layout->start[i] + layout->size[i] <= UINT32_MAX)
			pdb_add_section(pdb, layout->start[i], layout->size[i]);
}

static void store_pdb(struct store *store, const struct module *module,
		      const struct module_file *found, struct stored *image)
{
	struct symbol_request request = {
		.path = found->path + strlen(found->sysroot), .sysroot = found->sysroot,
		.id = found->layout.id, .id_bytes = found->layout.id_bytes,
	};
	uint8_t id[IMAGE_ID_BYTES] = { };
	struct symbol_table *table;
	struct pdb *pdb;

	memcpy(id, found->layout.id, found->layout.id_bytes < sizeof(id) ?
	       found->layout.id_bytes : sizeof(id));
	table = symbols_of_elf(&request, &image->why);
	if (!table)
		return;
	pdb = store_pdb_new(store, module, id);
	if (pdb) {
		add_sections(pdb, &found->layout);
		image->outside = store_pdb_functions(pdb, table, 0, UINT32_MAX, NULL);
		store_lines(store, pdb, found->path, &found->layout, image);
		if (!image->why)
			store_pdb_write(store, pdb, module, id, image);
	} else {
		image->why = strerror(ENOMEM);
	}
	pdb_free(pdb);
	symbol_table_free(table);
}

void store_image(struct store *store, const struct module *module, struct stored *image)
{
	static struct module_file found;

	/* the store is by build-ids */
	image->why = module_file_find(module, store->options->where.sysroot, &found);
	if (image->why)
		return;
	elf_layout_find_debug(found.path, found.sysroot, !store->options->no_lines, &found.layout);
	store->machine = found.layout.machine;
	store_name_id(image, found.layout.id, found.layout.id_bytes);
	if (store_files(store, module, found.path, &found.layout, image))
		store_pdb(store, module, &found, image);
}
