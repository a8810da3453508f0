/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The streams of a PDB: which number each has, and the functions that build them. */
#ifndef ETW_PDB_STREAMS_H
#define ETW_PDB_STREAMS_H

#include "bytes.h"
#include "pdb.h"

/* Numbers of streams: the first five are fixed, the others are referred to by number. */
enum pdb_stream {
	STREAM_OLD_DIRECTORY,
	STREAM_INFO,
	STREAM_TYPES,
	STREAM_DEBUG_INFO,
	STREAM_IDS,
	STREAM_TYPES_HASH,
	STREAM_IDS_HASH,
	STREAM_NAMES,
	STREAM_GLOBALS,
	STREAM_PUBLICS,
	STREAM_SYMBOLS,
	STREAM_SECTIONS,
	STREAM_MODULE,
	NR_STREAMS,
};

#define NO_STREAM	0xFFFFu
/* Bits of IMAGE_SECTION_HEADER: code, executable, readable */
#define CODE_SECTION	0x60000020u

/**
 * struct pdb_section - addresses with code
 * @rva: the first
 * @size: number of them
 */
struct pdb_section {
	uint32_t rva;
	uint32_t size;
};

/**
 * struct pdb_function - a function
 * @rva: its first address
 * @size: bytes of it
 * @section: number of its section, from 1; 0: in none
 * @name: offset of its name in the PDB's text
 * @symbol: offset of its linker name
 * @record: offset of its record in the module's stream
 */
struct pdb_function {
	uint32_t rva;
	uint32_t size;
	uint32_t section;
	uint32_t name;
	uint32_t symbol;
	uint32_t record;
};

/**
 * struct pdb_line - a source line from an address on
 * @rva: the address
 * @file: index of its file, or PDB_NO_FILE
 * @line: its number
 * @order: number of the addition: the last one of an address counts
 */
struct pdb_line {
	uint32_t rva;
	uint32_t file;
	uint32_t line;
	uint32_t order;
};

/**
 * struct pdb - what was added, and the streams while they are built
 * @info: what it is of
 * @name: of the image, a copy
 * @sections: by address once the PDB is written
 * @functions: likewise
 * @files: offset of each file's path in @text
 * @lines: by address once the PDB is written
 * @text: names, each with a zero behind it
 * @why: the first addition that failed; NULL: none did
 * @counts: what is in it
 * @module_symbols: bytes of symbols in the module's stream
 * @module_lines: bytes of lines in the module's stream
 */
struct pdb {
	struct pdb_info info;
	char *name;
	struct pdb_section *sections;
	size_t nr_sections;
	size_t section_room;
	struct pdb_function *functions;
	size_t nr_functions;
	size_t function_room;
	uint32_t *files;
	size_t nr_files;
	size_t file_room;
	struct pdb_line *lines;
	size_t nr_lines;
	size_t line_room;
	struct bytes text;
	const char *why;
	struct pdb_counts counts;
	uint32_t module_symbols;
	uint32_t module_lines;
};

static inline const char *pdb_text(const struct pdb *pdb, uint32_t at)
{
	return (const char *)pdb->text.at + at;
}

/* hash.c: the hash of names, of all tables of a PDB */
uint32_t pdb_hash(const char *name);

/* strings.c: the string table of file names. Return: its offsets are valid for this table */
void pdb_build_names(const struct pdb *pdb, struct bytes *names);
/* Offset of each file's path in that table */
uint32_t *pdb_name_offsets(const struct pdb *pdb);

/* info.c: GUID, age, named streams; and the two streams of types, which are empty */
void pdb_build_info(const struct pdb *pdb, struct bytes *info);
void pdb_build_types(struct bytes *types, uint16_t hash_stream);

/* module.c: the module's stream. Return: NULL or the reason of the failure */
const char *pdb_build_module(struct pdb *pdb, struct bytes *module);
/* lines.c: the lines' part of it */
const char *pdb_build_lines(struct pdb *pdb, struct bytes *module);

/* symbols.c: records of publics and globals, and the tables that find them by name */
const char *pdb_build_symbols(const struct pdb *pdb, struct bytes *symbols,
			      struct bytes *globals, struct bytes *publics);

/* debug_info.c: the stream that refers to all others, and the headers of sections */
const char *pdb_build_debug_info(const struct pdb *pdb, struct bytes *debug_info);
void pdb_build_sections(const struct pdb *pdb, struct bytes *sections);

#endif /* ETW_PDB_STREAMS_H */
