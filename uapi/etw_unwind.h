/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Unwind tables of executable files, by which user stacks are walked without frame pointers. */
#ifndef _UAPI_ETW_UNWIND_H
#define _UAPI_ETW_UNWIND_H

#include <linux/types.h>
#include "etw_format.h"

/**
 * enum etw_unwind_cfa - where the canonical frame address (CFA) is
 * @ETW_UNWIND_NONE: unknown; the walk goes on by the frame pointer
 * @ETW_UNWIND_SP: stack pointer + @cfa_offset
 * @ETW_UNWIND_FP: frame pointer + @cfa_offset
 * @ETW_UNWIND_PLT: x86_64, in a procedure linkage table: stack pointer + 8, and 8 more if
 *	the low 4 bits of the instruction pointer are @cfa_offset or above
 * @ETW_UNWIND_SP_DEREF: the word at stack pointer + @cfa_offset
 * @ETW_UNWIND_FP_DEREF: the word at frame pointer + @cfa_offset
 * @ETW_UNWIND_SIGNAL: a signal frame at the stack pointer: all registers are in its
 *	ucontext
 * @ETW_UNWIND_END: outermost function: the stack is complete
 * @ETW_UNWIND_CFAS: number of these
 */
enum etw_unwind_cfa {
	ETW_UNWIND_NONE,
	ETW_UNWIND_SP,
	ETW_UNWIND_FP,
	ETW_UNWIND_PLT,
	ETW_UNWIND_SP_DEREF,
	ETW_UNWIND_FP_DEREF,
	ETW_UNWIND_SIGNAL,
	ETW_UNWIND_END,
	ETW_UNWIND_CFAS,
};

/* @ra_offset: the return address is still in the link register (arm64) */
#define ETW_UNWIND_RA_REGISTER	((__s16)0x7FFF)
/* @fp_offset: the caller's frame pointer is still in its register */
#define ETW_UNWIND_FP_SAME	((__s16)0x7FFF)

/**
 * struct etw_unwind_row - rules from an address up to the next row's
 * @offset: of the first instruction, in bytes from the file's start. Rows ascend
 * @cfa_offset: bytes
 * @cfa: enum etw_unwind_cfa
 * @flags: 0
 * @ra_offset: the return address is at CFA + @ra_offset; or ETW_UNWIND_RA_REGISTER
 * @fp_offset: the caller's frame pointer is at CFA + @fp_offset; or ETW_UNWIND_FP_SAME
 *
 * The caller's stack pointer is the CFA. A row of ETW_UNWIND_NONE ends the last function.
 */
struct etw_unwind_row {
	__u32 offset;
	__s16 cfa_offset;
	__u8 cfa;
	__u8 flags;
	__s16 ra_offset;
	__s16 fp_offset;
};

ETW_ASSERT_SIZE(struct etw_unwind_row, 12);

/* Rows of a table */
#define ETW_MAX_UNWIND_ROWS	0x200000U

/* @flags: the table is that of the kernel's vDSO for 64-bit programs, which is no file */
#define ETW_UNWIND_VDSO		0x1U

/**
 * struct etw_unwind_table - argument of UNWIND_TABLE: hand a table to a session
 * @size: sizeof(struct etw_unwind_table)
 * @logger_id: which session; running, with stacks
 * @fd: the executable file, open for reading; the table belongs to its inode and change
 *	time. -1 with ETW_UNWIND_VDSO
 * @nr_rows: number of rows, 1 to ETW_MAX_UNWIND_ROWS
 * @rows: address of the rows
 * @error_row: in: 0; out, with EINVAL: the row that was refused, counted from 1
 * @flags: 0 or ETW_UNWIND_VDSO
 *
 * A table of the same file replaces the earlier one. If the session's memory for tables is
 * used up, the table that was used least recently is given back.
 */
struct etw_unwind_table {
	__u32 size;
	__u32 logger_id;
	__s32 fd;
	__u32 nr_rows;
	__u64 rows;
	__u32 error_row;
	__u32 flags;
};

ETW_ASSERT_SIZE(struct etw_unwind_table, 32);

/**
 * enum etw_unwind_end - why the walk of a user stack by tables ended
 * @ETW_UNWIND_GOES_ON: not at all
 * @ETW_UNWIND_END_COMPLETE: at the outermost function
 * @ETW_UNWIND_END_NO_TABLE: no table for the code, and the frame pointer leads nowhere
 * @ETW_UNWIND_END_NOT_PRESENT: a page is not in memory
 * @ETW_UNWIND_END_RULE: the table has no rule for the code, or a wrong one
 * @ETW_UNWIND_END_LIMIT: the most frames that a stack may have
 * @ETW_UNWIND_ENDS: number of these
 */
enum etw_unwind_end {
	ETW_UNWIND_GOES_ON,
	ETW_UNWIND_END_COMPLETE,
	ETW_UNWIND_END_NO_TABLE,
	ETW_UNWIND_END_NOT_PRESENT,
	ETW_UNWIND_END_RULE,
	ETW_UNWIND_END_LIMIT,
	ETW_UNWIND_ENDS,
};

#endif /* _UAPI_ETW_UNWIND_H */
