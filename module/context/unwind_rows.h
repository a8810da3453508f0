/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Rows of an unwind table: checked, packed and searched; pure. */
#ifndef ETW_UNWIND_ROWS_H
#define ETW_UNWIND_ROWS_H

#include <linux/types.h>
#include "etw_unwind.h"

/**
 * union etw_unwind_rule - the rules of a row, in one word
 * @cfa_offset: as in struct etw_unwind_row
 * @cfa: enum etw_unwind_cfa
 * @known: 1: of a table; 0: there is no table, and the rest is 0
 * @ra_offset: as in struct etw_unwind_row
 * @fp_offset: as in struct etw_unwind_row
 * @word: all of them
 */
union etw_unwind_rule {
	struct {
		__s16 cfa_offset;
		__u8 cfa;
		__u8 known;
		__s16 ra_offset;
		__s16 fp_offset;
	};
	__u64 word;
};

/* Different rules of a table; large programs have some thousand */
#define ETW_UNWIND_RULES	0x10000U

/**
 * struct etw_unwind_scratch - memory for the packing of a table
 * @factor: random odd number of the hash; otherwise a caller could choose rules that share
 *	one place
 * @nr: number of rules
 * @rule: different rules, in the order of their first row
 * @place: hash table: number of a rule plus 1, or 0
 */
struct etw_unwind_scratch {
	__u64 factor;
	__u32 nr;
	__u64 rule[ETW_UNWIND_RULES];
	__u32 place[2 * ETW_UNWIND_RULES];
};

/**
 * struct etw_unwind_rows - packed rows
 * @nr: number of rows; neighbours have different rules
 * @nr_rules: number of rules
 * @rule: different rules
 * @offset: of each row in the file, ascending
 * @rule_of: for each row the number of its rule
 *
 * The arrays lie behind each other in one block of etw_unwind_rows_bytes() bytes.
 */
struct etw_unwind_rows {
	__u32 nr;
	__u32 nr_rules;
	__u64 *rule;
	__u32 *offset;
	__u16 *rule_of;
};

__u32 etw_unwind_refused_row(const struct etw_unwind_row *rows, __u32 nr);
__u32 etw_unwind_merge(struct etw_unwind_row *rows, __u32 nr, struct etw_unwind_scratch *scratch);
__u64 etw_unwind_rows_bytes(__u32 nr, __u32 nr_rules);
void etw_unwind_pack(struct etw_unwind_rows *to, void *block, const struct etw_unwind_row *rows,
		     __u32 nr, const struct etw_unwind_scratch *scratch);

/**
 * etw_unwind_find() - the rules of an instruction
 * @rows: packed rows
 * @offset: of the instruction in the file
 *
 * Context: any. Return: the rule's word; that of ETW_UNWIND_NONE before the first row.
 */
static inline __u64 etw_unwind_find(const struct etw_unwind_rows *rows, __u32 offset)
{
	const union etw_unwind_rule none = { .known = 1 };
	const __u32 *at = rows->offset;
	__u32 nr = rows->nr;

	if (offset < *at)
		return none.word;
	/* the row is one of @nr from @at on; the first one is not above the instruction */
	while (nr > 1) {
		__u32 half = nr / 2;

		if (at[half] <= offset)
			at += half;
		nr -= half;
	}
	return rows->rule[rows->rule_of[at - rows->offset]];
}

#endif /* ETW_UNWIND_ROWS_H */
