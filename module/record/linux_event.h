/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Records of our own provider: EVENT_HEADER. */
#ifndef ETW_LINUX_EVENT_H
#define ETW_LINUX_EVENT_H

#include "payload.h"

/* The same bytes without a ring: trailer, tests. */
u32 etw_encode_linux(void *to, u16 event_id, u32 thread_id, u32 process_id, u64 tick,
		     const struct etw_payload *payload);
int etw_record_linux(struct etw_ring *ring, u16 event_id, const struct etw_payload *payload,
		     enum etw_reserve_mode mode);

#endif /* ETW_LINUX_EVENT_H */
