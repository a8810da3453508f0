// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Kernels without perf: no Linux event can be opened; declared in linux_events.h. */
#include <linux/errno.h>
#include "config/items.h"
#include "linux_events.h"

int etw_linux_events_init(void)
{
	return 0;
}

void etw_linux_events_exit(void)
{
}

int etw_linux_events_prepare(struct etw_linux_events **events, const struct etw_sink *sink,
			     const struct etw_items *next, const struct etw_filter *filter,
			     struct etw_linux_events_error *error)
{
	*error = (struct etw_linux_events_error){ .reason = ETW_REASON_SOURCE };
	return next->linux_events_size ? -ENOENT : 0;
}

void etw_linux_events_undo(struct etw_linux_events *events)
{
}

void etw_linux_events_commit(struct etw_linux_events *events)
{
}

void etw_linux_events_filter(struct etw_linux_events *events, const struct etw_filter *filter)
{
}

void etw_linux_events_mute(struct etw_linux_events *events)
{
}

void etw_linux_events_stop(struct etw_linux_events *events)
{
}

void etw_linux_events_free(struct etw_linux_events *events)
{
}

u64 etw_linux_events_bytes(const struct etw_items *items)
{
	return 0;
}
