// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Lines of reports that stand for a process, or with --by container for a container. */
#include "etw.h"
#include "groups.h"

void groups_begin(struct groups *groups, const struct statistics *statistics, enum report_by by,
		  size_t size, void (*release)(void *value))
{
	*groups = (struct groups){
		.by = by, .lifetimes = statistics->lifetimes,
		.values = { .size = size, .release = release },
		.member.size = sizeof(const struct process *),
	};
}

void *groups_of(struct groups *groups, uint64_t process)
{
	const struct process *member = process ? lifetimes_process_at(groups->lifetimes,
								      process - 1) : NULL;
	uint64_t key = groups->by == BY_CONTAINER ? container_index(member) : process;
	const struct process **known = keyed_of(&groups->member, key);

	if (!known)
		return NULL;
	if (!*known)
		*known = member;
	return keyed_of(&groups->values, key);
}

int groups_add(struct groups *groups, const struct keyed *processes,
	       void (*add)(void *to, const void *from))
{
	void *value;
	size_t i;

	for (i = 0; i < processes->map.count; i++) {
		value = groups_of(groups, processes->map.keys[i]);
		if (!value)
			return no_memory();
		add(value, keyed_at(processes, i));
	}
	return 0;
}

void groups_end(struct groups *groups)
{
	keyed_free(&groups->values);
	keyed_free(&groups->member);
}

const char *groups_name(enum report_by by)
{
	return by == BY_CONTAINER ? "containers" : "processes";
}

static enum sheet_where where(bool shown)
{
	return shown ? SHEET_EVERYWHERE : SHEET_NOWHERE;
}

size_t groups_first_column(struct sheet *sheet, enum report_by by)
{
	return sheet_column(sheet, SHEET_ID, where(by != BY_CONTAINER), "pid");
}

size_t groups_last_columns(struct sheet *sheet, enum report_by by)
{
	size_t column = sheet_column(sheet, SHEET_TEXT, where(by != BY_CONTAINER), "process");

	sheet_column(sheet, SHEET_TEXT, where(by == BY_CONTAINER), "container");
	return column;
}

void groups_put(const struct groups *groups, size_t line, struct sheet *sheet, size_t first,
		size_t last)
{
	const struct process *const *known = keyed_at(&groups->member, line);
	const struct process *process = *known;

	if (groups->by == BY_CONTAINER)
		sheet_text(sheet, last + 1, container_label(process));
	if (groups->by == BY_CONTAINER || !process)
		return;
	sheet_number(sheet, first, process->life.id);
	if (process->life.name)
		sheet_text(sheet, last, process->life.name);
}

void groups_order(struct sheet *sheets[], size_t line, enum report_by by)
{
	struct sheet *lines = sheets[line];

	if (by != BY_CONTAINER)
		return;
	for (; line; line--)
		sheets[line] = sheets[line - 1];
	sheets[0] = lines;
}
