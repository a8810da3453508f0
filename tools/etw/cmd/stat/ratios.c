// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Ratios of two counters. */
#include <ctype.h>
#include <string.h>
#include "ratios.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/*
 * Names of perf, of Windows, of processors' manuals, of libpfm4; '-', '_' and case don't
 * matter, ':' is '.', and what says which PMU it is was cut off
 */
static const struct {
	const char *name;
	const char *meaning;
} meanings[] = {
	{ "cycles", "cycles" }, { "cpucycles", "cycles" }, { "totalcycles", "cycles" },
	{ "unhaltedcorecycles", "cycles" }, { "cpuclkunhalted.thread", "cycles" },
	{ "unhaltedcorecyclesfixed", "cycles" }, { "cpuclkunhalted.threadp", "cycles" },
	{ "instructions", "instructions" }, { "instructionretired", "instructions" },
	{ "instructionsretired", "instructions" }, { "instretired", "instructions" },
	{ "instretired.any", "instructions" }, { "totalissues", "instructions" },
	{ "instretired.anyp", "instructions" }, { "instructionsretiredfixed", "instructions" },
	{ "cachereferences", "cache" }, { "llcreference", "cache" }, { "llcreferences", "cache" },
	{ "cachemisses", "cache misses" }, { "llcmisses", "cache misses" },
	{ "branches", "branches" }, { "branchinstructions", "branches" },
	{ "branchinstructionretired", "branches" }, { "brretired", "branches" },
	{ "branchmisses", "branch misses" }, { "branchmispredictions", "branch misses" },
	{ "branchmispredictsretired", "branch misses" }, { "brmispred", "branch misses" },
	{ "dcacheaccesses", "dcache" }, { "l1dcacheloads", "dcache" },
	{ "dcachemisses", "dcache misses" }, { "l1dcacheloadmisses", "dcache misses" },
	{ "icacheissues", "icache" }, { "l1icacheloads", "icache" },
	{ "icachemisses", "icache misses" }, { "l1icacheloadmisses", "icache misses" },
	{ "llcloads", "LLC loads" }, { "llcloadmisses", "LLC load misses" },
	{ "dtlbloads", "dTLB" }, { "dtlbloadmisses", "dTLB misses" },
	{ "itlbloads", "iTLB" }, { "itlbloadmisses", "iTLB misses" },
};

/* Two ways to say the rate of misses: the first for which both counters are there */
static const struct {
	const char *a;
	const char *b;
	enum column_kind kind;
	const char *name;
	bool otherwise;		/* only when the one before can't be had */
} ratios[] = {
	{ "instructions", "cycles", COLUMN_RATIO, "IPC", false },
	{ "cache misses", "cache", COLUMN_PERCENT, "cache miss %", false },
	{ "cache misses", "instructions", COLUMN_PER_KILO, "cache miss/ki", true },
	{ "dcache misses", "dcache", COLUMN_PERCENT, "dcache miss %", false },
	{ "dcache misses", "instructions", COLUMN_PER_KILO, "dcache miss/ki", true },
	{ "icache misses", "icache", COLUMN_PERCENT, "icache miss %", false },
	{ "icache misses", "instructions", COLUMN_PER_KILO, "icache miss/ki", true },
	{ "LLC load misses", "LLC loads", COLUMN_PERCENT, "LLC load miss %", false },
	{ "LLC load misses", "instructions", COLUMN_PER_KILO, "LLC load miss/ki", true },
	{ "dTLB misses", "dTLB", COLUMN_PERCENT, "dTLB miss %", false },
	{ "dTLB misses", "instructions", COLUMN_PER_KILO, "dTLB miss/ki", true },
	{ "iTLB misses", "iTLB", COLUMN_PERCENT, "iTLB miss %", false },
	{ "iTLB misses", "instructions", COLUMN_PER_KILO, "iTLB miss/ki", true },
	{ "branch misses", "branches", COLUMN_PERCENT, "branch miss %", false },
	{ "branch misses", "instructions", COLUMN_PER_KILO, "branch miss/ki", true },
};

/*
 * perf's modifiers stand behind the last colon, or the last slash where the PMU is named in
 * front: "cycles:u", "cpu/cycles/u" are of user mode only. ":ANY" is part of a name.
 */
static const char *modifier_of(const char *name)
{
	const char *colon = strrchr(name, ':'), *slash = strrchr(name, '/');
	const char *at = slash && (!colon || slash > colon) ? slash : colon;

	if (!at || at[1 + strspn(at + 1, "ukhpPGHISDW")])
		return name + strlen(name);
	return at + 1;
}

/* Without the PMU, which stands before "/" or "::" */
static const char *event_in(const char *name)
{
	const char *pmu = strstr(name, "::"), *slash = strchr(name, '/');

	return pmu ? pmu + 2 : slash ? slash + 1 : name;
}

static bool has_meaning(const char *name, const char *meaning)
{
	const char *at = event_in(name), *end = modifier_of(name);
	char plain[COUNTER_NAME];
	size_t i, n = 0;

	while (end > at && (end[-1] == ':' || end[-1] == '/'))
		end--;
	for (; at < end; at++)
		if (*at != '-' && *at != '_' && *at != ' ')
			plain[n++] = *at == ':' ? '.' : tolower((unsigned char)*at);
	plain[n] = 0;
	for (i = 0; i < COUNT(meanings); i++)
		if (!strcmp(meanings[i].name, plain))
			return !strcmp(meanings[i].meaning, meaning);
	return false;
}

/* What was counted in different modes has no ratio. */
static bool find_pair(char (*names)[COUNTER_NAME], unsigned int count, const char *a,
		      const char *b, unsigned int pair[2])
{
	unsigned int i, k;

	for (i = 0; i < count; i++) {
		if (!has_meaning(names[i], a))
			continue;
		for (k = 0; k < count; k++) {
			if (!has_meaning(names[k], b) ||
			    strcmp(modifier_of(names[i]), modifier_of(names[k])))
				continue;
			pair[0] = i;
			pair[1] = k;
			return true;
		}
	}
	return false;
}

void report_ratios(struct report *report, char (*names)[COUNTER_NAME], unsigned int count,
		   unsigned int first)
{
	bool had = false;
	unsigned int pair[2];
	size_t i;

	for (i = 0; i < COUNT(ratios); i++) {
		if (ratios[i].otherwise && had)
			continue;
		had = find_pair(names, count, ratios[i].a, ratios[i].b, pair);
		if (had)
			report_column(report, ratios[i].kind, first + pair[0], first + pair[1],
				      ratios[i].name);
	}
}
