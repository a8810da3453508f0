// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Creates, changes and releases a session's samplers with its settings, all or none. */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "config/config.h"
#include "context/counters.h"
#include "context/rundown.h"
#include "context/sink.h"
#include "samplers.h"

/*
 * A change of samplers encloses the change of listeners (see listeners.c): change, then
 * listeners, then commit or undo. The change creates missing samplers; until the session
 * listens to a source, its samples are dropped. Then the change is recorded, and right after
 * that the intervals change. So no sample precedes the record of its weight. But while one
 * CPU still has the old interval, its samples may follow that record. Commit releases
 * unneeded samplers, once the session no longer listens.
 */

static struct etw_profile *alloc_profile(const struct etw_sink *sink)
{
	struct etw_profile *profile = kzalloc(sizeof(*profile), GFP_KERNEL);
	u32 i;

	if (!profile)
		return NULL;
	profile->sink = sink;
	for (i = 0; i < ETW_SAMPLERS; i++)
		profile->sampler[i].profile = profile;
	return profile;
}

/* A counter of the extension has more settings than a Windows source. */
static void source_attr(const struct etw_items *items, u32 source, struct perf_event_attr *attr)
{
	u32 i = etw_profile_find_counter(items, source);
	struct etw_profile_event event = { };

	if (i < items->nr_counters) {
		etw_counter_attr(items, i, attr);
		if (i < items->nr_counter_attrs &&
		    items->counter_attrs[i].flags & ETW_COUNTER_PRECISE) {
			attr->precise_ip = 2;
			attr->wakeup_events = 1;	/* an interrupt per record */
		}
		return;
	}
	/* the parser has checked that the event exists */
	etw_profile_source_event(source, &event);
	*attr = (struct perf_event_attr){
		.size = sizeof(*attr),
		.type = event.type,
		.config = event.config,
		.pinned = 1,
	};
}

static struct etw_perf_set *create_set(struct etw_sampler *sampler,
				       const struct perf_event_attr *attr,
				       struct etw_perf_error *error)
{
	return etw_perf_set_create(attr, 1, etw_profile_sample, sampler, error);
}

/* Cycles also sample code that runs with interrupts off, if the overflow is an NMI */
static struct etw_perf_set *create_cycles(struct etw_sampler *sampler, u32 interval,
					  struct etw_perf_error *error)
{
	u32 cycles = etw_profile_measure_cycles();
	const struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.pinned = 1,
		.sample_period = etw_profile_period(interval, cycles),
	};

	sampler->profile->cycles = cycles;
	return cycles ? create_set(sampler, &attr, error) : ERR_PTR(-EOPNOTSUPP);
}

static u64 nanoseconds(u32 interval)
{
	return interval * 100ULL;
}

static struct etw_perf_set *create_clock(struct etw_sampler *sampler, u32 interval,
					 struct etw_perf_error *error)
{
	const struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.pinned = 1,
		.sample_period = nanoseconds(interval),
	};

	return create_set(sampler, &attr, error);
}

/* All CPUs use cycles, or all use the clock: samples have the same meaning everywhere. */
static struct etw_perf_set *create_timer(struct etw_sampler *sampler,
					 struct etw_perf_error *error)
{
	struct etw_profile *profile = sampler->profile;
	struct etw_perf_set *set = create_cycles(sampler, sampler->next, error);

	profile->clock = ETW_PROFILE_CLOCK_CYCLES;
	if (!IS_ERR(set) || PTR_ERR(set) == -ENOMEM)
		return set;
	profile->clock = ETW_PROFILE_CLOCK_TIMER;
	return create_clock(sampler, sampler->next, error);
}

static struct etw_perf_set *create_source(struct etw_sampler *sampler,
					  const struct etw_items *items,
					  struct etw_perf_error *error)
{
	struct perf_event_attr attr;

	source_attr(items, sampler->source, &attr);
	attr.sample_period = sampler->next;
	return create_set(sampler, &attr, error);
}

static bool is_timer(const struct etw_sampler *sampler)
{
	return sampler == &sampler->profile->sampler[ETW_SAMPLER_TIMER];
}

