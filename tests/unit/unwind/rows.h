/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the programs of this test share: a packed table, and memory that a walk reads. */
#ifndef ETW_TEST_UNWIND_ROWS_H
#define ETW_TEST_UNWIND_ROWS_H

#include <stdbool.h>
#include <stdlib.h>
#include "context/unwind_rows.h"
#include "context/unwind_step.h"

/* Return: false if the rows have too many rules. @rows is changed. */
static inline bool pack_rows(struct etw_unwind_rows *to, struct etw_unwind_row *rows, __u32 nr)
{
	struct etw_unwind_scratch *scratch = calloc(1, sizeof(*scratch));
	__u32 stay;

	scratch->factor = 0x9E3779B97F4A7C15ULL;
	stay = etw_unwind_merge(rows, nr, scratch);
	if (stay)
		etw_unwind_pack(to, malloc(etw_unwind_rows_bytes(stay, scratch->nr)), rows, stay,
				scratch);
	free(scratch);
	return stay;
}

#endif /* ETW_TEST_UNWIND_ROWS_H */
