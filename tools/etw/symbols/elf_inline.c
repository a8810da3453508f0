// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Functions that the compiler inlined, by the DWARF of an ELF file. */
#include "elf_inline.h"
#include "libdw.h"
#if defined(ETW_HAVE_DWARF) && defined(ETW_HAVE_DLOPEN)
#include <dwarf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libetl/map.h"

/* Damaged debug information may nest without end. */
#define MOST_NESTED	64
/* Bytes of the names at an address: those of C++ can be long. */
#define MOST_NAMES	4096

/**
 * struct elf_inlines - a file with debug information
 * @libdw: its functions
 * @dwarf: the file
 * @fd: its descriptor
 * @lowest: the address of offset 0 of the file
 * @known: addresses that were looked up
 * @names: by index of these
 */
struct elf_inlines {
	const struct libdw *libdw;
	Dwarf *dwarf;
	int fd;
	uint64_t lowest;
	struct map known;
	char **names;
};

struct elf_inlines *elf_inlines_open(const char *path, uint64_t lowest)
{
	const struct libdw *libdw = libdw_load();
	struct elf_inlines *inlines = libdw ? calloc(1, sizeof(*inlines)) : NULL;

	if (!inlines)
		return NULL;
	inlines->libdw = libdw;
	inlines->lowest = lowest;
	inlines->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (inlines->fd >= 0)
		inlines->dwarf = libdw->begin(inlines->fd, DWARF_C_READ);
	if (inlines->dwarf)
		return inlines;
	elf_inlines_close(inlines);
	return NULL;
}

/* .debug_aranges contains which unit it is; LLVM writes no such section. */
static bool find_unit(const struct elf_inlines *inlines, Dwarf_Addr address, Dwarf_Die *die)
{
	const struct libdw *libdw = inlines->libdw;
	Dwarf_CU *unit = NULL;

	if (libdw->addrdie(inlines->dwarf, address, die))
		return true;
	while (!libdw->get_units(inlines->dwarf, unit, &unit, NULL, NULL, die, NULL))
		if (die->addr && libdw->haspc(die, address) > 0)
			return true;
	return false;
}

/* The linker's name, as that of functions that are not inlined, or the name in the source */
static const char *name_of(const struct libdw *libdw, Dwarf_Die *die)
{
	static const unsigned int kinds[] = {
		DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name,
	};
	Dwarf_Attribute attribute;
	const char *name;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		name = libdw->attr_integrate(die, kinds[i], &attribute) ?
		       libdw->formstring(&attribute) : NULL;
		if (name && *name)
			return name;
	}
	return "?";
}

/* Return: bytes of @to in use; what does not fit is left out */
static size_t put_name(const struct libdw *libdw, Dwarf_Die *die, char *to, size_t used)
{
	const char *name = name_of(libdw, die);
	size_t bytes = strlen(name) + 1;

	if (bytes > MOST_NAMES - used)
		return used;
	memcpy(to + used, name, bytes);
	return used + bytes;
}

/* Return: the innermost scope's own chain of scopes: getscopes() leaves it where code is inlined */
static int scopes_at(const struct elf_inlines *inlines, Dwarf_Addr address, Dwarf_Die **scopes)
{
	Dwarf_Die unit, *first = NULL;
	int count;

	if (!find_unit(inlines, address, &unit))
		return 0;
	count = inlines->libdw->getscopes(&unit, address, &first);
	if (count > 0)
		count = inlines->libdw->getscopes_die(&first[0], scopes);
	free(first);
	return count;
}

/* Return: malloc()ed, or NULL: no memory */
static char *look_up(const struct elf_inlines *inlines, uint64_t rva)
{
	const struct libdw *libdw = inlines->libdw;
	Dwarf_Die *scopes = NULL, *found[MOST_NESTED];
	char names[MOST_NAMES + 1], *copy;
	size_t used = 0;
	int i, n = 0, count, tag;

	count = scopes_at(inlines, inlines->lowest + rva, &scopes);
	for (i = 0; i < count && n < MOST_NESTED; i++) {
		tag = libdw->tag(&scopes[i]);
		if (tag == DW_TAG_subprogram)
			break;
		if (tag == DW_TAG_inlined_subroutine)
			found[n++] = &scopes[i];
	}
	while (n)
		used = put_name(libdw, found[--n], names, used);
	names[used++] = '\0';
	free(scopes);
	copy = malloc(used);
	return copy ? memcpy(copy, names, used) : NULL;
}

const char *elf_inlines_find(struct elf_inlines *inlines, uint64_t rva)
{
	size_t known, i;

	if (!inlines)
		return "";
	known = inlines->known.count;
	i = map_find(&inlines->known, rva);
	if (i == MAP_NONE) {
		if (!map_make_room((void **)&inlines->names, known, sizeof(*inlines->names)))
			return "";
		i = map_add(&inlines->known, rva);
		if (i == MAP_NONE)
			return "";
		inlines->names[i] = look_up(inlines, rva);
	}
	return inlines->names[i] ? inlines->names[i] : "";
}

void elf_inlines_close(struct elf_inlines *inlines)
{
	size_t i;

	if (!inlines)
		return;
	for (i = 0; i < inlines->known.count; i++)
		free(inlines->names[i]);
	free(inlines->names);
	map_free(&inlines->known);
	if (inlines->dwarf)
		inlines->libdw->end(inlines->dwarf);
	if (inlines->fd >= 0)
		close(inlines->fd);
	free(inlines);
}
#else
#include <stddef.h>

struct elf_inlines *elf_inlines_open(const char *path, uint64_t lowest)
{
	(void)path, (void)lowest;
	return NULL;
}

const char *elf_inlines_find(struct elf_inlines *inlines, uint64_t rva)
{
	(void)inlines, (void)rva;
	return "";
}

void elf_inlines_close(struct elf_inlines *inlines)
{
	(void)inlines;
}
#endif
