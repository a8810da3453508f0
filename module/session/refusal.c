// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Reports which part of a START or UPDATE the machine refuses, and why. */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "config/refuse.h"
#include "context/event_context.h"
#include "source/linux_event/linux_events.h"
#include "source/profile/samplers.h"
#include "refusal.h"

/**
 * etw_refuse_maximum() - report that the number of buffers is refused
 * @error: out: position and reason
 * @items: contain the number, unless a field does
 * @reason: ETW_REASON_*
 * @err: an errno
 *
 * Return: @err.
 */
int etw_refuse_maximum(struct etw_config_error *error, const struct etw_items *items, u32 reason,
		       int err)
{
	if (!items->buffers.maximum_buffers)
		return etw_refuse(error, ETW_FIELD(maximum_buffers), reason, err);
	return etw_refuse_dword(error, items, ETW_ITEM_BUFFER_SETTINGS, 3, reason, err);
}

/**
 * etw_refuse_events() - report that the requested events can't be recorded
 * @error: out: position and reason
 * @items: contain the request, unless EnableFlags does
 * @err: of etw_sources_set()
 *
 * Return: @err.
 */
int etw_refuse_events(struct etw_config_error *error, const struct etw_items *items, int err)
{
	u32 reason = err == -ENOMEM ? ETW_REASON_NO_MEMORY : ETW_REASON_SOURCE;

	if (err == -EINTR)	/* the caller was killed */
		return err;
	return etw_refuse_either(error, items, ETW_ITEM_ENABLE_FLAGS, 1, ETW_FIELD(enable_flags),
				 reason, err);
}

/**
 * etw_refuse_memory() - report that memory was short, if no other reason was reported
 * @error: out: position and reason, if it has none
 * @err: result of a START or UPDATE
 */
void etw_refuse_memory(struct etw_config_error *error, int err)
{
	if (err == -ENOMEM && !error->reason)
		etw_refuse(error, ETW_FIELD(enable_flags), ETW_REASON_NO_MEMORY, err);
}

/* The dword of ENABLE_FLAGS with the first of these bits; 1 if an alias has set them */
static u32 mask_dword(const struct etw_items *items, const struct perfinfo_groupmask *bits)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bits->masks); i++)
		if (bits->masks[i] & items->masks.masks[i])
			return 1 + i;
	return 1;
}

/**
 * etw_refuse_groups() - report that no source has a requested group
 * @error: out: position and reason
 * @items: contain the request, unless EnableFlags does
 * @groups: the groups without a source
 *
 * Return: -EOPNOTSUPP.
 */
