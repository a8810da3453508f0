// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Source files and lines of the module, "C13". Formats: microsoft-pdb, include/cvinfo.h,
 * CV_DebugSSubsection*; LLVM, docs/PDB/ModiStream.
 *
 *	file checksums	for each file the offset of its path in /names; no checksum
 *	lines		for each function, or gap-free part of it: address and size, then blocks of
 *			lines of one file
 *
 * Each part of lines starts with a line at its first address. A reader therefore needs one part
 * to find an address.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "streams.h"

#define DEBUG_S_LINES		0xF2u
#define DEBUG_S_FILECHKSMS	0xF4u
/* Bytes of a file's entry without a checksum */
#define CHECKSUM_ENTRY		8u
#define LONGEST_LINE		0xFFFFFFu
#define IS_STATEMENT		0x80000000u

/**
 * struct part - of the lines, while it is built
 * @to: the module's stream
 * @open: between begin_part() and end_part()
 * @start: offset of the part in @to
 * @block: offset of the open block of one file
 * @rva: first address
 * @end: behind the last address
 * @file: of the open block
 * @line: last one in it
 */
struct part {
	struct bytes *to;
	bool open;
	size_t start;
	size_t block;
	uint32_t rva;
	uint32_t end;
	uint32_t file;
	uint32_t line;
};

static void end_block(struct part *part)
{
	size_t bytes = part->to->size - part->block;

	/* lines, of 8 bytes each, behind a head of 12; bytes of the block */
	bytes_put_u32(part->to, part->block + 4, (bytes - 12) / 8);
	bytes_put_u32(part->to, part->block + 8, bytes);
}

static void begin_block(struct part *part, uint32_t file)
{
	part->block = part->to->size;
	part->file = file;
	part->line = 0;
	bytes_u32(part->to, file * CHECKSUM_ENTRY);
	bytes_u32(part->to, 0);
	bytes_u32(part->to, 0);
}

static void end_part(struct part *part)
{
	if (!part->open)
		return;
	end_block(part);
	bytes_put_u32(part->to, part->start + 4, part->to->size - part->start - 8);
	/* behind address, section and flags */
	bytes_put_u32(part->to, part->start + 16, part->end - part->rva);
	part->open = false;
}

static void begin_part(struct part *part, const struct pdb *pdb, size_t section, uint32_t rva,
		       uint32_t file)
{
	part->open = true;
	part->start = part->to->size;
	part->rva = rva;
	bytes_u32(part->to, DEBUG_S_LINES);
	bytes_u32(part->to, 0);
	bytes_u32(part->to, rva - pdb->sections[section].rva);
	bytes_u16(part->to, section + 1);
	/* no columns */
	bytes_u16(part->to, 0);
	bytes_u32(part->to, 0);
	begin_block(part, file);
}

/* Adds the line of the addresses from @rva up to @end. */
static void add_line(struct part *part, struct pdb *pdb, uint32_t rva, uint32_t end,
		     const struct pdb_line *line)
{
	if (part->file != line->file) {
		end_block(part);
		begin_block(part, line->file);
	}
	part->end = end;
	if (part->line == line->line)
		return;
	part->line = line->line;
	bytes_u32(part->to, rva - part->rva);
	bytes_u32(part->to, line->line | IS_STATEMENT);
	pdb->counts.lines++;
}

/* Of several functions at an address the first is meant. */
static size_t first_function(const struct pdb *pdb, uint32_t rva)
{
	size_t low = 0, high = pdb->nr_functions, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (pdb->functions[middle].rva < rva)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A line may go on in the next function: each function has parts of its own. */
static void add_range(struct part *part, struct pdb *pdb, size_t section, uint32_t rva,
		      uint32_t end, const struct pdb_line *line)
{
	size_t function = first_function(pdb, rva);
	uint32_t stop;

	for (; rva < end; rva = stop) {
		while (function < pdb->nr_functions && pdb->functions[function].rva < rva)
			function++;
		if (!part->open || part->end != rva ||
		    (function < pdb->nr_functions && pdb->functions[function].rva == rva)) {
			end_part(part);
			begin_part(part, pdb, section, rva, line->file);
		}
		while (function < pdb->nr_functions && pdb->functions[function].rva == rva)
			function++;
		stop = function < pdb->nr_functions && pdb->functions[function].rva < end ?
		       pdb->functions[function].rva : end;
		add_line(part, pdb, rva, stop, line);
	}
}

static bool is_line(const struct pdb *pdb, const struct pdb_line *line)
{
	return line->file < pdb->nr_files && line->line && line->line <= LONGEST_LINE;
}

static void add_section(struct part *part, struct pdb *pdb, size_t section, size_t *next)
{
	const uint32_t start = pdb->sections[section].rva;
	const uint32_t behind = start + pdb->sections[section].size;
	const struct pdb_line *line;
	uint32_t end;

	while (*next < pdb->nr_lines && pdb->lines[*next].rva < start)
		(*next)++;
	for (; *next < pdb->nr_lines && pdb->lines[*next].rva < behind; (*next)++) {
		line = &pdb->lines[*next];
		end = *next + 1 < pdb->nr_lines && line[1].rva < behind ? line[1].rva : behind;
		if (is_line(pdb, line))
			add_range(part, pdb, section, line->rva, end, line);
		else if (line->line)
			pdb->counts.unlined++;
	}
	end_part(part);
}

static const char *add_files(const struct pdb *pdb, struct bytes *module)
{
	uint32_t *offsets = pdb_name_offsets(pdb);
	size_t i;

	if (!offsets)
		return strerror(ENOMEM);
	bytes_u32(module, DEBUG_S_FILECHKSMS);
	bytes_u32(module, pdb->nr_files * CHECKSUM_ENTRY);
	for (i = 0; i < pdb->nr_files; i++) {
		bytes_u32(module, offsets[i]);
		/* size and kind of the checksum, padding */
		bytes_u32(module, 0);
	}
	free(offsets);
	return NULL;
}

const char *pdb_build_lines(struct pdb *pdb, struct bytes *module)
{
	struct part part = { .to = module };
	const char *why;
	size_t i, next = 0;

	if (!pdb->nr_files)
		return NULL;
	why = add_files(pdb, module);
	for (i = 0; !why && i < pdb->nr_sections; i++)
		add_section(&part, pdb, i, &next);
	return why;
}
