// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Stack key records: 0x1822 to 0x1826. */
#include <linux/mutex.h>
#include "record/perfinfo.h"
#include "event_context.h"
#include "rundown.h"
#include "stack_cache.h"
#include "stack_keys.h"

/*
 * A key's frames are recorded when the key is created and deleted, and in a rundown at the
 * end or on request. If that record can't be written, the key is not used, and the
 * stack is written whole. (kernel-events.rst 5.7, 11.5)
 */
static int define(struct etw_ring *ring, u16 hook_id, u64 key, const unsigned long *frames, u32 nr)
{
	const struct etw_payload payload = {
		.data = &key,
		.size = sizeof(key),
		.more = frames,
		.more_size = nr * sizeof(*frames),
	};

	return etw_record_perfinfo(ring, hook_id, PERFINFO_STACK_VERSION, &payload,
				   ETW_RESERVE_TRY);
}

static struct etw_cached_stack *make_key(struct etw_ring *ring, struct etw_stack_cache *cache,
					 u64 hash, const unsigned long *frames, u32 nr)
{
	struct etw_cached_stack *entry = NULL;
	u64 key;

	if (etw_stack_cache_came(cache, hash))
		entry = etw_stack_cache_take(cache, hash);
	if (!entry)
		return NULL;
	if (entry->nr && define(ring, PERFINFO_LOG_TYPE_STACKTRACE_DELETE, entry->key,
				entry->frames, entry->nr)) {
		etw_stack_cache_keep(entry);
		return NULL;
	}
	key = etw_stack_cache_key(cache, frames, nr);
	if (define(ring, PERFINFO_LOG_TYPE_STACKTRACE_CREATE, key, frames, nr)) {
		etw_stack_cache_empty(entry);
		return NULL;
	}
	etw_stack_cache_fill(entry, hash, key, frames, nr);
	return entry;
}

/**
 * etw_stack_find_key() - find or make the key of a part of a stack
 * @ring: ring of the event
 * @cache: a cache
 * @hint: where it was last; out: where it is
 * @frames: innermost first
 * @nr: number of frames
 * @kernel: kernel frames, else user frames
 *
 * Without a key nothing was written except perhaps the deletion of another key.
 *
 * Context: any; preemption off. Return: its entry, used until etw_stack_cache_drop(); or NULL.
 */
struct etw_cached_stack *etw_stack_find_key(struct etw_ring *ring, struct etw_stack_cache *cache,
					    struct etw_stack_hint *hint,
					    const unsigned long *frames, u32 nr, bool kernel)
{
	struct etw_cached_stack *entry = NULL;

	/* the caller compared user frames with this entry, but of kernel frames only the stamp */
	if (kernel)
		entry = etw_stack_cache_hinted(cache, hint, frames, nr, false);
	if (!entry) {
		u64 hash = etw_stack_cache_hash(cache, frames, nr);

		entry = etw_stack_cache_find(cache, hash, frames, nr);
		if (!entry)
			entry = make_key(ring, cache, hash, frames, nr);
		if (!entry)
			return NULL;
		hint->index = entry - cache->entries;
	}
	hint->stamp = kernel ? entry->stamp : 0;
	return entry;
}

/**
 * etw_stack_keys_write() - write the frames of all keys of a cache
 * @rundown: the rundown
 * @cache: a cache, or NULL
 *
 * Context: process; sleeps; one at a time for each cache.
 */
void etw_stack_keys_write(struct etw_rundown *rundown, struct etw_stack_cache *cache)
{
	u32 i, nr;

	for (i = 0; cache && i < etw_stack_cache_entries(cache); i++) {
		nr = etw_stack_cache_copy(cache, i);
		if (nr)
			etw_rundown_write(rundown, PERFINFO_LOG_TYPE_STACKTRACE_RUNDOWN,
					  PERFINFO_STACK_VERSION, ETW_RUNDOWN_PERFINFO,
					  &cache->copy, sizeof(u64) +
					  nr * sizeof(cache->copy.frames[0]));
	}
}

/**
 * etw_rundown_stack_keys() - write the frames of all keys of a session
 * @rundown: the rundown
 * @context: the session's event context, or NULL
 *
 * Context: process; sleeps.
 */
void etw_rundown_stack_keys(struct etw_rundown *rundown, struct etw_event_context *context)
{
	struct etw_stacks *stacks;

	if (!context)
		return;
	stacks = &context->stacks;
	mutex_lock(&stacks->lock);
	etw_stack_keys_write(rundown, rcu_dereference_protected(stacks->cache,
								lockdep_is_held(&stacks->lock)));
	mutex_unlock(&stacks->lock);
}

/**
 * etw_stack_keys_bytes() - bytes that the rundown of all keys may take
 * @stacks: a session's
 *
 * Context: process; sleeps.
 */
u64 etw_stack_keys_bytes(struct etw_stacks *stacks)
{
	const struct etw_stack_cache *cache;
	u64 bytes = 0;

	mutex_lock(&stacks->lock);
	cache = rcu_dereference_protected(stacks->cache, lockdep_is_held(&stacks->lock));
	if (cache)
		bytes = (u64)etw_stack_cache_entries(cache) * sizeof(cache->entries[0]);
	mutex_unlock(&stacks->lock);
	return bytes;
}
