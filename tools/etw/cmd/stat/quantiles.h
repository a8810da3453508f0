/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Percentiles of times, in bounded memory. */
#ifndef ETW_STAT_QUANTILES_H
#define ETW_STAT_QUANTILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct quantiles - how often times of each length were seen
 * @bucket: @count of them that are not empty, in ascending order
 * @values: all times
 * @shortest: of them, when @values is not 0
 * @longest: of them
 * @no_memory: a time is missing
 */
struct quantiles {
	struct quantile_bucket {
		uint64_t values;
		uint32_t index;
	} *bucket;
	size_t count;
	uint64_t values;
	uint64_t shortest;
	uint64_t longest;
	bool no_memory;
};

/* All 0 at first; freed by quantiles_free() */
void quantiles_add(struct quantiles *quantiles, uint64_t value);
void quantiles_merge(struct quantiles *to, const struct quantiles *from);
/*
 * The smallest time that is not exceeded by @percent (1 to 100) of the times: exact below 128 and
 * for the shortest and the longest time, otherwise at most 1/128 off. Return: 0: there is none
 */
uint64_t quantiles_at(const struct quantiles *quantiles, unsigned int percent);
void quantiles_free(struct quantiles *quantiles);

#endif /* ETW_STAT_QUANTILES_H */
