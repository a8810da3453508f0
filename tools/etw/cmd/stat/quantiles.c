// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Percentiles of times. A bucket is one value below 128, and a 64th of a power of two above, so
 * that at most 3,776 buckets exist.
 */
#include <stdlib.h>
#include <string.h>
#include "libetl/map.h"
#include "quantiles.h"

#define BITS	6
/* Values below have a bucket each */
#define EXACT	(2u << BITS)

static uint32_t bucket_of(uint64_t value)
{
	unsigned int shift;

	if (value < EXACT)
		return value;
	shift = 63 - __builtin_clzll(value) - BITS;
	return (shift << BITS) + (uint32_t)(value >> shift);
}

/* The middle of a bucket */
static uint64_t value_of(uint32_t index)
{
	unsigned int shift;

	if (index < EXACT)
		return index;
	shift = (index >> BITS) - 1;
	return ((uint64_t)(index - (shift << BITS)) << shift) + (1ull << shift >> 1);
}

/* The first bucket that is not below the index */
static size_t place_of(const struct quantiles *quantiles, uint32_t index)
{
	size_t low = 0, high = quantiles->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (quantiles->bucket[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_to(struct quantiles *quantiles, uint32_t index, uint64_t values)
{
	size_t i = place_of(quantiles, index);
	struct quantile_bucket *bucket;

	if (i == quantiles->count || quantiles->bucket[i].index != index) {
		if (!map_make_room((void **)&quantiles->bucket, quantiles->count, sizeof(*bucket))) {
			quantiles->no_memory = true;
			return;
		}
		bucket = &quantiles->bucket[i];
		memmove(bucket + 1, bucket, (quantiles->count++ - i) * sizeof(*bucket));
		*bucket = (struct quantile_bucket){ .index = index };
	}
	quantiles->bucket[i].values += values;
}

static void add_range(struct quantiles *quantiles, uint64_t values, uint64_t shortest,
		      uint64_t longest)
{
	if (!quantiles->values || shortest < quantiles->shortest)
		quantiles->shortest = shortest;
	if (longest > quantiles->longest)
		quantiles->longest = longest;
	quantiles->values += values;
}

void quantiles_add(struct quantiles *quantiles, uint64_t value)
{
	add_range(quantiles, 1, value, value);
	add_to(quantiles, bucket_of(value), 1);
}

void quantiles_merge(struct quantiles *to, const struct quantiles *from)
{
	size_t i;

	to->no_memory |= from->no_memory;
	if (!from->values)
		return;
	add_range(to, from->values, from->shortest, from->longest);
	for (i = 0; i < from->count; i++)
		add_to(to, from->bucket[i].index, from->bucket[i].values);
}

uint64_t quantiles_at(const struct quantiles *quantiles, unsigned int percent)
{
	/* the rank, rounded up: at least 1 */
	uint64_t left = quantiles->values / 100 * percent +
			(quantiles->values % 100 * percent + 99) / 100;
	uint64_t value;
	size_t i;

	if (left >= quantiles->values)
		return quantiles->longest;
	if (left == 1)
		return quantiles->shortest;
	for (i = 0; i < quantiles->count && quantiles->bucket[i].values < left; i++)
		left -= quantiles->bucket[i].values;
	value = i < quantiles->count ? value_of(quantiles->bucket[i].index) : quantiles->longest;
	return value < quantiles->longest ? value : quantiles->longest;
}

void quantiles_free(struct quantiles *quantiles)
{
	free(quantiles->bucket);
	*quantiles = (struct quantiles){ };
}
