/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Where the user part of a stack ends, and why there. */
#ifndef ETW_STAT_STACK_ENDS_H
#define ETW_STAT_STACK_ENDS_H

#include "libetl/event_stacks.h"
#include "symbols/symbols.h"

enum stack_end {
	STACK_WHOLE,		/* in the outermost function */
	STACK_KERNEL,		/* there is no user part */
	STACK_LIMIT,		/* it has as many frames as a stack may have */
	STACK_HAS_RULE,		/* the file has a rule for the code of the last frame */
	STACK_NO_RULE,		/* the file has none for that code */
	STACK_NO_TABLE,		/* the file has no call frame information */
	STACK_UNREADABLE,	/* the file is not here */
	STACK_NO_FILE,		/* the last frame is in no file */
	STACK_ENDS,
};

struct end_finder;

/* @symbols: of the trace, ready; kept. Return: NULL: no memory */
struct end_finder *end_finder_new(struct symbols *symbols, const char *sysroot);
/* @module: number of the file that the stack ends in, or MAP_NONE. Return: -1: no memory */
int stack_end_of(struct end_finder *finder, const struct stack_event *event, enum stack_end *end,
		 size_t *module);
void end_finder_free(struct end_finder *finder);

#endif /* ETW_STAT_STACK_ENDS_H */
