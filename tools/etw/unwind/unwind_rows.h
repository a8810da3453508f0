/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* From rules of call frame information to rows of an unwind table. */
#ifndef ETW_UNWIND_ROWS_H
#define ETW_UNWIND_ROWS_H

#include "cfi.h"
#include "unwind_table.h"

/* The row of a state, without its offset */
struct etw_unwind_row unwind_row_of(const struct cfi_machine *machine, bool signal,
				    const struct cfi_state *state);

/**
 * unwind_rows_add() - add the rows of a segment
 * @table: rows are added behind those that it has
 * @segment: its offsets are above those of earlier segments
 * @entries: sorted by address
 *
 * Code of two entries has the rules of the first one. What no entry describes has a row of
 * ETW_UNWIND_NONE.
 *
 * Return: NULL, or in words, why they cannot be added.
 */
const char *unwind_rows_add(struct unwind_table *table, const struct unwind_segment *segment,
			    const struct cfi_entries *entries);

#endif /* ETW_UNWIND_ROWS_H */
