/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What failnth makes fail of the groups of events that have sources of their own. */
#ifndef ETW_TEST_FAILNTH_GROUPS_H
#define ETW_TEST_FAILNTH_GROUPS_H

#include "counters.h"

#define GROUP(name, m0, m1, m2) \
	static const __u32 name[] = { \
		ARRAY_HEAD(5, 1), ARRAY_ITEM(4, ENABLE_FLAGS), \
		PERF_MASK_BITS(m0), PERF_MASK_BITS(m1), PERF_MASK_BITS(m2), \
	}

GROUP(files, PERF_FILE_IO | PERF_FILE_IO_INIT, 0, 0);
GROUP(page_faults, PERF_ALL_FAULTS | PERF_HARD_FAULTS, 0, 0);
GROUP(virtual_memory, 0, PERF_VIRTUAL_ALLOC, 0);
GROUP(pool, 0, PERF_POOL, 0);
GROUP(calls, 0, 0, PERF_SYSCALL);
GROUP(interrupts, 0, PERF_DPC | PERF_INTERRUPT, 0);
GROUP(priorities, 0, PERF_PRIORITY, 0);
GROUP(process_counters, PERF_PROCESS_COUNTERS, 0, 0);
GROUP(migration, 0, 0, PERF_LOAD_BALANCER);

static int no_group_prepare(const struct operation *op)
{
	struct wish wish = op->wish;

	wish.items = NULL;
	wish.dwords = 0;
	if (start_session(control, &wish, &id))
		return 1;
	watched = id;
	return 0;
}

static int group_run(const struct operation *op)
{
	struct wish wish = op->wish;

	wish.buffers = 0;
	wish.minimum = 0;
	return change_session(&wish);
}

#define OF_GROUP(group) \
	WISH("group", 4, 4, KERNEL, QUIET), .wish.items = group, \
	.wish.dwords = sizeof(group) / sizeof(group[0])
/*
 * In the long form only, for their probes take their time, without bursts, and no further than
 * the node: but for the sources' own these are the places of every other START.
 */
#define START_GROUP(name_, group) \
	{ .name = "START, " name_, OF_GROUP(group), START, .alone = 1, .is_like_others = 1 }
#define START_NO_PROBE(name_, group) \
	{ .name = "START without probes, " name_, OF_GROUP(group), START, .alone = 1, \
	  .is_like_others = 1, .fails_probes = 1 }

#define GROUP_OPERATIONS \
	START_GROUP("page faults", page_faults), \
	START_GROUP("virtual memory", virtual_memory), \
	START_GROUP("pool", pool), \
	START_GROUP("system calls", calls), \
	START_GROUP("DPCs, interrupts", interrupts), \
	START_GROUP("priorities", priorities), \
	START_GROUP("counters of processes", process_counters), \
	START_GROUP("migration", migration), \
	START_GROUP("files", files), \
	{ .name = "UPDATE, page faults", OF_GROUP(page_faults), .prepare = no_group_prepare, \
	  .run = group_run, .finish = update_finish, .alone = 1, .is_like_others = 1 }, \
	START_NO_PROBE("page faults", page_faults), \
	START_NO_PROBE("priorities", priorities), \
	START_NO_PROBE("counters of processes", process_counters), \
	START_NO_PROBE("files", files), \
	{ .name = "START without probes, images, names of files, the network", \
	  WISH("names", 64, 16, NAMES | EVENT_TRACE_FLAG_NETWORK_TCPIP, QUIET), START, \
	  .alone = 1, .is_like_others = 1, .fails_probes = 1 }, \
	{ .name = "UPDATE without probes, page faults", OF_GROUP(page_faults), \
	  .prepare = no_group_prepare, .run = group_run, .finish = update_finish, \
	  .alone = 1, .is_like_others = 1, .fails_probes = 1 }

#endif /* ETW_TEST_FAILNTH_GROUPS_H */
