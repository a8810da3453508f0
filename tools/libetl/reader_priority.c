// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The reader of a session runs before other threads, as Windows' logger thread does. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* libetw is compiled with it */
#endif
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include "reader_priority.h"

/* A priority that the caller has chosen stays. */
static bool is_chosen(void)
{
	return sched_getscheduler(0) != SCHED_OTHER || getpriority(PRIO_PROCESS, 0);
}

/* see reader_priority.h */
int reader_priority_raise(void)
{
	struct sched_param real_time = { .sched_priority = 1 }, normal = { };

	if (is_chosen())
		return 0;
	if (!sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &real_time))
		return 0;
	if (sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &normal) ||
	    setpriority(PRIO_PROCESS, 0, -20))
		return errno;
	return 0;
}
