/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Which event of Linux a record is: those that reports need, found by name once. */
#ifndef ETW_STAT_LINUX_KIND_H
#define ETW_STAT_LINUX_KIND_H

#include "keyed.h"

/**
 * struct linux_kinds - the events of a report
 * @names: "Linux.SYSTEM/NAME", or its begin and "*"; @count of them
 * @count: at most 254
 * @kinds: uint8_t by event_kind(): index in @names + 1, or @count + 1
 */
struct linux_kinds {
	const char *const *names;
	unsigned int count;
	struct keyed kinds;
};

void linux_kinds_begin(struct linux_kinds *kinds, const char *const *names, unsigned int count);
/* Return: index in @names; @count: another event; -1: no memory */
int linux_kind_of(struct linux_kinds *kinds, const struct etl_record *record);
/* Whether the statistics have counted such events */
bool linux_kind_is_in(const struct statistics *statistics, const char *name);
void linux_kinds_end(struct linux_kinds *kinds);

#endif /* ETW_STAT_LINUX_KIND_H */
