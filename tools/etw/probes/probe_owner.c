// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which process made the probes in tracefs, and how they are removed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/process_start.h"
#include "linux_events/tracefs.h"
#include "probe_owner.h"

bool probe_owner_self(struct probe_group *group)
{
	group->pid = getpid();
	return process_start("self", &group->start);
}

bool probe_owner_lives(const struct probe_group *group)
{
	char pid[16];
	uint64_t start;

	snprintf(pid, sizeof(pid), "%" PRIu32, group->pid);
	return process_start(pid, &start) && start == group->start;
}

void probes_walk(void (*found)(void *context, const struct probe_group *group, const char *event),
		 void *context)
{
	struct tracefs_events events;
	struct probe_group group;
	char system[LINUX_EVENT_NAME];
	size_t i;

	if (!tracefs_list_systems("etw_*", &events))
		return;
	for (i = 0; i < events.count; i++) {
		snprintf(system, sizeof(system), "%.*s", (int)strcspn(events.names[i], ":"),
			 events.names[i]);
		if (probe_group_parse(system, &group))
			found(context, &group, events.names[i]);
	}
	tracefs_free(&events);
}

const char *probe_file(enum probe_kind kind)
{
	return kind == PROBE_KERNEL ? "kprobe_events" : "uprobe_events";
}

int probe_remove(const struct probe_group *group, const char *event)
{
	char line[LINUX_EVENT_NAME + 4];

	snprintf(line, sizeof(line), "-:%s", event);
	*strchr(line + 2, ':') = '/';
	return tracefs_write_line(probe_file(group->kind), line);
}
