/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The stop rundown of a session that overwrites. */
#ifndef ETW_STOP_RING_H
#define ETW_STOP_RING_H

#include <linux/types.h>

struct etw_session;

int etw_stop_ring_create(struct etw_session *session);
void etw_stop_ring_free(struct etw_session *session);
void etw_stop_ring_fill(struct etw_session *session);
u32 etw_rundown_buffers(struct etw_session *session);

#endif /* ETW_STOP_RING_H */