static int set_interval(struct etw_sampler *sampler, u32 interval)
{
	u64 period = interval;

	if (is_timer(sampler))
		period = sampler->profile->clock == ETW_PROFILE_CLOCK_CYCLES ?
			 etw_profile_period(interval, sampler->profile->cycles) :
			 nanoseconds(interval);
	return etw_perf_set_period(sampler->set, 0, period);
}

static int prepare_sampler(struct etw_sampler *sampler, const struct etw_items *items,
			   struct etw_profile_error *error)
{
	struct etw_perf_set *set;

	if (!sampler->next || sampler->set)
		return 0;
	set = is_timer(sampler) ? create_timer(sampler, &error->perf) :
				  create_source(sampler, items, &error->perf);
	if (IS_ERR(set))
		return PTR_ERR(set);
	sampler->set = set;
	return 0;
}

static void take_plan(struct etw_profile *profile, const struct etw_profile_plan *plan)
{
	u32 i;

	for (i = 0; i < ETW_SAMPLERS; i++) {
		/* samplers that continue read it, and keep the same source */
		WRITE_ONCE(profile->sampler[i].source, plan->source[i]);
		profile->sampler[i].next = plan->interval[i];
	}
}

static void release(struct etw_sampler *sampler)
{
	etw_perf_set_destroy(sampler->set);
	sampler->set = NULL;
	if (is_timer(sampler))
		sampler->profile->clock = ETW_PROFILE_CLOCK_NONE;
}

static bool is_changed(const struct etw_sampler *sampler)
{
	return sampler->interval && sampler->next && sampler->next != sampler->interval;
}

static void undo_samplers(struct etw_profile *profile)
{
	u32 i;

	for (i = 0; i < ETW_SAMPLERS; i++) {
		struct etw_sampler *sampler = &profile->sampler[i];

		if (!sampler->interval)
			release(sampler);
		else if (is_changed(sampler))
			set_interval(sampler, sampler->interval);
	}
}

/**
 * etw_profile_prepare() - START: create the samplers that the settings need
 * @profile: a session's, or NULL so far; in that case out: one, if any is needed
 * @sink: its session
 * @next: its future settings, complete
 * @error: out, with an error
 *
 * The timer comes last, because it also works without a cycle counter.
 *
 * Context: process, one call at a time for each session; sleeps; takes cpus_read_lock.
 * Return: 0: etw_profile_commit() must follow; -ENOMEM, -EOPNOTSUPP, -EBUSY: nothing has
 * changed.
 */
int etw_profile_prepare(struct etw_profile **profile, const struct etw_sink *sink,
			const struct etw_settings *next, struct etw_profile_error *error)
{
	struct etw_profile_plan plan;
	int err = 0;
	u32 n, i;

	memset(error, 0, sizeof(*error));
	error->perf.reason = ETW_REASON_NO_MEMORY;
	etw_profile_plan(&next->masks, &next->items, &plan);
	if (!*profile && !memchr_inv(plan.interval, 0, sizeof(plan.interval)))
		return 0;
	if (!*profile)
		*profile = alloc_profile(sink);
	if (!*profile)
		return -ENOMEM;
	take_plan(*profile, &plan);
	for (n = 1; n <= ETW_SAMPLERS && !err; n++) {
		i = n % ETW_SAMPLERS;
		error->sampler = i;
		err = prepare_sampler(&(*profile)->sampler[i], &next->items, error);
	}
	if (err)
		undo_samplers(*profile);
	return err;
}

/* Does not wait for free space: the caller may be the reader that has to free it. */
static void write_change(const struct etw_sampler *sampler, const struct etw_items *items,
			 u32 new_interval, u32 old_interval)
{
	struct etw_profile *profile = sampler->profile;
	struct etw_rundown rundown = { .sink = profile->sink, .hopeless = true };
	struct etw_profile_change change = etw_encode_change(items, sampler->source, new_interval,
							     old_interval, profile->payload);

	if (profile->change == ETW_PROFILE_UNCHANGED)
		profile->change = ETW_PROFILE_WRITTEN;
	if (etw_rundown_write(&rundown, change.hook_id, change.version, ETW_RUNDOWN_SYSTEM,
			      profile->payload, change.size))
		profile->change = ETW_PROFILE_LOST;
}

