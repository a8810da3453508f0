// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The file that a living process has mapped, in whatever mount namespace it lives. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "common/process_start.h"
#include "libetl/text.h"
#include "process_file.h"

/* BootTime and the start of a process are known to 1 s; in 100 ns */
#define TOLERANCE	10000000ULL

/**
 * struct mapping - a line of /proc/PID/maps
 * @start: first address
 * @end: behind the last one
 * @offset: in the file
 * @device: of the file
 * @inode: of the file
 */
struct mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	dev_t device;
	ino_t inode;
};

static bool started_by(const struct etl_logfile *log, uint32_t pid, uint64_t time)
{
	uint64_t ticks;
	char name[16];

	snprintf(name, sizeof(name), "%" PRIu32, pid);
	return process_start(name, &ticks) &&
	       log->boot_time + ticks * 10000000ULL / sysconf(_SC_CLK_TCK) <=
	       etl_filetime(log, time) + TOLERANCE;
}

/* The mapping of that file to which an image at @base belongs */
static bool find_mapping(uint32_t pid, const char *wanted, uint64_t base, struct mapping *mapping)
{
	unsigned int major, minor;
	char path[64], *line = NULL;
	unsigned long inode;
	bool found = false;
	size_t room = 0;
	ssize_t length;
	FILE *file;
	int at;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (!found && (length = getline(&line, &room, file)) > 0) {
		line[length - 1] = '\0';
		at = 0;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %x:%x %lu %n",
			   &mapping->start, &mapping->end, &mapping->offset, &major, &minor,
			   &inode, &at) < 6 || !at || strcmp(line + at, wanted))
			continue;
		mapping->device = makedev(major, minor);
		mapping->inode = inode;
		found = mapping->start - mapping->offset == base ||
			(base >= mapping->start && base < mapping->end);
	}
	free(line);
	fclose(file);
	return found;
}

/*
 * For a file of an overlay, /proc/PID/maps and stat() contain different devices. So the file is
 * compared with the target of the mapping, if the caller has the right to read that.
 */
static bool is_mapped(uint32_t pid, const char *path, const struct mapping *mapping)
{
	struct stat here, there;
	char link[128];

	if (stat(path, &here))
		return false;
	snprintf(link, sizeof(link), "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, pid,
		 mapping->start, mapping->end);
	if (!stat(link, &there))
		return here.st_dev == there.st_dev && here.st_ino == there.st_ino;
	return here.st_dev == mapping->device && here.st_ino == mapping->inode;
}

bool process_root(uint32_t pid, char to[PROCESS_ROOT])
{
	snprintf(to, PROCESS_ROOT, "/proc/%u/root", pid);
	return !access(to, X_OK);
}

bool process_has_file(const struct etl_logfile *log, uint32_t pid, const char *name,
		      uint64_t base, uint64_t time, char root[PROCESS_ROOT])
{
	struct mapping mapping;
	char path[4096];

	if (!process_root(pid, root) || !started_by(log, pid, time) ||
	    !find_mapping(pid, name, base, &mapping))
		return false;
	snprintf(path, sizeof(path), "%s%s", root, name);
	return is_mapped(pid, path, &mapping);
}
