// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Threads that changed ids with the leader of their process when they called exec. */
#include <stdlib.h>
#include <string.h>
#include "etw_hooks.h"
#include "execs.h"

struct exec_end {
	uint32_t process;
	uint32_t thread;
};

static struct exec_end *end_on(struct execs *execs, uint16_t processor)
{
	struct exec_end *more;

	if (processor >= execs->nr_ends) {
		more = reallocarray(execs->ends, processor + 1, sizeof(*more));
		if (!more)
			return NULL;
		memset(more + execs->nr_ends, 0,
		       (processor + 1 - execs->nr_ends) * sizeof(*more));
		execs->ends = more;
		execs->nr_ends = processor + 1;
	}
	return &execs->ends[processor];
}

/* Both threads of a rename, whichever was which */
static uint64_t pair_of(uint32_t a, uint32_t b)
{
	return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* @time: of the record, which is later than the exec */
static int add(struct execs *execs, uint32_t from, uint32_t to, uint64_t time)
{
	size_t known = execs->pairs.count, i = map_add(&execs->pairs, pair_of(from, to));

	if (i == MAP_NONE)
		return -1;
	/* if the array could not grow for an earlier pair, it has no place for this one */
	if (i == known && (i != execs->nr_last ||
			   !map_make_room((void **)&execs->last, i, sizeof(*execs->last))))
		return -1;
	if (i == known)
		execs->last[execs->nr_last++] = time;
	else if (i < execs->nr_last && execs->last[i] < time)
		execs->last[i] = time;
	return 0;
}

bool execs_is_rename(const struct etl_record *record)
{
	return record->header == ETL_SYSTEM && record->hook_id == WMI_LOG_TYPE_THREAD_CREATE &&
	       record->payload_size >= 8 && get32(record->payload + 4) == record->thread_id;
}

/*
 * exec writes the old thread's Thread Stop and then, as the leader itself, the leader's
 * Thread Start. No other thread starts itself.
 */
int execs_note(struct execs *execs, uint16_t processor, const struct etl_record *record)
{
	struct exec_end named, *end;

	if (record->header != ETL_SYSTEM || record->payload_size < sizeof(named) ||
	    (record->hook_id != WMI_LOG_TYPE_THREAD_CREATE &&
	     record->hook_id != WMI_LOG_TYPE_THREAD_DELETE))
		return 0;
	memcpy(&named, record->payload, sizeof(named));
	end = end_on(execs, processor);
	if (!end)
		return -1;
	if (record->hook_id == WMI_LOG_TYPE_THREAD_DELETE) {
		*end = named;
		return 0;
	}
	if (named.thread != named.process || record->thread_id != named.thread ||
	    end->process != named.process || end->thread == named.thread)
		return 0;
	return add(execs, end->thread, named.thread, record->time);
}

bool execs_renamed(const struct execs *execs, uint32_t from, uint32_t to, uint64_t time)
{
	size_t i = map_find(&execs->pairs, pair_of(from, to));

	return i < execs->nr_last && execs->last[i] >= time;
}

void execs_free(struct execs *execs)
{
	map_free(&execs->pairs);
	free(execs->last);
	free(execs->ends);
	memset(execs, 0, sizeof(*execs));
}
