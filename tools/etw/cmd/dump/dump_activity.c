// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump --activity: events of an activity, and of the activities that it started. */
#include <stdlib.h>
#include "libetl/array.h"
#include "dump.h"
#include "etw.h"

/* The index of an activity; MAP_NONE: no memory */
static size_t index_of(struct activities *activities, const struct etw_guid *guid)
{
	size_t known = activities->ids.count;

	if (!array_grow((void **)&activities->activity, &activities->room, known + 1,
			sizeof(*activities->activity)))
		return MAP_NONE;
	return map_add(&activities->ids, map_mix(MAP_MIX, guid, sizeof(*guid)));
}

int dump_activity_add(struct activities *activities, const struct etw_guid *guid)
{
	size_t i = index_of(activities, guid);

	if (i == MAP_NONE)
		return no_memory();
	activities->activity[i].wanted = true;
	activities->wanted = true;
	return 0;
}

static bool is_none(const struct etw_guid *guid)
{
	static const struct etw_guid none;

	return etl_guid_equal(guid, &none);
}

/* The activity that started the event's one. Return: false: the event names none */
static bool related_of(const struct etl_record *record, struct etw_guid *related)
{
	struct etl_item item = { };

	while (etl_item_next(record, &item)) {
		if (item.type != ETL_ITEM_RELATED_ACTIVITY || item.size < sizeof(*related))
			continue;
		memcpy(related, item.data, sizeof(*related));
		return !is_none(related);
	}
	return false;
}

/* Return: 0, or -1: no memory */
static int note(struct activities *activities, const struct etl_record *record)
{
	size_t from, to, i, known = activities->starts.count;
	struct etw_guid related;

	if (record->header != ETL_EVENT || is_none(&record->activity) ||
	    !related_of(record, &related))
		return 0;
	from = index_of(activities, &related);
	to = index_of(activities, &record->activity);
	if (from == MAP_NONE || to == MAP_NONE ||
	    !array_grow((void **)&activities->start, &activities->start_room, known + 1,
			sizeof(*activities->start)))
		return -1;
	i = map_add(&activities->starts, (uint64_t)from << 32 | to);
	if (i != known)
		return i == MAP_NONE ? -1 : 0;
	activities->start[i] = (struct activity_start){
		.to = to, .next = activities->activity[from].first,
	};
	activities->activity[from].first = i + 1;
	return 0;
}

/* Each activity is visited once: the list of those to visit has room for all. */
static int follow(struct activities *activities)
{
	size_t *list = calloc(activities->ids.count + 1, sizeof(*list));
	size_t count = 0, i, start;
	struct activity *to;

	if (!list)
		return -1;
	for (i = 0; i < activities->ids.count; i++)
		if (activities->activity[i].wanted)
			list[count++] = i;
	while (count) {
		i = list[--count];
		for (start = activities->activity[i].first; start;
		     start = activities->start[start - 1].next) {
			to = &activities->activity[activities->start[start - 1].to];
			if (!to->wanted)
				list[count++] = activities->start[start - 1].to;
			to->wanted = true;
		}
	}
	free(list);
	return 0;
}

int dump_activities_survey(struct activities *activities, const struct trace *trace)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (!activities->wanted)
		return 0;
	if (merge_begin(&merge, trace, true))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer))
		err = note(activities, record);
	merge_end(&merge);
	return err || follow(activities) ? no_memory() : 0;
}

static bool has(const struct activities *activities, const struct etw_guid *guid)
{
	size_t i = map_find(&activities->ids, map_mix(MAP_MIX, guid, sizeof(*guid)));

	return i != MAP_NONE && activities->activity[i].wanted;
}

bool dump_activities_want(const struct activities *activities, const struct etl_record *record)
{
	struct etw_guid related;

	if (!activities->wanted)
		return true;
	if (record->header != ETL_EVENT)
		return false;
	return has(activities, &record->activity) ||
	       (related_of(record, &related) && has(activities, &related));
}

void dump_activities_free(struct activities *activities)
{
	map_free(&activities->ids);
	map_free(&activities->starts);
	free(activities->activity);
	free(activities->start);
}
