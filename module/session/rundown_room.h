/* SPDX-License-Identifier: GPL-2.0 */
/* A rundown of a session, and how long it may wait for the session's reader. */
#ifndef ETW_RUNDOWN_ROOM_H
#define ETW_RUNDOWN_ROOM_H

#include <linux/jiffies.h>
#include "context/rundown.h"

struct etw_session;

/* What a slow reader may make who waits for rundowns wait, in all */
#define ETW_RUNDOWN_DEADLINE	(10 * HZ)

/**
 * struct etw_session_rundown - a rundown under way
 * @rundown: what sources see of it
 * @session: whose
 * @unhurried: nobody waits for its end, but for a STOP or an UPDATE that comes
 * @limited: it had to wait once, and has
 * @limit: until then
 */
struct etw_session_rundown {
	struct etw_rundown rundown;
	struct etw_session *session;
	bool unhurried;
	bool limited;
	unsigned long limit;
};

void etw_rundown_init(struct etw_session_rundown *rundown, struct etw_session *session);

#endif /* ETW_RUNDOWN_ROOM_H */
