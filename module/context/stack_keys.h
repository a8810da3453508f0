/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Writing of stacks by key, and of the keys' frames. */
#ifndef ETW_STACK_KEYS_H
#define ETW_STACK_KEYS_H

#include <linux/types.h>

struct etw_cached_stack;
struct etw_event_context;
struct etw_ring;
struct etw_rundown;
struct etw_stack_cache;
struct etw_stack_hint;
struct etw_stacks;

struct etw_cached_stack *etw_stack_find_key(struct etw_ring *ring, struct etw_stack_cache *cache,
					    struct etw_stack_hint *hint,
					    const unsigned long *frames, u32 nr, bool kernel);
void etw_stack_keys_write(struct etw_rundown *rundown, struct etw_stack_cache *cache);
void etw_rundown_stack_keys(struct etw_rundown *rundown, struct etw_event_context *context);
u64 etw_stack_keys_bytes(struct etw_stacks *stacks);

#endif /* ETW_STACK_KEYS_H */
