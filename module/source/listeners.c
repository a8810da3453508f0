// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Listeners of sources: those of one session change together; declared in source.h. */
#include <linux/cpumask.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "context/event_context.h"
#include "filter/filter.h"
#include "source.h"

/*
 * START and UPDATE register the probes of the sources that they want, under etw_sources_lock;
 * the probes find no listener yet. This takes long, and can fail. Then all listeners change
 * together, under etw_listeners_lock, which is held for a moment: first new arrays are
 * allocated, then they are put in place, source by source, which can't fail. An event sees a
 * source's old array or its new one. So a session that stays gets each event once, by its
 * old or its new settings.
 *
 * STOP only takes the second lock. A source that is left without listeners keeps an empty
 * array and its probes, which keep its tables current, until it is closed: by STOP itself, or,
 * if another task registers probes meanwhile, by that task.
 */

/* Rundowns that still need the tables of their session's sources, see etw_sources_mute() */
static u32 muted;	/* under etw_listeners_lock */

/* Changes of listeners so far, see etw_listened(); under etw_listeners_lock */
static u32 changes;

/* Bits of the source's groups that a session wants */
static u32 wanted(const struct etw_source *source, const struct perfinfo_groupmask *masks,
		  const struct etw_filter *filter)
{
	u32 i, bits = 0;

	if (source->filter_match)
		return source->filter_match(filter);
	for (i = 0; i < source->hooks.count; i++)
		if (etw_filter_takes_hook(filter, source->hooks.of[i]))
			break;
	if (source->hooks.count && i == source->hooks.count)
		return 0;
	for (i = 0; i < source->groups.count; i++) {
		u32 group = source->groups.of[i];

		if (masks->masks[PERF_MASK_INDEX(group)] & PERF_MASK_BITS(group))
			bits |= 1U << i;
	}
	return bits;
}

static struct etw_listeners *listeners_of(struct etw_source *source)
{
	return rcu_dereference_protected(source->listeners, lockdep_is_held(&etw_listeners_lock));
}

static const struct etw_listener *find(const struct etw_listeners *listeners,
				       const struct etw_sink *sink)
{
	u32 i;

	for (i = 0; listeners && i < listeners->count; i++)
		if (listeners->listener[i].sink == sink)
			return &listeners->listener[i];
	return NULL;
}

/* The session's context if one of the source's hook ids uses it, else NULL */
static const struct etw_event_context *context_for(const struct etw_source *source,
						   const struct etw_sink *sink)
{
	u32 i;

	for (i = 0; sink->context && i < source->hooks.count; i++)
		if (etw_has_context(sink->context, source->hooks.of[i]) ||
		    etw_stacks_have(sink->context->stacks.chosen, source->hooks.of[i]))
			return sink->context;
	return NULL;
}

static bool is_bare(const struct etw_listener *listener)
{
	return !listener->filter && !listener->context;
}

/* The old listeners without the session, then the session's new one; bare listeners first */
static void fill(struct etw_listeners *new, const struct etw_listeners *old,
		 const struct etw_sink *sink, const struct etw_listener *add)
{
	u32 pass, i;

	for (pass = 0; pass < 2; pass++) {
		for (i = 0; old && i < old->count; i++)
			if (old->listener[i].sink != sink &&
			    is_bare(&old->listener[i]) == !pass)
				new->listener[new->count++] = old->listener[i];
		if (add && is_bare(add) == !pass)
			new->listener[new->count++] = *add;
		if (!pass)
			new->bare_end = &new->listener[new->count];
	}
	new->nr_extended = &new->listener[new->count] - new->bare_end;
	for (i = 0; &new->listener[i] != new->bare_end; i++)
		new->rings[i] = new->listener[i].rings;
	for (i = 0; i < new->count; i++)
		new->ticks |= 1U << new->listener[i].sink->clocks.ticks;
}

/* The array of rings, which ends with NULL, is placed behind the listeners. */
static struct etw_listeners *alloc(u32 count)
{
	struct etw_listeners *listeners;
	size_t size = struct_size(listeners, listener, count);

	listeners = kzalloc(size_add(size, array_size(count + 1, sizeof(*listeners->rings))),
			    GFP_KERNEL);
	if (listeners)
		listeners->rings = (void *)listeners + size;
	return listeners;
}

