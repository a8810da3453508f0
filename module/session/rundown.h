/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Rundowns: describe what exists when a session starts and stops. */
#ifndef ETW_SESSION_RUNDOWN_H
#define ETW_SESSION_RUNDOWN_H

#include <linux/types.h>

struct etw_event_context;
struct etw_ring;
struct etw_session;
struct work_struct;

/* Parts of a rundown that can be requested */
#define ETW_RUNDOWN_NAMES	0x1	/* what exists: processes and other objects */
#define ETW_RUNDOWN_CONFIG	0x2	/* the machine's description */
#define ETW_RUNDOWN_PROFILE	0x4	/* counters and samplers */
#define ETW_RUNDOWN_MASKS	0x8	/* the group masks, again */

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
