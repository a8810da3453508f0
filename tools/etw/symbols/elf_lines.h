/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Source lines of an ELF file, from its DWARF. */
#ifndef ETW_ELF_LINES_H
#define ETW_ELF_LINES_H

#include <stdint.h>

/**
 * typedef elf_line - takes a row of a line table
 * @context: of the caller
 * @rva: first address, relative to where offset 0 of the file is
 * @file: source file; NULL: no line is known from here on. It is valid during the call
 * @line: 0: the code is of no line
 *
 * Rows of code come by address for each unit, then the ends of its code. Of several rows at an
 * address the last one with a file counts.
 */
typedef void elf_line(void *context, uint64_t rva, const char *file, uint32_t line);

/**
 * struct elf_lines_left - what elf_lines_read() left out
 * @rows: rows that may be of functions that the linker discarded, or that are outside of code
 * @tables: line tables that cannot be read
 */
struct elf_lines_left {
	uint64_t rows;
	uint64_t tables;
};

/**
 * elf_lines_read() - read all source lines of a file
 * @path: the file, or its debug file
 * @lowest: the address of offset 0 of the file
 * @take: called for each row
 * @context: for @take
 * @left: counts, filled in
 *
 * Return: NULL, or in words, why there are none.
 */
const char *elf_lines_read(const char *path, uint64_t lowest, elf_line *take, void *context,
			   struct elf_lines_left *left);

#endif /* ETW_ELF_LINES_H */
