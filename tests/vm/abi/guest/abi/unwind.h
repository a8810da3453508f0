/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Cases of UNWIND_TABLE that need no file; vm/stacks/test_unwind has the others. */
#ifndef ETW_TEST_ABI_UNWIND_H
#define ETW_TEST_ABI_UNWIND_H

#include "etw_unwind.h"

/* Part of the table in cases.h, with its macros */
#define UNWIND_SIZE	P(unwind_table, size, sizeof(struct etw_unwind_table))
#define UNWIND_ID	P(unwind_table, logger_id, RUNNING)
#define UNWIND_NO_FILE	P(unwind_table, fd, -1U)
#define UNWIND_ROWS(nr)	P(unwind_table, nr_rows, nr), P(unwind_table, rows, BUFFER)

#define UNWIND_CASES \
	{ "UNWIND_TABLE, no file", ETW_IOC_UNWIND_TABLE, \
	  { UNWIND_SIZE, UNWIND_ID, UNWIND_NO_FILE, UNWIND_ROWS(1) }, EBADF }, \
	{ "UNWIND_TABLE, size 31", ETW_IOC_UNWIND_TABLE, \
	  { P(unwind_table, size, 31), UNWIND_ID, UNWIND_NO_FILE, UNWIND_ROWS(1) }, EINVAL }, \
	{ "UNWIND_TABLE, larger, tail zero", ETW_IOC_UNWIND_TABLE, \
	  { P(unwind_table, size, 40), UNWIND_ID, UNWIND_NO_FILE, UNWIND_ROWS(1) }, EBADF }, \
	{ "UNWIND_TABLE, larger, tail set", ETW_IOC_UNWIND_TABLE, \
	  { P(unwind_table, size, 40), UNWIND_ID, UNWIND_NO_FILE, UNWIND_ROWS(1), \
	    BEHIND(unwind_table, 1) }, E2BIG }, \
	{ "UNWIND_TABLE, no row", ETW_IOC_UNWIND_TABLE, \
	  { UNWIND_SIZE, UNWIND_ID, UNWIND_NO_FILE, UNWIND_ROWS(0) }, EINVAL }, \
	{ "UNWIND_TABLE, a row too many", ETW_IOC_UNWIND_TABLE, \
	  { UNWIND_SIZE, UNWIND_ID, UNWIND_NO_FILE, UNWIND_ROWS(ETW_MAX_UNWIND_ROWS + 1) }, \
	  EINVAL }, \
	{ "UNWIND_TABLE, error_row set", ETW_IOC_UNWIND_TABLE, \
	  { UNWIND_SIZE, UNWIND_ID, UNWIND_NO_FILE, UNWIND_ROWS(1), \
	    P(unwind_table, error_row, 1) }, EINVAL }, \
	{ "UNWIND_TABLE, an unknown flag", ETW_IOC_UNWIND_TABLE, \
	  { UNWIND_SIZE, UNWIND_ID, UNWIND_NO_FILE, UNWIND_ROWS(1), \
	    P(unwind_table, flags, 2) }, EINVAL }, \
	{ "UNWIND_TABLE, the vDSO with a file", ETW_IOC_UNWIND_TABLE, \
	  { UNWIND_SIZE, UNWIND_ID, P(unwind_table, fd, 0), UNWIND_ROWS(1), \
	    P(unwind_table, flags, ETW_UNWIND_VDSO) }, EINVAL }

#endif /* ETW_TEST_ABI_UNWIND_H */
