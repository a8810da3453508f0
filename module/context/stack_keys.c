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
					 u64 hash, const struct etw_stack_part *part)
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
	key = etw_stack_cache_key(cache, part->frames, part->nr);
	if (define(ring, PERFINFO_LOG_TYPE_STACKTRACE_CREATE, key, part->frames, part->nr)) {
		etw_stack_cache_empty(entry);
		return NULL;
	}
	etw_stack_cache_fill(entry, hash, key, part->frames, part->nr);
	return entry;
}

/* The entry of frames that are not where the hint says */
static noinline struct etw_cached_stack *find(struct etw_ring *ring, struct etw_stack_cache *cache,
					      const struct etw_stack_part *part)
{
	u64 hash = etw_stack_cache_hash(cache, part->frames, part->nr);
	struct etw_cached_stack *entry;

	entry = etw_stack_cache_find(cache, hash, part->frames, part->nr);
	if (!entry)
		entry = make_key(ring, cache, hash, part);
	if (entry)
		part->hint->index = entry - cache->entries;
	return entry;
}

/**
 * etw_stack_put_key() - write a part of a stack by key
 * @ring: ring of the event
 * @cache: a cache
 * @part: the part
 *
 * Context: any; preemption off. Return: false if the part has no key; nothing was written
 * except perhaps the deletion of another key.
 */
bool etw_stack_put_key(struct etw_ring *ring, struct etw_stack_cache *cache,
		       const struct etw_stack_part *part)
{
	const u32 size = sizeof(struct perfinfo_trace_header) +
			 sizeof(struct perfinfo_stack_by_key);
	struct etw_cached_stack *entry;
	struct etw_reservation at;

	entry = etw_stack_cache_hinted(cache, part->hint, part->frames, part->nr) ?:
		find(ring, cache, part);
	if (!entry)
		return false;
	part->hint->stamp = part->kernel ? entry->stamp : 0;
	if (likely(etw_reserve(ring, size, &at, ETW_RESERVE_COUNT))) {
		u16 hook_id = part->kernel ? PERFINFO_LOG_TYPE_STACKTRACE_KEY_KERNEL :
					     PERFINFO_LOG_TYPE_STACKTRACE_KEY_USER;
		u64 *to = at.data;

		to[0] = etw_perfinfo_word(hook_id, PERFINFO_STACK_VERSION, size);
		to[1] = at.tick;
		*(struct perfinfo_stack_by_key *)(to + 2) = (struct perfinfo_stack_by_key){
			.event_time_stamp = part->head.event_time_stamp,
			.stack_key = entry->key,
			.process_id = part->head.process_id,
			.thread_id = part->head.thread_id,
		};
		etw_commit(ring, &at, size);
	}
	etw_stack_cache_drop(entry);
	return true;
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
