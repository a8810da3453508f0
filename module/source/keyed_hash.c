// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* SipHash of few words, with the latest results of each CPU. */
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include "keyed_hash.h"

/* Results that a CPU keeps of each function */
#define KEPT_BITS	5

/**
 * struct kept - a result
 * @changes: incremented before and after each change, so odd during one; 0: none yet
 * @key: first half of the key. Keys are random, so no two of them share it
 * @word: words
 * @hash: their hash
 *
 * Only its own CPU uses it, but an interrupt may use it in the midst of another use. The
 * interrupt finds an odd number, or changes the number that the interrupted code compares.
 */
struct kept {
	u32 changes;
	u64 key;
	u64 word[3];
	u64 hash;
};

struct kept_results {
	struct kept of_1[1 << KEPT_BITS];
	struct kept of_3[1 << KEPT_BITS];
};

/*
 * Allocated, because all modules' static memory per CPU is small (8 KB on x86). If it is NULL,
 * each hash is computed.
 */
static struct kept_results __percpu *results;

static u32 place_of(const siphash_key_t *key, u64 words)
{
	return hash_64(words ^ key->key[0], KEPT_BITS);
}

static bool finds(const struct kept *kept, const siphash_key_t *key, u64 first, u64 second,
		  u64 third, u64 *hash)
{
	u32 changes = kept ? READ_ONCE(kept->changes) : 0;

	if (!changes || changes & 1)
		return false;
	/* Read the words after the number; otherwise an interrupt's change is not seen. */
	barrier();
	if (READ_ONCE(kept->word[0]) != first || READ_ONCE(kept->word[1]) != second ||
	    READ_ONCE(kept->word[2]) != third || READ_ONCE(kept->key) != key->key[0])
		return false;
	*hash = READ_ONCE(kept->hash);
	/* Read the number again after the words, for the same reason. */
	barrier();
	return READ_ONCE(kept->changes) == changes;
}

static void keep(struct kept *kept, const siphash_key_t *key, u64 first, u64 second, u64 third,
		 u64 hash)
{
	u32 changes = kept ? READ_ONCE(kept->changes) : 1;

	if (changes & 1)
		return;
	WRITE_ONCE(kept->changes, changes + 1);
	/* Write the odd number first; otherwise an interrupt uses a result that is half written. */
	barrier();
	WRITE_ONCE(kept->key, key->key[0]);
	WRITE_ONCE(kept->word[0], first);
	WRITE_ONCE(kept->word[1], second);
	WRITE_ONCE(kept->word[2], third);
	WRITE_ONCE(kept->hash, hash);
	/* Write the even number last, for the same reason. */
	barrier();
	WRITE_ONCE(kept->changes, changes + 2);
}

/**
 * etw_keyed_hash_init() - allocate memory for results
 *
 * Context: process; before the first hash. Without memory, hashes are only slower.
 */
void etw_keyed_hash_init(void)
{
	results = alloc_percpu(struct kept_results);
}

/**
 * etw_keyed_hash_exit() - undo etw_keyed_hash_init()
 *
 * Context: process; after the last hash.
 */
void etw_keyed_hash_exit(void)
{
	free_percpu(results);
	results = NULL;
}

/**
 * etw_keyed_hash_1() - siphash_1u64()
 * @key: key, random
 * @first: word
 *
 * Context: any, NMI included.
 */
u64 etw_keyed_hash_1(const siphash_key_t *key, u64 first)
{
	struct kept *kept;
	u64 hash;

	preempt_disable_notrace();
	kept = results ? this_cpu_ptr(&results->of_1[place_of(key, first)]) : NULL;
	if (!finds(kept, key, first, 0, 0, &hash)) {
		hash = siphash_1u64(first, key);
		keep(kept, key, first, 0, 0, hash);
	}
	preempt_enable_notrace();
	return hash;
}

/**
 * etw_keyed_hash_3() - siphash_3u64()
 * @key: key, random
 * @first: word
 * @second: word
 * @third: word
 *
 * Context: any, NMI included.
 */
u64 etw_keyed_hash_3(const siphash_key_t *key, u64 first, u64 second, u64 third)
{
	struct kept *kept;
	u64 hash;

	preempt_disable_notrace();
	kept = results ? this_cpu_ptr(&results->of_3[place_of(key, first ^ second ^ third)]) : NULL;
	if (!finds(kept, key, first, second, third, &hash)) {
		hash = siphash_3u64(first, second, third, key);
		keep(kept, key, first, second, third, hash);
	}
	preempt_enable_notrace();
	return hash;
}
