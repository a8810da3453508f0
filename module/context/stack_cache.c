// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A lock-free cache of stacks for any context. */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/string.h>
#include "ring/ring.h"
#include "stack_cache.h"

/*
 * A key is a hash of its frames. So it always stands for the same frames, on every CPU,
 * and also after its entry was reused. Two entries with the same frames, made at the same
 * moment, do no harm.
 */

static atomic64_t stamps;	/* of all caches' keys */

struct shape {
	u32 buckets;
	u32 ways;
};

static struct shape shape_of(const struct etw_stack_caching_config *config)
{
	u32 entries = max_t(u32, config->cache_size / sizeof(struct etw_cached_stack), 1);
	u32 buckets = clamp(config->bucket_count, 1U, entries);

	return (struct shape){ .buckets = buckets, .ways = entries / buckets };
}

/**
 * etw_stack_cache_bytes() - memory size of a cache
 * @config: its size in bytes, of which there is one entry at least, and buckets
 */
size_t etw_stack_cache_bytes(const struct etw_stack_caching_config *config)
{
	const struct shape shape = shape_of(config);
	struct etw_stack_cache *cache;

	return struct_size(cache, entries, shape.buckets * shape.ways) +
	       shape.buckets * shape.ways * ETW_STACK_CACHE_SEEN * sizeof(*cache->seen);
}

/**
 * etw_stack_cache_create() - an empty cache
 * @config: its size in bytes, of which there is one entry at least, and buckets
 * @secret: two words
 *
 * Context: process; sleeps. Return: NULL without memory.
 */
struct etw_stack_cache *etw_stack_cache_create(const struct etw_stack_caching_config *config,
					       const u64 *secret)
{
	const struct shape shape = shape_of(config);
	struct etw_stack_cache *cache;

	cache = kvzalloc(etw_stack_cache_bytes(config), ETW_GFP_BUFFER);
	if (!cache)
		return NULL;
	cache->seen = (u32 *)&cache->entries[shape.buckets * shape.ways];
	cache->config = *config;
	cache->buckets = shape.buckets;
	cache->ways = shape.ways;
	cache->nr_entries = shape.buckets * shape.ways;
	cache->secret.key[0] = secret[0];
	cache->secret.key[1] = secret[1];
	return cache;
}

/**
 * etw_stack_cache_free() - free it
 * @cache: a cache without users, or NULL
 */
void etw_stack_cache_free(struct etw_stack_cache *cache)
{
	kvfree(cache);
}

/**
 * etw_stack_cache_key() - compute the stack key of frames
 * @cache: a cache
 * @frames: innermost first
 * @nr: number of frames
 */
u64 etw_stack_cache_key(const struct etw_stack_cache *cache, const unsigned long *frames, u32 nr)
{
	return siphash(frames, nr * sizeof(*frames), &cache->secret) ?: 1;
}

/**
 * etw_stack_cache_hash() - compute the hash by which frames are found
 * @cache: a cache
 * @frames: innermost first
 * @nr: number of frames
 *
 * It takes a few instructions a frame, those of a key many. Frames are compared, too, so equal
 * hashes do no harm. The secret prevents a program from filling one bucket on purpose.
 */
u64 etw_stack_cache_hash(const struct etw_stack_cache *cache, const unsigned long *frames, u32 nr)
{
	u64 factor = cache->secret.key[0] | 1, hash = nr;
	u32 i;

	for (i = 0; i < nr; i++)
		hash = (hash ^ frames[i]) * factor;
	return hash ^ hash >> 32;
}

static struct etw_cached_stack *bucket_of(struct etw_stack_cache *cache, u64 hash)
{
	return &cache->entries[(u32)(hash >> 32) % cache->buckets * cache->ways];
}

static bool use(struct etw_cached_stack *entry)
{
	s64 word = atomic64_read(&entry->word);

	while ((word & ETW_CACHED_STATE) == ETW_CACHED_READY)
		if (atomic64_try_cmpxchg(&entry->word, &word, word + ETW_CACHED_USER))
			return true;
	return false;
}

/**
 * etw_stack_cache_find() - find the entry of frames
 * @cache: a cache
 * @hash: of etw_stack_cache_hash()
 * @frames: innermost first
 * @nr: number of frames
 *
 * Context: any. Return: the entry, used until etw_stack_cache_drop(); or NULL.
 */
