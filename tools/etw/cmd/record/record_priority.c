// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The reader of a session runs before other threads, as Windows' logger thread does. */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/resource.h>
#include "libetl/reader_priority.h"
#include "record.h"

/*
 * Before the session begins, so that it does not record this. A command and threads, which the
 * reader starts, have the normal priority again, because the kernel resets it in fork().
 */
void priority_raise(struct recording *recording)
{
	recording->priority_error = reader_priority_raise();
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
