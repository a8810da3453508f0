// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The debug info stream, which refers to all others, and the headers of sections. Formats: LLVM,
 * docs/PDB/DbiStream; Microsoft, "PE format" (section table).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "streams.h"

#define VERSION_SIGNATURE	0xFFFFFFFFu
#define VERSION_V70		19990903u
/* "New format", version 14.0: readers expect what that compiler writes. */
#define BUILD_NUMBER		0x8E00u
#define CONTRIBUTIONS_V60	(0xEFFE0000u + 19970605u)
#define NAMES_SIGNATURE		0xEFFEEFFEu
#define NR_EXTRA_STREAMS	11
#define EXTRA_SECTIONS		5

/* Flags of a segment: readable, executable, 32-bit offsets, a number of a section */
#define SEGMENT_CODE		0x010Du

static void add_contribution(struct bytes *to, const struct pdb *pdb, size_t section)
{
	bytes_u16(to, section + 1);
	bytes_u16(to, 0);
	bytes_u32(to, 0);
	bytes_u32(to, pdb->nr_sections ? pdb->sections[section].size : 0);
	bytes_u32(to, CODE_SECTION);
	/* number of the module, from 0 here; checksums of code and relocations */
	bytes_u16(to, 0);
	bytes_u16(to, 0);
	bytes_u32(to, 0);
	bytes_u32(to, 0);
}

static void add_module(struct bytes *to, const struct pdb *pdb)
{
	bytes_u32(to, 0);
	add_contribution(to, pdb, 0);
	bytes_u16(to, 0);
	bytes_u16(to, STREAM_MODULE);
	bytes_u32(to, pdb->module_symbols);
	/* bytes of lines in the old and in the present format */
	bytes_u32(to, 0);
	bytes_u32(to, pdb->module_lines);
	bytes_u16(to, pdb->nr_files);
	bytes_u16(to, 0);
	/* unused; primary source file, PDB of the compiler: none */
	bytes_u32(to, 0);
	bytes_u32(to, 0);
	bytes_u32(to, 0);
	bytes_text(to, pdb->name);
	bytes_text(to, pdb->name);
	bytes_align(to);
}

static void add_contributions(struct bytes *to, const struct pdb *pdb)
{
	size_t i;

	bytes_u32(to, CONTRIBUTIONS_V60);
	for (i = 0; i < pdb->nr_sections; i++)
		add_contribution(to, pdb, i);
}

/*
 * Linkers add a segment for absolute addresses. It is left out, because with it Microsoft's reader
 * finds nothing in the last section.
 */
static void add_section_map(struct bytes *to, const struct pdb *pdb)
{
	size_t i;

	/* segments, logical segments */
	bytes_u16(to, pdb->nr_sections);
	bytes_u16(to, pdb->nr_sections);
	for (i = 0; i < pdb->nr_sections; i++) {
		bytes_u16(to, SEGMENT_CODE);
		/* overlay, group, number of the section */
		bytes_u16(to, 0);
		bytes_u16(to, 0);
		bytes_u16(to, i + 1);
		/* names of segment and class: none */
		bytes_u16(to, 0xFFFF);
		bytes_u16(to, 0xFFFF);
		/* offset in the section, size */
		bytes_u32(to, 0);
		bytes_u32(to, pdb->sections[i].size);
	}
}

static void add_files(struct bytes *to, const struct pdb *pdb)
{
	uint32_t at = 0;
	size_t i;

	/* modules, files; for the module its index and the number of its files */
	bytes_u16(to, 1);
	bytes_u16(to, pdb->nr_files);
	bytes_u16(to, 0);
	bytes_u16(to, pdb->nr_files);
	for (i = 0; i < pdb->nr_files; i++) {
		bytes_u32(to, at);
		at += strlen(pdb_text(pdb, pdb->files[i])) + 1;
	}
	for (i = 0; i < pdb->nr_files; i++)
		bytes_text(to, pdb_text(pdb, pdb->files[i]));
	bytes_align(to);
}

/* "Edit and continue" needs names, of which there are none: an empty string table */
static void add_no_names(struct bytes *to)
{
	bytes_u32(to, NAMES_SIGNATURE);
	bytes_u32(to, 1);
	bytes_u32(to, 1);
	bytes_u8(to, 0);
	/* slots, one of which is free; texts */
	bytes_u32(to, 1);
	bytes_u32(to, 0);
	bytes_u32(to, 0);
}

static void add_extra_streams(struct bytes *to)
{
	int i;

	for (i = 0; i < NR_EXTRA_STREAMS; i++)
		bytes_u16(to, i == EXTRA_SECTIONS ? STREAM_SECTIONS : NO_STREAM);
}

static void add_header(struct bytes *to, const struct pdb *pdb)
{
	bytes_u32(to, VERSION_SIGNATURE);
	bytes_u32(to, VERSION_V70);
	bytes_u32(to, pdb->info.age);
	bytes_u16(to, STREAM_GLOBALS);
	bytes_u16(to, BUILD_NUMBER);
	bytes_u16(to, STREAM_PUBLICS);
	/* version of the DLL that wrote it */
	bytes_u16(to, 0);
	bytes_u16(to, STREAM_SYMBOLS);
	bytes_u16(to, 0);
	/* sizes of the parts, filled in later */
	bytes_add(to, NULL, 32);
	/* flags */
	bytes_u16(to, 0);
	bytes_u16(to, pdb->info.machine);
	bytes_u32(to, 0);
}

/* Offsets of the parts' sizes in the header, in the order of the parts */
#define SIZE_MODULES		24
#define SIZE_CONTRIBUTIONS	28
#define SIZE_SECTION_MAP	32
#define SIZE_FILES		36
#define SIZE_EXTRA_STREAMS	48
#define SIZE_EDIT_NAMES		52

static void note_size(struct bytes *to, size_t field, size_t *start)
{
	bytes_put_u32(to, field, to->size - *start);
	*start = to->size;
}

const char *pdb_build_debug_info(const struct pdb *pdb, struct bytes *to)
{
	size_t start;

	add_header(to, pdb);
	start = to->size;
	add_module(to, pdb);
	note_size(to, SIZE_MODULES, &start);
	add_contributions(to, pdb);
	note_size(to, SIZE_CONTRIBUTIONS, &start);
	add_section_map(to, pdb);
	note_size(to, SIZE_SECTION_MAP, &start);
	add_files(to, pdb);
	note_size(to, SIZE_FILES, &start);
	add_no_names(to);
	note_size(to, SIZE_EDIT_NAMES, &start);
	add_extra_streams(to);
	note_size(to, SIZE_EXTRA_STREAMS, &start);
	return to->no_memory ? strerror(ENOMEM) : NULL;
}

void pdb_build_sections(const struct pdb *pdb, struct bytes *sections)
{
	static const char name[8] = ".text";
	size_t i;

	for (i = 0; i < pdb->nr_sections; i++) {
		bytes_add(sections, name, sizeof(name));
		bytes_u32(sections, pdb->sections[i].size);
		bytes_u32(sections, pdb->sections[i].rva);
		/* bytes in the file */
		bytes_u32(sections, pdb->sections[i].size);
		/* offsets in the file, of relocations and lines, numbers of these: none */
		bytes_add(sections, NULL, 16);
		bytes_u32(sections, CODE_SECTION);
	}
}
