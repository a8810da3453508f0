// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The kernel and its modules: the kernel's file with symbols, or the kernel's own table of them. */
#include <errno.h>
#include <string.h>
#include "store.h"
#include "symbols/kernel_file.h"

static const struct image *image_of(const struct images *images, const struct module *module)
{
	size_t i;

	for (i = 0; i < images->count && !images->list[i].pid; i++)
		if (&images->module[images->list[i].module] == module)
			return &images->list[i];
	return NULL;
}

/* Functions with their sizes, and lines; false: the file has no symbols */
static bool add_file(struct store *store, struct pdb *pdb, const char *path,
		     const struct elf_layout *layout, uint64_t size, struct stored *image)
{
	struct symbol_table *table = kernel_file_symbols(path, layout);

	if (!table)
		return false;
	image->outside = store_pdb_functions(pdb, table, 0, size, NULL);
	store_lines(store, pdb, path, layout, image);
	symbol_table_free(table);
	return true;
}

static void add_table(struct store *store, struct pdb *pdb, const struct module *module,
		      const struct image *place, struct stored *image)
{
	const struct symbol_table *table = symbols_kernel(store->symbols);

	image->why_no_lines = "/proc/kallsyms has no source lines";
	if (table)
		image->outside = store_pdb_functions(pdb, table, place->base, place->end, module);
	else
		image->why = "the trace has no kernel symbols ('etw finalize' adds them)";
}

/* The file of the kernel itself; modules are relocated, so their files have no addresses. */
static bool find_file(const struct store *store, const struct module *module, char *path,
		      size_t room, struct elf_layout *layout)
{
	return !strcmp(module->name, "vmlinux") &&
	       kernel_file_find(store->options->where.sysroot, module->id, sizeof(module->id),
				path, room, layout);
}

static void store_pdb(struct store *store, const struct module *module,
		      const struct image *place, struct stored *image)
{
	uint64_t size = place->end - place->base;
	static struct elf_layout layout;
	char path[4096];
	struct pdb *pdb;
	bool has_file;

	has_file = find_file(store, module, path, sizeof(path), &layout);
	if (has_file) {
		store_name_id(image, layout.id, layout.id_bytes);
		/* the trace may contain only programs of another machine, which the kernel emulates */
		store->machine = layout.machine;
		if (!store_files(store, module, path, &layout, image))
			return;
	}
	pdb = store_pdb_new(store, module, module->id);
	if (pdb) {
		pdb_add_section(pdb, 0, size);
		if (!has_file || !add_file(store, pdb, path, &layout, size, image))
			add_table(store, pdb, module, place, image);
		if (!image->why)
			store_pdb_write(store, pdb, module, module->id, image);
	} else {
		image->why = strerror(ENOMEM);
	}
	pdb_free(pdb);
}

void store_kernel(struct store *store, const struct module *module, struct stored *image)
{
	const struct image *place = image_of(symbols_images(store->symbols), module);

	image->why = !module->has_id ? "the trace has no build-id of it ('etw finalize' adds it)" :
		     !place || place->end - place->base > UINT32_MAX ? "its size is unknown" :
		     NULL;
	if (image->why)
		return;
	store_name_id(image, module->id, sizeof(module->id));
	store_pdb(store, module, place, image);
}
