/* SPDX-License-Identifier: GPL-2.0 */
/* What a pinned event of this CPU has counted, read where an event happens. */
#ifndef ETW_PERF_READ_H
#define ETW_PERF_READ_H

#include "perf_set.h"
#ifdef CONFIG_PERF_EVENTS
#include "perf_direct.h"

void etw_perf_choose_method(struct etw_perf_event *event, int cpu);
bool etw_perf_value_slow(const struct etw_perf_event *event, u64 *value);

/**
 * etw_perf_value() - what an event has counted on this CPU
 * @event: of this CPU
 * @value: out
 *
 * An event that perf has stopped for a moment, to schedule others, has its count
 * in memory.
 *
 * Context: any, NMI included; preemption off.
 * Return: false: it doesn't count now, @value is old.
 */
static __always_inline bool etw_perf_value(const struct etw_perf_event *event, u64 *value)
{
	const struct perf_event *perf = event->perf;
	u64 carried = event->carried;

	/*
	 * A mask is there for what can be read directly, and ran once: from then on
	 * hw.state is 0 exactly while the counter is set up and runs. perf says that
	 * an event is active before it has its counter.
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

/* Without perf there are no sets, see perf_none.c: nobody has an event to read. */
static __always_inline bool etw_perf_value(const struct etw_perf_event *event, u64 *value)
{
	*value = 0;
	return false;
}

#endif

#endif /* ETW_PERF_READ_H */
