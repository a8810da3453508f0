/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Call frame information: what .eh_frame and .debug_frame contain. */
#ifndef ETW_CFI_H
#define ETW_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dwarf_bytes.h"

/**
 * struct cfi_machine - the registers of a processor, by their DWARF numbers
 * @elf: e_machine
 * @name: as etw prints it
 * @sp: stack pointer
 * @fp: frame pointer
 * @ra: return address
 * @link: functions begin with their return address in a register
 */
struct cfi_machine {
	uint16_t elf;
	const char *name;
	unsigned int sp;
	unsigned int fp;
	unsigned int ra;
	bool link;
};

/**
 * enum cfi_rule - where the caller's value of a register is
 * @CFI_SAME: in the register
 * @CFI_UNDEFINED: nowhere
 * @CFI_OFFSET: in memory, at CFA + offset
 * @CFI_OTHER: elsewhere
 */
enum cfi_rule {
	CFI_SAME,
	CFI_UNDEFINED,
	CFI_OFFSET,
	CFI_OTHER,
};

/**
 * struct cfi_register - rule of a register
 * @rule: enum cfi_rule
 * @known: the program has set it
 * @offset: of CFI_OFFSET
 */
struct cfi_register {
	enum cfi_rule rule;
	bool known;
	int64_t offset;
};

/**
 * struct cfi_state - rules at an address
 * @expression: of the CFA, @expression_size bytes; NULL: the CFA is @reg + @offset
 * @expression_size: bytes
 * @reg: register of the CFA
 * @offset: of the CFA to it
 * @ra: return address
 * @fp: frame pointer
 */
struct cfi_state {
	const uint8_t *expression;
	size_t expression_size;
	uint64_t reg;
	int64_t offset;
	struct cfi_register ra;
	struct cfi_register fp;
};

/**
 * struct cfi_cie - what entries have in common
 * @at: its place in the section
 * @usable: it can be read; otherwise its entries cannot be
 * @signal: its functions are signal trampolines
 * @augmented: entries have a size before their program
 * @encoding: of addresses in entries
 * @code_align: factor of the program's distances
 * @data_align: factor of offsets
 * @initial: rules with which a program begins
 */
struct cfi_cie {
	uint64_t at;
	bool usable;
	bool signal;
	bool augmented;
	uint8_t encoding;
	uint64_t code_align;
	int64_t data_align;
	struct cfi_state initial;
};

/**
 * struct cfi_section - a section of call frame information
 * @bytes: its content
 * @size: of @bytes
 * @address: where it is loaded
 * @debug: it is .debug_frame
 * @machine: of the file
 * @cie: by place
 * @cies: number of these
 * @room: of @cie
 */
struct cfi_section {
	const uint8_t *bytes;
	size_t size;
	uint64_t address;
	bool debug;
	const struct cfi_machine *machine;
	struct cfi_cie *cie;
	size_t cies;
	size_t room;
};

/**
 * struct cfi_entry - the program of a function
 * @start: first address
 * @end: behind the last one
 * @section: that contains it
 * @cie: index in @section->cie
 * @order: of entries with the same start
 * @program: its instructions
 */
struct cfi_entry {
	uint64_t start;
	uint64_t end;
	const struct cfi_section *section;
	size_t cie;
	uint64_t order;
	struct dwarf_bytes program;
};

/**
 * struct cfi_entries - entries of a file
 * @entry: array
 * @count: used
 * @room: allocated
 * @unreadable: number of entries that cannot be read
 */
struct cfi_entries {
	struct cfi_entry *entry;
	size_t count;
	size_t room;
	size_t unreadable;
};

/**
 * typedef cfi_row - takes the rules from an address on
 * @context: of the caller
 * @address: in the entry
 * @state: the rules; NULL: they cannot be read from here on
 *
 * Return: false: stop
 */
typedef bool cfi_row(void *context, uint64_t address, const struct cfi_state *state);

/* The machine of e_machine, or NULL: etw does not know its registers */
const struct cfi_machine *cfi_machine_find(uint16_t elf);

/**
 * cfi_section_read() - add the entries of a section
 * @section: zero behind @machine; its @cie is to be freed by the caller
 * @entries: entries are added
 *
 * What follows a record of a wrong size cannot be read, and counts as one entry.
 *
 * Return: false: no memory
 */
bool cfi_section_read(struct cfi_section *section, struct cfi_entries *entries);

/* Runs the program of an entry. Return: false: @take stopped it */
bool cfi_run(const struct cfi_entry *entry, cfi_row *take, void *context);

/* Runs the program that all entries of a CIE begin with. Return: false: it cannot be read */
bool cfi_run_initial(const struct cfi_machine *machine, struct cfi_cie *cie,
		     struct dwarf_bytes program);

#endif /* ETW_CFI_H */
