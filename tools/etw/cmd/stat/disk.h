/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Requests of disks, each with the process that asked for it. */
#ifndef ETW_STAT_DISK_H
#define ETW_STAT_DISK_H

#include "collect.h"

enum disk_op { DISK_READ, DISK_WRITE, DISK_FLUSH, DISK_OPS };

/**
 * struct disk_request - a request that is done
 * @time: of its end, session clock
 * @op: what was asked for
 * @disk: its number
 * @process: index of the process in the lifetimes + 1; 0: unknown
 * @bytes: that were asked for
 * @offset: on the disk
 * @file: FileObject, when @is_of_file
 * @is_of_file: a flush is of no file
 * @service: ns that the disk had it
 * @has_whole: the trace contains its begin: @whole is valid
 * @whole: ns from its begin
 */
struct disk_request {
	uint64_t time;
	enum disk_op op;
	uint64_t disk;
	uint64_t process;
	uint64_t bytes;
	uint64_t offset;
	uint64_t file;
	bool is_of_file;
	uint64_t service;
	bool has_whole;
	uint64_t whole;
};

/**
 * struct disk_observer - gets each request that the filter wants, in the order of their ends
 * @take: Return: 0, or -1 after a message: then no more follow
 */
struct disk_observer {
	void *context;
	int (*take)(void *context, const struct disk_request *request);
};

/* Whether the begin or the end of a request has this hook id */
bool is_disk_hook(uint16_t hook);
/* Return: 0, or -1 after a message */
int disk_requests(const struct trace *trace, const struct statistics *statistics,
		  const struct disk_observer *observer);

#endif /* ETW_STAT_DISK_H */
