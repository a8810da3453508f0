/* SPDX-License-Identifier: GPL-2.0 */
/* Records of what took a while on one CPU: DPC and ISR, written when it ends. */
#ifndef ETW_INTERVAL_H
#define ETW_INTERVAL_H

#include <linux/cpumask.h>
#include <linux/percpu.h>
#include "source/moment.h"
#include "source/source.h"
#include "source/write.h"

/**
 * struct etw_interval - what a CPU does, or did
 * @begin: when it began, by the clocks of those that listened
 * @change: of who listened then, see etw_listened()
 * @routine: address of the function
 * @key: what must be the same when it ends
 * @begun: an end may come; 0 for what had begun before anybody listened
 *
 * One per CPU and kind. Whoever writes it has the CPU to itself for that kind: softirqs
 * don't nest. Where they may overlap, struct etw_interval_of; where one may be within
 * another, struct etw_interval_nest.
 */
struct etw_interval {
	struct etw_moment begin;
	unsigned long routine;
	unsigned long key;
	u32 change;
	bool begun;
};

/**
 * struct etw_interval_kind - how it is told
 * @hook_id: hook id
 * @version: of the payload
 * @size: bytes of the payload, 16 to 24
 * @tail: payload from its byte 16 on
 */
struct etw_interval_kind {
	u16 hook_id;
	u8 version;
	u8 size;
	u64 tail;
};

/**
 * struct etw_interval_of - an interval of a thread's, where threads' intervals may overlap
 * @interval: the interval
 * @owner: whose, while it has begun
 */
struct etw_interval_of {
	struct etw_interval interval;
	const void *owner;
};

#define ETW_INTERVALS_NESTED	4

/**
 * struct etw_interval_nest - intervals of a CPU of which each is within the one before
 * @interval: outermost first
 * @depth: how many have begun and not ended
 */
struct etw_interval_nest {
	struct etw_interval interval[ETW_INTERVALS_NESTED];
	u32 depth;
};

/* For one that begins within all that have begun; NULL: there is no place */
static inline struct etw_interval *etw_interval_push(struct etw_interval_nest *nest)
{
	return nest->depth < ETW_INTERVALS_NESTED ? &nest->interval[nest->depth++] : NULL;
}

/*
 * The one with that key, which ends, and with it all within. NULL: it had no place, or had
 * begun before anybody listened; then those that have begun are around it.
 */
static inline struct etw_interval *etw_interval_pop(struct etw_interval_nest *nest,
						    unsigned long key)
{
	u32 i;

	for (i = nest->depth; i--;) {
		if (nest->interval[i].key == key) {
			nest->depth = i;
			return &nest->interval[i];
		}
	}
	return NULL;
}

/*
 * The interval of @owner among @count places: the one that it has, else, where it @begins,
 * one that is free; NULL: there is none. With preemption off, on the CPU that has the places.
 */
static inline struct etw_interval *etw_interval_of(struct etw_interval_of *places, u32 count,
						   const void *owner, bool begins)
{
	struct etw_interval_of *place, *free = NULL;

	for (place = places; place < places + count; place++) {
		if (place->interval.begun && place->owner == owner)
			return &place->interval;
		if (!place->interval.begun)
			free = place;
	}
	if (!begins || !free)
		return NULL;
	free->owner = owner;
	return &free->interval;
}

/* Those of all CPUs that had no place, since load; any context */
static inline u64 etw_intervals_missed(const u64 __percpu *missed)
{
	u64 n = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		n += READ_ONCE(*per_cpu_ptr(missed, cpu));
	return n;
}

static __always_inline void etw_interval_begin(struct etw_interval *interval,
					       const struct etw_listeners *listeners,
					       unsigned long routine, unsigned long key)
{
	etw_moment_now(&interval->begin, listeners);
	interval->routine = routine;
	interval->key = key;
	interval->change = listeners->change;
	interval->begun = true;
}

/*
 * It has ended: tell all who want it, and listened when it began. Interrupts are no
 * process's: a filter of processes leaves them in.
 */
static __always_inline void etw_interval_tell(const struct etw_listeners *listeners,
					      const struct etw_interval *interval,
					      const struct etw_interval_kind *kind)
{
	const struct etw_listener *listener = listeners->listener;
	const struct etw_listener *end = listener + listeners->count;
	struct etw_moment moment = etw_moment_of_event();

	for (; listener != end; listener++) {
		const struct etw_ring *ring = this_cpu_ptr(listener->rings);
		const struct etw_small_event event = {
			.hook_id = kind->hook_id,
			.version = kind->version,
			.size = kind->size,
			.since = true,
			.word0 = etw_moment_tick(&interval->begin, ring, U64_MAX),
			.word1 = listener->sink->addresses ? interval->routine : 0,
			.word2 = kind->tail,
		};

		if (likely(etw_listened(listener, interval->change) &&
			   etw_filter_takes_hook(listener->filter, kind->hook_id)))
			etw_write_small(listener, &event, &moment);
	}
}

#endif /* ETW_INTERVAL_H */
