// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Arguments and variables of programs by name, from DWARF. */
#include "probe_variables.h"
#include "program_debug.h"
#ifdef ETW_PROGRAM_DEBUG
#include <dwarf.h>
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "elf_place.h"

/* Damaged debug information may have types that refer to each other without end. */
#define MOST_STEPS	32
#define NOT_FETCHED	"tracefs cannot fetch it: the compiler keeps it in no single place there"

/**
 * struct lookup - of a variable
 * @debug: the program
 * @address: where the probe is
 * @scopes: around it, the innermost first
 * @count: of these, up to the function and with it
 * @variable: the result
 */
struct lookup {
	struct program_debug debug;
	Dwarf_Addr address;
	Dwarf_Die *scopes;
	int count;
	struct probe_variable *variable;
};

/* tracefs' names of the registers by DWARF's numbers. Return: false: there is no such one */
static bool register_name(unsigned int machine, unsigned int number, char to[8])
{
	static const char *const x86[] = { "ax", "dx", "cx", "bx", "si", "di", "bp", "sp" };

	if (machine == EM_AARCH64) {
		snprintf(to, 8, number == 31 ? "sp" : "x%u", number);
		return number <= 31;
	}
	snprintf(to, 8, "r%u", number);
	if (number < 8)
		strcpy(to, x86[number]);
	return number <= 15;
}

static const char *string_of(const struct libdw *libdw, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;

	return libdw->attr_integrate(die, name, &attribute) ? libdw->formstring(&attribute) : NULL;
}

static uint64_t number_of(const struct libdw *libdw, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	if (!libdw->attr_integrate(die, name, &attribute) ||
	    libdw->formudata(&attribute, &number))
		return 0;
	return number;
}

static bool type_die(const struct libdw *libdw, Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;

	return libdw->attr_integrate(die, DW_AT_type, &attribute) &&
	       libdw->formref_die(&attribute, type);
}

/* The type of a variable or of a pointer's target, without names and qualifiers. Return: its tag */
static int resolve(const struct libdw *libdw, Dwarf_Die *die, Dwarf_Die *type)
{
	unsigned int steps;
	Dwarf_Die next = *die;
	int tag;

	for (steps = 0; steps < MOST_STEPS; steps++) {
		if (!type_die(libdw, &next, type))
			return 0;
		tag = libdw->tag(type);
		switch (tag) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			next = *type;
			continue;
		}
		return tag;
	}
	return 0;
}

static bool is_signed(uint64_t encoding)
{
	return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

static bool is_real(uint64_t encoding)
{
	return encoding == DW_ATE_float || encoding == DW_ATE_complex_float ||
	       encoding == DW_ATE_imaginary_float || encoding == DW_ATE_decimal_float;
}

/* Of a pointer. Pointers to other bytes than char have no zero at the end. */
static bool is_string(const struct libdw *libdw, Dwarf_Die *pointer)
{
	Dwarf_Die target;
	const char *name;

	if (resolve(libdw, pointer, &target) != DW_TAG_base_type)
		return false;
	name = string_of(libdw, &target, DW_AT_name);
	return name && !strcmp(name, "char");
}

/* Sets the type. @real: it is a floating-point number. Return: NULL, or why there is no type */
static const char *type_of(const struct libdw *libdw, Dwarf_Die *die, char to[16], bool *real)
{
	Dwarf_Die type, underlying;
	const int tag = resolve(libdw, die, &type);
	uint64_t size = tag ? number_of(libdw, &type, DW_AT_byte_size) : 0;
	uint64_t encoding = tag ? number_of(libdw, &type, DW_AT_encoding) : 0;

	*real = tag == DW_TAG_base_type && is_real(encoding);
	if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	    tag == DW_TAG_rvalue_reference_type) {
		snprintf(to, 16, "%s", tag == DW_TAG_pointer_type && is_string(libdw, &type) ?
			 "string" : "x64");
		return NULL;
	}
	if (*real)
		return "tracefs has no type for floating-point numbers";
	if ((tag != DW_TAG_base_type && tag != DW_TAG_enumeration_type) || !size || size > 8 ||
	    size & (size - 1))
		return "it is no number of at most 64 bits and no pointer";
	if (tag == DW_TAG_enumeration_type && resolve(libdw, &type, &underlying))
		encoding = number_of(libdw, &underlying, DW_AT_encoding);
	snprintf(to, 16, "%c%" PRIu64, is_signed(encoding) ? 's' : 'u', 8 * size);
	return NULL;
}

