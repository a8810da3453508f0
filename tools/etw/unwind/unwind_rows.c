// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* From rules of call frame information to rows of an unwind table. */
#include "libetl/array.h"
#include "unwind_rows.h"

/* Operations of DWARF expressions */
#define OP_DEREF	0x06
#define OP_LIT0		0x30
#define OP_LIT15	0x3F
#define OP_BREG0	0x70
#define OP_BREG31	0x8F

static bool fits(int64_t offset)
{
	return offset >= INT16_MIN && offset < INT16_MAX;
}

/*
 * GNU ld describes the entries of a procedure linkage table by: rsp + 8 + ((rip & 15) >= N) * 8.
 * Return: N, or 0: it is another expression
 */
static unsigned int plt_limit(const struct cfi_state *state)
{
	static const uint8_t plt[] = {
		0x77, 0x08,	/* rsp + 8 */
		0x80, 0x00,	/* rip + 0 */
		0x3F, 0x1A,	/* & 15 */
		0x30, 0x2A,	/* >= N */
		0x33, 0x24,	/* << 3 */
		0x22,		/* + */
	};
	size_t i, limit = 0;

	if (state->expression_size != sizeof(plt))
		return 0;
	for (i = 0; i < sizeof(plt); i++) {
		if (plt[i] == OP_LIT0 && state->expression[i] <= OP_LIT15)
			limit = state->expression[i] - OP_LIT0;
		else if (plt[i] != state->expression[i])
			return 0;
	}
	return limit;
}

/* [register + offset]: a function that aligned its stack has it. Return: false: it is another */
static bool take_deref(const struct cfi_state *state, uint64_t *reg, int64_t *offset)
{
	struct dwarf_bytes bytes = { state->expression,
				     state->expression + state->expression_size, false };
	uint64_t op = dwarf_number(&bytes, 1);

	*reg = op - OP_BREG0;
	*offset = dwarf_sleb(&bytes);
	return op >= OP_BREG0 && op <= OP_BREG31 && dwarf_number(&bytes, 1) == OP_DEREF &&
	       !bytes.bad && bytes.at == bytes.end;
}

static uint8_t cfa_by_expression(const struct cfi_machine *machine, const struct cfi_state *state,
				 int64_t *offset)
{
	uint64_t reg;

	*offset = machine->link ? 0 : plt_limit(state);
	if (*offset)
		return ETW_UNWIND_PLT;
	if (!take_deref(state, &reg, offset))
		return ETW_UNWIND_NONE;
	if (reg == machine->sp)
		return ETW_UNWIND_SP_DEREF;
	return reg == machine->fp ? ETW_UNWIND_FP_DEREF : ETW_UNWIND_NONE;
}

static uint8_t cfa_of(const struct cfi_machine *machine, const struct cfi_state *state,
		      int64_t *offset)
{
	if (state->expression)
		return cfa_by_expression(machine, state, offset);
	*offset = state->offset;
	if (state->reg == machine->sp)
		return ETW_UNWIND_SP;
	return state->reg == machine->fp ? ETW_UNWIND_FP : ETW_UNWIND_NONE;
}

/*
 * The offset of a saved register. Return: false: its rule cannot be expressed, as of the frame
 * pointer in a function that aligned its stack
 */
static bool take_rule(const struct cfi_register *rule, int16_t *to)
{
	if (rule->rule == CFI_OTHER || (rule->rule == CFI_OFFSET && !fits(rule->offset)))
		return false;
	*to = rule->rule == CFI_OFFSET ? rule->offset : ETW_UNWIND_FP_SAME;
	return true;
}

struct etw_unwind_row unwind_row_of(const struct cfi_machine *machine, bool signal,
				    const struct cfi_state *state)
{
	const struct etw_unwind_row none = { .cfa = ETW_UNWIND_NONE };
	struct etw_unwind_row row = none;
	int64_t offset = 0;

	if (!state)
		return none;
	/* other trampolines of x86_64 have no ucontext at the stack pointer */
	if (signal && (machine->link || state->expression)) {
		row.cfa = ETW_UNWIND_SIGNAL;
		return row;
	}
	if (state->ra.rule == CFI_UNDEFINED) {
		row.cfa = ETW_UNWIND_END;
		return row;
	}
	if (state->ra.rule == CFI_SAME && !machine->link)
		return none;
	row.cfa = cfa_of(machine, state, &offset);
	if (row.cfa == ETW_UNWIND_NONE || !fits(offset) ||
	    !take_rule(&state->ra, &row.ra_offset) || !take_rule(&state->fp, &row.fp_offset))
		return none;
	row.cfa_offset = offset;
	return row;
}

/**
 * struct adding - rows while they are added
 * @table: that gets them
 * @segment: of the entry
 * @entry: its program runs
 * @end: behind the last address that has rows
 * @why: reason of a failure in words
 */
struct adding {
	struct unwind_table *table;
	const struct unwind_segment *segment;
	const struct cfi_entry *entry;
	uint64_t end;
	const char *why;
};

static bool is_equal(const struct etw_unwind_row *a, const struct etw_unwind_row *b)
{
	return a->cfa == b->cfa && a->cfa_offset == b->cfa_offset &&
	       a->ra_offset == b->ra_offset && a->fp_offset == b->fp_offset;
}

static bool add_row(struct adding *adding, uint64_t address, struct etw_unwind_row row)
{
	struct unwind_table *table = adding->table;
	struct etw_unwind_row *last;

	row.offset = address - adding->segment->address + adding->segment->offset;
	/* of several rows of an offset the last one counts */
	last = table->rows ? &table->row[table->rows - 1] : NULL;
	if (last && last->offset == row.offset) {
		table->rows--;
		last = table->rows ? last - 1 : NULL;
	}
	if (last && is_equal(last, &row))
		return true;
	if (table->rows == ETW_MAX_UNWIND_ROWS)
		adding->why = "it needs more than 2097152 rows";
	else if (!array_grow((void **)&table->row, &table->room, table->rows + 1,
			     sizeof(*table->row)))
		adding->why = "there is no memory for its table";
	if (adding->why)
		return false;
	table->row[table->rows++] = row;
	return true;
}

/* Rows before the end of the earlier entry move to that end. */
static bool add_state(void *context, uint64_t address, const struct cfi_state *state)
{
	struct adding *adding = context;
	const struct cfi_entry *entry = adding->entry;

	return add_row(adding, address > adding->end ? address : adding->end,
		       unwind_row_of(entry->section->machine,
				     entry->section->cie[entry->cie].signal, state));
}

static bool add_entry(struct adding *adding, const struct cfi_entry *entry)
{
	const struct etw_unwind_row none = { .cfa = ETW_UNWIND_NONE };
	const struct unwind_segment *segment = adding->segment;

	if (entry->start < segment->address || entry->end <= adding->end ||
	    entry->end - segment->address > segment->size)
		return true;
	if (entry->start > adding->end && !add_row(adding, adding->end, none))
		return false;
	adding->entry = entry;
	if (!cfi_run(entry, add_state, adding))
		return false;
	adding->end = entry->end;
	return true;
}

const char *unwind_rows_add(struct unwind_table *table, const struct unwind_segment *segment,
			    const struct cfi_entries *entries)
{
	const struct etw_unwind_row none = { .cfa = ETW_UNWIND_NONE };
	struct adding adding = { .table = table, .segment = segment, .end = segment->address };
	size_t i;

	for (i = 0; i < entries->count; i++)
		if (!add_entry(&adding, &entries->entry[i]))
			return adding.why;
	add_row(&adding, adding.end, none);
	return adding.why;
}
