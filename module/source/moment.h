/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A point in time that a later event contains, in the clock of each session. */
#ifndef ETW_MOMENT_H
#define ETW_MOMENT_H

#include <linux/bits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include "source.h"

/**
 * etw_moment_now() - read the clocks that the listeners use
 * @moment: out
 * @listeners: listeners
 *
 * Context: any, NMI included.
 */
static __always_inline void etw_moment_now(struct etw_moment *moment,
					   const struct etw_listeners *listeners)
{
	if (likely(listeners->ticks & BIT(ETW_TICKS_COUNTER)))
		moment->counter = etw_counter() + READ_ONCE(etw_counter_offset);
	if (unlikely(listeners->ticks & ~BIT(ETW_TICKS_COUNTER)))
		moment->boottime = etw_clock_fast_ns();
}

/**
 * etw_moment_tick() - convert a moment to a session's clock
 * @moment: read on this CPU, while the session listened
 * @ring: the session's ring of this CPU
 * @latest: stamp of the record that contains the moment: upper limit, because stamps are
 *	clamped and moments are not
 */
static __always_inline u64 etw_moment_tick(const struct etw_moment *moment,
					   const struct etw_ring *ring, u64 latest)
{
	if (likely(ring->ticks == ETW_TICKS_COUNTER))
		return min(moment->counter, latest);
	if (ring->ticks == ETW_TICKS_MONOTONIC)
		return min(moment->boottime, latest);
	return min(ring->clock.base + div_u64(moment->boottime, 100), latest);
}

#endif /* ETW_MOMENT_H */