/* Of the calling convention. Return: false: there are no more registers */
static bool argument_register(unsigned int machine, unsigned int number, char to[8])
{
	static const unsigned int x86[] = { 5, 4, 1, 2, 8, 9 };

	if (machine == EM_AARCH64)
		return number < 8 && register_name(machine, number, to);
	return number < sizeof(x86) / sizeof(x86[0]) && register_name(machine, x86[number], to);
}

/* On x86_64, the first register may have the address of a result that is a structure. */
static bool returns_structure(const struct lookup *lookup, Dwarf_Die *function)
{
	Dwarf_Die type;

	switch (resolve(lookup->debug.libdw, function, &type)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return lookup->debug.machine == EM_X86_64;
	}
	return false;
}

/*
 * Where the caller has put an argument. Debug information often describes where the function moves
 * the argument to, which is not done yet at the function's first instruction.
 */
static const char *find_argument(const struct lookup *lookup, Dwarf_Die *function, const char *name)
{
	const struct libdw *libdw = lookup->debug.libdw;
	struct probe_variable *variable = lookup->variable;
	unsigned int used = 0;
	const char *why, *own;
	char place[8];
	Dwarf_Die die;
	bool real;
	int end;

	for (end = libdw->child(function, &die); !end; end = libdw->siblingof(&die, &die)) {
		if (libdw->tag(&die) != DW_TAG_formal_parameter)
			continue;
		why = type_of(libdw, &die, variable->type, &real);
		own = string_of(libdw, &die, DW_AT_name);
		if (own && !strcmp(own, name)) {
			if (why)
				return why;
			if (returns_structure(lookup, function))
				return "its register is not known, because the function returns a structure";
			if (!argument_register(lookup->debug.machine, used, place))
				return "the caller passes it in no register";
			snprintf(variable->fetch, sizeof(variable->fetch), "%%%s", place);
			return NULL;
		}
		if (why && !real)
			return "its register is not known, because an argument before it is a structure";
		used += !real;
	}
	return "the function has no such argument";
}

/* The value of memory at a register and an offset. Return: NULL, or why not */
static const char *fetch_memory(const struct lookup *lookup, unsigned int number, int64_t offset)
{
	char name[8];

	if (!register_name(lookup->debug.machine, number, name))
		return NOT_FETCHED;
	snprintf(lookup->variable->fetch, sizeof(lookup->variable->fetch), "%+" PRId64 "(%%%s)",
		 offset, name);
	return NULL;
}

/* The address that the debug information counts from as a register and an offset */
static bool find_call_frame(const struct lookup *lookup, unsigned int *number, int64_t *offset)
{
	const struct libdw *libdw = lookup->debug.libdw;
	Dwarf_CFI *own = libdw->getcfi_elf(lookup->debug.elf), *cfi = own;
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	bool found = false;
	size_t count;

	if (!cfi)
		cfi = libdw->getcfi(lookup->debug.dwarf);
	if (cfi && !libdw->cfi_addrframe(cfi, lookup->address, &frame) &&
	    !libdw->frame_cfa(frame, &ops, &count) && count == 1) {
		found = true;
		if (ops->atom == DW_OP_bregx) {
			*number = ops->number;
			*offset = ops->number2;
		} else if (ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31) {
			*number = ops->atom - DW_OP_breg0;
			*offset = ops->number;
		} else {
			found = false;
		}
	}
	free(frame);
	if (own)
		libdw->cfi_end(own);
	return found;
}

/* Return: false: there is no location, or one of several operations */
static bool location_of(const struct lookup *lookup, Dwarf_Die *die, unsigned int name,
			Dwarf_Op *op)
{
	const struct libdw *libdw = lookup->debug.libdw;
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;

	if (!libdw->attr_integrate(die, name, &attribute) ||
	    libdw->getlocation_addr(&attribute, lookup->address, &ops, &count, 1) != 1 ||
	    count != 1)
		return false;
	*op = *ops;
	return true;
}