/* The new array of one source */
static int prepare(struct etw_source *source, const struct etw_sink *sink,
		   const struct perfinfo_groupmask *masks, struct etw_filter *filter)
{
	struct etw_listeners *old = listeners_of(source);
	struct etw_listener listener = {
		.rings = sink->rings,
		.sink = sink,
		.filter = filter,
		.context = context_for(source, sink),
		/* a source that was registered meanwhile is not open */
		.wanted = source->open ? wanted(source, masks, filter) : 0,
		.since = ++changes,
	};
	const struct etw_listener *was = find(old, sink);
	u32 count = (old ? old->count : 0) - !!was + !!listener.wanted;

	if (was)
		listener.since = was->since;

	source->next = NULL;
	source->changes = was || listener.wanted;
	if (!source->changes)
		return 0;
	source->next = alloc(count);
	if (!source->next) {
		source->changes = false;
		return -ENOMEM;
	}
	source->next->change = changes;
	fill(source->next, old, sink, listener.wanted ? &listener : NULL);
	return 0;
}

static void undo(struct etw_source *source)
{
	if (source->changes)
		kfree(source->next);
	source->changes = false;
}

/* When the calls were missed is unknown: the loss gets the time of counting. */
static void add_missed(struct etw_ring *ring, u64 n)
{
	struct etw_clamp clock = { .base = ring->clock.base };
	u64 now;

	preempt_disable();
	now = etw_tick(ring->ticks, &clock);
	preempt_enable();
	if (!ring->lost_first[ETW_LOSS_MISSED])
		WRITE_ONCE(ring->lost_first[ETW_LOSS_MISSED], now);
	WRITE_ONCE(ring->lost_last[ETW_LOSS_MISSED], now);
	local_add(n, &ring->lost[ETW_LOSS_MISSED]);
}

/*
 * Each listening session gets the loss, on the first CPU. Only this function writes that
 * cause, under the lock. Without listeners, what was missed is no loss.
 */
static void count_missed(struct etw_source *source, const struct etw_listeners *listeners)
{
	u64 now, n;
	u32 i;

	lockdep_assert_held(&etw_listeners_lock);
	now = etw_source_missed(source);
	n = now - source->missed_counted;
	source->missed_counted = now;
	for (i = 0; n && listeners && i < listeners->count; i++)
		add_missed(per_cpu_ptr(listeners->listener[i].rings,
				       cpumask_first(cpu_possible_mask)), n);
}

/**
 * etw_sources_count_missed() - count what sources have missed so far as loss
 *
 * Context: process; takes etw_listeners_lock.
 */
void etw_sources_count_missed(void)
{
	struct etw_source *source;

	mutex_lock(&etw_listeners_lock);
	list_for_each_entry(source, &etw_sources, node)
		count_missed(source, listeners_of(source));
	mutex_unlock(&etw_listeners_lock);
}

/*
 * Replace the listeners. A probe uses only one of the two pointers: source->rings if it is
 * not NULL, else source->listeners. So it writes an event once, by the old listeners or by
 * the new ones. The rings are cleared before the listeners change and set afterwards.
 * Otherwise a CPU could see the new listeners by one pointer and later the old ones by the
 * other.
 * The old listeners are freed after the RCU sections of probes that still use them.
 */
static void publish(struct etw_source *source, struct etw_listeners *new)
{
	bool all_bare = new && new->count && !new->nr_extended;

	if (!all_bare)
		RCU_INIT_POINTER(source->rings, NULL);
	/* the releases pair with the dependent reads after etw_listeners_of(), etw_rings_of() */
	rcu_assign_pointer(source->listeners, new);
	if (all_bare)
		rcu_assign_pointer(source->rings, new->rings);
}

static void commit(struct etw_source *source, struct etw_filter *filter)
{
	struct etw_listeners *old = listeners_of(source);

	if (!source->changes)
		return;
	source->changes = false;
	publish(source, source->next);
	count_missed(source, old);
	/* probes read them with preemption off, even if tracepoints only hold SRCU (probe.h) */
	if (old)
		kfree_rcu(old, rcu);
	if (source->next->count && source->attached && source->filter_match(filter))
		source->attached(filter);
}

/* All sources, or none. Return: 0 or -ENOMEM */
static int change_listeners(const struct etw_sink *sink, const struct perfinfo_groupmask *masks,
			    struct etw_filter *filter)
{
	struct etw_source *source;
	int err = 0;

	mutex_lock(&etw_listeners_lock);
	list_for_each_entry(source, &etw_sources, node) {
		err = prepare(source, sink, masks, filter);
		if (err)
			break;
	}
	list_for_each_entry(source, &etw_sources, node) {
		if (err)
			undo(source);
		else
			commit(source, filter);
	}
	mutex_unlock(&etw_listeners_lock);
	return err;
}

static bool wants_any(const struct perfinfo_groupmask *masks, const struct etw_filter *filter)
{
	const struct etw_source *source;
	bool any = false;

	mutex_lock(&etw_listeners_lock);
	list_for_each_entry(source, &etw_sources, node)
		any |= !!wanted(source, masks, filter);
	mutex_unlock(&etw_listeners_lock);
	return any;
}

