/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* How long a session's rundown may take, and which calls it delays. */
#ifndef ETW_RUNDOWN_LIMITS_H
#define ETW_RUNDOWN_LIMITS_H

#include <linux/jiffies.h>
#include "context/rundown.h"

struct etw_session;
struct task_struct;

/*
 * All limits of a rundown. Patience and memory only end the waiting: what finds no free space
 * afterwards is lost and counted. The other limits also end the walks over tasks, images,
 * mappings and files, however many of these other users make: what a walk leaves out is counted
 * as ETW_LOSS_RUNDOWN. A walk asks before each process and each few objects.
 *
 *  the reader frees no buffer	ETW_RUNDOWN_PATIENCE for a record (context/rundown_write.c)
 *  a task waits in STOP	ETW_RUNDOWN_DEADLINE for all rundowns of the STOP together. The
 *				start rundown gets half of it at most. Each source gets
 *				an equal share of what is left when its part begins,
 *				and what follows the sources gets the rest.
 *				A STOP that discards the session gives them no time
 *  a task waits in UPDATE	ETW_RUNDOWN_DEADLINE for the rundown of the workqueue, then
 *				again for the keys that UPDATE itself writes
 *  a task writes the rundown	ETW_RUNDOWN_DEADLINE from its first question or wait
 *  a task waits in STOP, or	a fatal signal of that task, also if it has ended the task,
 *  writes the rundown		which then closes its files
 *  locks and execs of		ETW_RUNDOWN_NAPS short sleeps for all processes together; then
 *  processes			an address space whose lock is not free is left out
 *  the ring grows (stop ring,	memory; such a ring never waits for a reader
 *  copy of SNAPSHOT)
 *
 * A rundown of the workqueue (@unhurried) has only the limits of patience and of locks while no
 * task waits.
 */

/* How long a task may wait for rundowns; see above for UPDATE */
#define ETW_RUNDOWN_DEADLINE	(10 * HZ)

/**
 * struct etw_rundown_waiters - tasks that wait for the rundowns of a session
 * @update: an UPDATE waits; under the session's lock
 * @stopper: task in STOP that waits, or NULL; exists as long as this is set
 * @stop_limit: jiffies: deadline of @stopper
 */
struct etw_rundown_waiters {
	bool update;
	struct task_struct *stopper;
	unsigned long stop_limit;
};

/**
 * struct etw_session_rundown - a rundown in progress
 * @rundown: the rundown as sources see it
 * @session: the session
 * @unhurried: written by the workqueue: no task waits for its end, unless it is one of
 *	struct etw_rundown_waiters
 * @limited: the rundown had to wait while a task waited for it, so @limit is set
 * @limit: jiffies: deadline
 * @parted: the current source has a deadline of its own
 * @part_limit: jiffies: that deadline
 */
struct etw_session_rundown {
	struct etw_rundown rundown;
	struct etw_session *session;
	bool unhurried;
	bool limited;
	unsigned long limit;
	bool parted;
	unsigned long part_limit;
};

void etw_rundown_init(struct etw_session_rundown *rundown, struct etw_session *session);
void etw_rundown_stop_waits(struct etw_session *session, unsigned long time);
void etw_rundown_stop_waited(struct etw_session *session);
void etw_rundown_update_waits(struct etw_session *session, bool waits);

#endif /* ETW_RUNDOWN_LIMITS_H */
