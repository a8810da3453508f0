/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A program with its debug information. */
#ifndef ETW_PROBES_PROGRAM_DEBUG_H
#define ETW_PROBES_PROGRAM_DEBUG_H

#include "symbols/libdw.h"
#if defined(ETW_HAVE_ELF) && defined(ETW_HAVE_DWARF) && defined(ETW_HAVE_DLOPEN)
#define ETW_PROGRAM_DEBUG
#include <stdbool.h>

/**
 * struct program_debug - a program with its debug information
 * @libdw: functions of the library
 * @elf: the program
 * @dwarf: of the program or its debug file
 * @elf_fd: descriptor of @elf
 * @dwarf_fd: descriptor of @dwarf
 * @machine: EM_X86_64 or EM_AARCH64
 */
struct program_debug {
	const struct libdw *libdw;
	Elf *elf;
	Dwarf *dwarf;
	int elf_fd;
	int dwarf_fd;
	unsigned int machine;
};

/* Return: NULL, or why there is none; to be closed in both cases */
const char *program_debug_open(struct program_debug *debug, const char *path);
void program_debug_close(struct program_debug *debug);
/* The innermost scope at an address first. Return: their number, 0 for none; @scopes to be freed */
int program_scopes(const struct program_debug *debug, Dwarf_Addr address, Dwarf_Die **scopes);
#endif

#define WITHOUT_PROGRAM_DEBUG	"this etw was built without libdw (Debian: libdw-dev)"

#endif /* ETW_PROBES_PROGRAM_DEBUG_H */
