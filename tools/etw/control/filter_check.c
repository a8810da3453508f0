// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A process filter that matches nothing: a warning, because a process may get the id later. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include "etw.h"
#include "control_calls.h"

/* As in records: process 0 has the idle threads, and process 4 the kernel's threads. */
static bool is_there(uint32_t pid)
{
	return !pid || pid == 4 || (pid <= INT_MAX && (!kill(pid, 0) || errno != ESRCH));
}

void filter_check(const char *verb, const struct etw_items *items)
{
	uint32_t i, there = 0;

	if (!etw_items_have(items, ETW_ITEM_PIDS) || !items->nr_pids)
		return;
	for (i = 0; i < items->nr_pids; i++)
		there += is_there(items->pids[i]);
	if (!there)
		warn("%s: the process filter matches nothing: no process of --pid exists", verb);
	for (i = 0; there && i < items->nr_pids; i++)
		if (!is_there(items->pids[i]))
			warn("%s: --pid %u: there is no such process", verb, items->pids[i]);
}
