/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Executable mappings as processes make them, reported by perf. */
#ifndef ETW_MAPPING_WATCH_H
#define ETW_MAPPING_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct mapping_watch;

/**
 * struct new_mapping - an executable mapping of a file
 * @pid: process
 * @start: first address
 * @end: behind the last address
 * @device: number that perf has for the file system: major and minor
 * @inode: of the file
 * @generation: of this inode
 * @path: of the file in the process's mount namespace
 */
struct new_mapping {
	uint32_t pid;
	uint64_t start;
	uint64_t end;
	uint64_t device;
	uint64_t inode;
	uint64_t generation;
	const char *path;
};

/* Return: NULL: this machine or user has no perf for all processes, or not on each CPU */
struct mapping_watch *mapping_watch_open(void);
/* Waits for a mapping, or until @fd can be read, or the time has passed */
void mapping_watch_wait(struct mapping_watch *watch, int fd, int ms);
/* Return: false: perf had no room for some mappings */
bool mapping_watch_read(struct mapping_watch *watch,
			void (*found)(void *context, const struct new_mapping *mapping),
			void *context);
void mapping_watch_close(struct mapping_watch *watch);

#endif /* ETW_MAPPING_WATCH_H */
