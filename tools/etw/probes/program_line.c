// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The code of a source line in a program. */
#include "probe_variables.h"
#include "program_debug.h"
#ifdef ETW_PROGRAM_DEBUG
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include "elf_place.h"

/**
 * struct search - for a line
 * @debug: the program
 * @source: the end of the source file's path
 * @line: number of the line
 * @places: what is found
 * @scopes: where the scope of each place is described
 * @addresses: of each place
 * @any: the program has lines of the source file
 */
struct search {
	const struct program_debug *debug;
	const char *source;
	unsigned int line;
	struct line_places *places;
	const void *scopes[LINE_PLACES];
	Dwarf_Addr addresses[LINE_PLACES];
	bool any;
};

/* Whole parts of the path are equal */
static bool is_source(const char *path, const char *source)
{
	const size_t all = strlen(path), part = strlen(source);

	return all >= part && !strcmp(path + all - part, source) &&
	       (all == part || source[0] == '/' || path[all - part - 1] == '/');
}

/* The function, or the copy of an inlined function, that an address belongs to */
static const void *scope_of(const struct program_debug *debug, Dwarf_Addr address)
{
	const void *scope = NULL;
	Dwarf_Die *scopes;
	int count = program_scopes(debug, address, &scopes), i, tag;

	for (i = 0; i < count && !scope; i++) {
		tag = debug->libdw->tag(&scopes[i]);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			scope = scopes[i].addr;
	}
	free(scopes);
	return scope;
}

/* The lowest address of each function counts: the line begins there, also if it has loops. */
static void add_place(struct search *search, Dwarf_Addr address)
{
	const void *scope = scope_of(search->debug, address);
	struct line_places *places = search->places;
	unsigned int i;

	/* code that the linker left out has no scope, or is in no segment */
	if (!scope || !elf_offset_of(search->debug->elf, address, &(uint64_t){ 0 }))
		return;
	for (i = 0; i < places->count && i < LINE_PLACES; i++) {
		if (search->scopes[i] != scope)
			continue;
		if (address < search->addresses[i])
			search->addresses[i] = address;
		return;
	}
	if (i < LINE_PLACES) {
		search->scopes[i] = scope;
		search->addresses[i] = address;
	}
	places->count++;
}

static void take_row(struct search *search, Dwarf_Line *row)
{
	const struct libdw *libdw = search->debug->libdw;
	const char *path = libdw->linesrc(row, NULL, NULL);
	bool end = true, statement = false;
	Dwarf_Addr address;
	int number;

	if (libdw->lineendsequence(row, &end) || end || libdw->lineno(row, &number) ||
	    libdw->lineaddr(row, &address) || libdw->linebeginstatement(row, &statement) ||
	    !path || number <= 0 || !is_source(path, search->source))
		return;
	search->any = true;
	if ((unsigned int)number == search->line && statement)
		add_place(search, address);
	if ((unsigned int)number > search->line &&
	    (!search->places->next || (unsigned int)number < search->places->next))
		search->places->next = number;
}

static void take_units(struct search *search)
{
	const struct libdw *libdw = search->debug->libdw;
	Dwarf_CU *unit = NULL;
	Dwarf_Lines *lines;
	Dwarf_Line *row;
	Dwarf_Die die;
	uint8_t type;
	size_t count, i;

	while (!libdw->get_units(search->debug->dwarf, unit, &unit, NULL, &type, &die, NULL)) {
		if (!die.addr || type == DW_UT_type || type == DW_UT_split_type ||
		    libdw->getsrclines(&die, &lines, &count))
			continue;
		for (i = 0; i < count; i++) {
			row = libdw->onesrcline(lines, i);
			if (row)
				take_row(search, row);
		}
	}
}

static const char *find_line(struct search *search)
{
	struct line_places *places = search->places;
	unsigned int i;

	take_units(search);
	if (!search->any)
		return "it has no lines of such a source file";
	if (!places->count)
		return "the line has no code";
	for (i = 0; i < places->count && i < LINE_PLACES; i++)
		elf_offset_of(search->debug->elf, search->addresses[i], &places->offsets[i]);
	return NULL;
}

const char *program_find_line(const char *path, const char *source, unsigned int line,
			      struct line_places *places)
{
	struct program_debug debug;
	struct search search = {
		.debug = &debug, .source = source, .line = line, .places = places,
	};
	const char *why = program_debug_open(&debug, path);

	*places = (struct line_places){ };
	if (!why)
		why = find_line(&search);
	program_debug_close(&debug);
	return why;
}
#else
const char *program_find_line(const char *path, const char *source, unsigned int line,
			      struct line_places *places)
{
	(void)path, (void)source, (void)line;
	*places = (struct line_places){ };
	return WITHOUT_PROGRAM_DEBUG;
}
#endif
