/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What a symbol store needs of an ELF file besides its functions. */
#ifndef ETW_ELF_LAYOUT_H
#define ETW_ELF_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_LAYOUT_ID		64
#define ELF_LAYOUT_SEGMENTS	32

/**
 * struct elf_layout - of an ELF file
 * @machine: e_machine of its header
 * @id: build-id
 * @id_bytes: bytes of @id
 * @lowest: the address of offset 0 of the file, which other addresses here are relative to
 * @start: first addresses of its executable segments
 * @size: bytes of these
 * @segments: number of these
 * @debug: its debug file, "" for none or unknown
 */
struct elf_layout {
	uint16_t machine;
	uint8_t id[ELF_LAYOUT_ID];
	unsigned int id_bytes;
	uint64_t lowest;
	uint64_t start[ELF_LAYOUT_SEGMENTS];
	uint64_t size[ELF_LAYOUT_SEGMENTS];
	size_t segments;
	char debug[4096];
};

/**
 * elf_layout_read() - read the layout of a file, without its debug file
 * @path: the file
 * @layout: filled in
 *
 * Return: NULL, or the reason of the failure in words.
 */
const char *elf_layout_read(const char *path, struct elf_layout *layout);

/**
 * elf_layout_find_debug() - find the debug file of a file
 * @path: the file
 * @sysroot: stands before the paths of debug files, "" for none
 * @lines: source lines are wanted
 * @layout: of the file; @layout->debug is filled in
 *
 * A server is asked only for what the file itself does not contain.
 */
void elf_layout_find_debug(const char *path, const char *sysroot, bool lines,
			   struct elf_layout *layout);

#endif /* ETW_ELF_LAYOUT_H */
