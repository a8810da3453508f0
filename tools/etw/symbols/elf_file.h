/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the readers of ELF files share. */
#ifndef ETW_ELF_FILE_H
#define ETW_ELF_FILE_H

#include <gelf.h>
#include "symbol_table.h"

/*
 * Opens an ordinary file of at most 4 GB. It is read, not mapped: its owner may cut it meanwhile,
 * and a signal would end this process. @fd is to be closed after elf_end() if it is not below 0.
 * Return: NULL: there is none
 */
Elf *elf_open(const char *path, int *fd);
Elf_Scn *elf_section_named(Elf *elf, const char *name);
unsigned int build_id_of_elf(Elf *elf, uint8_t *id, unsigned int room);
/* The address of offset 0 of the file, which addresses are relative to */
uint64_t elf_lowest_address(Elf *elf);
/* .symtab, relative to @lowest. Return: symbols in it */
size_t elf_take_symbols(struct symbol_table *table, Elf *elf, uint64_t lowest);

/* debug_file.c: where the debug file is. Return: false: there is none */
bool debug_file_by_id(const char *sysroot, const uint8_t *id, unsigned int bytes, char *to,
		      size_t room);
/* By .gnu_debuglink; its checksum is right */
bool debug_file_by_link(Elf *elf, const char *sysroot, const char *path, char *to, size_t room);
/* From debuginfod, if DEBUGINFOD_URLS says where that is */
bool debug_file_from_server(const uint8_t *id, unsigned int bytes, char *to, size_t room);
/* .gnu_debugdata: a debug file in the file, compressed by xz */
bool take_minidebuginfo(struct symbol_table *table, Elf *elf, uint64_t lowest);

#endif /* ETW_ELF_FILE_H */
