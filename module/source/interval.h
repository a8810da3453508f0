/* SPDX-License-Identifier: GPL-2.0 */
/* Records of what took a while on one CPU: DPC and ISR, written when it ends. */
#ifndef ETW_INTERVAL_H
#define ETW_INTERVAL_H

#include "../decorate/decoration.h"
#include "../decorate/filter.h"
#include "moment.h"
#include "source.h"

/**
 * struct etw_interval - what a CPU does, or did
 * @begin: when it began
 * @routine: address of the function
 * @key: what must be the same when it ends
 * @begun: an end may come; 0 for what had begun before anybody listened
 *
 * One per CPU and kind. Whoever writes it has the CPU to itself for that kind:
 * softirqs and handlers of interrupts don't nest within their kind.
 */
struct etw_interval {
	struct etw_moment begin;
	unsigned long routine;
	unsigned long key;
	bool begun;
};

/**
 * struct etw_interval_kind - how it is told
 * @wanted: bits of etw_listener.wanted
 * @hook_id: hook id
 * @version: of the payload
 * @size: bytes of the payload, 16 to 24
 * @tail: payload from its byte 16 on
 */
struct etw_interval_kind {
	u32 wanted;
	u16 hook_id;
	u8 version;
	u8 size;
	u64 tail;
};

struct etw_interval_record {
	u64 word;
	u64 tick;
	u64 initial_time;
	u64 routine;
	u64 tail;
};

static __always_inline void etw_interval_begin(struct etw_interval *interval,
					       const struct etw_listeners *listeners,
					       unsigned long routine, unsigned long key)
{
	etw_moment_now(&interval->begin, listeners);
	interval->routine = routine;
	interval->key = key;
	interval->begun = true;
}

/* What the session may see of the function's address */
static __always_inline u64 etw_interval_routine(const struct etw_interval *interval,
						const struct etw_listener *listener)
{
	return listener->sink->addresses ? interval->routine : 0;
}

static __always_inline void etw_interval_write(struct etw_ring *ring, u64 routine,
					       const struct etw_interval *interval,
					       const struct etw_interval_kind *kind)
{
	u32 size = sizeof(struct perfinfo_trace_header) + kind->size;
	struct etw_interval_record *record;
	struct etw_place at;

	if (!etw_reserve(ring, size, &at, ETW_RESERVE_COUNT))
		return;
	record = at.data;
	record->word = etw_perfinfo_word(kind->hook_id, kind->version, size);
	record->tick = at.tick;
	record->initial_time = etw_moment_tick(&interval->begin, ring, at.tick);
	record->routine = routine;
	if (kind->size > offsetof(struct perfinfo_interrupt, return_value))
		record->tail = kind->tail;
	etw_commit(ring, &at, size);
}

/*
 * With counters. They are read, and the stamp is taken, after the payload is
 * made; the moment is older than both.
 */
static noinline void etw_interval_write_decorated(struct etw_ring *ring,
						  const struct etw_listener *listener,
						  const struct etw_interval *interval,
						  const struct etw_interval_kind *kind)
{
	u64 payload[3] = { etw_moment_tick(&interval->begin, ring, U64_MAX),
			   etw_interval_routine(interval, listener), kind->tail };
	const struct etw_payload whole = { .data = payload, .size = kind->size };

	etw_record_decorated(ring, listener->decoration, kind->hook_id, kind->version, &whole,
			     ETW_RESERVE_COUNT);
}

/*
 * It has ended: tell all who want it. Interrupts are no process's: a filter of
 * processes leaves them in.
 */
static __always_inline void etw_interval_tell(const struct etw_listeners *listeners,
					      const struct etw_interval *interval,
					      const struct etw_interval_kind *kind)
{
	const struct etw_listener *listener = listeners->listener;
	const struct etw_listener *end = listener + listeners->count;

	for (; listener != end; listener++) {
		struct etw_ring *ring = this_cpu_ptr(listener->rings);

		if (!(listener->wanted & kind->wanted))
			continue;
		if (unlikely(!etw_filter_takes_hook(listener->filter, kind->hook_id)))
			continue;
		if (unlikely(listener->decoration))
			etw_interval_write_decorated(ring, listener, interval, kind);
		else
			etw_interval_write(ring, etw_interval_routine(interval, listener), interval,
					   kind);
	}
}

#endif /* ETW_INTERVAL_H */
