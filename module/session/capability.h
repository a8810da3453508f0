/* SPDX-License-Identifier: GPL-2.0 */
/* Checks whether the machine supports a request, and reports what it refuses. */
#ifndef ETW_CAPABILITY_H
#define ETW_CAPABILITY_H

#include "etw_abi.h"

struct etw_clocks;
struct etw_items;
struct etw_perf_error;
struct etw_profile_error;
struct etw_settings;

/* Report which field of a block was refused, and why. Return: @err */
static inline int etw_refuse(struct etw_control *control, u32 offset, u32 reason, int err)
{
	control->error_offset = offset;
	control->error_reason = reason;
	control->error_item = 0;
	return err;
}

int etw_session_check_supported(struct etw_control *control, const void *block,
				const struct etw_settings *settings, struct etw_clocks *clocks);
int etw_session_check_events(struct etw_control *control, const void *block,
			     const struct etw_settings *settings);
int etw_refuse_maximum(struct etw_control *control, const struct etw_items *items, u32 reason,
		       int err);
int etw_refuse_events(struct etw_control *control, const struct etw_items *items, int err);
void etw_refuse_memory(struct etw_control *control, int err);
int etw_refuse_perf(struct etw_control *control, const struct etw_items *items,
		    const struct etw_perf_error *error, int err);
int etw_refuse_stacks(struct etw_control *control, const struct etw_items *items, int err);
int etw_refuse_sampler(struct etw_control *control, const struct etw_items *items, u32 given,
		       const struct etw_profile_error *error, int err);

#endif /* ETW_CAPABILITY_H */
