/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The control groups of all processes of this machine. */
#ifndef ETW_PROCESS_CGROUPS_H
#define ETW_PROCESS_CGROUPS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a path with its terminator; readers keep no more */
#define PROCESS_CGROUP_PATH	1024

/**
 * struct process_cgroups - processes that are not in the root of the hierarchy
 * @list: @count of them
 */
struct process_cgroups {
	struct process_cgroup {
		uint32_t pid;
		uint64_t start;		/* FILETIME */
		char *path;
	} *list;
	size_t count;
};

/* Those of now; what cannot be read is left out, after a warning */
void process_cgroups_read(struct process_cgroups *cgroups);
void process_cgroups_free(struct process_cgroups *cgroups);

#endif /* ETW_PROCESS_CGROUPS_H */
