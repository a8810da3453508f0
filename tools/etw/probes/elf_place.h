/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Places in ELF files, as offsets in the file, by which tracefs names them. */
#ifndef ETW_PROBES_ELF_PLACE_H
#define ETW_PROBES_ELF_PLACE_H

#include <stdbool.h>
#include <stdint.h>

struct suggestion;

/*
 * Where a function begins, by the symbols of the file or its debug file. Return: NULL, or why it
 * is not known; @suggestion gets similar names
 */
const char *elf_function_offset(const char *path, const char *name, uint64_t *offset,
				struct suggestion *suggestion);

/**
 * struct usdt_note - a place in a file that SystemTap's sys/sdt.h has marked
 * @provider: its name
 * @name: of the event
 * @arguments: as "N@OPERAND", separated by blanks
 * @offset: in the file
 * @counter: of the semaphore in the file; 0: there is none
 */
struct usdt_note {
	const char *provider;
	const char *name;
	const char *arguments;
	uint64_t offset;
	uint64_t counter;
};

/*
 * Calls @found for each note of the file until it returns another number than 0. @machine: of the
 * file, as EM_X86_64. Return: NULL, or why there are none
 */
const char *elf_usdt_notes(const char *path,
			   int (*found)(void *context, const struct usdt_note *note,
					unsigned int machine), void *context);

#endif /* ETW_PROBES_ELF_PLACE_H */
