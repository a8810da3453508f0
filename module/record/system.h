/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Records with SYSTEM_TRACE_HEADER, which contains thread and process. */
#ifndef ETW_SYSTEM_H
#define ETW_SYSTEM_H

#include "payload.h"
#include "thread_ids.h"

/* The first 8 bytes of a SYSTEM record, as one store */
static __always_inline u64 etw_system_word(u16 hook_id, u8 version, u16 size)
{
	return SYSTEM_TRACE_MARKER64 | version | (u64)size << 32 | (u64)hook_id << 48;
}

/* The same bytes without a ring: header buffer, event contexts, tests. */
u32 etw_encode_system(void *to, u16 hook_id, u8 version, const struct etw_system_ids *ids,
		      u64 tick, const struct etw_payload *payload);
int etw_record_system(struct etw_ring *ring, u16 hook_id, u8 version,
		      const struct etw_system_ids *ids, const struct etw_payload *payload,
		      enum etw_reserve_mode mode, struct etw_moment *moment);

#endif /* ETW_SYSTEM_H */
