// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* One way to read the clock, compiled into the ring's own fast path; see run. */
#include <linux/compiler.h>
#include "ring/clock.h"

/*
 * RUN is the function's name. ORDERED: behind all that stands before it, as LFENCE and
 * ISB do. CLAMPED: no stamp below the last one of the ring. Both together are not wanted.
 */
#ifdef ORDERED
#define etw_counter_now()		etw_counter_ordered()
#else
#define etw_counter_now()		etw_counter()
#endif
#ifndef CLAMPED
#define etw_tick_counter(clamp, now)	((void)(clamp), (now))
#endif
#include "ring/reserve.h"
#include "reserve.h"

u64 RUN(struct etw_ring *ring, u32 events)
{
	u64 written = 0;

	while (events--) {
		struct etw_reservation at;
		u64 *word;

		if (!etw_reserve(ring, RESERVE_RECORD, &at, ETW_RESERVE_COUNT))
			continue;
		word = at.data;
		*word++ = 0x00280524c0110004ULL;
		*word++ = at.tick;
		*word++ = events;
		*word = 0;
		etw_commit(ring, &at, RESERVE_RECORD);
		written++;
	}
	return written;
}
