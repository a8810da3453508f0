/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Event context: counters and the PEBS index inside records, stacks behind them. */
#ifndef ETW_EVENT_CONTEXT_H
#define ETW_EVENT_CONTEXT_H

#include <linux/bitops.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include "config/items.h"
#include "record/payload.h"
#include "record/thread_ids.h"
#include "ring/reserve.h"
#include "pebs.h"
#include "perf_read.h"
#include "stack.h"

struct etw_stack_counts;

/* Hook ids that can be chosen: groups up to ETW_MAX_HOOK_GROUP */
#define ETW_CONTEXT_HOOK_IDS	((ETW_MAX_HOOK_GROUP + 1) << 8)

/* Index in struct etw_perf_error if the error is not that of a counter */
#define ETW_ERROR_OF_PEBS	(~0U)
#define ETW_ERROR_OF_NONE	(~1U)

/* Items that a record can carry: PEBS index and counters */
#define ETW_CONTEXT_ITEMS	(1 + ETW_MAX_PMC_COUNTERS)

/**
 * struct etw_event_context - what a session's records carry besides their payload
 * @counters: counters, or NULL; released when the session stops
 * @nr_counters: number of counters
 * @pebs: context swaps carry the PEBS index
 * @uncounted: per CPU: number of records without items or stack that they should have
 * @hooks: hook ids that carry counters
 * @stacks: which events have stacks
 *
 * It exists from before the session listens until after its last event.
 */
struct etw_event_context {
	struct etw_perf_set *counters;
	u32 nr_counters;
	bool pebs;
	u64 __percpu *uncounted;
	unsigned long hooks[BITS_TO_LONGS(ETW_CONTEXT_HOOK_IDS)];
	struct etw_stacks stacks;
};

/**
 * etw_has_context() - whether records with a hook id carry items
 * @context: event context, or NULL
 * @hook_id: hook id
 */
static inline bool etw_has_context(const struct etw_event_context *context, u16 hook_id)
{
	if (!context || hook_id >= ETW_CONTEXT_HOOK_IDS)
		return false;
	return test_bit(hook_id, context->hooks) ||
	       (context->pebs && hook_id == PERFINFO_LOG_TYPE_CONTEXTSWAP);
}

/**
 * etw_walks_stack() - whether events with a hook id have a stack
 * @context: event context
 * @hook_id: hook id
 */
static inline bool etw_walks_stack(const struct etw_event_context *context, u16 hook_id)
{
	return etw_stacks_have(context->stacks.hooks, hook_id);
}

/**
 * struct etw_inline_items - the items of a record that is being written
 * @cpu: counters of this CPU, or NULL
 * @nr_counters: number of counters that the record carries
 * @pebs: it carries the PEBS index
 * @refused: the items can't be read now
 * @nr: number of items
 * @item: array of ETW_CONTEXT_ITEMS: PEBS index first, then counters (format.rst 3.6).
 *	Not part of this struct, so that the rest can stay in registers
 */
struct etw_inline_items {
	const struct etw_perf_cpu *cpu;
	u32 nr_counters;
	bool pebs;
	bool refused;
	u32 nr;
	u64 *item;
};

/*
 * Called between reading W and changing it, see etw_reserve_reading(). The PEBS index must
 * be read first: when a PMU reads its counter, it may drain the PEBS buffer, and thereby
 * count the buffer's records.
 */
static __always_inline bool etw_read_items(void *arg)
{
	struct etw_inline_items *items = arg;
	const struct etw_perf_event *event = items->cpu->event;
	const struct etw_perf_event *end = event + items->nr_counters;
	u64 *to = items->item;
	bool good = true;

	if (items->pebs) {
		u64 index = 0;

		good = etw_pebs_index(&index);
		*to++ = index;
	}
	for (; event != end; event++, to++)
		good &= etw_perf_value(event, to);
	items->refused = !good;
	return likely(good);
}

/**
 * etw_reserve_with_context_reading() - reserve space for a record with its items, if any
 * @ring: this CPU's ring
 * @context: event context
 * @hook_id: hook id
 * @size: bytes of the record without items; multiple of 8
 * @at: out: reservation
 * @items: out: what to write behind the header
 * @mode: whether a failure counts as a loss
 * @read: see etw_reserve_reading(); calls etw_read_items() if @items->nr isn't 0
 * @read_bare: the same for a record without items; or NULL
 * @arg: their argument
 * @moment: NULL, or the event's reading of the clocks
 *
 * If the counters can't be read now, the record has no items and is counted as such.
 *
 * Context and return: as etw_reserve_reading(). The record's Size is @size plus 8 bytes
 * for each of @items->nr.
 */
