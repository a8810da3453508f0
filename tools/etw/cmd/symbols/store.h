/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A symbol store: files and PDBs of the images of a trace, in the folders where tools look. */
#ifndef ETW_STORE_H
#define ETW_STORE_H

#include "libetl/images.h"
#include "libetl/map.h"
#include "pdb/pdb.h"
#include "symbols/elf_layout.h"
#include "symbols/elf_lines.h"
#include "symbols/symbol_table.h"
#include "symbols/symbols.h"

#define STORE_PATH	8192
/* Windows' tools expect the age that ImageID 36 contains. */
#define STORE_AGE	1
/* The reason that the caller chose */
#define STORE_NO_LINES	"--no-lines"

/**
 * struct store_options - how
 * @directory: of the store
 * @where: where the images' files are
 * @no_lines: PDBs get no source lines
 * @json: the summary is JSON
 * @quiet: no progress and no summary
 */
struct store_options {
	const char *directory;
	struct symbol_options where;
	bool no_lines;
	bool json;
	bool quiet;
};

/**
 * struct stored - an image of the store, or the reason why it is not there
 * @path: as the trace has it
 * @id: build-id, or as much of it as is known; hexadecimal
 * @guid: folder of its PDB: GUID and age
 * @has_file: its file is in the store
 * @has_debug: its debug file is in the store
 * @counts: of its PDB
 * @outside: functions of its file that are outside of the image
 * @left: lines of its file that are not in its PDB
 * @why: in words, why it has no PDB; NULL: it has one
 * @why_no_lines: in words, why its PDB has no source lines; NULL: it has some
 */
struct stored {
	const char *path;
	char id[2 * ELF_LAYOUT_ID + 1];
	char guid[2 * IMAGE_ID_BYTES + 9];
	bool has_file;
	bool has_debug;
	struct pdb_counts counts;
	uint64_t outside;
	struct elf_lines_left left;
	const char *why;
	const char *why_no_lines;
};

/**
 * struct store - while it is made
 * @options: how
 * @symbols: of the trace
 * @machine: of the last file, or of this machine; a kernel without a file has the same
 * @done: images that were handled, by name and build-id
 * @image: these, @done.count of them
 * @written: PDBs
 * @failed: the store could not be written, after a message
 */
struct store {
	const struct store_options *options;
	struct symbols *symbols;
	uint16_t machine;
	struct map done;
	struct stored *image;
	size_t written;
	bool failed;
};

/* store_image.c: a program, a library. @image gets what came of it */
void store_image(struct store *store, const struct module *module, struct stored *image);
/* Its file and its debug file, by @image->id. Return: false: the store failed, after a message */
bool store_files(struct store *store, const struct module *module, const char *from,
		 const struct elf_layout *layout, struct stored *image);
void store_name_id(struct stored *image, const uint8_t *id, unsigned int bytes);
/* store_kernel.c: the kernel or one of its modules */
void store_kernel(struct store *store, const struct module *module, struct stored *image);

/* store_pdb.c */
struct pdb *store_pdb_new(const struct store *store, const struct module *module,
			  const uint8_t id[IMAGE_ID_BYTES]);
/**
 * store_pdb_functions() - add functions to a PDB
 * @pdb: the PDB
 * @table: functions by address
 * @base: the address of RVA 0
 * @end: behind the last address of the image
 * @module: only its functions, by the names of modules in @table; NULL: all
 *
 * Return: number of functions left out, because they are outside of the image
 */
uint64_t store_pdb_functions(struct pdb *pdb, const struct symbol_table *table, uint64_t base,
			     uint64_t end, const struct module *module);
/* Writes it. Return: false: the store failed, after a message; @image->why has other reasons */
bool store_pdb_write(struct store *store, struct pdb *pdb, const struct module *module,
		     const uint8_t id[IMAGE_ID_BYTES], struct stored *image);

/* store_lines.c: lines of the file, or of its debug file. @image gets reasons and counts. */
void store_lines(const struct store *store, struct pdb *pdb, const char *path,
		 const struct elf_layout *layout, struct stored *image);

/* store_file.c: files of the store, which take their place when they are whole */
/**
 * store_name_is_safe() - whether a name of the trace may name a folder, also on Windows
 * @name: the name
 */
bool store_name_is_safe(const char *name);
/* Copies @from to @path of the store, if its build-id is @id. Return: false after a message */
bool store_copy(struct store *store, const char *from, const char *path, const uint8_t *id,
		unsigned int bytes, bool *copied);
/* Makes a relative link. Return: false after a message */
bool store_link(struct store *store, const char *target, const char *path);
/* Begins a file, or ends it. Return: NULL, false after a message */
FILE *store_create(struct store *store, const char *path);
bool store_finish(struct store *store, FILE *file, const char *path, bool good);

/* store_report.c */
void store_progress(const struct store *store, size_t at, size_t all, const char *name);
int store_report(const struct store *store);

#endif /* ETW_STORE_H */
