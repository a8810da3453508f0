// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw check: the counters and PEBS indexes that records carry. */
#include <inttypes.h>
#include "check.h"
#include "etw_hooks.h"

/* The trace contains the names at the start and at the end; either record can be missing. */
void survey_counters(struct checker *checker, const struct etl_record *record)
{
	if (record->header != ETL_SYSTEM || record->hook_id != PERFINFO_LOG_TYPE_PMC_CONFIG ||
	    record->payload_size < 4 || checker->has_names)
		return;
	checker->has_names = true;
	checker->nr_names = get32(record->payload);
}

static void check_names(struct checker *checker, const struct etl_record *record)
{
	uint32_t names, n, at = 4, count, size = record->payload_size;

	if (size < 4)
		return;
	count = get32(record->payload);
	if (count != checker->nr_names)
		finding(checker, RULE_COUNTERS_NAMES, "%u names, %u before", count,
			checker->nr_names);
	for (names = 0; names < count && at + 2 <= size; names++) {
		for (n = 0; at + n + 2 <= size && get16(record->payload + at + n);)
			n += 2;
		at += n + 2;
	}
	if (names != count || at != size)
		finding(checker, RULE_COUNTERS_NAMES, "%u bytes are not %u strings", size - 4,
			count);
}

/* A value may run over 64 bits: what is more than half of that ahead went back. */
static bool went_back(uint64_t from, uint64_t to)
{
	return (int64_t)(to - from) < 0;
}

/*
 * Context swaps don't interrupt each other. Records of other hooks can: the one that
 * was begun first stands first, but may have read its counters last.
 */
static void check_order(struct checker *checker, struct check_cpu *cpu,
			const struct etl_record *record)
{
	unsigned int i;

	for (i = 0; i < record->nr_counters && i < cpu->nr_counters; i++)
		if (went_back(cpu->counters[i], record->counters[i]))
			finding(checker, RULE_COUNTERS_ORDER,
				"processor %u, counter %u: %" PRIu64 " after %" PRIu64,
				checker->buffer->processor, i + 1, record->counters[i],
				cpu->counters[i]);
	if (record->nr_counters) {
		cpu->nr_counters = record->nr_counters;
		memcpy(cpu->counters, record->counters, sizeof(cpu->counters));
	}
	if (!record->has_pebs)
		return;
	if (cpu->has_pebs && went_back(cpu->pebs, record->pebs))
		finding(checker, RULE_PEBS, "processor %u: %" PRIu64 " after %" PRIu64,
			checker->buffer->processor, record->pebs, cpu->pebs);
	cpu->has_pebs = true;
	cpu->pebs = record->pebs;
}

void check_counters(struct checker *checker, struct check_cpu *cpu,
		    const struct etl_record *record)
{
	uint8_t *expected = &checker->nr_counters[record->hook_id];

	if (record->hook_id == PERFINFO_LOG_TYPE_PMC_CONFIG && record->header == ETL_SYSTEM)
		check_names(checker, record);
	if (record->nr_counters) {
		if (*expected && *expected != record->nr_counters)
			finding(checker, RULE_COUNTERS_NUMBER, "hook id 0x%04x: %u, %u before",
				record->hook_id, record->nr_counters, *expected);
		if (checker->has_names && !*expected && record->nr_counters != checker->nr_names)
			finding(checker, RULE_COUNTERS_NAMES,
				"hook id 0x%04x: %u counters, %u names", record->hook_id,
				record->nr_counters, checker->nr_names);
		if (!*expected)
			*expected = record->nr_counters;
	}
	if (record->hook_id == PERFINFO_LOG_TYPE_CONTEXTSWAP)
		check_order(checker, cpu, record);
	else if (record->has_pebs)
		finding(checker, RULE_PEBS, "hook id 0x%04x", record->hook_id);
}
