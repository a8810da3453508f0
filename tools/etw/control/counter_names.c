// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of counters: those of perf for every processor, and those of Windows. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "config/profile_sources.h"
#include "counter.h"

struct name {
	const char *name;
	uint32_t type;
	uint64_t config;
};

#define HARDWARE(name, event)	{ name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event }
#define SOFTWARE(name, event)	{ name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event }

/* Those of one event stand together, the usual one first. */
static const struct name generic[] = {
	HARDWARE("cycles", CPU_CYCLES),
	HARDWARE("cpu-cycles", CPU_CYCLES),
	HARDWARE("instructions", INSTRUCTIONS),
	HARDWARE("cache-references", CACHE_REFERENCES),
	HARDWARE("cache-misses", CACHE_MISSES),
	HARDWARE("branches", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-instructions", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-misses", BRANCH_MISSES),
	HARDWARE("bus-cycles", BUS_CYCLES),
	HARDWARE("ref-cycles", REF_CPU_CYCLES),
	HARDWARE("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("idle-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("stalled-cycles-backend", STALLED_CYCLES_BACKEND),
	HARDWARE("idle-cycles-backend", STALLED_CYCLES_BACKEND),
	SOFTWARE("context-switches", CONTEXT_SWITCHES),
	SOFTWARE("cs", CONTEXT_SWITCHES),
	SOFTWARE("cpu-migrations", CPU_MIGRATIONS),
	SOFTWARE("migrations", CPU_MIGRATIONS),
	SOFTWARE("page-faults", PAGE_FAULTS),
	SOFTWARE("faults", PAGE_FAULTS),
	SOFTWARE("minor-faults", PAGE_FAULTS_MIN),
	SOFTWARE("major-faults", PAGE_FAULTS_MAJ),
	SOFTWARE("cpu-clock", CPU_CLOCK),
	SOFTWARE("task-clock", TASK_CLOCK),
	SOFTWARE("alignment-faults", ALIGNMENT_FAULTS),
	SOFTWARE("emulation-faults", EMULATION_FAULTS),
};

/* xperf's names of sources that have different numbers on different processors */
static const struct name windows[] = {
	HARDWARE("InstructionRetired", INSTRUCTIONS),
	HARDWARE("InstructionsRetiredFixed", INSTRUCTIONS),
	HARDWARE("UnhaltedCoreCycles", CPU_CYCLES),
	HARDWARE("UnhaltedCoreCyclesFixed", CPU_CYCLES),
	HARDWARE("UnhaltedReferenceCycles", REF_CPU_CYCLES),
	HARDWARE("UnhaltedReferenceCyclesFixed", REF_CPU_CYCLES),
	HARDWARE("LLCReference", CACHE_REFERENCES),
	HARDWARE("LLCMisses", CACHE_MISSES),
	HARDWARE("BranchInstructionRetired", BRANCH_INSTRUCTIONS),
	HARDWARE("BranchMispredictsRetired", BRANCH_MISSES),
};

#define ENTRIES(array)	(sizeof(array) / sizeof((array)[0]))

/* Of the last level on, all caches have a place of their own in the config. */
static const struct {
	const char *name;
	uint32_t cache;
	bool write, prefetch;
} caches[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D, true, true },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I, false, true },
	{ "LLC", PERF_COUNT_HW_CACHE_LL, true, true },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB, true, true },
	{ "iTLB", PERF_COUNT_HW_CACHE_ITLB, false, false },
	{ "branch", PERF_COUNT_HW_CACHE_BPU, false, false },
	{ "node", PERF_COUNT_HW_CACHE_NODE, true, true },
};

static const struct {
	const char *name;
	uint32_t operation, result;
} accesses[] = {
	{ "loads", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "load-misses", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "stores", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "store-misses", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "prefetch-misses", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_MISS },
};

