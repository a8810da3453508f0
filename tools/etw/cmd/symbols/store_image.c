// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A program or library of the trace: the file by build-id, its debug file, its PDB. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "store.h"
#include "symbols/process_file.h"

/**
 * struct found - the file of an image
 * @path: where it is
 * @root: stands before the image's path there
 * @layout: of it
 */
struct found {
	char path[4096];
	char root[PROCESS_ROOT];
	const char *sysroot;
	struct elf_layout layout;
};

static const char *find_in(const char *sysroot, const struct symbol_request *request,
			   struct found *found)
{
	const char *why;

	found->sysroot = sysroot;
	snprintf(found->path, sizeof(found->path), "%s%s", sysroot, request->path);
	if (access(found->path, F_OK))
		return "the file is not here";
	why = elf_layout_read(found->path, &found->layout);
	if (why)
		return why;
	if (!found->layout.id_bytes)
		return "the file has no build-id, the one in the trace has";
	return memcmp(found->layout.id, request->id, request->id_bytes) ?
	       "the file has another build-id" : NULL;
}

/* The store is by build-ids, so only a build-id verifies a file. */
static const char *find_file(const struct store *store, const struct module *module,
			     struct found *found)
{
	const char *sysroot = store->options->where.sysroot, *why;
	struct symbol_request request = { .path = module->path };

	why = symbol_request_of(module, &request);
	if (why)
		return why;
	if (!request.id_bytes)
		return "it has no build-id in the trace";
	why = find_in(sysroot, &request, found);
	if (why && !*sysroot && process_root(module->pid, found->root) &&
	    !find_in(found->root, &request, found))
		why = NULL;
	return why;
}

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
		      const struct found *found, struct stored *image)
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
	static struct found found;

	image->why = find_file(store, module, &found);
	if (image->why)
		return;
	elf_layout_find_debug(found.path, found.sysroot, !store->options->no_lines, &found.layout);
	store->machine = found.layout.machine;
	store_name_id(image, found.layout.id, found.layout.id_bytes);
	if (store_files(store, module, found.path, &found.layout, image))
		store_pdb(store, module, &found, image);
}
