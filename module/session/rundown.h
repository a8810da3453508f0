/* SPDX-License-Identifier: GPL-2.0 */
/* What was there before a session's first event and is there after its last one. */
#ifndef ETW_SESSION_RUNDOWN_H
#define ETW_SESSION_RUNDOWN_H

#include <linux/types.h>

struct etw_event_context;
struct etw_ring;
struct etw_session;
struct work_struct;

/* What is due */
#define ETW_RUNDOWN_NAMES	0x1	/* what there is */
#define ETW_RUNDOWN_CONFIG	0x2	/* the machine's description */
#define ETW_RUNDOWN_PROFILE	0x4	/* what counts and samples */
#define ETW_RUNDOWN_MASKS	0x8	/* its groups, once more */

void etw_rundown_request(struct etw_session *session, u32 what);
void etw_rundown_start(struct etw_session *session);
void etw_rundown_masks(struct etw_session *session);
void etw_rundown_work(struct work_struct *work);
void etw_rundown_into(struct etw_session *session, struct etw_ring *ring,
		      struct etw_event_context *context);
void etw_rundown_stop(struct etw_session *session);
void etw_rundown_keys(struct etw_session *session);
int etw_rundown_log(struct etw_session *session, u16 hook_id, u16 version, const void *payload,
		    u32 size);

#endif /* ETW_SESSION_RUNDOWN_H */
