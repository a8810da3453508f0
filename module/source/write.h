/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The path of a source's event: listeners that want it, its record, its event context. */
#ifndef ETW_WRITE_H
#define ETW_WRITE_H

#include <linux/minmax.h>
#include <linux/percpu.h>
#include "context/event_context.h"
#include "filter/filter.h"
#include "record/perfinfo.h"
#include "record/thread_ids.h"
#include "ring/reserve.h"
#include "source.h"

struct pt_regs;

/*
 * Two ways lead to a record. Most events are described by a struct etw_event, and
 * etw_write() does the rest, with any event context. Events that happen hundreds of
 * thousands of times a second, with at most three words, use a struct etw_small_event: it
 * stays in registers, and only a listener with a filter or event context costs a call.
 */

/**
 * struct etw_event - an event to be written
 * @hook_id: hook id
 * @version: of the payload
 * @no_process: the event belongs to no process, so process filters do not apply
 * @wanted: bits of etw_listener.wanted that include it
 * @process_id: its process, for process filters; unused with @no_process
 * @ids: thread in a SYSTEM header; NULL: it has a PERFINFO header
 * @regs: where its stack begins; NULL: here
 * @payload: payload; may differ between listeners
 * @moment: time of the event, for all listeners; zeros until etw_write() has read the clock
 *
 * If the payload differs, use etw_next_wanting() and etw_write(), else etw_write_all().
 */
struct etw_event {
	u16 hook_id;
	u8 version;
	bool no_process;
	u32 wanted;
	u32 process_id;
	const struct etw_system_ids *ids;
	struct pt_regs *regs;
	struct etw_payload payload;
	struct etw_moment moment;
};

/* For sources with only one group: their listeners want all events */
#define ETW_WANTED_ANY	(~0U)

void etw_write(const struct etw_listener *listener, struct etw_event *event);
void etw_write_all(const struct etw_listeners *listeners, struct etw_event *event);
bool etw_filter_takes_event(const struct etw_filter *filter, const struct etw_event *event);
u32 etw_wanted_of(const struct etw_source *source, u32 process_id);

/**
 * etw_next_wanting() - find the next listener that wants an event
 * @listeners: of the source, or NULL
 * @after: previous result; NULL at first
 * @event: the event; its payload doesn't matter
 *
 * Inline, because each event calls it once more than it has listeners; only a filter is asked
 * by a call. Context: any, NMI included; preemption off. Return: the listener, or NULL.
 */
static __always_inline const struct etw_listener *
etw_next_wanting(const struct etw_listeners *listeners, const struct etw_listener *after,
		 const struct etw_event *event)
{
	const struct etw_listener *listener, *end;

	if (!listeners)
		return NULL;
	end = listeners->listener + listeners->count;
	for (listener = after ? after + 1 : listeners->listener; listener != end; listener++)
		if (listener->wanted & event->wanted &&
		    (likely(!listener->filter) || etw_filter_takes_event(listener->filter, event)))
			return listener;
	return NULL;
}

/**
 * struct etw_small_event - an event of a few words, with a PERFINFO header
 * @hook_id: hook id
 * @version: of the payload
 * @size: bytes of the payload, 1 to 24
 * @since: @word0 is an earlier time: never later than the record's stamp
 * @word0: first word of the payload, padded with zeros
 * @word1: second word
 * @word2: third word
 *
 * Don't pass a pointer to it to a function that is not inlined: it would have to be in
 * memory. An array in it would give each probe a stack frame and a stack protector.
 */
struct etw_small_event {
	u16 hook_id;
	u8 version;
	u8 size;
	bool since;
	u64 word0;
	u64 word1;
	u64 word2;
};

static __always_inline u32 etw_small_event_bytes(const struct etw_small_event *event)
{
	return sizeof(struct perfinfo_trace_header) + event->size;
}

static __always_inline u64 *etw_put_small(u64 *to, const struct etw_small_event *event, u64 tick)
{
	*to++ = event->since ? min(event->word0, tick) : event->word0;
	if (event->size > 8)
		*to++ = event->word1;
	if (event->size > 16)
		*to++ = event->word2;
	return to;
}

