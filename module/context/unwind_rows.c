// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Rows of an unwind table are checked and packed; pure. */
#include <linux/string.h>
#include "unwind_rows.h"

/*
 * A row takes 6 bytes instead of 12, because a program has few different rules. A search
 * touches the offsets only, and then one rule.
 */

static int is_good(const struct etw_unwind_row *row)
{
	return row->cfa < ETW_UNWIND_CFAS && !row->flags;
}

/**
 * etw_unwind_refused_row() - check the rows of a table
 * @rows: rows as a caller gave them
 * @nr: number of rows
 *
 * Offsets ascend, each CFA rule is known, and flags are 0. Any other value is safe, because
 * the walk checks what the rules result in.
 *
 * Return: 0; or the number of the first bad row, counted from 1.
 */
__u32 etw_unwind_refused_row(const struct etw_unwind_row *rows, __u32 nr)
{
	__u32 i;

	for (i = 0; i < nr; i++)
		if (!is_good(&rows[i]) || (i && rows[i].offset <= rows[i - 1].offset))
			return i + 1;
	return 0;
}

static __u64 rule_of(const struct etw_unwind_row *row)
{
	union etw_unwind_rule rule = { .cfa = row->cfa, .known = 1 };

	/* nothing else is used of these */
	if (row->cfa == ETW_UNWIND_NONE || row->cfa == ETW_UNWIND_END ||
	    row->cfa == ETW_UNWIND_SIGNAL)
		return rule.word;
	rule.cfa_offset = row->cfa_offset;
	rule.ra_offset = row->ra_offset;
	rule.fp_offset = row->fp_offset;
	return rule.word;
}

/* Where a rule is in the hash table, or could be: at most half of the places are used. */
static __u32 place_of(const struct etw_unwind_scratch *scratch, __u64 rule)
{
	__u32 at = (rule * scratch->factor) >> 47;

	while (scratch->place[at] && scratch->rule[scratch->place[at] - 1] != rule)
		at = (at + 1) % (2 * ETW_UNWIND_RULES);
	return at;
}

/* Return: 0 if there are too many different rules. */
static int enter(struct etw_unwind_scratch *scratch, __u64 rule)
{
	__u32 at = place_of(scratch, rule);

	if (scratch->place[at])
		return 1;
	if (scratch->nr == ETW_UNWIND_RULES)
		return 0;
	scratch->rule[scratch->nr] = rule;
	scratch->place[at] = ++scratch->nr;
	return 1;
}

/**
 * etw_unwind_merge() - drop rows that repeat the rules of the row before, and collect rules
 * @rows: in: good rows; out: those that stay
 * @nr: number of rows, at least 1
 * @scratch: in: the factor, and zeros; out: the different rules
 *
 * Return: number of rows that stay; 0 if there are more than ETW_UNWIND_RULES different rules.
 */
__u32 etw_unwind_merge(struct etw_unwind_row *rows, __u32 nr, struct etw_unwind_scratch *scratch)
{
	__u64 rule, before = 0;
	__u32 i, stay = 0;

	for (i = 0; i < nr; i++) {
		rule = rule_of(&rows[i]);
		if (rule == before)
			continue;
		if (!enter(scratch, rule))
			return 0;
		rows[stay++] = rows[i];
		before = rule;
	}
	return stay;
}

/**
 * etw_unwind_rows_bytes() - memory of packed rows
 * @nr: number of rows
 * @nr_rules: number of rules
 */
__u64 etw_unwind_rows_bytes(__u32 nr, __u32 nr_rules)
{
	return nr_rules * (__u64)sizeof(__u64) + nr * (__u64)(sizeof(__u32) + sizeof(__u16));
}

/**
 * etw_unwind_pack() - pack the rows of a table
 * @to: out: the packed rows
 * @block: memory of etw_unwind_rows_bytes() bytes, aligned for a __u64
 * @rows: rows that etw_unwind_merge() left
 * @nr: number of rows
 * @scratch: out of etw_unwind_merge()
 */
void etw_unwind_pack(struct etw_unwind_rows *to, void *block, const struct etw_unwind_row *rows,
		     __u32 nr, const struct etw_unwind_scratch *scratch)
{
	__u32 i;

	to->nr = nr;
	to->nr_rules = scratch->nr;
	to->rule = block;
	to->offset = (__u32 *)(to->rule + scratch->nr);
	to->rule_of = (__u16 *)(to->offset + nr);
	memcpy(to->rule, scratch->rule, scratch->nr * sizeof(to->rule[0]));
	for (i = 0; i < nr; i++) {
		to->offset[i] = rows[i].offset;
		to->rule_of[i] = scratch->place[place_of(scratch, rule_of(&rows[i]))] - 1;
	}
}
