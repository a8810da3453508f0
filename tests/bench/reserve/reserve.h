/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the ways to read the clock share. */
#ifndef RESERVE_H
#define RESERVE_H

#include <linux/types.h>

struct etw_ring;

#define RESERVE_RECORD	32	/* bytes */

/* Write so many events, as many as there is room for; return how many */
u64 run_ordered(struct etw_ring *ring, u32 events);
u64 run_unordered(struct etw_ring *ring, u32 events);
u64 run_clamped(struct etw_ring *ring, u32 events);

#endif /* RESERVE_H */
