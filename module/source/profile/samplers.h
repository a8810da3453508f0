/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A session's samplers: perf events on every CPU that overflow. */
#ifndef ETW_SAMPLERS_H
#define ETW_SAMPLERS_H

#include <linux/atomic.h>
#include "context/perf_set.h"
#include "profile_records.h"

struct etw_items;
struct etw_profile;
struct etw_settings;
struct etw_sink;

/**
 * struct etw_sampler - one sampler
 * @profile: its profile
 * @set: its events, or NULL while it does not run
 * @source: KPROFILE_SOURCE
 * @interval: as in the settings; 0: not wanted
 * @next: interval of the change under way; 0: not wanted
 *
 * The handler of its events has a pointer to it and reads @profile and @source,
 * which stay valid.
 */
struct etw_sampler {
	struct etw_profile *profile;
	struct etw_perf_set *set;
	u32 source;
	u32 interval;
	u32 next;
};

/**
 * enum etw_profile_change_state - records of a change of intervals in the stream
 * @ETW_PROFILE_UNCHANGED: none was needed
 * @ETW_PROFILE_WRITTEN: all are in the stream
 * @ETW_PROFILE_LOST: at least one found no free space
 */
enum etw_profile_change_state {
	ETW_PROFILE_UNCHANGED, ETW_PROFILE_WRITTEN, ETW_PROFILE_LOST
};

/**
 * struct etw_profile - samplers of a session; changed by one caller at a time
 * @sink: the session's
 * @clock: ETW_PROFILE_CLOCK_*: clock of the timer's profile
 * @cycles: per millisecond of a busy CPU, with ETW_PROFILE_CLOCK_CYCLES
 * @throttled: how often perf silenced a sampler on a CPU until the next tick
 * @change: what became of the records of the change under way
 * @payload: of such a record
 * @sampler: in the order of struct etw_profile_plan
 */
struct etw_profile {
	const struct etw_sink *sink;
	u32 clock;
	u32 cycles;
	atomic_t throttled;
	enum etw_profile_change_state change;
	u8 payload[ETW_PROFILE_PAYLOAD];
	struct etw_sampler sampler[ETW_SAMPLERS];
};

/**
 * struct etw_profile_error - a sampler that cannot be created or changed
 * @sampler: index
 * @interval: it runs, but does not support the new interval
 * @perf: place and reason
 */
struct etw_profile_error {
	u32 sampler;
	bool interval;
	struct etw_perf_error perf;
};

int etw_profile_prepare(struct etw_profile **profile, const struct etw_sink *sink,
			const struct etw_settings *next, struct etw_profile_error *error);
int etw_profile_change(struct etw_profile **profile, const struct etw_sink *sink,
		       const struct etw_items *items, const struct etw_settings *next,
		       struct etw_profile_error *error);
void etw_profile_undo(struct etw_profile *profile, const struct etw_items *items);
void etw_profile_commit(struct etw_profile *profile);
enum etw_profile_change_state etw_profile_take_change(struct etw_profile *profile);
void etw_profile_stop(struct etw_profile *profile);
void etw_profile_free(struct etw_profile *profile);

/* profile_cycles.c */
u32 etw_profile_measure_cycles(void);

/* profile.c */
void etw_profile_sample(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs);

#endif /* ETW_SAMPLERS_H */
