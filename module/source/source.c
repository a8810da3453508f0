// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Event sources and their probes, which are registered while a source has listeners. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/export.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include "function_entry.h"
#include "function_probe.h"
#include "keyed_hash.h"
#include "probe.h"
#include "source.h"

LIST_HEAD(etw_sources);
DEFINE_MUTEX(etw_sources_lock);	/* see source.h */
DEFINE_MUTEX(etw_listeners_lock);	/* see source.h */

static void find_tracepoint(struct tracepoint *tp, void *data)
{
	struct etw_source *source = data;
	u32 i;

	for (i = 0; i < source->points.count; i++)
		if (!strcmp(source->points.of[i].probe->name, tp->name))
			source->points.of[i].tp = tp;
}

/**
 * etw_sources_wait() - wait for probes
 *
 * On return all probes that began before the call have ended. Context: process; sleeps.
 */
void etw_sources_wait(void)
{
	tracepoint_synchronize_unregister();
	synchronize_rcu();	/* callers from other modules, see etw_source_register() */
}

static void unregister_points(struct etw_source *source, u32 n)
{
	while (n--) {
		const struct etw_hook_point *point = &source->points.of[n];

		tracepoint_probe_unregister(point->tp, point->probe->call, source);
	}
}

static int register_points(struct etw_source *source)
{
	u32 i;
	int err;

	for (i = 0; i < source->points.count; i++) {
		const struct etw_hook_point *point = &source->points.of[i];

		err = -ENOENT;
		if (point->tp)
			err = tracepoint_probe_register_prio(point->tp, point->probe->call, source,
							     TRACEPOINT_DEFAULT_PRIO - point->last);
		if (err) {
			pr_err("source %s: tracepoint %s: error %d\n", source->name,
			       point->probe->name, err);
			unregister_points(source, i);
			return err;
		}
	}
	return 0;
}

/**
 * etw_source_open() - register a source's probes
 * @source: a source without listeners
 *
 * Context: process, under etw_sources_lock; sleeps.
 * Return: 0; -ENOENT if a tracepoint is missing; -ENOMEM.
 */
int etw_source_open(struct etw_source *source)
{
	int err;

	lockdep_assert_held(&etw_sources_lock);
	err = source->prepare ? source->prepare(source) : 0;
	if (err)
		return err;
	err = etw_function_probes_register(source->functions, source->nr_functions);
	if (err)
		goto unprepare;
	err = register_points(source);
	if (!err) {
		source->open = true;
		return 0;
	}
	etw_function_probes_unregister(source->functions, source->nr_functions);
	etw_sources_wait();
unprepare:
	if (source->unprepare)
		source->unprepare(source);
	return err;
}

/**
 * etw_source_close() - unregister a source's probes
 * @source: a source without listeners
 *
 * Context: process, under etw_sources_lock; sleeps until no probe runs.
 */
void etw_source_close(struct etw_source *source)
{
	lockdep_assert_held(&etw_sources_lock);
	source->open = false;
	unregister_points(source, source->points.count);
	etw_function_probes_unregister(source->functions, source->nr_functions);
	etw_sources_wait();
	if (source->unprepare)
		source->unprepare(source);
}

/**
 * etw_source_missed() - number of events that a source missed, since load
 * @source: a source
 *
 * Context: process.
 */
u64 etw_source_missed(const struct etw_source *source)
{
	return etw_function_probes_missed(source->functions, source->nr_functions) +
	       (source->missed ? source->missed(source) : 0);
}

/**
 * etw_sources_know() - whether every bit has a source
 * @masks: groups that a session requests
 * @left: out: the bits without a source
 *
 * Context: process; takes etw_listeners_lock.
 */
bool etw_sources_know(const struct perfinfo_groupmask *masks, struct perfinfo_groupmask *left)
{
	struct etw_source *source;
	u32 i;

	*left = *masks;
	left->masks[0] &= ~EVENT_TRACE_FLAG_NO_SYSCONFIG;
	mutex_lock(&etw_listeners_lock);
	list_for_each_entry(source, &etw_sources, node)
		for (i = 0; i < source->groups.count; i++)
			left->masks[PERF_MASK_INDEX(source->groups.of[i])] &=
				~PERF_MASK_BITS(source->groups.of[i]);
	mutex_unlock(&etw_listeners_lock);
	return !memchr_inv(left, 0, sizeof(*left));
}

/**
 * etw_sources_know_hook() - whether a source writes events with a hook id
 * @hook_id: hook id
 *
 * Context: process; takes etw_listeners_lock.
 */
bool etw_sources_know_hook(u16 hook_id)
{
	struct etw_source *source;
	bool known = false;
	u32 i;

	mutex_lock(&etw_listeners_lock);
	list_for_each_entry(source, &etw_sources, node)
		for (i = 0; i < source->hooks.count; i++)
			known |= source->hooks.of[i] == hook_id;
	mutex_unlock(&etw_listeners_lock);
	return known;
}

