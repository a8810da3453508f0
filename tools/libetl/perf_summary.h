/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Which counters, PEBS indexes and samples a trace has. */
#ifndef ETW_PERF_SUMMARY_H
#define ETW_PERF_SUMMARY_H

#include "etw_hooks.h"
#include "reader.h"

#define COUNTER_NAME	96

/**
 * struct perf_summary - counters, PEBS indexes and samples
 * @counters: values of the first context swap that has any
 * @pebs: context swaps carry the index
 * @counted: records with counters
 * @counted_switches: of them, context swaps
 * @indexed: records with a PEBS index
 * @timer_samples: 0x0F2E
 * @counter_samples: 0x0F2F
 * @configs: 0x0F30
 * @named: how many counters the last of them names
 * @name: the first of its names, UTF-8
 */
struct perf_summary {
	uint8_t counters;
	bool pebs;
	uint64_t counted;
	uint64_t counted_switches;
	uint64_t indexed;
	uint64_t timer_samples;
	uint64_t counter_samples;
	uint64_t configs;
	uint32_t named;
	char name[ETL_MAX_COUNTERS][COUNTER_NAME];
};

/* Of a record with inline items; of the record with the names of counters */
void perf_summary_add_items(struct perf_summary *perf, const struct etl_record *record);
void perf_summary_add_names(struct perf_summary *perf, const struct etl_record *record);

static inline void perf_summary_add(struct perf_summary *perf, const struct etl_record *record)
{
	if (record->nr_counters || record->has_pebs)
		perf_summary_add_items(perf, record);
	perf->timer_samples += record->hook_id == PERFINFO_LOG_TYPE_SAMPLED_PROFILE;
	perf->counter_samples += record->hook_id == PERFINFO_LOG_TYPE_PMC_INTERRUPT;
	if (record->hook_id == PERFINFO_LOG_TYPE_PMC_CONFIG)
		perf_summary_add_names(perf, record);
}

/* "counter 1" for the first one when nothing names it */
void perf_summary_name(const struct perf_summary *perf, unsigned int counter, char *to,
		       size_t room);

#endif /* ETW_PERF_SUMMARY_H */
