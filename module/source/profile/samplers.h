/* SPDX-License-Identifier: GPL-2.0 */
/* A session's samplers: perf events that overflow, on every CPU. */
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
 * struct etw_sampler - one of them
 * @profile: its profile
 * @set: its events, or NULL while it doesn't run
 * @source: KPROFILE_SOURCE
 * @interval: as settings tell it; 0: not wanted
 * @next: likewise, of the change under way
 *
 * Its events' handler has a pointer to it and looks at @profile and @source,
 * which stay.
 */
struct etw_sampler {
	struct etw_profile *profile;
	struct etw_perf_set *set;
	u32 source;
	u32 interval;
	u32 next;
};

/**
 * struct etw_profile - what samples for a session; changed by one at a time
 * @sink: the session's
 * @clock: ETW_PROFILE_CLOCK_*: what the timer's profile runs by
 * @cycles: of a busy CPU in a millisecond, with ETW_PROFILE_CLOCK_CYCLES
 * @throttled: how often perf silenced a sampler of a CPU until the next tick
 * @interval_written: the stream was told of the change under way
 * @interval_pending: or should have been, and what tells of it was lost
 * @payload: of what is told
 * @sampler: by the order of struct etw_profile_plan
 */
struct etw_profile {
	const struct etw_sink *sink;
	u32 clock;
	u32 cycles;
	atomic_t throttled;
	bool interval_written;
	bool interval_pending;
	u8 payload[ETW_PROFILE_PAYLOAD];
	struct etw_sampler sampler[ETW_SAMPLERS];
};

/**
 * struct etw_profile_error - which sampler can't be had, or can't change
 * @sampler: index
 * @interval: it runs, but not so often
 * @perf: where, and why
 */
struct etw_profile_error {
	u32 sampler;
	bool interval;
	struct etw_perf_error perf;
};

int etw_profile_prepare(struct etw_profile **profile, const struct etw_sink *sink,
			const struct etw_settings *next, struct etw_profile_error *error);
int etw_profile_change(struct etw_profile *profile, struct etw_profile_error *error);
void etw_profile_undo(struct etw_profile *profile);
void etw_profile_commit(struct etw_profile *profile);
void etw_profile_tell(struct etw_profile *profile, const struct etw_items *items, bool back);
void etw_profile_stop(struct etw_profile *profile);
void etw_profile_free(struct etw_profile *profile);

/* profile_cycles.c */
u32 etw_profile_measure_cycles(void);

/* profile.c */
void etw_profile_sample(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs);

#endif /* ETW_SAMPLERS_H */
