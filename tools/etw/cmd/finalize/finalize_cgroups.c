// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Control groups of the processes of a trace: before it began, and when it is finished. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "common/process_start.h"
#include "libetl/text.h"
#include "etw.h"
#include "finalize.h"
#include "process_cgroups.h"

/* What version 2 has in /proc/PID/cgroup before the path */
#define UNIFIED		"0::"
/* The start of one process, calculated twice, differs by the steps of the clock: 1 s */
#define SAME_START	10000000

static const struct etw_guid our_provider = ETW_LINUX_PROVIDER_GUID;

static const struct etl_buffer first_processor;

/* Only the begin of a line fits: its rest is no line of its own. Return: false: at the end */
static bool read_line(FILE *file, char *line, size_t room)
{
	int c;

	if (!fgets(line, room, file))
		return false;
	if (!strchr(line, '\n'))
		do
			c = getc(file);
		while (c != '\n' && c != EOF);
	line[strcspn(line, "\n")] = '\0';
	return true;
}

/*
 * The path of a process: that of version 2, or of the first hierarchy if there is no other.
 * Return: false: it is gone, or in the root
 */
static bool read_path(const char *pid, char *to, size_t room)
{
	char name[64], line[PROCESS_CGROUP_PATH + 64];
	const char *path;
	FILE *file;

	to[0] = '\0';
	snprintf(name, sizeof(name), "/proc/%.20s/cgroup", pid);
	file = fopen(name, "re");
	while (file && read_line(file, line, sizeof(line))) {
		path = strchr(line, ':');
		path = path ? strchr(path + 1, ':') : NULL;
		if (!path || (to[0] && strncmp(line, UNIFIED, strlen(UNIFIED))))
			continue;
		snprintf(to, room, "%s", path + 1);
		to[text_fit(to, room)] = '\0';
		if (!strncmp(line, UNIFIED, strlen(UNIFIED)) && strcmp(to, "/"))
			break;
	}
	if (file)
		fclose(file);
	return to[0] && strcmp(to, "/");
}

static uint64_t boot_time(void)
{
	struct timespec now, up;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	return FILETIME_OF_UNIX + (now.tv_sec - up.tv_sec) * 10000000ull +
	       (now.tv_nsec - up.tv_nsec) / 100;
}

static bool add(struct process_cgroups *cgroups, const char *pid)
{
	struct process_cgroup new = { .pid = strtoul(pid, NULL, 10) };
	char path[PROCESS_CGROUP_PATH];
	uint64_t ticks;

	if (!read_path(pid, path, sizeof(path)) || !process_start(pid, &ticks))
		return true;
	new.start = boot_time() + ticks * (10000000ull / sysconf(_SC_CLK_TCK));
	if (!map_make_room((void **)&cgroups->list, cgroups->count, sizeof(new)))
		return false;
	new.path = strdup(path);
	if (!new.path)
		return false;
	cgroups->list[cgroups->count++] = new;
	return true;
}

void process_cgroups_read(struct process_cgroups *cgroups)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	bool good = dir;

	*cgroups = (struct process_cgroups){ };
	while (good && (entry = readdir(dir)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			good = add(cgroups, entry->d_name);
	if (dir)
		closedir(dir);
	if (!good)
		warn("/proc: %s: control groups are missing in the trace", strerror(errno));
}

void process_cgroups_free(struct process_cgroups *cgroups)
{
	size_t i;

	for (i = 0; i < cgroups->count; i++)
		free(cgroups->list[i].path);
	free(cgroups->list);
	*cgroups = (struct process_cgroups){ };
}

static int write_one(struct finalizing *finalizing, const struct process_cgroup *cgroup,
		     uint64_t time)
{
	finalizing_begin_event(finalizing, &our_provider, ETW_LINUX_EVENT_CGROUP, time,
			       cgroup->pid);
	finalizing_u32(finalizing, cgroup->pid);
	finalizing_u32(finalizing, 0);
	finalizing_text(finalizing, cgroup->path);
	return finalizing_write(finalizing, &first_processor);
}

int finalizing_cgroups_before(struct finalizing *finalizing)
{
	const struct process_cgroups *before = finalizing->options->cgroups;
	size_t i;

	for (i = 0; before && finalizing->here && i < before->count; i++)
		if (write_one(finalizing, &before->list[i], finalizing->trace->log.t0))
			return -1;
	return 0;
}

/* Whether the trace has a process already. Both lists are in the order of /proc, by id. */
static bool is_written(const struct finalizing *finalizing, const struct process_cgroup *now,
		       size_t *at)
{
	const struct process_cgroups *before = finalizing->options->cgroups;
	const struct process_cgroup *was;

	while (before && *at < before->count && before->list[*at].pid < now->pid)
		++*at;
	if (!before || *at == before->count)
		return false;
	was = &before->list[*at];
	return was->pid == now->pid && !strcmp(was->path, now->path) &&
	       now->start < was->start + SAME_START;
}

int finalizing_cgroups_now(struct finalizing *finalizing)
{
	uint64_t end = finalizing->trace->log.end_time;
	struct process_cgroups now;
	int err = 0;
	size_t i, at = 0;

	if (!finalizing->here || *finalizing->options->sysroot || !end)
		return 0;
	process_cgroups_read(&now);
	/* the id of a later process may be another one's in the trace */
	for (i = 0; !err && i < now.count; i++)
		if (now.list[i].start <= end && !is_written(finalizing, &now.list[i], &at))
			err = write_one(finalizing, &now.list[i], finalizing->out.last);
	process_cgroups_free(&now);
	return err;
}