static __always_inline void etw_fill_small(const struct etw_reservation *at,
					   const struct etw_small_event *event)
{
	u64 *to = at->data;

	*to++ = etw_perfinfo_word(event->hook_id, event->version, etw_small_event_bytes(event));
	*to++ = at->tick;
	etw_put_small(to, event, at->tick);
}

/* Write a small event to a ring of this CPU, even if that needs a new buffer. */
static __always_inline void etw_write_ring(struct etw_ring *ring,
					   const struct etw_small_event *event,
					   struct etw_moment *moment)
{
	struct etw_reservation at;

	if (!etw_reserve_at(ring, etw_small_event_bytes(event), &at, ETW_RESERVE_COUNT, moment))
		return;
	etw_fill_small(&at, event);
	etw_commit(ring, &at, etw_small_event_bytes(event));
}

/**
 * etw_write_bare() - write a small event without event context
 * @listener: has no event context; its filter, if any, has accepted the event
 * @event: the event
 * @moment: time of the event, for all listeners
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline void etw_write_bare(const struct etw_listener *listener,
					   const struct etw_small_event *event,
					   struct etw_moment *moment)
{
	etw_write_ring(this_cpu_ptr(listener->rings), event, moment);
}

/**
 * etw_write_with_counters() - write a small event with counters and PEBS index, but no stack
 * @listener: has an event context
 * @event: the event
 * @tick: out: its stamp
 * @moment: time of the event, for all listeners
 *
 * Context: as etw_write_bare(). Return: whether it was written.
 */
static __always_inline bool etw_write_with_counters(const struct etw_listener *listener,
						    const struct etw_small_event *event, u64 *tick,
						    struct etw_moment *moment)
{
	struct etw_ring *ring = this_cpu_ptr(listener->rings);
	u64 item[ETW_CONTEXT_ITEMS] __uninitialized;
	struct etw_inline_items items = { .item = item };
	u32 bytes = etw_small_event_bytes(event);
	struct etw_reservation at;
	u64 *to;

	if (!etw_reserve_with_context(ring, listener->context, event->hook_id, bytes, &at, &items,
				      moment))
		return false;
	to = at.data;
	*to++ = etw_perfinfo_word(event->hook_id, event->version, bytes) + etw_items_word(&items);
	*to++ = at.tick;
	etw_put_small(etw_put_items(to, &items), event, at.tick);
	etw_commit(ring, &at, bytes + items.nr * sizeof(u64));
	*tick = at.tick;
	return true;
}

/* Hook id, version, size and @since of a small event, in one register */
static __always_inline u64 etw_small_event_kind(const struct etw_small_event *event)
{
	return event->hook_id | (u64)event->version << 16 | (u64)event->size << 24 |
	       (u64)event->since << 32;
}

void etw_write_extended(const struct etw_listener *listener, u64 kind, u64 word0, u64 word1,
			u64 word2, struct etw_moment *moment);

/* Passes a copy, so that callers can keep @moment in registers. */
static __always_inline void etw_write_extended_at(const struct etw_listener *listener,
						  const struct etw_small_event *event,
						  struct etw_moment *moment)
{
	struct etw_moment copy = *moment;

	etw_write_extended(listener, etw_small_event_kind(event), event->word0, event->word1,
			   event->word2, &copy);
	*moment = copy;
}

/**
 * etw_write_small() - write a small event to a session that wants it
 * @listener: a listener; its filter, if any, has accepted the event
 * @event: the event
 * @moment: time of the event, for all listeners
 *
 * Context: as etw_write_bare().
 */
static __always_inline void etw_write_small(const struct etw_listener *listener,
					    const struct etw_small_event *event,
					    struct etw_moment *moment)
{
	if (likely(!listener->context))
		etw_write_bare(listener, event, moment);
	else
		etw_write_extended_at(listener, event, moment);
}

void etw_write_current_extended(const struct etw_listener *listener, u64 kind, u64 word0, u64 word1,
				u64 word2, struct etw_moment *moment);

static __always_inline void etw_write_current_extended_at(const struct etw_listener *listener,
							  const struct etw_small_event *event,
							  struct etw_moment *moment)
{
	struct etw_moment copy = *moment;

