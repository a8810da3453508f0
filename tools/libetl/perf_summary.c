// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which counters, PEBS indexes and samples a trace has. */
#include <stdio.h>
#include "etw_hooks.h"
#include "perf_summary.h"
#include "text.h"

/* The names stand behind their number, which other fields can't contradict. */
void perf_summary_add_names(struct perf_summary *perf, const struct etl_record *record)
{
	uint32_t size = record->payload_size, at = 4, i, n;
	const uint8_t *payload = record->payload;

	if (size < 4)
		return;
	perf->configs++;
	perf->named = get32(payload);
	for (i = 0; i < perf->named && i < ETL_MAX_COUNTERS; i++) {
		for (n = 0; at + n + 2 <= size && get16(payload + at + n);)
			n += 2;
		text_from_utf16(payload + at, n, perf->name[i], sizeof(perf->name[i]));
		at += n + 2;
		if (at > size)
			at = size;
	}
}

void perf_summary_add_items(struct perf_summary *perf, const struct etl_record *record)
{
	bool counted = record->nr_counters, swap = record->hook_id == PERFINFO_LOG_TYPE_CONTEXTSWAP;

	perf->counted += counted;
	perf->indexed += record->has_pebs;
	if (swap && record->has_pebs)
		perf->pebs = true;
	if (swap && counted && !perf->counters)
		perf->counters = record->nr_counters;
	if (swap)
		perf->counted_switches += counted;
}

void perf_summary_name(const struct perf_summary *perf, unsigned int counter, char *to, size_t room)
{
	bool known = perf->configs && perf->named == perf->counters && perf->name[counter][0];

	if (known)
		snprintf(to, room, "%s", perf->name[counter]);
	else
		snprintf(to, room, "counter %u", counter + 1);
}
