/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Every process in a trace. */
#ifndef ETW_STAT_PROCESSES_H
#define ETW_STAT_PROCESSES_H

#include "libetl/event_filter.h"
#include "libetl/lifetimes.h"
#include "libetl/trace.h"

/**
 * struct instance - a line: a process, or one program of it
 * @pid: its id
 * @parent: its parent's
 * @has_start: it began in the trace, at @start
 * @has_end: its end is known, @end
 * @has_status: @status is valid
 * @start: ns since the start of the session, @end too
 * @status: exit status
 * @threads: of its, seen
 * @wanted: the filter wants one of its threads
 * @image: name
 * @command: line
 */
struct instance {
	uint32_t pid;
	uint32_t parent;
	bool has_start;
	bool has_end;
	bool has_status;
	int64_t start;
	int64_t end;
	uint32_t status;
	uint64_t threads;
	bool wanted;
	char *image;
	char *command;
};

/**
 * struct processes - all of them
 * @filter: which are wanted
 * @lifetimes: as far as the trace was read
 * @map: indexes of the processes in @lifetimes, in the order of the trace
 * @list: by index in @map
 * @threads: index in @list and thread id
 */
struct processes {
	const struct trace *trace;
	const struct event_filter *filter;
	struct lifetimes lifetimes;
	struct map map;
	struct instance *list;
	struct map threads;
};

/*
 * With @trace and @filter, all else 0; processes_free() in any case. Return: 0, or -1: no memory,
 * or the trace could not be read
 */
int processes_collect(struct processes *processes);
/* Whether the filter wants the one with this index in @list */
bool processes_wants(const struct processes *processes, size_t i);
void processes_free(struct processes *processes);

#endif /* ETW_STAT_PROCESSES_H */
