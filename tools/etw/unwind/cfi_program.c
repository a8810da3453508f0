// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Runs the programs of call frame information; declared in cfi.h. */
#include "cfi.h"

/* Call frame instructions; the first three have an operand in their low 6 bits */
#define CFA_ADVANCE			0x40
#define CFA_OFFSET			0x80
#define CFA_RESTORE			0xC0
#define CFA_NOP				0x00
#define CFA_SET_LOC			0x01
#define CFA_ADVANCE1			0x02
#define CFA_ADVANCE2			0x03
#define CFA_ADVANCE4			0x04
#define CFA_OFFSET_EXTENDED		0x05
#define CFA_RESTORE_EXTENDED		0x06
#define CFA_UNDEFINED			0x07
#define CFA_SAME_VALUE			0x08
#define CFA_REGISTER			0x09
#define CFA_REMEMBER			0x0A
#define CFA_RESTORE_STATE		0x0B
#define CFA_DEF_CFA			0x0C
#define CFA_DEF_CFA_REGISTER		0x0D
#define CFA_DEF_CFA_OFFSET		0x0E
#define CFA_DEF_CFA_EXPRESSION		0x0F
#define CFA_EXPRESSION			0x10
#define CFA_OFFSET_EXTENDED_SF		0x11
#define CFA_DEF_CFA_SF			0x12
#define CFA_DEF_CFA_OFFSET_SF		0x13
#define CFA_VAL_OFFSET			0x14
#define CFA_VAL_OFFSET_SF		0x15
#define CFA_VAL_EXPRESSION		0x16
/* arm64: whether the return address is signed, which the walk takes off anyway */
#define CFA_NEGATE_RA_STATE_WITH_PC	0x2C
#define CFA_NEGATE_RA_STATE		0x2D
#define CFA_GNU_ARGS_SIZE		0x2E
#define CFA_GNU_NEGATIVE_OFFSET		0x2F

/* Compilers remember one state at a time. */
#define MOST_REMEMBERED	8

/**
 * struct cfi_run - a program while it runs
 * @cie: of its entry
 * @machine: of its file
 * @bytes: what is left of it
 * @address: that @state is for
 * @state: rules
 * @stack: remembered states
 * @depth: number of these
 */
struct cfi_run {
	const struct cfi_cie *cie;
	const struct cfi_machine *machine;
	struct dwarf_bytes bytes;
	uint64_t address;
	struct cfi_state state;
	struct cfi_state stack[MOST_REMEMBERED];
	unsigned int depth;
};

/* Return: the register's rule, or NULL: rows have no rule for it */
static struct cfi_register *rule_of(struct cfi_run *run, struct cfi_state *state, uint64_t reg)
{
	if (reg == run->machine->ra)
		return &state->ra;
	return reg == run->machine->fp ? &state->fp : NULL;
}

static void set_rule(struct cfi_run *run, uint64_t reg, enum cfi_rule rule, int64_t offset)
{
	struct cfi_register *to = rule_of(run, &run->state, reg);

	if (to)
		*to = (struct cfi_register){ .rule = rule, .known = true, .offset = offset };
}

static void set_offset(struct cfi_run *run, uint64_t reg, uint64_t factored)
{
	set_rule(run, reg, CFI_OFFSET, factored * (uint64_t)run->cie->data_align);
}

static void restore(struct cfi_run *run, uint64_t reg)
{
	struct cfi_register *to = rule_of(run, &run->state, reg);

	if (to)
		*to = reg == run->machine->ra ? run->cie->initial.ra : run->cie->initial.fp;
}

static void set_expression(struct cfi_run *run)
{
	uint64_t size = dwarf_uleb(&run->bytes);

	run->state.expression = run->bytes.at;
	run->state.expression_size = size;
	dwarf_skip(&run->bytes, size);
}

static void set_cfa(struct cfi_run *run, uint64_t reg, int64_t offset)
{
	run->state.expression = NULL;
	run->state.reg = reg;
	run->state.offset = offset;
}

static void skip_block(struct cfi_run *run)
{
	dwarf_skip(&run->bytes, dwarf_uleb(&run->bytes));
}

/* Return: false: the program is damaged */
static bool remember(struct cfi_run *run)
{
	if (run->depth == MOST_REMEMBERED)
		return false;
	run->stack[run->depth++] = run->state;
	return true;
}

static bool restore_state(struct cfi_run *run)
{
	if (!run->depth)
		return false;
	run->state = run->stack[--run->depth];
	return true;
}

