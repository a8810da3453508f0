// SPDX-License-Identifier: GPL-2.0
/* The reader of a session runs before other threads, as Windows' logger thread does. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include "record.h"

/* A priority that the caller of the tool has chosen stays. */
static bool is_chosen(void)
{
	return sched_getscheduler(0) != SCHED_OTHER || getpriority(PRIO_PROCESS, 0);
}

/*
 * Before the session begins, so that it does not record this. A command and threads, which the
 * reader starts, have the normal priority again, because the kernel resets it in fork().
 */
void priority_raise(struct recording *recording)
{
	struct sched_param real_time = { .sched_priority = 1 }, normal = { };

	if (is_chosen())
		return;
	if (!sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &real_time))
		return;
	if (sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &normal) ||
	    setpriority(PRIO_PROCESS, 0, -20))
		recording->priority_error = errno;
}

/* For what follows a recording, such as 'etw finalize' */
void priority_lower(void)
{
	struct sched_param normal = { };

	if (sched_getscheduler(0) & SCHED_RESET_ON_FORK) {
		sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &normal);
		setpriority(PRIO_PROCESS, 0, 0);
	}
}