void counter_find_source(struct counter *counter)
{
	/* of two sources that are one event to perf, the one that Windows means by it */
	static const uint32_t first = ETW_PROFILE_SOURCE_DCACHE_ACCESSES;
	struct etw_profile_event event;
	uint32_t i, source;

	for (i = 0; i <= first; i++) {
		source = i ? i : first;
		if (etw_profile_source_event(source, &event) || event.type != counter->type ||
		    event.config != counter->config)
			continue;
		counter->source = source;
		return;
	}
}

static void fill(struct counter *counter, const char *name, uint32_t type, uint64_t config)
{
	memset(counter, 0, sizeof(*counter));
	snprintf(counter->name, sizeof(counter->name), "%s", name);
	counter->type = type;
	counter->config = config;
	counter_find_source(counter);
}

static bool fill_cache(struct counter *counter, size_t cache, size_t access)
{
	char name[64];

	if ((accesses[access].operation == PERF_COUNT_HW_CACHE_OP_WRITE &&
	     !caches[cache].write) ||
	    (accesses[access].operation == PERF_COUNT_HW_CACHE_OP_PREFETCH &&
	     !caches[cache].prefetch))
		return false;
	snprintf(name, sizeof(name), "%s-%s", caches[cache].name, accesses[access].name);
	fill(counter, name, PERF_TYPE_HW_CACHE,
	     caches[cache].cache | accesses[access].operation << 8 |
	     (uint64_t)accesses[access].result << 16);
	return true;
}

static bool find(const struct name *names, size_t count, const char *name,
		 struct counter *counter)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (strcasecmp(names[i].name, name))
			continue;
		fill(counter, names[i].name, names[i].type, names[i].config);
		return true;
	}
	return false;
}

bool counter_generic(const char *name, struct counter *counter)
{
	size_t i, k;

	if (find(generic, ENTRIES(generic), name, counter))
		return true;
	for (i = 0; i < ENTRIES(caches); i++)
		for (k = 0; k < ENTRIES(accesses); k++)
			if (fill_cache(counter, i, k) && !strcasecmp(counter->name, name))
				return true;
	return false;
}

bool counter_windows(const char *name, struct counter *counter)
{
	struct etw_profile_event event;
	const char *known;
	uint32_t source;

	for (source = 1; (known = etw_profile_source_name(source)); source++) {
		if (strcasecmp(known, name) || etw_profile_source_event(source, &event))
			continue;
		fill(counter, known, event.type, event.config);
		counter->source = source;
		return true;
	}
	return find(windows, ENTRIES(windows), name, counter);
}

void counter_generic_each(counter_visit visit, void *context)
{
	struct counter counter;
	size_t i, k;

	for (i = 0; i < ENTRIES(generic); i++) {
		fill(&counter, generic[i].name, generic[i].type, generic[i].config);
		visit(context, &counter, NULL);
	}
	for (i = 0; i < ENTRIES(caches); i++)
		for (k = 0; k < ENTRIES(accesses); k++)
			if (fill_cache(&counter, i, k))
				visit(context, &counter, NULL);
}

void counter_windows_each(counter_visit visit, void *context)
{
	struct etw_profile_event event;
	struct counter counter;
	const char *name;
	uint32_t source;
	size_t i;

	for (source = 1; (name = etw_profile_source_name(source)); source++) {
		if (etw_profile_source_event(source, &event))
			continue;
		fill(&counter, name, event.type, event.config);
		counter.source = source;
		visit(context, &counter, NULL);
	}
	for (i = 0; i < ENTRIES(windows); i++) {
		fill(&counter, windows[i].name, windows[i].type, windows[i].config);
		visit(context, &counter, NULL);
	}
}

const char *counter_type_name(uint32_t type)
{
	static const char *const names[] = {
		[PERF_TYPE_HARDWARE] = "hardware", [PERF_TYPE_SOFTWARE] = "software",
		[PERF_TYPE_TRACEPOINT] = "tracepoint", [PERF_TYPE_HW_CACHE] = "cache",
		[PERF_TYPE_RAW] = "raw", [PERF_TYPE_BREAKPOINT] = "breakpoint",
	};

	return type < ENTRIES(names) ? names[type] : NULL;
}
