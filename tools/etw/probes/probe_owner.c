// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which process made the probes in tracefs, and how they are removed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "linux_events/tracefs.h"
#include "probe_owner.h"

/* Field 22 of /proc/PID/stat. Return: false: there is no such process */
static bool read_start(const char *pid, uint64_t *start)
{
	char path[64], text[1024], *at;
	int field = 2;
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	size = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[size] = 0;
	/* the name, in parentheses, may contain both blanks and parentheses */
	at = strrchr(text, ')');
	for (; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (!at)
		return false;
	*start = strtoull(at + 1, NULL, 10);
	return true;
}

bool probe_owner_self(struct probe_group *group)
{
	group->pid = getpid();
	return read_start("self", &group->start);
}

bool probe_owner_lives(const struct probe_group *group)
{
	char pid[16];
	uint64_t start;

	snprintf(pid, sizeof(pid), "%" PRIu32, group->pid);
	return read_start(pid, &start) && start == group->start;
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
