/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The Linux events of a session: tracepoints, probes and user_events, opened through perf. */
#ifndef ETW_LINUX_EVENTS_SOURCE_H
#define ETW_LINUX_EVENTS_SOURCE_H

#include <linux/types.h>

struct etw_filter;
struct etw_items;
struct etw_linux_events;
struct etw_sink;

/**
 * struct etw_linux_events_error - why an event can't be recorded
 * @offset: of its entry, in bytes from the first entry
 * @reason: ETW_REASON_*
 * @processor: the CPU
 */
struct etw_linux_events_error {
	u32 offset;
	u32 reason;
	u32 processor;
};

int etw_linux_events_init(void);
void etw_linux_events_exit(void);
int etw_linux_events_prepare(struct etw_linux_events **events, const struct etw_sink *sink,
			     const struct etw_items *next, const struct etw_filter *filter,
			     struct etw_linux_events_error *error);
void etw_linux_events_undo(struct etw_linux_events *events);
void etw_linux_events_commit(struct etw_linux_events *events);
void etw_linux_events_filter(struct etw_linux_events *events, const struct etw_filter *filter);
void etw_linux_events_mute(struct etw_linux_events *events);
void etw_linux_events_stop(struct etw_linux_events *events);
void etw_linux_events_free(struct etw_linux_events *events);
u64 etw_linux_events_bytes(const struct etw_items *items);

#endif /* ETW_LINUX_EVENTS_SOURCE_H */
