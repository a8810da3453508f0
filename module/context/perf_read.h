/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Reading the value of this CPU's pinned perf event when a trace event happens. */
#ifndef ETW_PERF_READ_H
#define ETW_PERF_READ_H

#include "perf_set.h"
#ifdef CONFIG_PERF_EVENTS
#include "perf_direct.h"

void etw_perf_choose_method(struct etw_perf_event *event, int cpu);
bool etw_perf_value_slow(const struct etw_perf_event *event, u64 *value);

/**
 * etw_perf_value() - read what an event has counted on this CPU
 * @event: of this CPU
 * @value: out
 *
 * If perf has stopped the event for a moment, to schedule others, the count is in memory.
 *
 * Context: any, NMI included; preemption off.
 * Return: false if the event can't be read now: @value is old.
 */
static __always_inline bool etw_perf_value(const struct etw_perf_event *event, u64 *value)
{
	const struct perf_event *perf = event->perf;
	u64 carried = event->carried;

	/*
	 * With a mask, the event can be read directly and has run once. From then on
	 * hw.state is 0 exactly while the counter is set up and runs. perf->state is
	 * no such sign: it becomes active before the event has its counter.
	 */
	if (event->mask) {
		u64 counted;

		if (likely(!READ_ONCE(perf->hw.state) &&
			   etw_perf_direct(perf, event->mask, event->idx, &counted))) {
			*value = carried + counted;
			return true;
		}
	} else if (event->method == ETW_METHOD_MEMORY &&
		   likely(READ_ONCE(perf->state) >= PERF_EVENT_STATE_INACTIVE)) {
		*value = carried + local64_read(&perf->count);
		return true;
	}
	return etw_perf_value_slow(event, value);
}

#else

/* Without perf there are no sets (perf_none.c), so this is never called. */
static __always_inline bool etw_perf_value(const struct etw_perf_event *event, u64 *value)
{
	*value = 0;
	return false;
}

#endif

#endif /* ETW_PERF_READ_H */