/*
 * Write the coming change to the stream of a running session, or that it is undone (@back):
 * before the first sample of a new interval, and near the last sample of an old one. A
 * record that finds no free space is lost, counted, and noted in @change.
 */
static void write_changes(struct etw_profile *profile, const struct etw_items *items, bool back)
{
	u32 i;

	for (i = 0; i < ETW_SAMPLERS; i++) {
		const struct etw_sampler *sampler = &profile->sampler[i];

		if (sampler->next == sampler->interval)
			continue;
		if (back)
			write_change(sampler, items, sampler->interval, sampler->next);
		else
			write_change(sampler, items, sampler->next, sampler->interval);
	}
}

/* Set the new intervals of samplers that continue. -ERANGE: the PMU does not support one. */
static int set_intervals(struct etw_profile *profile, struct etw_profile_error *error)
{
	u32 i;

	for (i = 0; i < ETW_SAMPLERS; i++) {
		struct etw_sampler *sampler = &profile->sampler[i];

		if (!is_changed(sampler) || !set_interval(sampler, sampler->next))
			continue;
		*error = (struct etw_profile_error){
			.sampler = i, .interval = true, .perf.reason = ETW_REASON_RANGE,
		};
		return -ERANGE;
	}
	return 0;
}

/**
 * etw_profile_change() - UPDATE: create new samplers, change the intervals of the others
 * @profile: as for etw_profile_prepare()
 * @sink: its session, running
 * @items: items that name the session's sources
 * @next: as for etw_profile_prepare()
 * @error: out, with an error
 *
 * The change is in the stream when this returns, even if it was undone.
 *
 * Context: as etw_profile_prepare().
 * Return: 0: etw_profile_commit() or etw_profile_undo() must follow; an error of
 * etw_profile_prepare(), or -ERANGE: the PMU does not support an interval. After an error
 * the samplers are as before.
 */
int etw_profile_change(struct etw_profile **profile, const struct etw_sink *sink,
		       const struct etw_items *items, const struct etw_settings *next,
		       struct etw_profile_error *error)
{
	int err = etw_profile_prepare(profile, sink, next, error);

	if (err || !*profile)
		return err;
	write_changes(*profile, items, false);
	err = set_intervals(*profile, error);
	if (err)
		etw_profile_undo(*profile, items);
	return err;
}

/**
 * etw_profile_undo() - undo etw_profile_change()
 * @profile: changed, or NULL
 * @items: as for etw_profile_change()
 *
 * Context: as etw_profile_prepare().
 */
void etw_profile_undo(struct etw_profile *profile, const struct etw_items *items)
{
	if (!profile)
		return;
	write_changes(profile, items, true);
	undo_samplers(profile);
}

/**
 * etw_profile_commit() - finish a change, once the session listens by its new settings
 * @profile: prepared or changed, or NULL
 *
 * Context: as etw_profile_prepare().
 */
void etw_profile_commit(struct etw_profile *profile)
{
	u32 i;

	for (i = 0; profile && i < ETW_SAMPLERS; i++) {
		struct etw_sampler *sampler = &profile->sampler[i];

		if (sampler->next == sampler->interval)
			continue;
		sampler->interval = sampler->next;
		if (!sampler->interval)
			release(sampler);
	}
}

/**
 * etw_profile_take_change() - what became of the records of the last change, once
 * @profile: a profile
 *
 * Context: as etw_profile_prepare().
 */
enum etw_profile_change_state etw_profile_take_change(struct etw_profile *profile)
{
	enum etw_profile_change_state change = profile->change;

	profile->change = ETW_PROFILE_UNCHANGED;
	return change;
}

/**
 * etw_profile_stop() - stop all samplers
 * @profile: a profile, or NULL
 *
 * No handler runs after it returns. Context: process; sleeps; takes cpus_read_lock.
 */
void etw_profile_stop(struct etw_profile *profile)
{
	u32 i;

	for (i = 0; profile && i < ETW_SAMPLERS; i++)
		release(&profile->sampler[i]);
}

/**
 * etw_profile_free() - free a stopped profile
 * @profile: a profile, or NULL
 */
void etw_profile_free(struct etw_profile *profile)
{
	kfree(profile);
}
