/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The process that writes a session's file. */
#ifndef WRITER_PROCESS_H
#define WRITER_PROCESS_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Return: whether a process has a file open */
static inline int has_open(const char *pid, const char *path)
{
	char name[64], link[512], at[512];
	struct dirent *entry;
	int found = 0;
	ssize_t n;
	DIR *fds;

	snprintf(name, sizeof(name), "/proc/%.20s/fd", pid);
	fds = opendir(name);
	while (fds && !found && (entry = readdir(fds))) {
		snprintf(link, sizeof(link), "%s/%s", name, entry->d_name);
		n = readlink(link, at, sizeof(at) - 1);
		at[n < 0 ? 0 : n] = 0;
		found = !strcmp(at, path);
	}
	if (fds)
		closedir(fds);
	return found;
}

/* Return: the process other than this one that has the file open; 0: none */
static inline pid_t writer_of(const char *path)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	pid_t pid = 0;

	while (processes && !pid && (entry = readdir(processes)))
		if (atoi(entry->d_name) != getpid() && has_open(entry->d_name, path))
			pid = atoi(entry->d_name);
	if (processes)
		closedir(processes);
	return pid;
}

#endif /* WRITER_PROCESS_H */
