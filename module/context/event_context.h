/* SPDX-License-Identifier: GPL-2.0 */
/* What records carry: counters and the PEBS index inside, stacks behind them. */
#ifndef ETW_DECORATION_H
#define ETW_DECORATION_H

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

/* Hook ids that can be chosen: groups up to ETW_MAX_HOOK_GROUP */
#define ETW_DECORATION_HOOK_IDS	((ETW_MAX_HOOK_GROUP + 1) << 8)

/* Which counter can't be had (struct etw_perf_error), when it is none */
#define ETW_ERROR_OF_PEBS	(~0U)
#define ETW_ERROR_OF_NONE	(~1U)

/* What a record can carry */
#define ETW_DECORATION_ITEMS	(1 + ETW_MAX_PMC_COUNTERS)

/**
 * struct etw_event_context - what a session's records carry besides their payload
 * @counters: counters, or NULL; gone when the session has stopped
 * @nr_counters: how many
 * @pebs: context swaps carry the PEBS index
 * @uncounted: per CPU: records that went without what they should carry
 * @hooks: hook ids that carry counters
 * @stacks: which events have stacks
 *
 * It is there before the session listens and goes after its last event.
 */
struct etw_event_context {
	struct etw_perf_set *counters;
	u32 nr_counters;
	bool pebs;
	u64 __percpu *uncounted;
	unsigned long hooks[BITS_TO_LONGS(ETW_DECORATION_HOOK_IDS)];
	struct etw_stacks stacks;
};

/**
 * etw_has_context() - whether records with a hook id carry something inside
 * @context: a context, or NULL
 * @hook_id: hook id
 */
static inline bool etw_has_context(const struct etw_event_context *context, u16 hook_id)
{
	if (!context || hook_id >= ETW_DECORATION_HOOK_IDS)
		return false;
	return test_bit(hook_id, context->hooks) ||
	       (context->pebs && hook_id == PERFINFO_LOG_TYPE_CONTEXTSWAP);
}

/**
 * etw_walks_stack() - whether events with a hook id have a stack
 * @context: a decoration
 * @hook_id: hook id
 */
static inline bool etw_walks_stack(const struct etw_event_context *context, u16 hook_id)
{
	return etw_stacks_have(context->stacks.hooks, hook_id);
}

/**
 * struct etw_inline_items - the items of a record under way
 * @cpu: counters of this CPU, or NULL
 * @nr_counters: how many the record carries
 * @pebs: it carries the PEBS index
 * @refused: what it should carry can't be read now
 * @nr: items in all
 * @item: PEBS index first, then counters (format.rst 3.6); in: room for
 *	ETW_DECORATION_ITEMS. Apart, so that all else can stay in registers
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
 * Between reading W and changing it, see etw_reserve_reading(). The PEBS index
 * comes first: a PMU that reads its counter may empty the PEBS buffer, and count
 * what it held, in between.
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
 * etw_reserve_with_context_reading() - a place for a record with its items, if that is to be
 * @ring: this CPU's ring
 * @context: a decoration
 * @hook_id: hook id
 * @size: bytes of the record without items; multiple of 8
 * @at: out: where
 * @items: out: what to write behind the header
 * @mode: whether a failure counts as a loss
 * @read: see etw_reserve_reading(); calls etw_read_items() when @items->nr isn't 0
 * @read_bare: likewise for a record without items; or NULL
 * @arg: their argument
 * @moment: NULL, or the event's reading of the clocks
 *
 * A CPU that has no counters now gets a record without items, counted.
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
	/* one that is lost, or tried again, is no record without its items */
	this_cpu_inc(*context->uncounted);
	return true;
}

/**
 * etw_reserve_with_context() - a place for a record with its items
 * @ring: this CPU's ring
 * @context: a decoration
 * @hook_id: hook id
 * @size: bytes of the record without items; multiple of 8
 * @at: out: where
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
 * Write them, two at a time: what is one too many gives way to the payload, of 8
 * bytes at least. Return: where the payload goes.
 */
static __always_inline u64 *etw_put_items(u64 *to, const struct etw_inline_items *items)
{
	const u64 *from = items->item;
	u64 *end = to + items->nr;

	for (; to < end; to += 2, from += 2) {
		u64 first = from[0], second = from[1];

		OPTIMIZER_HIDE_VAR(first);	/* a call of memcpy() costs more */
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
u64 etw_event_context_uncounted(const struct etw_event_context *context, int cpu);

#endif /* ETW_DECORATION_H */
