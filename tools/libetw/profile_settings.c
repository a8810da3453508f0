// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Sampling intervals and sources that the program has set. Windows has one setting for the machine;
 * here each process has its own, for the kernel sessions that it starts from then on.
 */
#include <stdatomic.h>
#include "config/profile_sources.h"
#include "session.h"

/* Windows' numbers end below this one */
#define SOURCES		32

/* 0: the default. Without a lock, so that a child of fork() finds none held */
static _Atomic(uint32_t) intervals[SOURCES];
/* The numbers of the sources that sample, one in each byte, from the lowest; 0: none */
static _Atomic(uint32_t) sampled;

static_assert(ETW_MAX_SAMPLE_SOURCES * 8 == 32, "a byte for each source");
static_assert(ETW_MAX_SAMPLE_INTERVALS == ETW_MAX_SAMPLE_SOURCES + 1, "and the timer");

bool profile_is_source(uint32_t source)
{
	return source < SOURCES && (source == ETW_PROFILE_SOURCE_TIME ||
				    etw_profile_source_known(source));
}

void profile_limits(uint32_t source, uint32_t *least, uint32_t *most, uint32_t *usual)
{
	bool timer = source == ETW_PROFILE_SOURCE_TIME;

	*least = timer ? ETW_MIN_TIMER_INTERVAL : ETW_MIN_SOURCE_INTERVAL;
	*most = timer ? ETW_MAX_TIMER_INTERVAL : ETW_MAX_SOURCE_INTERVAL;
	*usual = timer ? ETW_DEFAULT_TIMER_INTERVAL : ETW_DEFAULT_SOURCE_INTERVAL;
}

ULONG profile_set_interval(uint32_t source, uint32_t interval)
{
	uint32_t least, most, usual;

	if (!profile_is_source(source))
		return ERROR_NOT_SUPPORTED;
	profile_limits(source, &least, &most, &usual);
	if (interval < least || interval > most)
		return ERROR_INVALID_PARAMETER;
	atomic_store(&intervals[source], interval == usual ? 0 : interval);
	return ERROR_SUCCESS;
}

uint32_t profile_interval(uint32_t source)
{
	uint32_t least, most, usual, set = atomic_load(&intervals[source]);

	profile_limits(source, &least, &most, &usual);
	return set ? set : usual;
}

ULONG profile_set_sources(const uint32_t *sources, uint32_t count)
{
	uint32_t i, j, all = 0;

	if (count > ETW_MAX_SAMPLE_SOURCES)
		return ERROR_INVALID_PARAMETER;
	for (i = 0; i < count; i++) {
		/* the samples of the timer are another event */
		if (!profile_is_source(sources[i]) || sources[i] == ETW_PROFILE_SOURCE_TIME)
			return ERROR_NOT_SUPPORTED;
		for (j = 0; j < i; j++)
			if (sources[j] == sources[i])
				return ERROR_INVALID_PARAMETER;
		all |= sources[i] << 8 * i;
	}
	atomic_store(&sampled, all);
	return ERROR_SUCCESS;
}

/* Return: entries of @items, which has room for all sources and the timer */
static uint32_t take_intervals(const uint32_t *sources, uint32_t count,
			       struct etw_ext_interval *items)
{
	uint32_t i, found = 0, set = atomic_load(&intervals[ETW_PROFILE_SOURCE_TIME]);

	if (set)
		items[found++] = (struct etw_ext_interval){ ETW_PROFILE_SOURCE_TIME, set };
	for (i = 0; i < count; i++) {
		set = atomic_load(&intervals[sources[i]]);
		if (set)
			items[found++] = (struct etw_ext_interval){ sources[i], set };
	}
	return found;
}

static uint32_t add_missing(uint32_t *dwords, uint32_t count, uint32_t type, const void *item,
			    uint32_t item_dwords)
{
	if (!count || !item_dwords || extension_find(dwords, count, type))
		return count;
	return extension_add(dwords, count, type, item, item_dwords);
}

bool profile_is_set(void)
{
	return atomic_load(&sampled) || atomic_load(&intervals[ETW_PROFILE_SOURCE_TIME]);
}

uint32_t profile_add(uint32_t *dwords, uint32_t count)
{
	struct etw_ext_interval items[ETW_MAX_SAMPLE_INTERVALS];
	uint32_t sources[ETW_MAX_SAMPLE_SOURCES] = { 0 }, all = atomic_load(&sampled), found = 0;

	for (; all; all >>= 8)
		sources[found++] = all & 0xFF;
	count = add_missing(dwords, count, ETW_EXT_VND_SAMPLE_SOURCES, sources, found);
	return add_missing(dwords, count, ETW_EXT_VND_SAMPLE_INTERVAL, items,
			   2 * take_intervals(sources, found, items));
}