static __always_inline bool
etw_reserve_with_context_reading(struct etw_ring *ring, const struct etw_event_context *context,
				 u16 hook_id, u32 size, struct etw_reservation *at,
				 struct etw_inline_items *items, enum etw_reserve_mode mode,
				 bool (*read)(void *arg), bool (*read_bare)(void *arg), void *arg,
				 struct etw_moment *moment)
{
	items->cpu = NULL;
	items->nr_counters = 0;
	items->pebs = context->pebs && hook_id == PERFINFO_LOG_TYPE_CONTEXTSWAP;
	if (context->counters && test_bit(hook_id, context->hooks)) {
		items->cpu = etw_perf_set_here(context->counters);
		if (unlikely(!items->cpu))
			goto bare;
		items->nr_counters = context->nr_counters;
	}
	items->nr = items->nr_counters + items->pebs;
	items->refused = false;
	if (likely(etw_reserve_reading(ring, size + items->nr * sizeof(u64), at, mode, read, arg,
				       moment)))
		return true;
	if (!items->refused)
		return false;
bare:
	items->nr_counters = 0;
	items->pebs = false;
	items->nr = 0;
	if (!etw_reserve_reading(ring, size, at, mode, read_bare, arg, moment))
		return false;
	/* only if written: a lost or retried record does not count as one without items */
	this_cpu_inc(*context->uncounted);
	return true;
}

/**
 * etw_reserve_with_context() - reserve space for a record with its items
 * @ring: this CPU's ring
 * @context: event context
 * @hook_id: hook id
 * @size: bytes of the record without items; multiple of 8
 * @at: out: reservation
 * @items: out: what to write behind the header
 * @moment: NULL, or the event's reading of the clocks
 *
 * A failure is a loss. Context and return: see etw_reserve_with_context_reading().
 */
static __always_inline bool etw_reserve_with_context(struct etw_ring *ring,
						     const struct etw_event_context *context,
						     u16 hook_id, u32 size,
						     struct etw_reservation *at,
						     struct etw_inline_items *items,
						     struct etw_moment *moment)
{
	return etw_reserve_with_context_reading(ring, context, hook_id, size, at, items,
						ETW_RESERVE_COUNT, etw_read_items, NULL, items,
						moment);
}

/*
 * Write the items, two at a time. The payload, of at least 8 bytes, overwrites a surplus
 * word. Return: where the payload goes.
 */
static __always_inline u64 *etw_put_items(u64 *to, const struct etw_inline_items *items)
{
	const u64 *from = items->item;
	u64 *end = to + items->nr;

	for (; to < end; to += 2, from += 2) {
		u64 first = from[0], second = from[1];

		OPTIMIZER_HIDE_VAR(first);	/* prevents a call of memcpy(), which is slower */
		to[0] = first;
		to[1] = second;
	}
	return end;
}

/* The high byte of the header's Version, in the first word of the record */
static __always_inline u64 etw_items_word(const struct etw_inline_items *items)
{
	return items->nr_counters << TRACE_HEADER_PMC_COUNTERS_SHIFT |
	       (items->pebs ? TRACE_HEADER_PEBS_INDEX_FLAG : 0) |
	       (u64)items->nr * sizeof(u64) << 32;	/* Size grows with them */
}

int etw_record_with_context(struct etw_ring *ring, const struct etw_event_context *context,
			    u16 hook_id, u8 version, const struct etw_payload *payload,
			    struct pt_regs *regs, struct etw_moment *moment);
int etw_record_system_with_context(struct etw_ring *ring, const struct etw_event_context *context,
				   u16 hook_id, u8 version, const struct etw_system_ids *ids,
				   const struct etw_payload *payload, struct etw_moment *moment);
int etw_event_context_create(const struct etw_items *items, bool addresses,
			     struct etw_event_context **context, struct etw_perf_error *error);
void etw_event_context_stop(struct etw_event_context *context);
void etw_event_context_free(struct etw_event_context *context);
struct etw_stack_counts etw_event_context_walks(const struct etw_event_context *context, int cpu);
u64 etw_event_context_uncounted(const struct etw_event_context *context, int cpu);

#endif /* ETW_EVENT_CONTEXT_H */
