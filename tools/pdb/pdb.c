// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Collects what a PDB is to contain, puts it in order, and writes the streams. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "msf.h"
#include "streams.h"

/* 16-bit numbers from 1; 65535 means none */
#define MOST_SECTIONS	65534u
/* 16-bit number of a module's files */
#define MOST_FILES	65535u

struct pdb *pdb_new(const struct pdb_info *info)
{
	struct pdb *pdb = calloc(1, sizeof(*pdb));

	if (!pdb)
		return NULL;
	pdb->info = *info;
	pdb->name = strdup(info->name);
	if (pdb->name)
		return pdb;
	free(pdb);
	return NULL;
}

static void fail(struct pdb *pdb, const char *why)
{
	if (!pdb->why)
		pdb->why = why;
}

/* Return: the list with room for one more; NULL: no memory, the list is as it was */
static void *grow(struct pdb *pdb, void *list, size_t count, size_t *room, size_t size)
{
	size_t wanted = count < *room ? *room : 2 * *room + 64;
	void *bigger = count < *room ? list : reallocarray(list, wanted, size);

	if (bigger)
		*room = wanted;
	else
		fail(pdb, strerror(ENOMEM));
	return bigger;
}

/* Cuts a name between characters of UTF-8. Return: its offset in the text */
static uint32_t add_text(struct pdb *pdb, const char *text)
{
	size_t at = pdb->text.size, length = strnlen(text, PDB_LONGEST_NAME + 1);

	if (length > PDB_LONGEST_NAME) {
		length = PDB_LONGEST_NAME;
		while (length && (text[length] & 0xC0) == 0x80)
			length--;
		pdb->counts.cut++;
	}
	if (at + length >= UINT32_MAX)
		fail(pdb, "its names would be larger than 4 GB");
	else
		bytes_add(&pdb->text, text, length);
	bytes_u8(&pdb->text, 0);
	if (pdb->text.no_memory)
		fail(pdb, strerror(ENOMEM));
	return at;
}

void pdb_add_section(struct pdb *pdb, uint32_t rva, uint32_t size)
{
	struct pdb_section *list = grow(pdb, pdb->sections, pdb->nr_sections, &pdb->section_room,
					sizeof(*list));

	if (!list)
		return;
	pdb->sections = list;
	if (pdb->nr_sections == MOST_SECTIONS)
		fail(pdb, "it would have more than 65534 sections");
	else if (size > UINT32_MAX - rva)
		fail(pdb, "a section reaches beyond 4 GB");
	else if (size)
		list[pdb->nr_sections++] = (struct pdb_section){ .rva = rva, .size = size };
}

void pdb_add_function(struct pdb *pdb, uint32_t rva, uint32_t size, const char *name,
		      const char *symbol)
{
	struct pdb_function *list = grow(pdb, pdb->functions, pdb->nr_functions,
					 &pdb->function_room, sizeof(*list));
	uint32_t at;

	if (!list)
		return;
	pdb->functions = list;
	at = add_text(pdb, name);
	list[pdb->nr_functions++] = (struct pdb_function){
		.rva = rva, .size = size, .name = at,
		.symbol = strcmp(name, symbol) ? add_text(pdb, symbol) : at,
	};
}

uint32_t pdb_add_file(struct pdb *pdb, const char *path)
{
	uint32_t *list = grow(pdb, pdb->files, pdb->nr_files, &pdb->file_room, sizeof(*list));

	if (!list)
		return PDB_NO_FILE;
	pdb->files = list;
	if (pdb->nr_files == MOST_FILES)
		return PDB_NO_FILE;
	list[pdb->nr_files] = add_text(pdb, path);
	return pdb->nr_files++;
}

void pdb_add_line(struct pdb *pdb, uint32_t rva, uint32_t file, uint32_t line)
{
	struct pdb_line *list = grow(pdb, pdb->lines, pdb->nr_lines, &pdb->line_room,
				     sizeof(*list));

	if (!list)
		return;
	pdb->lines = list;
	if (pdb->nr_lines == UINT32_MAX)
		fail(pdb, "it would have more than 4 billion lines");
	else
		list[pdb->nr_lines++] = (struct pdb_line){
			.rva = rva, .file = file, .line = line, .order = pdb->nr_lines,
		};
}

static int sections_by_address(const void *left, const void *right)
{
	const struct pdb_section *a = left, *b = right;

	return a->rva < b->rva ? -1 : a->rva > b->rva;
}