static bool is_left(const struct etw_source *source)
{
	const struct etw_listeners *listeners = rcu_access_pointer(source->listeners);

	lockdep_assert_held(&etw_listeners_lock);
	return listeners && !listeners->count && !muted;
}

static bool any_is_left(void)
{
	const struct etw_source *source;
	bool any = false;

	mutex_lock(&etw_listeners_lock);
	list_for_each_entry(source, &etw_sources, node)
		any |= is_left(source);
	mutex_unlock(&etw_listeners_lock);
	return any;
}

static void close_left(struct etw_source *source)
{
	struct etw_listeners *empty = NULL;

	mutex_lock(&etw_listeners_lock);
	if (is_left(source)) {
		empty = listeners_of(source);
		RCU_INIT_POINTER(source->listeners, NULL);
	}
	mutex_unlock(&etw_listeners_lock);
	if (!empty)
		return;
	etw_source_close(source);
	kfree(empty);
}

/**
 * etw_sources_close_left() - close the sources that no session listens to any more
 *
 * A task that has etw_sources_lock closes them when it is done: each calls this afterwards.
 *
 * Context: process; sleeps.
 */
void etw_sources_close_left(void)
{
	struct etw_source *source;

	while (any_is_left() && mutex_trylock(&etw_sources_lock)) {
		list_for_each_entry(source, &etw_sources, node)
			close_left(source);
		mutex_unlock(&etw_sources_lock);
	}
}

/* Under etw_sources_lock: no other task opens or closes a source meanwhile */
static int open_and_change(const struct etw_sink *sink, const struct perfinfo_groupmask *masks,
			   struct etw_filter *filter)
{
	struct etw_source *source;
	int err = 0;

	list_for_each_entry(source, &etw_sources, node) {
		if (source->open || !wanted(source, masks, filter))
			continue;
		err = fatal_signal_pending(current) ? -EINTR : etw_source_open(source);
		if (err)
			break;
	}
	if (!err)
		err = change_listeners(sink, masks, filter);
	if (!err)
		return 0;
	list_for_each_entry(source, &etw_sources, node)
		if (source->open && !rcu_access_pointer(source->listeners))
			etw_source_close(source);
	return err;
}

/**
 * etw_sources_set() - set what a session listens to
 * @sink: session sink; the session may listen already
 * @masks: wanted groups
 * @filter: the session's new filter, or NULL; the caller frees the old filter afterwards
 *
 * An event at this moment is recorded once, by the old settings or by the new ones.
 *
 * Context: process; sleeps; takes etw_sources_lock if the session wants any source, then
 * etw_listeners_lock.
 * Return: 0; -ENOMEM; -ENOENT if this kernel lacks a tracepoint; -EINTR if the caller was
 * killed. After an error nothing has changed.
 */
int etw_sources_set(const struct etw_sink *sink, const struct perfinfo_groupmask *masks,
		    struct etw_filter *filter)
{
	int err;

	if (!wants_any(masks, filter)) {
		err = change_listeners(sink, masks, filter);
	} else {
		if (mutex_lock_killable(&etw_sources_lock))
			return -EINTR;
		err = open_and_change(sink, masks, filter);
		mutex_unlock(&etw_sources_lock);
	}
	etw_sources_close_left();
	return err;
}

/**
 * etw_sources_detach() - remove a session from all sources
 * @sink: session sink
 *
 * On return no probe writes, or will write, to the session. Stopping must not
 * fail, so allocations are retried until they succeed. It does not wait for a START or UPDATE
 * that registers probes; sources without listeners may then stay open until that is done.
 *
 * Context: process; sleeps; takes etw_listeners_lock.
 */
void etw_sources_detach(const struct etw_sink *sink)
{
	static const struct perfinfo_groupmask none;

	while (change_listeners(sink, &none, NULL))
		schedule_timeout_uninterruptible(1);
	etw_sources_wait();
	etw_sources_close_left();
}

/**
 * etw_sources_mute() - remove a session from all sources, but keep their tables
 * @sink: session sink; etw_sources_unmute() must follow
 *
 * On return no probe writes, or will write, to the session. Its sources stay open,
 * because the stop rundown needs the names in their tables.
 *
 * Context: process; sleeps; takes etw_listeners_lock.
 */
void etw_sources_mute(const struct etw_sink *sink)
{
	mutex_lock(&etw_listeners_lock);
	muted++;
	mutex_unlock(&etw_listeners_lock);
	etw_sources_detach(sink);
}

/**
 * etw_sources_unmute() - end etw_sources_mute(), after the rundown
 *
 * Closes the sources that stayed open only for rundowns, after the last of them.
 *
 * Context: process; sleeps; takes etw_listeners_lock.
 */
void etw_sources_unmute(void)
{
	mutex_lock(&etw_listeners_lock);
	muted--;
	mutex_unlock(&etw_listeners_lock);
	etw_sources_close_left();
}
