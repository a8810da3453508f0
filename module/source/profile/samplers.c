// SPDX-License-Identifier: GPL-2.0
/* A session's samplers come and go with its settings, all or none. */
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
 * A change stands around that of listeners (see listeners.c). Prepare makes what is
 * missing; samples of events whose source the session doesn't listen to yet go nowhere.
 * Then the stream is told, and right behind that intervals change: no sample stands
 * before the record that says how much it weighs, but those that one CPU takes while
 * another has the old interval stand behind it. Commit releases what is not wanted any
 * more, when the session no longer listens to it.
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

/* A counter of the extension says more than a source of Windows. */
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
	/* the parser knows that there is such an event */
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

/* As cycles, which see code that runs with interrupts off where they raise an NMI */
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

/* By cycles on all CPUs, or by the clock on all: samples mean the same everywhere. */
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
		/* samplers that go on read it, and keep theirs */
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
 * etw_profile_prepare() - have what new settings want to sample by
 * @profile: a session's, or NULL so far; in that case out: one, if any is needed
 * @sink: whose; being made, or running
 * @next: its settings to be, complete
 * @error: out, with an error
 *
 * The timer comes last: it can do without the cycle counter.
 *
 * Context: process, one at a time for each session; sleeps; takes cpus_read_lock.
 * Return: 0, and for one that runs etw_profile_tell() and etw_profile_change() follow, then
 * etw_profile_commit() or etw_profile_undo(); -ENOMEM, -EOPNOTSUPP, -EBUSY: nothing has
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

/**
 * etw_profile_change() - samplers that go on take their new intervals
 * @profile: prepared, or NULL
 * @error: out, with an error
 *
 * Context: as etw_profile_prepare().
 * Return: 0; -ERANGE: the PMU has not this one; etw_profile_undo() is to follow.
 */
int etw_profile_change(struct etw_profile *profile, struct etw_profile_error *error)
{
	u32 i;

	for (i = 0; profile && i < ETW_SAMPLERS; i++) {
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
 * etw_profile_undo() - what etw_profile_prepare() did is not wanted
 * @profile: prepared, or NULL
 *
 * Context: as etw_profile_prepare().
 */
void etw_profile_undo(struct etw_profile *profile)
{
	if (profile)
		undo_samplers(profile);
}

/**
 * etw_profile_commit() - the session listens by its new settings, and has them
 * @profile: prepared, or NULL
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

/* Not waited for: who asks for a change may be the reader that has to make room. */
static void tell_change(const struct etw_sampler *sampler, const struct etw_items *items,
			u32 new_interval, u32 old_interval)
{
	struct etw_profile *profile = sampler->profile;
	struct etw_rundown rundown = { .sink = profile->sink, .hopeless = true };
	struct etw_profile_change change = etw_encode_change(items, sampler->source, new_interval,
							     old_interval, profile->payload);

	profile->interval_written = true;
	if (etw_rundown_write(&rundown, change.hook_id, change.version, ETW_RUNDOWN_SYSTEM,
			      profile->payload, change.size))
		profile->interval_pending = true;
}

/**
 * etw_profile_tell() - tell the stream of a session that runs what is about to change
 * @profile: prepared, or about to be undone; NULL: nothing
 * @items: that name its sources
 * @back: not so: it will be undone
 *
 * Before the first sample that a change brings, and about when it takes the last. What
 * finds no room is lost, counted, and remembered (@interval_pending).
 *
 * Context: as etw_profile_prepare().
 */
void etw_profile_tell(struct etw_profile *profile, const struct etw_items *items, bool back)
{
	u32 i;

	for (i = 0; profile && i < ETW_SAMPLERS; i++) {
		const struct etw_sampler *sampler = &profile->sampler[i];

		if (sampler->next == sampler->interval)
			continue;
		if (back)
			tell_change(sampler, items, sampler->interval, sampler->next);
		else
			tell_change(sampler, items, sampler->next, sampler->interval);
	}
}

/**
 * etw_profile_stop() - no samples any more
 * @profile: a profile, or NULL
 *
 * No handler runs on return. Context: process; sleeps; takes cpus_read_lock.
 */
void etw_profile_stop(struct etw_profile *profile)
{
	u32 i;

	for (i = 0; profile && i < ETW_SAMPLERS; i++)
		release(&profile->sampler[i]);
}

/**
 * etw_profile_free() - forget a stopped profile
 * @profile: a profile, or NULL
 */
void etw_profile_free(struct etw_profile *profile)
{
	kfree(profile);
}
