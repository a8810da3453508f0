/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Random numbers of fuzzers: the same seed, the same numbers. */
#ifndef ETW_TEST_RANDOM_H
#define ETW_TEST_RANDOM_H

#include <linux/types.h>

/* SplitMix64 (Steele, Lea, Flood 2014) */
static inline __u64 mix(__u64 x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static inline __u64 random_next(__u64 *rng)
{
	return mix(*rng += 0x9e3779b97f4a7c15ULL);
}

static inline __u32 random_below(__u64 *rng, __u32 n)
{
	return (random_next(rng) >> 32) * n >> 32;
}

/* Of a worker, whichever fuzzer's: it has @seed, @number, @step, and @rng */
#define draw(w)		random_next(&(w)->rng)
/* 0 to n - 1 */
#define below(w, n)	random_below(&(w)->rng, n)
#define one_in(w, n)	(!below(w, n))

/* What a step does hangs on nothing but seed, worker and its number. */
#define begin_step(w) \
	((w)->rng = mix((w)->seed ^ mix((__u64)(w)->number << 48 ^ (w)->step)))

#endif /* ETW_TEST_RANDOM_H */
