// SPDX-License-Identifier: GPL-2.0
/* What can be told from two counters together. */
#include <ctype.h>
#include <string.h>
#include "ratios.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* Names of perf, of Windows, of processors' manuals; '-', '_' and case don't matter */
static const struct {
	const char *name;
	const char *meaning;
} meanings[] = {
	{ "cycles", "cycles" }, { "cpucycles", "cycles" }, { "totalcycles", "cycles" },
	{ "unhaltedcorecycles", "cycles" }, { "cpuclkunhalted.thread", "cycles" },
	{ "instructions", "instructions" }, { "instructionretired", "instructions" },
	{ "instructionsretired", "instructions" }, { "instretired", "instructions" },
	{ "instretired.any", "instructions" }, { "totalissues", "instructions" },
	{ "cachereferences", "cache" }, { "llcreference", "cache" }, { "llcreferences", "cache" },
	{ "cachemisses", "cache misses" }, { "llcmisses", "cache misses" },
	{ "branches", "branches" }, { "branchinstructions", "branches" },
	{ "branchinstructionretired", "branches" }, { "brretired", "branches" },
	{ "branchmisses", "branch misses" }, { "branchmispredictions", "branch misses" },
	{ "branchmispredictsretired", "branch misses" }, { "brmispred", "branch misses" },
	{ "dcacheaccesses", "dcache" }, { "l1dcacheloads", "dcache" },
	{ "dcachemisses", "dcache misses" }, { "l1dcacheloadmisses", "dcache misses" },
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
	{ "branch misses", "branches", COLUMN_PERCENT, "branch miss %", false },
	{ "branch misses", "instructions", COLUMN_PER_KILO, "branch miss/ki", true },
};

/* perf's modifiers stand behind the last colon: ":u" is of user mode only. */
static const char *modifier_of(const char *name)
{
	const char *colon = strrchr(name, ':');

	return colon ? colon : "";
}

static bool has_meaning(const char *name, const char *meaning)
{
	size_t i, n = 0, end = strlen(name) - strlen(modifier_of(name));
	char plain[COUNTER_NAME];

	for (i = 0; i < end; i++)
		if (name[i] != '-' && name[i] != '_' && name[i] != ' ')
			plain[n++] = tolower((unsigned char)name[i]);
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
