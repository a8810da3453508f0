/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Map an ordinal to its slot; read the number of slots from other CPUs. */
#ifndef ETW_SLOT_H
#define ETW_SLOT_H

#include <linux/math64.h>
#include "ring.h"

/* A CPU that comes online gets its slots while other CPUs look at its ring. */
static inline u32 slots_of(const struct etw_ring *ring)
{
	/* pairs with the release in etw_ring_init(): nr_slots implies initialised slots */
	return smp_load_acquire(&ring->nr_slots);
}

static inline struct etw_slot *slot_of(const struct etw_ring *ring, u64 n, u64 *lap)
{
	u32 index;

	*lap = div_u64_rem(n, ring->nr_slots, &index);
	return &ring->slots[index];
}

/* The slot after @slot of lap @lap; updates @lap without a division */
static inline struct etw_slot *next_of(const struct etw_ring *ring, struct etw_slot *slot, u64 *lap)
{
	if (++slot != ring->slots + ring->nr_slots)
		return slot;
	++*lap;
	return ring->slots;
}

static inline bool is_w_of(u64 w, u64 lap)
{
	return etw_w_lap(w) == (lap & ETW_W_LAP_MASK);
}

#endif /* ETW_SLOT_H */
