// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Source lines of an ELF file, from its DWARF. */
#include "elf_lines.h"
#include "libdw.h"
#if defined(ETW_HAVE_DWARF) && defined(ETW_HAVE_DLOPEN)
#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libetl/array.h"

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
 * struct row - of a line table
 * @line: libdw's row
 * @address: the first address of it
 * @number: of the line; 0: none
 * @end: it ends a sequence
 */
struct row {
	Dwarf_Line *line;
	Dwarf_Addr address;
	int number;
	bool end;
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
 * @discarded: rows below this address may be of functions that the linker discarded
 */
struct unit {
	Dwarf_Die *die;
	Dwarf_Lines *lines;
	size_t rows;
	struct range *range;
	size_t ranges;
	size_t room;
	bool bounded;
	Dwarf_Addr discarded;
};

/**
 * struct reading - the lines of a file while they are read
 * @libdw: its functions
 * @lowest: the address of offset 0 of the file
 * @take: called for each row
 * @context: for @take
 * @left: what is left out
 * @any: a unit has rows
 */
struct reading {
	const struct libdw *libdw;
	uint64_t lowest;
	elf_line *take;
	void *context;
	struct elf_lines_left *left;
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

/* Return: the last range that starts at or before the address, or NULL */
static const struct range *find_range(const struct unit *unit, Dwarf_Addr address)
{
	size_t low = 0, high = unit->ranges, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (unit->range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &unit->range[low - 1] : NULL;
}

static bool is_code(const struct unit *unit, Dwarf_Addr address)
{
	const struct range *range = find_range(unit, address);

	return !unit->bounded || (range && address < range->end);
}

static bool ends_code(const struct unit *unit, Dwarf_Addr address)
{
	const struct range *range = address ? find_range(unit, address - 1) : NULL;

	return range && range->end == address;
}

/* Return: false: it cannot be read */
static bool read_row(const struct libdw *libdw, const struct unit *unit, size_t i, struct row *row)
{
	row->line = libdw->onesrcline(unit->lines, i);
	return row->line && !libdw->lineaddr(row->line, &row->address) &&
	       !libdw->lineendsequence(row->line, &row->end) &&
	       !libdw->lineno(row->line, &row->number);
}

/*
 * Functions that the linker discarded are at address 0 and may reach into the code of a PIE. They
 * end where no code ends. Which rows below are theirs is not known, because rows are by address.
 */
static void find_discarded(const struct libdw *libdw, struct unit *unit)
{
	struct row row;
	size_t i;

	for (i = 0; unit->bounded && i < unit->rows; i++) {
		if (!read_row(libdw, unit, i, &row))
			continue;
		if (!i && is_code(unit, row.address))
			return;
		if (row.end && !ends_code(unit, row.address))
			unit->discarded = row.address;
	}
}

/* Whether the row counts. Otherwise it is left out, if it may be of code of the file. */
static bool is_wanted(struct reading *reading, const struct unit *unit, const struct row *row,
		      Dwarf_Addr ended)
{
	bool code = is_code(unit, row->address);

	/* code that the linker left out */
	if (row->address < reading->lowest)
		return false;
	if (row->end)
		return !unit->discarded || ends_code(unit, row->address);
	if (code && row->address >= unit->discarded)
		return true;
	/*
	 * A row of no bytes is sorted behind the one that ends its sequence. LLVM's linker moves
	 * what it discards to the last address.
	 */
	if (row->number > 0 && (code || (row->address >= unit->discarded &&
					 row->address != ended &&
					 row->address - reading->lowest <= UINT32_MAX)))
		reading->left->rows++;
	return false;
}

static void take_rows(struct reading *reading, const struct unit *unit)
{
	const char *file, *known = NULL, *path = NULL;
	const struct libdw *libdw = reading->libdw;
	Dwarf_Addr ended = 0;
	struct row row;
	size_t i;

	for (i = 0; i < unit->rows; i++) {
		if (!read_row(libdw, unit, i, &row))
			continue;
		if (row.end)
			ended = row.address;
		if (!is_wanted(reading, unit, &row, ended))
			continue;
		file = row.end ? NULL : libdw->linesrc(row.line, NULL, NULL);
		if (file != known)
			path = full_path(libdw, unit->die, file);
		known = file;
		reading->take(reading->context, row.address - reading->lowest, path,
			      !row.end && row.number > 0 ? row.number : 0);
	}
	for (i = 0; i < unit->ranges; i++)
		if (unit->range[i].end >= reading->lowest)
			reading->take(reading->context, unit->range[i].end - reading->lowest, NULL,
				      0);
}

static void take_unit(struct reading *reading, Dwarf_Die *die)
{
	const struct libdw *libdw = reading->libdw;
	struct unit unit = { .die = die };
	Dwarf_Attribute attribute;

	if (!libdw->getsrclines(die, &unit.lines, &unit.rows) && read_ranges(libdw, &unit)) {
		find_discarded(libdw, &unit);
		take_rows(reading, &unit);
		reading->any |= unit.rows;
	} else if (libdw->attr(die, DW_AT_stmt_list, &attribute)) {
		reading->left->tables++;
	}
	free(unit.range);
}

/* A unit of types refers to the line table of the unit with the code, for the names of files. */
static const char *take_all(struct reading *reading, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type;
	int end;

	while (!(end = reading->libdw->get_units(dwarf, unit, &unit, NULL, &type, &die, NULL)))
		if (die.addr && type != DW_UT_type && type != DW_UT_split_type)
			take_unit(reading, &die);
	/* what follows a damaged unit cannot be read either */
	if (end < 0)
		reading->left->tables++;
	return reading->any ? NULL : reading->left->tables ? "its line tables cannot be read" :
	       "it has no source lines";
}

const char *elf_lines_read(const char *path, uint64_t lowest, elf_line *take, void *context,
			   struct elf_lines_left *left)
{
	struct reading reading = {
		.libdw = libdw_load(), .lowest = lowest, .take = take, .context = context,
		.left = left,
	};
	const char *why = "it has no debug information";
	Dwarf *dwarf;
	int fd;

	*left = (struct elf_lines_left){ };
	if (!reading.libdw)
		return LIBDW " is not installed";
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
const char *elf_lines_read(const char *path, uint64_t lowest, elf_line *take, void *context,
			   struct elf_lines_left *left)
{
	(void)path, (void)lowest, (void)take, (void)context;
	*left = (struct elf_lines_left){ };
	return "this etw was built without libdw";
}
#endif
