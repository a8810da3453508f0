/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The kernel's file with symbols, which distributions have in packages of its own. */
#ifndef ETW_KERNEL_FILE_H
#define ETW_KERNEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "elf_layout.h"
#include "symbol_table.h"

/**
 * kernel_file_find() - find the file of a kernel
 * @sysroot: stands before all paths, "" for none
 * @id: first bytes of its build-id
 * @bytes: number of these
 * @path: filled in
 * @room: bytes of @path
 * @layout: of it; addresses are relative to its first executable address, "_text"
 *
 * Return: whether there is one
 */
bool kernel_file_find(const char *sysroot, const uint8_t *id, unsigned int bytes, char *path,
		      size_t room, struct elf_layout *layout);

/* Functions of the file, relative to "_text". NULL: it has no symbols */
struct symbol_table *kernel_file_symbols(const char *path, const struct elf_layout *layout);

#endif /* ETW_KERNEL_FILE_H */
