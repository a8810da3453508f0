// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A program with its debug information. */
#include "program_debug.h"
#ifdef ETW_PROGRAM_DEBUG
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
#include "elf_place.h"
#include "symbols/elf_file.h"

static const char *open_dwarf(struct program_debug *debug, const char *path)
{
	char other[PATH_MAX];

	if (!elf_section_named(debug->elf, ".debug_info")) {
		if (!elf_debug_file(debug->elf, path, other, sizeof(other)))
			return "it has no debug information, and no debug file "
			       "(build it with -g, or install its debug symbols)";
		path = other;
	}
	debug->dwarf_fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (debug->dwarf_fd < 0)
		return strerror(errno);
	debug->dwarf = debug->libdw->begin(debug->dwarf_fd, DWARF_C_READ);
	return debug->dwarf ? NULL : "its debug information cannot be read";
}

const char *program_debug_open(struct program_debug *debug, const char *path)
{
	GElf_Ehdr header;

	*debug = (struct program_debug){ .libdw = libdw_load(), .elf_fd = -1, .dwarf_fd = -1 };
	if (!debug->libdw)
		return LIBDW " is not installed";
	debug->elf = elf_open(path, &debug->elf_fd);
	if (debug->elf_fd < 0)
		return strerror(errno);
	if (!debug->elf || elf_kind(debug->elf) != ELF_K_ELF || !gelf_getehdr(debug->elf, &header))
		return "no ELF file";
	debug->machine = header.e_machine;
	if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    (debug->machine != EM_X86_64 && debug->machine != EM_AARCH64))
		return "names of variables are known on x86_64 and arm64 only";
	return open_dwarf(debug, path);
}

void program_debug_close(struct program_debug *debug)
{
	if (debug->dwarf)
		debug->libdw->end(debug->dwarf);
	if (debug->dwarf_fd >= 0)
		close(debug->dwarf_fd);
	elf_end(debug->elf);
	if (debug->elf_fd >= 0)
		close(debug->elf_fd);
}

/* .debug_aranges contains which unit it is; LLVM writes no such section. */
static bool find_unit(const struct program_debug *debug, Dwarf_Addr address, Dwarf_Die *die)
{
	const struct libdw *libdw = debug->libdw;
	Dwarf_CU *unit = NULL;

	if (libdw->addrdie(debug->dwarf, address, die))
		return true;
	while (!libdw->get_units(debug->dwarf, unit, &unit, NULL, NULL, die, NULL))
		if (die->addr && libdw->haspc(die, address) > 0)
			return true;
	return false;
}

int program_scopes(const struct program_debug *debug, Dwarf_Addr address, Dwarf_Die **scopes)
{
	Dwarf_Die unit;
	int count;

	*scopes = NULL;
	if (!find_unit(debug, address, &unit))
		return 0;
	count = debug->libdw->getscopes(&unit, address, scopes);
	return count < 0 ? 0 : count;
}
#endif
