// SPDX-License-Identifier: GPL-2.0
/* Waits, up to a limit, until the reader has freed space for a session's rundown. */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "pool.h"
#include "rundown_limits.h"
#include "session.h"

/* Whether the task that waits for this rundown has waited long enough, or was killed */
static bool is_too_long(struct etw_session_rundown *rundown)
{
	struct etw_session *session = rundown->session;
	/* pairs with the release in stop.c; the task exists, because STOP waits for us */
	struct task_struct *stopper = smp_load_acquire(&session->stopper);

	if (stopper && (fatal_signal_pending(stopper) || time_after(jiffies, session->stop_limit)))
		return true;
	if (rundown->unhurried && !READ_ONCE(session->expedite_rundown)) {
		rundown->limited = false;	/* the UPDATE that waited has ended */
		return false;
	}
	if (!rundown->limited) {
		rundown->limited = true;
		rundown->limit = jiffies + ETW_RUNDOWN_DEADLINE;
	}
	return fatal_signal_pending(current) || time_after(jiffies, rundown->limit);
}

/*
 * If a task waits for the end of the rundown, a slow reader gets ETW_RUNDOWN_DEADLINE
 * in total. All rundowns that a STOP waits for share one deadline.
 */
static bool make_space(struct etw_rundown *sources, unsigned long limit)
{
	struct etw_session_rundown *rundown = container_of(sources, struct etw_session_rundown,
							   rundown);

	if (sources->ring)
		return etw_pool_add(rundown->session, sources->ring);
	if (time_after(jiffies, limit) || is_too_long(rundown))
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
		.rundown = { .sink = &session->sink, .make_space = make_space },
		.session = session,
	};
}
