/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Plans of samplers, and records about them: pure, shared with tests. */
#ifndef ETW_PROFILE_RECORDS_H
#define ETW_PROFILE_RECORDS_H

#include "config/config.h"
#include "config/profile_sources.h"

/* One for the timer's profile, and one for each of ETW_EXT_VND_SAMPLE_SOURCES */
#define ETW_SAMPLERS			(1 + ETW_MAX_SAMPLE_SOURCES)
#define ETW_SAMPLER_TIMER		0

/* Size of the largest of these payloads: names, all given or all made */
#define ETW_PROFILE_NAME_UNITS							\
	(ETW_MAX_COUNTER_NAMES + ETW_MAX_PMC_COUNTERS * ETW_PROFILE_SOURCE_UNITS)
#define ETW_PROFILE_PAYLOAD							\
	(sizeof(struct perfinfo_profile_interval) + 2 * ETW_PROFILE_NAME_UNITS)

/**
 * struct etw_profile_plan - samplers and their intervals
 * @source: KPROFILE_SOURCE of each sampler
 * @interval: of the timer in 100 ns, of others in events; 0: does not sample
 */
struct etw_profile_plan {
	__u32 source[ETW_SAMPLERS];
	__u32 interval[ETW_SAMPLERS];
};

/**
 * struct etw_profile_change - the record of a change
 * @hook_id: of a changed interval, of a start or of an end
 * @version: of its payload
 * @size: of its payload, bytes
 */
struct etw_profile_change {
	__u16 hook_id;
	__u16 version;
	__u32 size;
};

/**
 * etw_sample_flags() - Flags of a sampled profile record
 * @softirq: a softirq was interrupted
 * @hardirq: a hardirq was interrupted
 * @priority: 0..31
 */
static inline __u8 etw_sample_flags(int softirq, int hardirq, __u32 priority)
{
	return (softirq ? PERFINFO_SAMPLE_DPC : 0) | (hardirq ? PERFINFO_SAMPLE_ISR : 0) |
	       priority << PERFINFO_SAMPLE_PRIORITY_SHIFT;
}

void etw_profile_plan(const struct perfinfo_groupmask *masks, const struct etw_items *items,
		      struct etw_profile_plan *plan);
__u32 etw_profile_find_counter(const struct etw_items *items, __u32 source);
__u64 etw_profile_period(__u32 interval, __u32 cycles);
__u32 etw_encode_counter_names(const struct etw_items *items, void *to);
__u32 etw_encode_interval(const struct etw_items *items, __u32 source, __u32 interval, void *to);
struct etw_profile_change etw_encode_change(const struct etw_items *items, __u32 source,
					    __u32 new_interval, __u32 old_interval, void *to);

#endif /* ETW_PROFILE_RECORDS_H */
