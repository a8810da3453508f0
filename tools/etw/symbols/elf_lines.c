// SPDX-License-Identifier: GPL-2.0
/* Source lines of an ELF file, from its DWARF. */
#include "elf_lines.h"
#if defined(ETW_HAVE_DWARF) && defined(ETW_HAVE_DLOPEN)
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY	"libdw.so.1"

/**
 * struct libdw - functions of elfutils' library
 *
 * The library is loaded only when it is needed, as few traces need it.
 */
struct libdw {
	__typeof__(dwarf_begin) *begin;
	__typeof__(dwarf_end) *end;
	__typeof__(dwarf_get_units) *get_units;
	__typeof__(dwarf_attr) *attr;
	__typeof__(dwarf_formstring) *formstring;
	__typeof__(dwarf_getsrclines) *getsrclines;
	__typeof__(dwarf_onesrcline) *onesrcline;
	__typeof__(dwarf_lineaddr) *lineaddr;
	__typeof__(dwarf_lineno) *lineno;
	__typeof__(dwarf_linesrc) *linesrc;
	__typeof__(dwarf_lineendsequence) *lineendsequence;
};

#define FUNCTION(name)	{ "dwarf_" #name, offsetof(struct libdw, name) }

static const struct libdw *load(void)
{
	static const struct {
		const char *name;
		size_t at;
	} functions[] = {
		FUNCTION(begin), FUNCTION(end), FUNCTION(get_units), FUNCTION(attr),
		FUNCTION(formstring), FUNCTION(getsrclines), FUNCTION(onesrcline),
		FUNCTION(lineaddr), FUNCTION(lineno), FUNCTION(linesrc),
		FUNCTION(lineendsequence),
	};
	static struct libdw libdw;
	static bool loaded;
	void *library, *found;
	size_t i;

	if (loaded)
		return &libdw;
	library = dlopen(LIBRARY, RTLD_NOW);
	if (!library)
		return NULL;
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		found = dlsym(library, functions[i].name);
		if (!found)
			return NULL;
		memcpy((char *)&libdw + functions[i].at, &found, sizeof(found));
	}
	loaded = true;
	return &libdw;
}

/* A relative path is so to the folder in which the compiler ran. */
static const char *full_path(const struct libdw *libdw, Dwarf_Die *unit, const char *file)
{
	static char path[2 * 4096];
	Dwarf_Attribute attribute;
	const char *folder = NULL;

	if (!file || file[0] == '/')
		return file;
	if (libdw->attr(unit, DW_AT_comp_dir, &attribute))
		folder = libdw->formstring(&attribute);
	if (!folder)
		return file;
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	return path;
}

/* Rows below @lowest are of code that the linker left out. */
static bool take_unit(const struct libdw *libdw, Dwarf_Die *unit, uint64_t lowest,
		      elf_line *take, void *context)
{
	Dwarf_Lines *lines;
	Dwarf_Addr address;
	const char *file;
	Dwarf_Line *line;
	size_t i, n;
	bool end;
	int number;

	if (libdw->getsrclines(unit, &lines, &n))
		return false;
	for (i = 0; i < n; i++) {
		line = libdw->onesrcline(lines, i);
		if (!line || libdw->lineaddr(line, &address) || address < lowest ||
		    libdw->lineendsequence(line, &end) || libdw->lineno(line, &number))
			continue;
		file = end ? NULL : libdw->linesrc(line, NULL, NULL);
		take(context, address - lowest, full_path(libdw, unit, file),
		     number > 0 ? number : 0);
	}
	return n;
}

static const char *take_all(const struct libdw *libdw, Dwarf *dwarf, uint64_t lowest,
			    elf_line *take, void *context)
{
	Dwarf_CU *unit = NULL;
	bool any = false;
	Dwarf_Die die;

	/* a die without an address is one of a unit of types */
	while (!libdw->get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL))
		any |= die.addr && take_unit(libdw, &die, lowest, take, context);
	return any ? NULL : "it has no source lines";
}

const char *elf_lines_read(const char *path, uint64_t lowest, elf_line *take, void *context)
{
	const struct libdw *libdw = load();
	const char *why = "it has no debug information";
	Dwarf *dwarf;
	int fd;

	if (!libdw)
		return LIBRARY " is not installed";
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return strerror(errno);
	dwarf = libdw->begin(fd, DWARF_C_READ);
	if (dwarf) {
		why = take_all(libdw, dwarf, lowest, take, context);
		libdw->end(dwarf);
	}
	close(fd);
	return why;
}
#else
const char *elf_lines_read(const char *path, uint64_t lowest, elf_line *take, void *context)
{
	(void)path, (void)lowest, (void)take, (void)context;
	return "this etw was built without libdw";
}
#endif
