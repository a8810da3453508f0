// SPDX-License-Identifier: GPL-2.0
/* The kernel and its modules: PDBs with the functions of the kernel's own table. */
#include <errno.h>
#include <string.h>
#include "store.h"

/* The image of the module x is x.ko; the kernel itself is named alike in both. */
static void name_in_table(const struct module *module, char *to, size_t room)
{
	size_t length = strlen(module->name);

	if (length > 3 && !strcmp(module->name + length - 3, ".ko"))
		length -= 3;
	snprintf(to, room, "%.*s", (int)length, module->name);
}

static const struct image *image_of(const struct images *images, const struct module *module)
{
	size_t i;

	for (i = 0; i < images->count && !images->list[i].pid; i++)
		if (&images->module[images->list[i].module] == module)
			return &images->list[i];
	return NULL;
}

static void name_id(const struct module *module, struct stored *image)
{
	unsigned int i;

	for (i = 0; i < sizeof(module->id); i++)
		snprintf(image->id + 2 * i, 3, "%02x", module->id[i]);
}

void store_kernel(struct store *store, const struct module *module, struct stored *image)
{
	const struct symbol_table *table = symbols_kernel(store->symbols);
	const struct image *place = image_of(symbols_images(store->symbols), module);
	struct pdb *pdb;
	char name[256];

	image->why = !module->has_id ? "the trace has no build-id of it ('etw finalize' adds it)" :
		     !table ? "the trace has no kernel symbols ('etw finalize' adds them)" :
		     !place || place->end - place->base > UINT32_MAX ? "its size is unknown" :
		     NULL;
	if (image->why)
		return;
	name_id(module, image);
	pdb = store_pdb_new(store, module, module->id);
	if (!pdb) {
		image->why = strerror(ENOMEM);
		return;
	}
	name_in_table(module, name, sizeof(name));
	pdb_add_section(pdb, 0, place->end - place->base);
	image->why_no_lines = "/proc/kallsyms has no source lines";
	store_pdb_functions(pdb, table, place->base, place->end, name);
	store_pdb_write(store, pdb, module, module->id, image);
	pdb_free(pdb);
}
