/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/*
 * Writes a PDB, the file in which Windows' tools find functions and source lines of an image.
 *
 * The caller makes a struct pdb, adds executable sections, functions and lines in any order, and
 * writes it. The same additions give the same bytes. Nothing here opens or names a file.
 */
#ifndef ETW_PDB_H
#define ETW_PDB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Machines, as in the header of a PE file */
#define PDB_MACHINE_X86		0x014Cu
#define PDB_MACHINE_X64		0x8664u
#define PDB_MACHINE_ARM64	0xAA64u

#define PDB_GUID_BYTES	16
/* Bytes of a name; longer names are cut. Windows' readers have room for 2000 characters. */
#define PDB_LONGEST_NAME	4000u
/* "No line is known from here on" */
#define PDB_NO_FILE	UINT32_MAX

/**
 * struct pdb_info - what a PDB is of
 * @guid: its GUID, in the order of the bytes of a file
 * @age: its age
 * @machine: PDB_MACHINE_*
 * @name: name of the image
 */
struct pdb_info {
	uint8_t guid[PDB_GUID_BYTES];
	uint32_t age;
	uint16_t machine;
	const char *name;
};

/**
 * struct pdb_counts - what a PDB contains, or does not
 * @functions: functions in it
 * @outside: functions left out, because their address is in no section
 * @cut: names cut to PDB_LONGEST_NAME
 * @lines: line records in it
 * @unlined: ranges left out, because their line number has more than 24 bits or they have no file
 */
struct pdb_counts {
	uint64_t functions;
	uint64_t outside;
	uint64_t cut;
	uint64_t lines;
	uint64_t unlined;
};

struct pdb;

/* Return: NULL: no memory */
struct pdb *pdb_new(const struct pdb_info *info);

/**
 * pdb_add_section() - add addresses that contain code
 * @pdb: the PDB
 * @rva: first address, relative to the image
 * @size: number of bytes
 *
 * Sections must not overlap, and there are at most 65534.
 */
void pdb_add_section(struct pdb *pdb, uint32_t rva, uint32_t size);

/**
 * pdb_add_function() - add a function
 * @pdb: the PDB
 * @rva: its first address, relative to the image
 * @size: number of bytes; cut at the end of the section
 * @name: as people read it
 * @symbol: as the linker knows it
 */
void pdb_add_function(struct pdb *pdb, uint32_t rva, uint32_t size, const char *name,
		      const char *symbol);

/*
 * Return: the number of a source file for pdb_add_line(). Each call adds another file, up to 65535,
 * the limit of the format; further ones are PDB_NO_FILE.
 */
uint32_t pdb_add_file(struct pdb *pdb, const char *path);

/**
 * pdb_add_line() - add a source line
 * @pdb: the PDB
 * @rva: the first address of it; the next added address ends it
 * @file: its file, or PDB_NO_FILE
 * @line: its number; with PDB_NO_FILE, 0 means that no line is lost
 *
 * Of several lines at an address the last one counts. PDB_NO_FILE never replaces a line.
 */
void pdb_add_line(struct pdb *pdb, uint32_t rva, uint32_t file, uint32_t line);

/**
 * pdb_write() - write the file
 * @pdb: the PDB
 * @to: the file, at its start
 * @counts: filled in
 *
 * Return: NULL, or the reason of the failure, also of a failed addition.
 */
const char *pdb_write(struct pdb *pdb, FILE *to, struct pdb_counts *counts);
void pdb_free(struct pdb *pdb);

#endif /* ETW_PDB_H */