/**
 * etw_source_register() - add a source of kernel events
 * @source: filled in; stays with the module
 *
 * A source without tracepoints calls the record builders itself, with preemption
 * off and the listeners that etw_listeners_of() returns.
 *
 * Context: process; sleeps.
 * Return: 0; -EINVAL.
 */
int etw_source_register(struct etw_source *source)
{
	if ((!source->groups.count && !source->filter_match) || source->groups.count > 32)
		return -EINVAL;
	if (source->points.count)
		for_each_kernel_tracepoint(find_tracepoint, source);
	mutex_lock(&etw_sources_lock);
	mutex_lock(&etw_listeners_lock);
	list_add_tail(&source->node, &etw_sources);
	mutex_unlock(&etw_listeners_lock);
	mutex_unlock(&etw_sources_lock);
	etw_sources_close_left();
	return 0;
}
EXPORT_SYMBOL_GPL(etw_source_register);

/**
 * etw_source_unregister() - remove a source
 * @source: registered; sessions that listen to it continue without it
 *
 * On return the source is no longer in use.
 * Context: process; sleeps.
 */
void etw_source_unregister(struct etw_source *source)
{
	struct etw_listeners *old;

	mutex_lock(&etw_sources_lock);
	mutex_lock(&etw_listeners_lock);
	list_del(&source->node);
	old = rcu_dereference_protected(source->listeners, lockdep_is_held(&etw_listeners_lock));
	/* the rings first, as in publish(): they belong to the old listeners */
	RCU_INIT_POINTER(source->rings, NULL);
	RCU_INIT_POINTER(source->listeners, NULL);
	mutex_unlock(&etw_listeners_lock);
	if (source->open)
		etw_source_close(source);
	kfree(old);
	mutex_unlock(&etw_sources_lock);
	etw_sources_close_left();
}
EXPORT_SYMBOL_GPL(etw_source_unregister);

/* Whether a source may take long in a rundown; its groups are those with many objects. */
static bool has_part(const struct etw_source *source, const struct etw_rundown *rundown)
{
	u32 n;

	for (n = 0; source->rundown && n < source->rundown_groups.count; n++)
		if (etw_rundown_wants(rundown, source->rundown_groups.of[n]))
			return true;
	return false;
}

static u32 count_parts(const struct etw_rundown *rundown)
{
	struct etw_source *const *at;
	u32 parts = 0;

	for (at = etw_own_sources; at < etw_own_sources_end; at++)
		parts += has_part(*at, rundown);
	return parts;
}

/**
 * etw_sources_rundown() - write the rundown of every source that has one
 * @rundown: session and groups of the rundown
 * @phase: part of the rundown
 *
 * In Windows' order, which is that of ETW_ORDER_*. Called whether a source has listeners
 * or not: the rundown's masks are those of its beginning, and listeners may have changed.
 *
 * Context: process; sleeps; takes no lock, because records wait for the reader.
 * Return: 0; -ENOMEM if the rundown is incomplete.
 */
int etw_sources_rundown(struct etw_rundown *rundown, enum etw_rundown_phase phase)
{
	u32 parts = count_parts(rundown) + 1;	/* the last: what follows the sources */
	struct etw_source *const *at;
	int err, first = 0;

	for (at = etw_own_sources; at < etw_own_sources_end; at++) {
		if (!(*at)->rundown)
			continue;
		if (rundown->begin_part && has_part(*at, rundown))
			rundown->begin_part(rundown, parts--);
		err = (*at)->rundown(rundown, phase);
		first = first ?: err;
	}
	if (rundown->begin_part)
		rundown->begin_part(rundown, parts);
	return first;
}

/**
 * etw_sources_have_names() - whether newly enabled groups need a rundown
 * @before: groups that were enabled
 * @now: groups that are enabled
 *
 * Context: any.
 */
bool etw_sources_have_names(const struct perfinfo_groupmask *before,
			    const struct perfinfo_groupmask *now)
{
	struct etw_source *const *at;
	u32 n, group, index;

	for (at = etw_own_sources; at < etw_own_sources_end; at++)
		for (n = 0; n < (*at)->rundown_groups.count; n++) {
			group = (*at)->rundown_groups.of[n];
			index = PERF_MASK_INDEX(group);
			if (now->masks[index] & ~before->masks[index] & PERF_MASK_BITS(group))
				return true;
		}
	return false;
}

/**
 * etw_sources_init() - register the module's own sources
 */
int etw_sources_init(void)
{
	struct etw_source *const *at;
	int err;

	etw_keyed_hash_init();
	for (at = etw_own_sources; at < etw_own_sources_end; at++) {
		err = etw_source_register(*at);
		if (err)
			return err;
	}
	return 0;
}

/**
 * etw_sources_exit() - undo etw_sources_init()
 */
void etw_sources_exit(void)
{
	struct etw_source *const *at = etw_own_sources_end;

	while (at-- > etw_own_sources)
		if ((*at)->node.next)
			etw_source_unregister(*at);
	etw_function_entries_exit();
	etw_keyed_hash_exit();
}
