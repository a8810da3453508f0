// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Ends rundowns, and their waits for the reader, at the limits in rundown_limits.h. */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "pool.h"
#include "rundown_limits.h"
#include "session.h"

/* The start rundown leaves half of a STOP's time to the stop rundown. */
static bool is_stop_over(const struct etw_session_rundown *rundown)
{
	const struct etw_rundown_waiters *waiters = &rundown->session->rundown_waiters;
	unsigned long limit = waiters->stop_limit;

	if (rundown->unhurried)
		limit -= ETW_RUNDOWN_DEADLINE / 2;
	return time_after(jiffies, limit);
}

/*
 * Whether a signal ended the task, also when it closes its files at its end: no signal is
 * pending then.
 */
static bool is_killed(struct task_struct *task)
{
	if (fatal_signal_pending(task))
		return true;
	return READ_ONCE(task->flags) & PF_EXITING &&
	       READ_ONCE(task->signal->group_exit_code) & 0x7f;
}

/* Whether the task that waits for this rundown has waited long enough, or was killed */
static bool is_too_long(struct etw_session_rundown *rundown)
{
	const struct etw_rundown_waiters *waiters = &rundown->session->rundown_waiters;
	/* pairs with etw_rundown_stop_waits(); the task exists, because STOP waits for us */
	struct task_struct *stopper = smp_load_acquire(&waiters->stopper);

	if (stopper && (is_killed(stopper) || is_stop_over(rundown)))
		return true;
	if (rundown->unhurried && !READ_ONCE(waiters->update)) {
		rundown->limited = false;	/* the UPDATE that waited has ended */
		return false;
	}
	if (!rundown->limited) {
		rundown->limited = true;
		rundown->limit = jiffies + ETW_RUNDOWN_DEADLINE;
	}
	return is_killed(current) || time_after(jiffies, rundown->limit);
}

static struct etw_session_rundown *session_rundown(struct etw_rundown *rundown)
{
	return container_of(rundown, struct etw_session_rundown, rundown);
}

/* See struct etw_rundown */
static bool is_over(struct etw_rundown *sources)
{
	struct etw_session_rundown *rundown = session_rundown(sources);

	if (is_too_long(rundown))
		return true;
	return rundown->parted && time_after(jiffies, rundown->part_limit);
}

/* Deadline of all parts; returns false if no task waits */
static bool deadline_of(const struct etw_session_rundown *rundown, unsigned long *limit)
{
	const struct etw_rundown_waiters *waiters = &rundown->session->rundown_waiters;

	if (smp_load_acquire(&waiters->stopper))	/* as in is_too_long() */
		*limit = waiters->stop_limit;
	else if (rundown->limited)
		*limit = rundown->limit;
	else
		return false;
	return true;
}

/*
 * See struct etw_rundown. A part that ended at its own limit leaves their shares to the other
 * parts, but patience for the reader is not renewed. The start rundown has no shares: its
 * deadline may begin in the middle of a part.
 */
static void begin_part(struct etw_rundown *sources, u32 left)
{
	struct etw_session_rundown *rundown = session_rundown(sources);
	unsigned long limit, now;

	if (rundown->unhurried || is_too_long(rundown) || !deadline_of(rundown, &limit))
		return;
	if (sources->over) {
		sources->over = false;
		sources->vanished = false;
	}
	rundown->parted = true;
	now = jiffies;
	rundown->part_limit = now + (limit - now) / left;
}

/* See struct etw_rundown */
static bool make_space(struct etw_rundown *sources, unsigned long limit)
{
	struct etw_session_rundown *rundown = session_rundown(sources);

	if (is_over(sources)) {
		sources->over = true;
		return false;
	}
	if (sources->ring)
		return etw_pool_add(rundown->session, sources->ring);
	if (time_after(jiffies, limit))
		return false;
	etw_pool_kick(rundown->session);
	usleep_range(500, 2000);
	return true;
}

/**
 * etw_rundown_init() - prepare a rundown that a task waits for, into the session's buffers
 * @rundown: out; the caller sets its masks
 * @session: the session
 */
void etw_rundown_init(struct etw_session_rundown *rundown, struct etw_session *session)
{
	*rundown = (struct etw_session_rundown){
		.rundown = {
			.sink = &session->sink,
			.naps = ETW_RUNDOWN_NAPS,
			.is_over = is_over,
			.begin_part = begin_part,
			.make_space = make_space,
		},
		.session = session,
	};
}

/**
 * etw_rundown_stop_waits() - a STOP begins: limit all rundowns until it has ended
 * @session: the session; the caller's task stops it
 * @time: jiffies that the rundowns may take
 */
void etw_rundown_stop_waits(struct etw_session *session, unsigned long time)
{
	struct etw_rundown_waiters *waiters = &session->rundown_waiters;

	waiters->stop_limit = jiffies + time;
	/* pairs with the acquire in is_too_long(): makes stop_limit visible with stopper */
	smp_store_release(&waiters->stopper, current);
}

/**
 * etw_rundown_stop_waited() - undo etw_rundown_stop_waits()
 * @session: its rundowns have ended, and only they read @stopper
 */
void etw_rundown_stop_waited(struct etw_session *session)
{
	WRITE_ONCE(session->rundown_waiters.stopper, NULL);
}

/**
 * etw_rundown_update_waits() - an UPDATE begins or ends to wait for a rundown
 * @session: the session; the caller holds session->lock
 * @waits: whether it waits
 */
void etw_rundown_update_waits(struct etw_session *session, bool waits)
{
	WRITE_ONCE(session->rundown_waiters.update, waits);
}
