/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Records with PERFINFO_TRACE_HEADER: most kernel events. */
#ifndef ETW_PERFINFO_H
#define ETW_PERFINFO_H

#include "payload.h"

/* The first 8 bytes of a PERFINFO record, as one store */
static __always_inline u64 etw_perfinfo_word(u16 hook_id, u8 version, u16 size)
{
	return PERFINFO_TRACE_MARKER64 | version | (u64)size << 32 | (u64)hook_id << 48;
}

/* The same bytes without a ring: event contexts, tests. */
u32 etw_encode_perfinfo(void *to, u32 type, u16 hook_id, u16 version, u64 tick,
			const u64 *items, const struct etw_payload *payload);
int etw_record_perfinfo_at(struct etw_ring *ring, u16 hook_id, u8 version,
			   const struct etw_payload *payload, enum etw_reserve_mode mode,
			   struct etw_moment *moment);
int etw_record_perfinfo(struct etw_ring *ring, u16 hook_id, u8 version,
			const struct etw_payload *payload, enum etw_reserve_mode mode);

#endif /* ETW_PERFINFO_H */
