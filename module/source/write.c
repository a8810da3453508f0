// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events for listeners with a filter or an event context. */
#include <linux/sched.h>
#include "record/system.h"
#include "write.h"

/**
 * etw_filter_takes_event() - whether a filter accepts an event
 * @filter: a filter
 * @event: the event
 *
 * Context: as etw_next_wanting().
 */
bool etw_filter_takes_event(const struct etw_filter *filter, const struct etw_event *event)
{
	return etw_filter_takes_hook(filter, event->hook_id) &&
	       (event->no_process || etw_filter_takes_process(filter, event->process_id));
}

/**
 * etw_wanted_of() - groups of a process's events that a session may record
 * @source: of the events
 * @process_id: process
 *
 * Context: as etw_next_wanting(). Return: bits of etw_listener.wanted; 0 if no session takes
 * events of the process.
 */
u32 etw_wanted_of(const struct etw_source *source, u32 process_id)
{
	const struct etw_listeners *listeners = etw_listeners_of(source);
	const struct etw_listener *listener;
	u32 i, bits = 0;

	for (i = 0; listeners && i < listeners->count; i++) {
		listener = &listeners->listener[i];
		if (!listener->filter || etw_filter_takes_process(listener->filter, process_id))
			bits |= listener->wanted;
	}
	return bits;
}

static noinline void write_with_context(const struct etw_listener *listener, struct etw_ring *ring,
					struct etw_event *event)
{
	if (event->ids)
		etw_record_system_with_context(ring, listener->context, event->hook_id,
					       event->version, event->ids, &event->payload,
					       &event->moment);
	else
		etw_record_with_context(ring, listener->context, event->hook_id, event->version,
					&event->payload, event->regs, &event->moment);
}

/* Most sessions have no event context: they cost no call but that of the record. */
static __always_inline void write_to(const struct etw_listener *listener, struct etw_event *event)
{
	struct etw_ring *ring = this_cpu_ptr(listener->rings);

	if (!event->moment.counter)
		event->moment = etw_moment_of_event();
	if (unlikely(listener->context))
		write_with_context(listener, ring, event);
	else if (event->ids)
		etw_record_system(ring, event->hook_id, event->version, event->ids,
				  &event->payload, ETW_RESERVE_COUNT, &event->moment);
	else
		etw_record_perfinfo_at(ring, event->hook_id, event->version, &event->payload,
				       ETW_RESERVE_COUNT, &event->moment);
}

/**
 * etw_write() - write an event to a session that wants it
 * @listener: result of etw_next_wanting()
 * @event: the event; the first call reads the clock for all listeners
 *
 * With the session's event context: counters and stack. Without free space it is a loss.
 *
 * Context: any, NMI included; preemption off.
 */
void etw_write(const struct etw_listener *listener, struct etw_event *event)
{
	write_to(listener, event);
}

/**
 * etw_write_all() - write an event to all listeners that want it
 * @listeners: of the source, or NULL
 * @event: the event
 *
 * Context: as etw_write().
 */
void etw_write_all(const struct etw_listeners *listeners, struct etw_event *event)
{
	const struct etw_listener *listener = NULL;

	while ((listener = etw_next_wanting(listeners, listener, event)))
		write_to(listener, event);
}

/**
 * etw_write_extended() - write a small event with its event context
 * @listener: a listener; its filter, if any, has accepted the event
 * @kind: etw_small_event_kind()
 * @word0: first word of the payload
 * @word1: second word
 * @word2: third word
 * @moment: time of the event, for all listeners
 *
 * Context: as etw_write_bare().
 */
void etw_write_extended(const struct etw_listener *listener, u64 kind, u64 word0, u64 word1,
			u64 word2, struct etw_moment *moment)
{
	const struct etw_small_event event = {
		.hook_id = kind, .version = kind >> 16, .size = kind >> 24, .since = kind >> 32 & 1,
		.word0 = word0, .word1 = word1, .word2 = word2,
	};
	u64 tick;

	if (!listener->context)
		etw_write_bare(listener, &event, moment);
	else if (etw_write_with_counters(listener, &event, &tick, moment) &&
		 etw_walks_stack(listener->context, event.hook_id))
		etw_stack_write(this_cpu_ptr(listener->rings), listener->context, tick, NULL);
}

/**
 * etw_write_current_extended() - etw_write_extended() if the filter takes the current process
 * @listener: a listener
 * @kind: etw_small_event_kind()
 * @word0: first word of the payload
 * @word1: second word
 * @word2: third word
 * @moment: time of the event, for all listeners
 *
 * Context: as etw_write_bare().
 */
void etw_write_current_extended(const struct etw_listener *listener, u64 kind, u64 word0, u64 word1,
				u64 word2, struct etw_moment *moment)
{
	const struct etw_filter *filter = listener->filter;

	if (!filter || (etw_filter_takes_hook(filter, kind) &&
			etw_filter_takes_process(filter, etw_process_id(current))))
		etw_write_extended(listener, kind, word0, word1, word2, moment);
}
