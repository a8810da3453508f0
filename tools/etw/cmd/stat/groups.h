/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Lines of reports that stand for a process, or with --by container for a container. */
#ifndef ETW_STAT_GROUPS_H
#define ETW_STAT_GROUPS_H

#include "keyed.h"

/**
 * struct groups - values of processes or containers
 * @by: BY_CONTAINER, otherwise lines are processes
 * @values: by index of the process + 1, 0: unknown; or by container_index()
 * @member: by the same key: a process of the line; NULL: unknown
 */
struct groups {
	enum report_by by;
	struct lifetimes *lifetimes;
	struct keyed values;
	struct keyed member;
};

/* @size of a value, and @release of it as in struct keyed. The whole trace has been read. */
void groups_begin(struct groups *groups, const struct statistics *statistics, enum report_by by,
		  size_t size, void (*release)(void *value));
/*
 * The value of the line that a process belongs to, all 0 at first; @process: index + 1, 0: unknown.
 * Return: NULL: no memory
 */
void *groups_of(struct groups *groups, uint64_t process);
/* Adds each value of @processes (by index of the process + 1). Return: 0, or -1 after a message */
int groups_add(struct groups *groups, const struct keyed *processes,
	       void (*add)(void *to, const void *from));
void groups_end(struct groups *groups);

/* Of the sheet of the lines: "processes" or "containers" */
const char *groups_name(enum report_by by);
/* The columns that name a line: first "pid", at last "process" and "container" */
size_t groups_first_column(struct sheet *sheet, enum report_by by);
size_t groups_last_columns(struct sheet *sheet, enum report_by by);
/* @line: index in the values; @first, @last: those columns */
void groups_put(const struct groups *groups, size_t line, struct sheet *sheet, size_t first,
		size_t last);
/*
 * With --by container, the sheet of the lines comes first: it is the CSV. @line: its place in
 * @sheets until then
 */
void groups_order(struct sheet *sheets[], size_t line, enum report_by by);

#endif /* ETW_STAT_GROUPS_H */
