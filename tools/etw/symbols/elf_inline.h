/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Functions that the compiler inlined, by the DWARF of an ELF file. */
#ifndef ETW_ELF_INLINE_H
#define ETW_ELF_INLINE_H

#include <stdint.h>

struct elf_inlines;

/**
 * elf_inlines_open() - open a file with debug information
 * @path: the file, or its debug file
 * @lowest: the address of offset 0 of the file
 *
 * Return: NULL: libdw or debug information is missing
 */
struct elf_inlines *elf_inlines_open(const char *path, uint64_t lowest);

/**
 * elf_inlines_find() - the functions that are inlined at an address
 * @inlines: the file; NULL: none is inlined
 * @rva: relative to where offset 0 of the file is
 *
 * Return: names, mangled as in symbol tables, with a zero behind each, the outermost first, and an
 * empty one at the end. They are valid as long as @inlines is. The function that contains them is
 * not among them.
 */
const char *elf_inlines_find(struct elf_inlines *inlines, uint64_t rva);
void elf_inlines_close(struct elf_inlines *inlines);

#endif /* ETW_ELF_INLINE_H */
