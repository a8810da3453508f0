/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Records of DPCs and ISRs: intervals on one CPU, written when they end. */
#ifndef ETW_INTERVAL_H
#define ETW_INTERVAL_H

#include <linux/cpumask.h>
#include <linux/percpu.h>
#include "source/moment.h"
#include "source/source.h"
#include "source/write.h"

/**
 * struct etw_interval - a function that a CPU runs, or ran
 * @begin: start, by the clocks of the listeners at that time
 * @change: generation of the listeners at that time, see etw_listened()
 * @routine: address of the function
 * @key: identifies the interval at its end
 * @begun: an end may come; false if it began before any session listened
 *
 * One per CPU and kind. Its writer has the CPU to itself for that kind, because softirqs do
 * not nest. If intervals may overlap, use struct etw_interval_of; if they may nest, struct
 * etw_interval_nest.
 */
struct etw_interval {
	struct etw_moment begin;
	unsigned long routine;
	unsigned long key;
	u32 change;
	bool begun;
};

/**
 * struct etw_interval_kind - form of an interval's record
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
 * struct etw_interval_of - a thread's interval, if threads' intervals may overlap
 * @interval: the interval
 * @owner: the thread, while the interval is open
 */
struct etw_interval_of {
	struct etw_interval interval;
	const void *owner;
};

#define ETW_INTERVALS_NESTED	4

/**
 * struct etw_interval_nest - nested intervals of a CPU
 * @interval: outermost first
 * @depth: number of open intervals
 */
struct etw_interval_nest {
	struct etw_interval interval[ETW_INTERVALS_NESTED];
	u32 depth;
};

/* A new innermost interval, or NULL if there is no free one */
static inline struct etw_interval *etw_interval_push(struct etw_interval_nest *nest)
{
	return nest->depth < ETW_INTERVALS_NESTED ? &nest->interval[nest->depth++] : NULL;
}

/*
 * The interval with @key, which ends together with all within it. NULL if it had found no
 * free interval, or began before any session listened: then all open ones are around it.
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
 * The interval of @owner among @count places: its open one; else, if it @begins, a free one;
 * NULL if there is none. Called with preemption off, on the CPU of the places.
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

/* Sum over all CPUs of intervals that found no free place, since load; any context */
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
 * Writes an ended interval to all listeners that want it and listened at its start.
 * Interrupts belong to no process, so process filters let them pass.
 */
static __always_inline void etw_interval_write(const struct etw_listeners *listeners,
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
