/* SPDX-License-Identifier: GPL-2.0 */
/* A session's rundown, and how long it may wait for the session's reader. */
#ifndef ETW_RUNDOWN_LIMITS_H
#define ETW_RUNDOWN_LIMITS_H

#include <linux/jiffies.h>
#include "context/rundown.h"

struct etw_session;

/* How long in total a slow reader may delay a task that waits for rundowns */
#define ETW_RUNDOWN_DEADLINE	(10 * HZ)

/**
 * struct etw_session_rundown - a rundown in progress
 * @rundown: the rundown as sources see it
 * @session: the session
 * @unhurried: no task waits for its end, unless a STOP or an UPDATE comes
 * @limited: the rundown had to wait, so @limit is set
 * @limit: jiffies: deadline
 */
struct etw_session_rundown {
	struct etw_rundown rundown;
	struct etw_session *session;
	bool unhurried;
	bool limited;
	unsigned long limit;
};

void etw_rundown_init(struct etw_session_rundown *rundown, struct etw_session *session);

#endif /* ETW_RUNDOWN_LIMITS_H */