static bool find_frame(const struct lookup *lookup, unsigned int *number, int64_t *offset)
{
	Dwarf_Op op;

	*offset = 0;
	if (!location_of(lookup, &lookup->scopes[lookup->count - 1], DW_AT_frame_base, &op))
		return false;
	if (op.atom == DW_OP_call_frame_cfa)
		return find_call_frame(lookup, number, offset);
	if (op.atom >= DW_OP_breg0 && op.atom <= DW_OP_breg31)
		*offset = op.number;
	else if (op.atom < DW_OP_reg0 || op.atom > DW_OP_reg31)
		return false;
	*number = (op.atom - DW_OP_reg0) % 32;
	return true;
}

static const char *fetch(const struct lookup *lookup, Dwarf_Die *die)
{
	struct probe_variable *variable = lookup->variable;
	unsigned int number;
	int64_t offset;
	char name[8];
	Dwarf_Op op;

	if (!location_of(lookup, die, DW_AT_location, &op))
		return NOT_FETCHED;
	if (op.atom >= DW_OP_breg0 && op.atom <= DW_OP_breg31)
		return fetch_memory(lookup, op.atom - DW_OP_breg0, op.number);
	if (op.atom == DW_OP_fbreg && find_frame(lookup, &number, &offset) &&
	    !__builtin_add_overflow(offset, (int64_t)op.number, &offset))
		return fetch_memory(lookup, number, offset);
	if (op.atom < DW_OP_reg0 || op.atom > DW_OP_reg31 ||
	    !register_name(lookup->debug.machine, op.atom - DW_OP_reg0, name))
		return NOT_FETCHED;
	snprintf(variable->fetch, sizeof(variable->fetch), "%%%s", name);
	return NULL;
}

static bool is_variable(const struct libdw *libdw, Dwarf_Die *die, const char *name)
{
	const int tag = libdw->tag(die);
	const char *own = NULL;

	if (tag == DW_TAG_formal_parameter || tag == DW_TAG_variable)
		own = string_of(libdw, die, DW_AT_name);
	return own && !strcmp(own, name);
}

/* The variable of the innermost scope counts, as in the source. */
static const char *find_variable(const struct lookup *lookup, const char *name)
{
	const struct libdw *libdw = lookup->debug.libdw;
	const char *why;
	Dwarf_Die die;
	bool real;
	int i, end;

	for (i = 0; i < lookup->count; i++)
		for (end = libdw->child(&lookup->scopes[i], &die); !end;
		     end = libdw->siblingof(&die, &die)) {
			if (!is_variable(libdw, &die, name))
				continue;
			why = type_of(libdw, &die, lookup->variable->type, &real);
			return why ? why : fetch(lookup, &die);
		}
	return "the function has no such variable there";
}

static const char *look_up(struct lookup *lookup, const char *name)
{
	const struct libdw *libdw = lookup->debug.libdw;
	int all = program_scopes(&lookup->debug, lookup->address, &lookup->scopes);
	Dwarf_Addr entry;

	while (lookup->count < all &&
	       libdw->tag(&lookup->scopes[lookup->count++]) != DW_TAG_subprogram)
		continue;
	if (!lookup->count ||
	    libdw->tag(&lookup->scopes[lookup->count - 1]) != DW_TAG_subprogram)
		return "its debug information describes no function there";
	if (!libdw->entrypc(&lookup->scopes[lookup->count - 1], &entry) &&
	    entry == lookup->address)
		return find_argument(lookup, &lookup->scopes[lookup->count - 1], name);
	return find_variable(lookup, name);
}

const char *program_find_variable(void *context, const char *name, struct probe_variable *variable)
{
	const struct program_place *place = context;
	struct lookup lookup = { .variable = variable };
	const char *why = program_debug_open(&lookup.debug, place->path);

	if (!why && !elf_address_of(lookup.debug.elf, place->offset, &lookup.address))
		why = "the place is in no segment of the file";
	if (!why)
		why = look_up(&lookup, name);
	free(lookup.scopes);
	program_debug_close(&lookup.debug);
	return why;
}
#else
const char *program_find_variable(void *context, const char *name, struct probe_variable *variable)
{
	(void)context, (void)name, (void)variable;
	return WITHOUT_PROGRAM_DEBUG;
}
#endif