static int functions_by_address(const void *left, const void *right)
{
	const struct pdb_function *a = left, *b = right;

	if (a->rva != b->rva)
		return a->rva < b->rva ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* The last of an address is the one that counts: where lines end, none may begin. */
static int lines_by_address(const void *left, const void *right)
{
	const struct pdb_line *a = left, *b = right;

	if (a->rva != b->rva)
		return a->rva < b->rva ? -1 : 1;
	if ((a->file == PDB_NO_FILE) != (b->file == PDB_NO_FILE))
		return a->file == PDB_NO_FILE ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void sort_sections(struct pdb *pdb)
{
	const struct pdb_section *section = pdb->sections;
	size_t i;

	if (!pdb->nr_sections)
		return;
	qsort(pdb->sections, pdb->nr_sections, sizeof(*section), sections_by_address);
	for (i = 1; i < pdb->nr_sections; i++)
		if (section[i].rva - section[i - 1].rva < section[i - 1].size)
			fail(pdb, "two of its sections overlap");
}

/* Gives each function its section, cuts it at the section's end, and drops those in none. */
static void sort_functions(struct pdb *pdb)
{
	struct pdb_function *function = pdb->functions;
	const struct pdb_section *section = pdb->sections;
	size_t i, at = 0, kept = 0;

	if (pdb->nr_functions)
		qsort(function, pdb->nr_functions, sizeof(*function), functions_by_address);
	for (i = 0; i < pdb->nr_functions; i++) {
		while (at < pdb->nr_sections &&
		       section[at].rva + section[at].size <= function[i].rva)
			at++;
		if (at == pdb->nr_sections || function[i].rva < section[at].rva)
			continue;
		function[kept] = function[i];
		function[kept].section = at + 1;
		if (function[kept].size > section[at].rva + section[at].size - function[kept].rva)
			function[kept].size = section[at].rva + section[at].size -
					      function[kept].rva;
		kept++;
	}
	pdb->counts.outside = pdb->nr_functions - kept;
	pdb->counts.functions = kept;
	pdb->nr_functions = kept;
}

static void sort_lines(struct pdb *pdb)
{
	struct pdb_line *line = pdb->lines;
	size_t i, kept = 0;

	if (!pdb->nr_lines)
		return;
	qsort(line, pdb->nr_lines, sizeof(*line), lines_by_address);
	for (i = 0; i < pdb->nr_lines; i++) {
		if (kept && line[kept - 1].rva == line[i].rva)
			kept--;
		line[kept++] = line[i];
	}
	pdb->nr_lines = kept;
}

static const char *build(struct pdb *pdb, struct bytes streams[NR_STREAMS])
{
	const char *why;

	pdb_build_info(pdb, &streams[STREAM_INFO]);
	pdb_build_types(&streams[STREAM_TYPES], STREAM_TYPES_HASH);
	pdb_build_types(&streams[STREAM_IDS], STREAM_IDS_HASH);
	pdb_build_names(pdb, &streams[STREAM_NAMES]);
	pdb_build_sections(pdb, &streams[STREAM_SECTIONS]);
	/* the others refer to records in the module's stream */
	why = pdb_build_module(pdb, &streams[STREAM_MODULE]);
	if (!why)
		why = pdb_build_symbols(pdb, &streams[STREAM_SYMBOLS], &streams[STREAM_GLOBALS],
					&streams[STREAM_PUBLICS]);
	if (!why)
		why = pdb_build_debug_info(pdb, &streams[STREAM_DEBUG_INFO]);
	return why;
}

const char *pdb_write(struct pdb *pdb, FILE *to, struct pdb_counts *counts)
{
	struct bytes streams[NR_STREAMS] = { };
	const char *why;
	size_t i;

	sort_sections(pdb);
	if (!pdb->nr_sections)
		fail(pdb, "it has no section");
	if (pdb->why)
		return pdb->why;
	sort_functions(pdb);
	sort_lines(pdb);
	why = build(pdb, streams);
	if (!why)
		why = msf_write(to, streams, NR_STREAMS);
	for (i = 0; i < NR_STREAMS; i++)
		bytes_free(&streams[i]);
	*counts = pdb->counts;
	return why;
}

void pdb_free(struct pdb *pdb)
{
	if (!pdb)
		return;
	free(pdb->name);
	free(pdb->sections);
	free(pdb->functions);
	free(pdb->files);
	free(pdb->lines);
	bytes_free(&pdb->text);
	free(pdb);
}