	etw_write_current_extended(listener, etw_small_event_kind(event), event->word0,
				   event->word1, event->word2, &copy);
	*moment = copy;
}

/**
 * etw_write_current() - write a small event of the current process if the listener wants it
 * @listeners: of the source
 * @listener: one of them
 * @event: the event
 * @moment: time of the event, for all listeners
 *
 * Context: as etw_write_bare().
 */
static __always_inline void etw_write_current(const struct etw_listeners *listeners,
					      const struct etw_listener *listener,
					      const struct etw_small_event *event,
					      struct etw_moment *moment)
{
	if (likely(listener < listeners->bare_end))
		etw_write_bare(listener, event, moment);
	else
		etw_write_current_extended_at(listener, event, moment);
}

/*
 * The offset of this CPU's rings, read once for all sessions. x86 adds it by addressing
 * relative to GS, which costs no more each time and needs no register.
 */
#ifdef CONFIG_ARM64
#define etw_cpu_offset()		__my_cpu_offset
#define etw_ring_at(rings, offset)	SHIFT_PERCPU_PTR(rings, offset)
#else
#define etw_cpu_offset()		0
#define etw_ring_at(rings, offset)	((void)(offset), this_cpu_ptr(rings))
#endif

static __always_inline bool etw_write_fast_by(struct etw_ring __percpu **next, bool direct,
					      const struct etw_small_event *event,
					      struct etw_ring __percpu ***left,
					      struct etw_slot **filled, u64 *read)
{
	struct etw_ring __percpu *rings = *next;
	const unsigned long offset = etw_cpu_offset();
	u64 now = etw_counter_now();
	struct etw_slot *full = NULL;
	struct etw_reservation at;

	do {
		if (unlikely(!etw_reserve_once(etw_ring_at(rings, offset),
					       etw_small_event_bytes(event), &now, direct, &at)))
			goto rest;
		etw_fill_small(&at, event);
		if (unlikely(etw_commit_once(&at, etw_small_event_bytes(event), direct))) {
			full = at.slot;
			goto rest;
		}
		rings = *++next;
	} while (rings);
	return true;
rest:
	*left = next;
	*filled = full;
	*read = now;
	return false;
}

/**
 * etw_write_fast() - write a small event for listeners that are all bare, in the simple case
 * @next: etw_rings_of() the source
 * @event: the event; the same for all
 * @left: out, if false: the first rings that etw_write_slow() has to handle
 * @filled: out, if false: NULL, or the complete buffer of the first of @left, if the record
 *	there is already written
 * @read: out, if false: the counter, for @moment of etw_write_slow()
 *
 * Reads the clock once for all sessions and makes no calls. So a probe with only tail calls
 * besides this saves no registers. Its few values fit into the registers that a function
 * need not save.
 *
 * Context: as etw_write_bare(). Return: true: done; false: a ring has no free space, or
 * a buffer is full.
 */
static __always_inline bool etw_write_fast(struct etw_ring __percpu **next,
					   const struct etw_small_event *event,
					   struct etw_ring __percpu ***left,
					   struct etw_slot **filled, u64 *read)
{
	/* two loops: if the answer is a constant, the compiler keeps only one */
	if (likely(etw_has_fast_atomics()))
		return etw_write_fast_by(next, true, event, left, filled, read);
	return etw_write_fast_by(next, false, event, left, filled, read);
}

/**
 * etw_write_slow() - write to the listeners that etw_write_fast() left
 * @left: first rings to handle
 * @filled: complete buffer of the first rings, or NULL
 * @event: the event of etw_write_fast()
 * @moment: time of the event, for all listeners
 *
 * Call it in a separate function, which the probe calls last.
 */
static __always_inline void etw_write_slow(struct etw_ring __percpu **left,
					   struct etw_slot *filled,
					   const struct etw_small_event *event,
					   struct etw_moment *moment)
{
	if (filled)
		etw_slot_publish(this_cpu_ptr(*left++), filled);
	for (; *left; left++)
		etw_write_ring(this_cpu_ptr(*left), event, moment);
}

#endif /* ETW_WRITE_H */
