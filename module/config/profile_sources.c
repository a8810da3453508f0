// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Windows' names of processor events, and the perf events that they stand for. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/stddef.h>
#include "profile_sources.h"

#define HARDWARE(event)		{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event }
#define CACHE(cache, op, result)						\
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache |			\
			      PERF_COUNT_HW_CACHE_OP_##op << 8 |		\
			      PERF_COUNT_HW_CACHE_RESULT_##result << 16 }

/* A source without a name does not exist. */
static const char * const names[] = {
	[0] = "Timer",
	[1] = "AlignmentFixup",
	[2] = "TotalIssues",
	[3] = "PipelineDry",
	[4] = "LoadInstructions",
	[5] = "PipelineFrozen",
	[6] = "BranchInstructions",
	[7] = "TotalNonissues",
	[8] = "DcacheMisses",
	[9] = "IcacheMisses",
	[10] = "CacheMisses",
	[11] = "BranchMispredictions",
	[12] = "StoreInstructions",
	[13] = "FpInstructions",
	[14] = "IntegerInstructions",
	[15] = "2Issue",
	[16] = "3Issue",
	[17] = "4Issue",
	[18] = "SpecialInstructions",
	[19] = "TotalCycles",
	[20] = "IcacheIssues",
	[21] = "DcacheAccesses",
	[22] = "MemoryBarrierCycles",
	[23] = "LoadLinkedIssues",
};

/*
 * Generic perf events. perf does not distinguish loads from reads of the first-level
 * cache.
 */
static const struct {
	__u32 source;
	struct etw_profile_event event;
} events[] = {
	{ ETW_PROFILE_SOURCE_TOTAL_ISSUES, HARDWARE(INSTRUCTIONS) },
	{ ETW_PROFILE_SOURCE_LOAD_INSTRUCTIONS, CACHE(L1D, READ, ACCESS) },
	{ ETW_PROFILE_SOURCE_BRANCH_INSTRUCTIONS, HARDWARE(BRANCH_INSTRUCTIONS) },
	{ ETW_PROFILE_SOURCE_DCACHE_MISSES, CACHE(L1D, READ, MISS) },
	{ ETW_PROFILE_SOURCE_ICACHE_MISSES, CACHE(L1I, READ, MISS) },
	{ ETW_PROFILE_SOURCE_CACHE_MISSES, HARDWARE(CACHE_MISSES) },
	{ ETW_PROFILE_SOURCE_BRANCH_MISPREDICTIONS, HARDWARE(BRANCH_MISSES) },
	{ ETW_PROFILE_SOURCE_STORE_INSTRUCTIONS, CACHE(L1D, WRITE, ACCESS) },
	{ ETW_PROFILE_SOURCE_TOTAL_CYCLES, HARDWARE(CPU_CYCLES) },
	{ ETW_PROFILE_SOURCE_DCACHE_ACCESSES, CACHE(L1D, READ, ACCESS) },
};

/**
 * etw_profile_source_event() - get the perf event of a source
 * @source: KPROFILE_SOURCE
 * @event: out; may be NULL
 *
 * The machine may be unable to count it.
 *
 * Return: 0; -EOPNOTSUPP: perf has no such event, or the source is the timer.
 */
int etw_profile_source_event(__u32 source, struct etw_profile_event *event)
{
	__u32 i;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		if (events[i].source != source)
			continue;
		if (event)
			*event = events[i].event;
		return 0;
	}
	return -EOPNOTSUPP;
}

/**
 * etw_profile_source_known() - whether a source has a perf event
 * @source: KPROFILE_SOURCE
 *
 * Return: 0 also for the timer, which is no event; see etw_profile_source_event().
 */
int etw_profile_source_known(__u32 source)
{
	return !etw_profile_source_event(source, NULL);
}

/**
 * etw_profile_source_name() - get Windows' name of a source
 * @source: KPROFILE_SOURCE; 0: the timer
 *
 * Return: ASCII, or NULL if Windows has no name that is the same on every processor.
 */
const char *etw_profile_source_name(__u32 source)
{
	return source < ARRAY_SIZE(names) ? names[source] : NULL;
}

static __u32 put_text(__u16 *to, const char *text)
{
	__u32 n = 0;

	while (text[n]) {
		to[n] = text[n];
		n++;
	}
	return n;
}

static __u32 put_number(__u16 *to, __u32 number)
{
	__u32 n = 0, unit = 1;

	while (number / unit >= 10)
		unit *= 10;
	for (; unit; unit /= 10)
		to[n++] = '0' + number / unit % 10;
	return n;
}

/**
 * etw_profile_source_units() - get a source's name for records
 * @source: KPROFILE_SOURCE
 * @to: out: UTF-16 with its NUL; at most ETW_PROFILE_SOURCE_UNITS
 *
 * A source without a name in Windows is named by its number, "Source4096".
 *
 * Return: units, the NUL included.
 */
__u32 etw_profile_source_units(__u32 source, __u16 *to)
{
	const char *name = etw_profile_source_name(source);
	__u32 n = put_text(to, name ? name : "Source");

	if (!name)
		n += put_number(to + n, source);
	to[n++] = 0;
	return n;
}
