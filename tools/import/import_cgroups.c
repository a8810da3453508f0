// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Control groups of an imported trace: their names, and those of the threads. */
#include <stdlib.h>
#include "import.h"
#include "libetl/messages.h"

/* The name of a group; later records of the same id replace it */
int import_cgroup(struct importing *importing, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);
	uint64_t id = piece_u64(&piece);
	const char *path = piece_string(&piece);
	char *copy;
	size_t i;

	if (!path)
		return import_other(importing, record);
	copy = strdup(path);
	i = copy ? map_add(&importing->cgroups, id) : MAP_NONE;
	if (i == MAP_NONE || (i == importing->cgroups_known &&
			      !map_make_room((void **)&importing->cgroup_names, i,
					     sizeof(*importing->cgroup_names)))) {
		free(copy);
		return no_memory();
	}
	if (i == importing->cgroups_known)
		importing->cgroups_known++;
	else
		free(importing->cgroup_names[i]);
	importing->cgroup_names[i] = copy;
	/* at the start, the records have no time */
	return importing->begun ? import_cgroup_event(importing, record, "perf:cgroup", id, copy) :
				  import_other(importing, record);
}

/* A thread's group is recorded when a sample of the thread has another than the one before. */
int import_thread_cgroup(struct importing *importing, const struct perf_record *record)
{
	struct import_thread *thread;
	size_t i;

	if (!(record->kind->attr.sample_type & PERF_SAMPLE_CGROUP) || !record->tid)
		return 0;
	thread = import_thread_of(importing, record->tid);
	if (!thread)
		return no_memory();
	if (thread->cgroup == record->cgroup)
		return 0;
	thread->cgroup = record->cgroup;
	i = map_find(&importing->cgroups, record->cgroup);
	return import_cgroup_event(importing, record, "perf:thread_cgroup", record->cgroup,
				   i < importing->cgroups_known ? importing->cgroup_names[i] : "");
}

void import_free_cgroups(struct importing *importing)
{
	size_t i;

	for (i = 0; i < importing->cgroups_known; i++)
		free(importing->cgroup_names[i]);
	free(importing->cgroup_names);
	map_free(&importing->cgroups);
}
