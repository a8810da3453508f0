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
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libetl/array.h"

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
	__typeof__(dwarf_ranges) *ranges;
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
		FUNCTION(lineendsequence), FUNCTION(ranges),
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

/**
 * struct range - addresses of code
 * @start: the first
 * @end: behind the last
 */
struct range {
	Dwarf_Addr start;
	Dwarf_Addr end;
};

/**
 * struct unit - a unit while its rows are read
 * @die: its description
 * @lines: its rows by address; at one address, rows that end a sequence come first
 * @rows: number of these
 * @range: its code by address
 * @ranges: number of these
 * @room: of @range
 * @bounded: it describes its code; otherwise all rows count
 */
struct unit {
	Dwarf_Die *die;
	Dwarf_Lines *lines;
	size_t rows;
	struct range *range;
	size_t ranges;
	size_t room;
	bool bounded;
};

/**
 * struct reading - the lines of a file while they are read
 * @libdw: its functions
 * @lowest: the address of offset 0 of the file
 * @take: called for each row
 * @context: for @take
 * @any: a unit has rows
 */
struct reading {
	const struct libdw *libdw;
	uint64_t lowest;
	elf_line *take;
	void *context;
	bool any;
};

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

static int ranges_by_address(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* Sorts the ranges, and makes one of those that overlap. */
static void sort_ranges(struct unit *unit)
{
	struct range *range = unit->range;
	size_t i, kept = 0;

	if (!unit->ranges)
		return;
	qsort(range, unit->ranges, sizeof(*range), ranges_by_address);
	for (i = 1; i < unit->ranges; i++) {
		if (range[i].start >= range[kept].end)
			range[++kept] = range[i];
		else if (range[i].end > range[kept].end)
			range[kept].end = range[i].end;
	}
	unit->ranges = kept + 1;
}

/* Linkers move the code that they discard to address 0. Return: false: cannot be read */
static bool read_ranges(const struct libdw *libdw, struct unit *unit)
{
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attribute;
	ptrdiff_t at = 0;

	unit->bounded = libdw->attr(unit->die, DW_AT_high_pc, &attribute) ||
			libdw->attr(unit->die, DW_AT_ranges, &attribute);
	while ((at = libdw->ranges(unit->die, at, &base, &start, &end)) > 0) {
		if (!start || start >= end)
			continue;
		if (!array_grow((void **)&unit->range, &unit->room, unit->ranges + 1,
				sizeof(*unit->range)))
			return false;
		unit->range[unit->ranges++] = (struct range){ .start = start, .end = end };
	}
	sort_ranges(unit);
	return !at;
}

static bool is_code(const struct unit *unit, Dwarf_Addr address)
{
	size_t low = 0, high = unit->ranges, middle;

	if (!unit->bounded)
		return true;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (unit->range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < unit->range[low - 1].end;
}

/*
 * Rows below the lowest address are of code that the linker left out. A row at the end of a
 * sequence has no bytes, but libdw returns it behind the row that ends the sequence.
 */
static void take_rows(struct reading *reading, const struct unit *unit)
{
	const char *file, *known = NULL, *path = NULL;
	const struct libdw *libdw = reading->libdw;
	Dwarf_Addr address;
	Dwarf_Line *line;
	int number;
	bool end;
	size_t i;

	for (i = 0; i < unit->rows; i++) {
		line = libdw->onesrcline(unit->lines, i);
		if (!line || libdw->lineaddr(line, &address) || address < reading->lowest ||
		    libdw->lineendsequence(line, &end) || libdw->lineno(line, &number) ||
		    (!end && !is_code(unit, address)))
			continue;
		file = end ? NULL : libdw->linesrc(line, NULL, NULL);
		if (file != known)
			path = full_path(libdw, unit->die, file);
		known = file;
		reading->take(reading->context, address - reading->lowest, path,
			      !end && number > 0 ? number : 0);
	}
	for (i = 0; i < unit->ranges; i++)
		if (unit->range[i].end >= reading->lowest)
			reading->take(reading->context, unit->range[i].end - reading->lowest, NULL,
				      0);
}

static void take_unit(struct reading *reading, Dwarf_Die *die)
{
	struct unit unit = { .die = die };

	if (!reading->libdw->getsrclines(die, &unit.lines, &unit.rows) &&
	    read_ranges(reading->libdw, &unit)) {
		take_rows(reading, &unit);
		reading->any |= unit.rows;
	}
	free(unit.range);
}

/* A unit of types refers to the line table of the unit with the code, for the names of files. */
static const char *take_all(struct reading *reading, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type;

	while (!reading->libdw->get_units(dwarf, unit, &unit, NULL, &type, &die, NULL))
		if (die.addr && type != DW_UT_type && type != DW_UT_split_type)
			take_unit(reading, &die);
	return reading->any ? NULL : "it has no source lines";
}

const char *elf_lines_read(const char *path, uint64_t lowest, elf_line *take, void *context)
{
	struct reading reading = {
		.libdw = load(), .lowest = lowest, .take = take, .context = context,
	};
	const char *why = "it has no debug information";
	Dwarf *dwarf;
	int fd;

	if (!reading.libdw)
		return LIBRARY " is not installed";
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return strerror(errno);
	dwarf = reading.libdw->begin(fd, DWARF_C_READ);
	if (dwarf) {
		why = take_all(&reading, dwarf);
		reading.libdw->end(dwarf);
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
