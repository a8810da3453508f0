/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Reports which part of a START or UPDATE the machine refuses, and why. */
#ifndef ETW_REFUSAL_H
#define ETW_REFUSAL_H

#include <linux/types.h>

struct etw_config_error;
struct etw_items;
struct etw_linux_events_error;
struct etw_perf_error;
struct etw_profile_error;
struct perfinfo_groupmask;

int etw_refuse_maximum(struct etw_config_error *error, const struct etw_items *items, u32 reason,
		       int err);
int etw_refuse_events(struct etw_config_error *error, const struct etw_items *items, int err);
int etw_refuse_groups(struct etw_config_error *error, const struct etw_items *items,
		      const struct perfinfo_groupmask *groups);
void etw_refuse_memory(struct etw_config_error *error, int err);
int etw_refuse_perf(struct etw_config_error *error, const struct etw_items *items,
		    const struct etw_perf_error *perf, int err);
int etw_refuse_stacks(struct etw_config_error *error, const struct etw_items *items, int err);
int etw_refuse_linux_event(struct etw_config_error *error, const struct etw_items *items,
			   const struct etw_linux_events_error *event, int err);
int etw_refuse_besides(struct etw_config_error *error, const struct etw_items *items, u64 bytes,
		       u64 events);
int etw_refuse_sampler(struct etw_config_error *error, const struct etw_items *items, u32 given,
		       const struct etw_profile_error *profile, int err);

#endif /* ETW_REFUSAL_H */
