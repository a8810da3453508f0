/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What failnth makes fail of stacks: their buffers, slots and caches. */
#ifndef ETW_TEST_FAILNTH_STACKS_H
#define ETW_TEST_FAILNTH_STACKS_H

#include "operations.h"

/* Buffers of CPUs, slots of threads, keys */
static const __u32 stack_items[] = {
	ARRAY_HEAD(10, 3), ARRAY_ITEM(2, ENABLE_FLAGS), EVENT_TRACE_FLAG_CSWITCH,
	ARRAY_ITEM(4, STACKWALK_FILTER), PERFINFO_LOG_TYPE_CONTEXTSWAP,
	PERFINFO_LOG_TYPE_READYTHREAD, WMI_LOG_TYPE_THREAD_CREATE,
	ARRAY_ITEM(3, STACK_CACHING), 1 << 16, 64,
};

#define STACKS	.wish.items = stack_items, \
		.wish.dwords = sizeof(stack_items) / sizeof(stack_items[0])

static int stacks_run(const struct operation *op)
{
	struct wish wish = op->wish;

	wish.buffers = 0;
	wish.minimum = 0;
	wish.items = stack_items;
	wish.dwords = sizeof(stack_items) / sizeof(stack_items[0]);
	return change_session(&wish);
}

/* They are there already when UPDATE takes them out, and asks for them again. */
static int stacks_off_prepare(const struct operation *op)
{
	struct wish wish = op->wish;

	if (update_prepare(op))
		return 1;
	wish.items = NULL;
	wish.dwords = 0;
	wish.buffers = 0;
	wish.minimum = 0;
	return !!update_session(control, id, &wish);
}

#define STACK_OPERATIONS \
	{ .name = "START, stacks", WISH("stacks", 64, 16, SWITCHES, QUIET), STACKS, START }, \
	{ .name = "UPDATE, stacks", WISH("stacks", 64, 16, SWITCHES, QUIET), \
	  .prepare = update_prepare, .run = stacks_run, .finish = update_finish }, \
	{ .name = "UPDATE, stacks off and on", WISH("stacks", 64, 16, SWITCHES, QUIET), STACKS, \
	  .prepare = stacks_off_prepare, .run = stacks_run, .finish = update_finish }, \
	{ .name = "STOP of one with stacks", WISH("stacks", 64, 16, SWITCHES, QUIET), STACKS, \
	  ON(discard_run, gone_finish), .never_fails = 1 }

#endif /* ETW_TEST_FAILNTH_STACKS_H */