struct etw_cached_stack *etw_stack_cache_find(struct etw_stack_cache *cache, u64 hash,
					      const unsigned long *frames, u32 nr)
{
	struct etw_cached_stack *entry = bucket_of(cache, hash);
	u32 i;

	for (i = 0; i < cache->ways; i++, entry++) {
		if (READ_ONCE(entry->hash) != hash || !use(entry))
			continue;
		if (etw_cached_is_of(entry, frames, nr)) {
			WRITE_ONCE(entry->used, true);
			return entry;
		}
		etw_stack_cache_drop(entry);
	}
	return NULL;
}

static bool claim(struct etw_cached_stack *entry, s64 from)
{
	return atomic64_try_cmpxchg(&entry->word, &from, ETW_CACHED_BUSY);
}

/**
 * etw_stack_cache_came() - whether frames without an entry came before
 * @cache: a cache
 * @hash: hash of the frames
 *
 * Defining a key takes more bytes than writing a stack twice, so a stack that comes only
 * once should get no key. Other hashes at the same index of @cache->seen are forgotten.
 *
 * Context: any. Return: false the first time.
 */
bool etw_stack_cache_came(struct etw_stack_cache *cache, u64 hash)
{
	u32 places = cache->buckets * cache->ways * ETW_STACK_CACHE_SEEN;
	u32 *seen = &cache->seen[(u32)(hash >> 32) % places];

	if (READ_ONCE(*seen) == (u32)hash)
		return true;
	WRITE_ONCE(*seen, hash);
	return false;
}

/**
 * etw_stack_cache_take() - claim an entry for new frames
 * @cache: a cache
 * @hash: hash of the frames
 *
 * If the bucket is full, the entry in turn is replaced, unless it was used since its last
 * turn. Then the new frames get no entry.
 *
 * Context: any. Return: a busy entry, empty or with the frames to be replaced; or NULL.
 */
struct etw_cached_stack *etw_stack_cache_take(struct etw_stack_cache *cache, u64 hash)
{
	struct etw_cached_stack *bucket = bucket_of(cache, hash), *victim;
	u32 i;

	for (i = 0; i < cache->ways; i++)
		if (atomic64_read(&bucket[i].word) == ETW_CACHED_EMPTY &&
		    claim(&bucket[i], ETW_CACHED_EMPTY))
			return &bucket[i];
	victim = &bucket[(u32)atomic_inc_return(&cache->turn) % cache->ways];
	if (READ_ONCE(victim->used)) {
		WRITE_ONCE(victim->used, false);
		return NULL;
	}
	return claim(victim, ETW_CACHED_READY) ? victim : NULL;
}

/**
 * etw_stack_cache_fill() - put new frames into an entry
 * @entry: of etw_stack_cache_take()
 * @hash: hash of the frames
 * @key: key of the frames
 * @frames: innermost first
 * @nr: number of frames
 *
 * The entry is in use until etw_stack_cache_drop().
 */
void etw_stack_cache_fill(struct etw_cached_stack *entry, u64 hash, u64 key,
			  const unsigned long *frames, u32 nr)
{
	WRITE_ONCE(entry->hash, hash);
	entry->key = key;
	entry->stamp = atomic64_inc_return(&stamps);
	entry->nr = nr;
	memcpy(entry->frames, frames, nr * sizeof(*frames));
	atomic64_set_release(&entry->word, ETW_CACHED_READY + ETW_CACHED_USER);
}

/**
 * etw_stack_cache_keep() - release a busy entry with its old frames
 * @entry: of etw_stack_cache_take()
 */
void etw_stack_cache_keep(struct etw_cached_stack *entry)
{
	atomic64_set_release(&entry->word, entry->nr ? ETW_CACHED_READY : ETW_CACHED_EMPTY);
}

/**
 * etw_stack_cache_empty() - release a busy entry as empty
 * @entry: of etw_stack_cache_take()
 */
void etw_stack_cache_empty(struct etw_cached_stack *entry)
{
	WRITE_ONCE(entry->hash, 0);
	entry->nr = 0;
	atomic64_set_release(&entry->word, ETW_CACHED_EMPTY);
}

/**
 * etw_stack_cache_copy() - copy an entry for a rundown
 * @cache: a cache; for one rundown at a time
 * @index: index of the entry
 *
 * Return: number of frames in @cache->copy; 0 if the entry has no key.
 */
u32 etw_stack_cache_copy(struct etw_stack_cache *cache, u32 index)
{
	struct etw_cached_stack *entry = &cache->entries[index];
	u32 nr;

	if (!use(entry))
		return 0;
	nr = entry->nr;
	cache->copy.key = entry->key;
	memcpy(cache->copy.frames, entry->frames, nr * sizeof(entry->frames[0]));
	etw_stack_cache_drop(entry);
	return nr;
}