int etw_refuse_groups(struct etw_config_error *error, const struct etw_items *items,
		      const struct perfinfo_groupmask *groups)
{
	return etw_refuse_either(error, items, ETW_ITEM_ENABLE_FLAGS, mask_dword(items, groups),
				 ETW_FIELD(enable_flags), ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
}

/**
 * etw_refuse_perf() - report which counter is unavailable, and why
 * @error: out: position and reason
 * @items: contain the request
 * @perf: index in @items->counters, or ETW_ERROR_OF_*; processor and reason
 * @err: an errno
 *
 * Return: @err.
 */
int etw_refuse_perf(struct etw_config_error *error, const struct etw_items *items,
		    const struct etw_perf_error *perf, int err)
{
	bool pebs = perf->index == ETW_ERROR_OF_PEBS;
	enum etw_item_kind kind = pebs ? ETW_ITEM_PEBS_EVENT : ETW_ITEM_PMC_COUNTERS;
	u32 dword = pebs ? 1 : 1 + perf->index * sizeof(struct etw_ext_counter) / 4;

	if (perf->index == ETW_ERROR_OF_NONE)
		return etw_refuse(error, ETW_FIELD(enable_flags), perf->reason, err);
	error->processor = perf->processor;
	return etw_refuse_dword(error, items, kind, dword, perf->reason, err);
}

/**
 * etw_refuse_stacks() - report that there is no memory for stacks
 * @error: out: position and reason
 * @items: contain the request
 * @err: an errno
 *
 * Return: @err.
 */
int etw_refuse_stacks(struct etw_config_error *error, const struct etw_items *items, int err)
{
	return etw_refuse_either(error, items, ETW_ITEM_STACKWALK_FILTER, 0,
				 ETW_FIELD(enable_flags), ETW_REASON_NO_MEMORY, err);
}

/**
 * etw_refuse_linux_event() - report which Linux event can't be recorded, and why
 * @error: out: position and reason
 * @items: contain the request
 * @event: its entry, processor and reason
 * @err: an errno
 *
 * Return: @err.
 */
int etw_refuse_linux_event(struct etw_config_error *error, const struct etw_items *items,
			   const struct etw_linux_events_error *event, int err)
{
	error->processor = event->processor;
	return etw_refuse_dword(error, items, ETW_ITEM_LINUX_EVENTS, 1 + event->offset / 4,
				event->reason, err);
}

/**
 * etw_refuse_besides() - report that there is no memory for what a session has besides buffers
 * @error: out: position and reason
 * @items: contain the request
 * @bytes: the requested memory
 * @events: bytes of it that are for Linux events
 *
 * Refers to the larger part: Linux events, or stacks with all else.
 *
 * Return: -ENOMEM.
 */
int etw_refuse_besides(struct etw_config_error *error, const struct etw_items *items, u64 bytes,
		       u64 events)
{
	if (events <= bytes - events)
		return etw_refuse_stacks(error, items, -ENOMEM);
	return etw_refuse_dword(error, items, ETW_ITEM_LINUX_EVENTS, 1, ETW_REASON_NO_MEMORY,
				-ENOMEM);
}

/* Dword of a source's interval, or 0 */
static u32 interval_dword(const struct etw_items *items, u32 source)
{
	u32 i;

	for (i = 0; i < items->nr_intervals; i++)
		if (items->intervals[i].profile_source == source)
			return 2 + 2 * i;
	return 0;
}

/**
 * etw_refuse_sampler() - report which sampler is unavailable, or can't change, and why
 * @error: out: position and reason
 * @items: contain the request
 * @given: bits of those @items that were in this block; UPDATE may leave some out
 * @profile: sampler, processor and reason
 * @err: an errno
 *
 * Reports the first of these that is in the block: the sampler's interval (if that is
 * the reason), its counter, its source, the bit that enables its profile.
 *
 * Return: @err.
 */
int etw_refuse_sampler(struct etw_config_error *error, const struct etw_items *items, u32 given,
		       const struct etw_profile_error *profile, int err)
{
	bool timer = profile->sampler == ETW_SAMPLER_TIMER;
	u32 source = timer ? ETW_PROFILE_SOURCE_TIME : items->sample_sources[profile->sampler - 1];
	u32 counter = etw_profile_find_counter(items, source);
	u32 group = timer ? PERF_PROFILE : PERF_PMC_PROFILE;
	enum etw_item_kind kind = ETW_ITEM_ENABLE_FLAGS;
	struct perfinfo_groupmask bits = { };
	u32 dword;

	bits.masks[PERF_MASK_INDEX(group)] = PERF_MASK_BITS(group);
	dword = mask_dword(items, &bits);

	if (profile->interval && given & BIT(ETW_ITEM_SAMPLE_INTERVAL) &&
	    interval_dword(items, source)) {
		kind = ETW_ITEM_SAMPLE_INTERVAL;
		dword = interval_dword(items, source);
	} else if (!timer && counter < items->nr_counters && given & BIT(ETW_ITEM_PMC_COUNTERS)) {
		kind = ETW_ITEM_PMC_COUNTERS;
		dword = 1 + counter * sizeof(struct etw_ext_counter) / 4;
	} else if (!timer && given & BIT(ETW_ITEM_SAMPLE_SOURCES)) {
		kind = ETW_ITEM_SAMPLE_SOURCES;
		dword = profile->sampler;
	}
	error->processor = profile->perf.processor;
	return etw_refuse_either(error, items, kind, dword, ETW_FIELD(enable_flags),
				 profile->perf.reason, err);
}
