// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* How many events there are of each name. */
#include <stdlib.h>
#include <string.h>
#include "event_counts.h"
#include "tracelogging.h"

/* Of all bytes of the names that the event brings along, with what stands between; 0: of none */
static uint64_t whole_name(const struct etl_record *record)
{
	struct tracelogging_names names;
	uint64_t key = MAP_MIX;

	if (!tracelogging_names(record, &names))
		return 0;
	key = map_mix(key, names.provider, names.provider_size);
	return map_mix(map_mix(key, "", 1), names.event, names.event_size);
}

/* Two records with one key have one name; two with one name may have different keys. */
static uint64_t key_of(const struct etl_record *record, uint64_t whole)
{
	uint64_t key = record->header | record->type << 8;

	if (etl_has_hook(record))
		return record->hook_id;
	key = map_mix(key, &record->guid, sizeof(record->guid));
	/* all of a provider's may have one id: each brings its name along */
	key = map_mix(key, &whole, sizeof(whole));
	return (key ^ record->id ^ (uint64_t)record->opcode << 16) | 1ULL << 63;
}

static struct event_count *count_of(struct event_counts *counts, uint64_t key)
{
	size_t known = counts->map.count, i;

	if (!map_make_room((void **)&counts->count, known, sizeof(*counts->count)))
		return NULL;
	i = map_add(&counts->map, key);
	if (i == MAP_NONE)
		return NULL;
	counts->nr = counts->map.count;
	counts->count[i] = (struct event_count){ 0 };
	return &counts->count[i];
}

uint64_t event_kind(const struct etl_record *record)
{
	return key_of(record, whole_name(record));
}

/* Return: NULL: no memory */
static struct event_count *add_to(struct event_counts *counts, const struct etl_record *record)
{
	uint64_t whole = whole_name(record), key = key_of(record, whole);
	size_t i = map_find(&counts->map, key);
	struct event_count *count;

	if (i != MAP_NONE) {
		counts->count[i].events++;
		return &counts->count[i];
	}
	count = count_of(counts, key);
	if (!count)
		return NULL;
	event_name(record, count->name, sizeof(count->name));
	count->whole = whole;
	count->events = 1;
	return count;
}

/* Most events are the kernel's, and their hook ids need no search */
static void add_hook(struct event_counts *counts, const struct etl_record *record)
{
	const struct event_count *count;

	if (!counts->by_hook)
		counts->by_hook = calloc(1 << 16, sizeof(*counts->by_hook));
	count = add_to(counts, record);
	if (count && counts->by_hook)
		counts->by_hook[record->hook_id] = count - counts->count + 1;
}

void event_counts_search(struct event_counts *counts, const struct etl_record *record)
{
	if (etl_has_hook(record))
		add_hook(counts, record);
	else
		add_to(counts, record);
}

static int by_name(const void *a, const void *b)
{
	const struct event_count *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	return order ? order : left->whole < right->whole ? -1 : left->whole > right->whole;
}

void event_counts_sort(struct event_counts *counts)
{
	size_t i, n = 0;

	if (!counts->nr)
		return;
	qsort(counts->count, counts->nr, sizeof(*counts->count), by_name);
	for (i = 1; i < counts->nr; i++) {
		if (!by_name(&counts->count[n], &counts->count[i]))
			counts->count[n].events += counts->count[i].events;
		else
			counts->count[++n] = counts->count[i];
	}
	counts->nr = n + 1;
}

void event_counts_free(struct event_counts *counts)
{
	map_free(&counts->map);
	free(counts->count);
	free(counts->by_hook);
	*counts = (struct event_counts){ 0 };
}
