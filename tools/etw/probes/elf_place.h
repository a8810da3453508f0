/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Places in ELF files, as offsets in the file, by which tracefs names them. */
#ifndef ETW_PROBES_ELF_PLACE_H
#define ETW_PROBES_ELF_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct suggestion;
typedef struct Elf Elf;

/* Places that an error can list */
#define ELF_PLACES	16

/**
 * struct elf_places - the places that one name has in a file
 * @name: of a function
 * @suggestion: gets similar names
 * @addresses: of the first ELF_PLACES places, without those that have one address
 * @offsets: of the same in the file
 * @count: number of all places; above ELF_PLACES, those of one address count several times
 * @not_loaded: a function is in no segment of the file
 */
struct elf_places {
	const char *name;
	struct suggestion *suggestion;
	uint64_t addresses[ELF_PLACES];
	uint64_t offsets[ELF_PLACES];
	unsigned int count;
	bool not_loaded;
};

/*
 * Where the functions of a name begin, by the symbols of the file and its debug file. Return: NULL,
 * or why that is not known; at least one place otherwise
 */
const char *elf_functions(const char *path, struct elf_places *places);
bool elf_offset_of(Elf *elf, uint64_t address, uint64_t *offset);
bool elf_address_of(Elf *elf, uint64_t offset, uint64_t *address);
/* The file with the debug information of another one. Return: false: there is none */
bool elf_debug_file(Elf *elf, const char *path, char *to, size_t room);

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
