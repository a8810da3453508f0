/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What a session reports about itself: anchors, losses, the last buffer. */
#ifndef ETW_REPORT_H
#define ETW_REPORT_H

#include <linux/types.h>

struct etw_ring;
struct etw_session;

void etw_anchor_write(struct etw_session *session, u32 reason);
void etw_losses_write(struct etw_session *session);
u64 etw_session_tick(struct etw_session *session);
int etw_flushed_write(struct etw_ring *ring, u64 tick);
void etw_internal_count(struct etw_session *session);
void etw_trailer_build(struct etw_session *session);

#endif /* ETW_REPORT_H */