/* Rules of registers. Return: false: the instruction is another one */
static bool run_rule(struct cfi_run *run, uint8_t code)
{
	struct dwarf_bytes *bytes = &run->bytes;
	uint64_t reg = code & 0x3F;

	if ((code & 0xC0) == CFA_OFFSET) {
		set_offset(run, reg, dwarf_uleb(bytes));
		return true;
	}
	if ((code & 0xC0) == CFA_RESTORE) {
		restore(run, reg);
		return true;
	}
	if (code < CFA_OFFSET_EXTENDED || (code > CFA_REGISTER && code < CFA_EXPRESSION) ||
	    (code > CFA_VAL_EXPRESSION && code != CFA_GNU_NEGATIVE_OFFSET) ||
	    code == CFA_DEF_CFA_SF || code == CFA_DEF_CFA_OFFSET_SF)
		return false;
	reg = dwarf_uleb(bytes);
	switch (code) {
	case CFA_OFFSET_EXTENDED:
		set_offset(run, reg, dwarf_uleb(bytes));
		break;
	case CFA_OFFSET_EXTENDED_SF:
		set_offset(run, reg, dwarf_sleb(bytes));
		break;
	case CFA_GNU_NEGATIVE_OFFSET:
		set_offset(run, reg, -dwarf_uleb(bytes));
		break;
	case CFA_RESTORE_EXTENDED:
		restore(run, reg);
		break;
	case CFA_UNDEFINED:
		set_rule(run, reg, CFI_UNDEFINED, 0);
		break;
	case CFA_SAME_VALUE:
		set_rule(run, reg, CFI_SAME, 0);
		break;
	case CFA_EXPRESSION:
	case CFA_VAL_EXPRESSION:
		skip_block(run);
		set_rule(run, reg, CFI_OTHER, 0);
		break;
	default:
		dwarf_uleb(bytes);
		set_rule(run, reg, CFI_OTHER, 0);
	}
	return true;
}

/* All but rules of registers and distances. Return: false: the program cannot be read */
static bool run_other(struct cfi_run *run, uint8_t code)
{
	struct dwarf_bytes *bytes = &run->bytes;
	uint64_t reg;

	switch (code) {
	case CFA_NOP:
	case CFA_NEGATE_RA_STATE:
	case CFA_NEGATE_RA_STATE_WITH_PC:
		return true;
	case CFA_GNU_ARGS_SIZE:
		dwarf_uleb(bytes);
		return true;
	case CFA_REMEMBER:
		return remember(run);
	case CFA_RESTORE_STATE:
		return restore_state(run);
	case CFA_DEF_CFA:
		reg = dwarf_uleb(bytes);
		set_cfa(run, reg, dwarf_uleb(bytes));
		return true;
	case CFA_DEF_CFA_SF:
		reg = dwarf_uleb(bytes);
		set_cfa(run, reg, (uint64_t)dwarf_sleb(bytes) * (uint64_t)run->cie->data_align);
		return true;
	case CFA_DEF_CFA_REGISTER:
		set_cfa(run, dwarf_uleb(bytes), run->state.offset);
		return true;
	case CFA_DEF_CFA_OFFSET:
		set_cfa(run, run->state.reg, dwarf_uleb(bytes));
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		set_cfa(run, run->state.reg,
			(uint64_t)dwarf_sleb(bytes) * (uint64_t)run->cie->data_align);
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		set_expression(run);
		return true;
	default:
		return false;
	}
}

/* Return: bytes of the operand of an instruction that advances; 0: in the instruction */
static int advance_width(uint8_t code)
{
	switch (code) {
	case CFA_ADVANCE1:
		return 1;
	case CFA_ADVANCE2:
		return 2;
	case CFA_ADVANCE4:
		return 4;
	default:
		return (code & 0xC0) == CFA_ADVANCE ? 0 : -1;
	}
}

bool cfi_run_initial(const struct cfi_machine *machine, struct cfi_cie *cie,
		     struct dwarf_bytes program)
{
	struct cfi_run run = { .cie = cie, .machine = machine, .bytes = program };
	uint8_t code;

	while (run.bytes.at < run.bytes.end) {
		code = dwarf_number(&run.bytes, 1);
		if (!run_rule(&run, code) && !run_other(&run, code))
			return false;
	}
	cie->initial = run.state;
	return !run.bytes.bad;
}

/* An address that goes back, or an instruction that is unknown, ends what can be read. */
bool cfi_run(const struct cfi_entry *entry, cfi_row *take, void *context)
{
	const struct cfi_cie *cie = &entry->section->cie[entry->cie];
	struct cfi_run run = {
		.cie = cie, .machine = entry->section->machine, .bytes = entry->program,
		.address = entry->start, .state = cie->initial,
	};
	uint64_t distance;
	uint8_t code;
	int width;

	while (run.bytes.at < run.bytes.end) {
		code = dwarf_number(&run.bytes, 1);
		width = advance_width(code);
		if (width < 0) {
			if (!run_rule(&run, code) && !run_other(&run, code))
				run.bytes.bad = true;
			if (run.bytes.bad)
				break;
			continue;
		}
		distance = width ? dwarf_number(&run.bytes, width) : code & 0x3F;
		run.bytes.bad |= __builtin_mul_overflow(distance, cie->code_align, &distance);
		if (run.bytes.bad || distance >= entry->end - run.address)
			break;
		if (distance && !take(context, run.address, &run.state))
			return false;
		run.address += distance;
	}
	return take(context, run.address, run.bytes.bad ? NULL : &run.state);
}
