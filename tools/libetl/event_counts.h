/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* How many events there are of each name. */
#ifndef ETW_EVENT_COUNTS_H
#define ETW_EVENT_COUNTS_H

#include "event_names.h"
#include "map.h"

/**
 * struct event_count - of one name
 * @name: event_name()
 * @whole: distinguishes names that are truncated to the same text
 * @events: how many
 */
struct event_count {
	char name[EVENT_NAME];
	uint64_t whole;
	uint64_t events;
};

/**
 * struct event_counts - of a trace
 * @map: keys that distinguish names
 * @count: by the map's index; sorted, by name
 * @nr: of them
 * @by_hook: of kernel events: number in @count, from 1; NULL: none was counted, or no memory
 */
struct event_counts {
	struct map map;
	struct event_count *count;
	size_t nr;
	uint32_t *by_hook;
};

/* Two records of one kind have one name */
uint64_t event_kind(const struct etl_record *record);
/* event_counts_add() of an event that is not found by its hook id */
void event_counts_search(struct event_counts *counts, const struct etl_record *record);

/* Without memory an event is left out */
static inline void event_counts_add(struct event_counts *counts, const struct etl_record *record)
{
	uint32_t known = etl_has_hook(record) && counts->by_hook ?
			 counts->by_hook[record->hook_id] : 0;

	if (known)
		counts->count[known - 1].events++;
	else
		event_counts_search(counts, record);
}

/* When all are there: each name once, in their order */
void event_counts_sort(struct event_counts *counts);
void event_counts_free(struct event_counts *counts);

#endif /* ETW_EVENT_COUNTS_H */
