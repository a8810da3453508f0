/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Frames that stacks have in common: recorded once, and then only their key. */
#ifndef ETW_STACK_CACHE_H
#define ETW_STACK_CACHE_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/siphash.h>
#include <linux/types.h>
#include "etw_extension.h"
#include "etw_hooks.h"

/*
 * States of an entry, in the low bits of its word; above them the number of users. An
 * entry in use keeps its key, so that the deletion of a key is recorded after the last
 * record with the key.
 */
#define ETW_CACHED_EMPTY	0
#define ETW_CACHED_BUSY		1	/* one context fills it */
#define ETW_CACHED_READY	2
#define ETW_CACHED_STATE	3
#define ETW_CACHED_USER		4

/**
 * struct etw_cached_stack - frames and their key
 * @word: state and users
 * @used: it was used since its last turn to be replaced
 * @nr: number of frames; of a busy entry: those of the key to be replaced, or 0
 * @hash: of the frames, to find them
 * @key: another hash of the frames with the secret
 * @stamp: different for each key of each cache
 * @frames: innermost first
 */
struct etw_cached_stack {
	atomic64_t word;
	bool used;
	u32 nr;
	u64 hash;
	u64 key;
	u64 stamp;
	unsigned long frames[ETW_STACK_KERNEL_FRAMES];
};

/**
 * struct etw_stack_hint - where the key of frames was last
 * @stamp: of the key; 0 if the frames may have changed since
 * @index: of its entry
 */
struct etw_stack_hint {
	u64 stamp;
	u32 index;
};

/* Number of remembered half hashes per entry */
#define ETW_STACK_CACHE_SEEN	4

/**
 * struct etw_stack_cache - stack cache of a session
 * @secret: secret of its keys
 * @config: requested configuration
 * @buckets: number of buckets
 * @ways: entries per bucket
 * @nr_entries: number of @entries
 * @turn: entry that is the next to be replaced
 * @seen: behind @entries: halves of hashes that had no entry when they came last
 * @copy: for a rundown: an entry as it is written
 * @entries: buckets, one after another
 */
struct etw_stack_cache {
	siphash_key_t secret;
	struct etw_stack_caching_config config;
	u32 buckets;
	u32 ways;
	u32 nr_entries;
	atomic_t turn;
	u32 *seen;
	struct {
		u64 key;
		unsigned long frames[ETW_STACK_KERNEL_FRAMES];
	} copy;
	struct etw_cached_stack entries[];
};

size_t etw_stack_cache_bytes(const struct etw_stack_caching_config *config);
struct etw_stack_cache *etw_stack_cache_create(const struct etw_stack_caching_config *config,
					       const u64 *secret);
void etw_stack_cache_free(struct etw_stack_cache *cache);
u64 etw_stack_cache_key(const struct etw_stack_cache *cache, const unsigned long *frames, u32 nr);
u64 etw_stack_cache_hash(const struct etw_stack_cache *cache, const unsigned long *frames, u32 nr);
struct etw_cached_stack *etw_stack_cache_find(struct etw_stack_cache *cache, u64 hash,
					      const unsigned long *frames, u32 nr);
bool etw_stack_cache_came(struct etw_stack_cache *cache, u64 hash);
struct etw_cached_stack *etw_stack_cache_take(struct etw_stack_cache *cache, u64 hash);
void etw_stack_cache_fill(struct etw_cached_stack *entry, u64 hash, u64 key,
			  const unsigned long *frames, u32 nr);
void etw_stack_cache_keep(struct etw_cached_stack *entry);
void etw_stack_cache_empty(struct etw_cached_stack *entry);
u32 etw_stack_cache_copy(struct etw_stack_cache *cache, u32 index);

static inline u32 etw_stack_cache_entries(const struct etw_stack_cache *cache)
{
	return cache->nr_entries;
}

/* memcmp() is a function of the kernel that takes longer for so few words. */
static __always_inline bool etw_cached_is_of(const struct etw_cached_stack *entry,
					     const unsigned long *frames, u32 nr)
{
	u32 i;

	if (entry->nr != nr)
		return false;
	for (i = 0; i < nr; i++)
		if (entry->frames[i] != frames[i])
			return false;
	return true;
}

/**
 * etw_stack_cache_drop() - end the use of an entry
 * @entry: of etw_stack_cache_hinted(), etw_stack_cache_find() or etw_stack_cache_fill()
 */
static __always_inline void etw_stack_cache_drop(struct etw_cached_stack *entry)
{
	atomic64_fetch_sub_release(ETW_CACHED_USER, &entry->word);
}

/**
 * etw_stack_cache_hinted() - look where the key of frames was last
 * @cache: a cache
 * @hint: where
 * @frames: innermost first
 * @nr: number of frames
 * @stamped: compare only the stamp of @hint, which is not 0; otherwise compare the frames
 *
 * Context: any. Return: the entry, used until etw_stack_cache_drop(); or NULL, also if the cache
 * has the key in another entry.
 */
static __always_inline struct etw_cached_stack *
etw_stack_cache_hinted(struct etw_stack_cache *cache, const struct etw_stack_hint *hint,
		       const unsigned long *frames, u32 nr, bool stamped)
{
	struct etw_cached_stack *entry = &cache->entries[hint->index];
	s64 word;

	if (unlikely(hint->index >= etw_stack_cache_entries(cache)))
		return NULL;
	word = atomic64_read(&entry->word);
	if (unlikely((word & ETW_CACHED_STATE) != ETW_CACHED_READY ||
		     !atomic64_try_cmpxchg(&entry->word, &word, word + ETW_CACHED_USER)))
		return NULL;
	if (unlikely(stamped ? entry->stamp != hint->stamp :
			       !etw_cached_is_of(entry, frames, nr))) {
		etw_stack_cache_drop(entry);
		return NULL;
	}
	if (!READ_ONCE(entry->used))
		WRITE_ONCE(entry->used, true);
	return entry;
}

#endif /* ETW_STACK_CACHE_H */
