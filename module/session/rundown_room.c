// SPDX-License-Identifier: GPL-2.0
/* Room for a session's rundown: made by its reader, for whom we wait, but not for ever. */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "pool.h"
#include "rundown_room.h"
#include "session.h"

/* Whether who waits for this rundown has waited long enough, or was killed */
static bool is_too_long(struct etw_session_rundown *rundown)
{
	struct etw_session *session = rundown->session;
	/* pairs with the release in stop.c; STOP waits for us, so it is there */
	struct task_struct *stopper = smp_load_acquire(&session->stopper);

	if (stopper && (fatal_signal_pending(stopper) || time_after(jiffies, session->stop_limit)))
		return true;
	if (rundown->unhurried && !READ_ONCE(session->expedite_rundown)) {
		rundown->limited = false;	/* who waited does so no more */
		return false;
	}
	if (!rundown->limited) {
		rundown->limited = true;
		rundown->limit = jiffies + ETW_RUNDOWN_DEADLINE;
	}
	return fatal_signal_pending(current) || time_after(jiffies, rundown->limit);
}

/*
 * A reader that frees a buffer now and then has ETW_RUNDOWN_DEADLINE in all where
 * somebody waits for the end of the rundown: one for all that a STOP waits for.
 */
static bool make_room(struct etw_rundown *sources, unsigned long limit)
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
 * etw_rundown_init() - a rundown that somebody waits for, into the session's buffers
 * @rundown: out
 * @session: whose; its masks are for the caller to say
 */
void etw_rundown_init(struct etw_session_rundown *rundown, struct etw_session *session)
{
	*rundown = (struct etw_session_rundown){
		.rundown = { .sink = &session->sink, .make_room = make_room },
		.session = session,
	};
}
