// SPDX-License-Identifier: GPL-2.0
/* Filters from items; descendants of chosen processes, as they are forked. */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/threads.h>
#include <trace/events/sched.h>
#include "../etw.h"
#include "../record/records.h"
#include "../source/probe.h"
#include "filter.h"

static void set_hooks(struct etw_filter *filter, const struct etw_items *items)
{
	u32 i;

	filter->tests |= ETW_FILTER_TESTS_HOOKS;
	for (i = 0; i < items->nr_hooks; i++)
		__set_bit(items->hooks[i], filter->hooks);
}

static void set_pids(struct etw_filter *filter, const struct etw_items *items, bool family)
{
	u32 i;

	filter->tests |= family ? ETW_FILTER_TESTS_FAMILY : ETW_FILTER_TESTS_PIDS;
	filter->nr_pids = items->nr_pids;
	for (i = 0; i < items->nr_pids; i++) {
		filter->pids[i] = items->pids[i];
		if (family && items->pids[i] < PID_MAX_LIMIT)
			__set_bit(items->pids[i], filter->family);
	}
}

/**
 * etw_filter_create() - make a filter
 * @items: what was asked for
 * @self: the process that started the session
 * @result: out: the filter, or NULL when nothing is filtered
 *
 * Context: process; sleeps. Return: 0 or -ENOMEM.
 */
int etw_filter_create(const struct etw_items *items, u32 self, struct etw_filter **result)
{
	bool family = items->filter_options & ETW_FILTER_CHILDREN;
	struct etw_filter *filter;

	*result = NULL;
	if (!items->nr_pids && !items->nr_hooks && !items->nr_pool_tags &&
	    !items->filter_options)
		return 0;
	filter = kvzalloc(struct_size(filter, family,
				      family ? BITS_TO_LONGS(PID_MAX_LIMIT) : 0), GFP_KERNEL);
	if (!filter)
		return -ENOMEM;
	if (items->nr_hooks)
		set_hooks(filter, items);
	if (items->nr_pids)
		set_pids(filter, items, family);
	if (items->nr_pool_tags) {
		filter->tests |= ETW_FILTER_TESTS_TAGS;
		filter->nr_tags = items->nr_pool_tags;
		memcpy(filter->tags, items->pool_tags, items->nr_pool_tags * sizeof(u32));
	}
	if (items->filter_options & ETW_FILTER_EXCLUDE_SELF) {
		filter->tests |= ETW_FILTER_TESTS_SELF;
		filter->self = self;
	}
	*result = filter;
	return 0;
}

/**
 * etw_filter_free() - give a filter back
 * @filter: a filter that no probe will find any more, or NULL; probes that
 *	found it may still run
 */
void etw_filter_free(struct etw_filter *filter)
{
	if (filter)
		kvfree_rcu(filter, rcu);
}

/*
 * A process that is forked belongs where its parent does. The number may have
 * been another process's, so the bit is cleared, too; nothing happens when a
 * process ends. Should the scan below reach the parent between our two looks,
 * the second one sees it; had it reached the child before we cleared the bit,
 * it had reached the parent before that.
 */
static void inherit(struct etw_filter *filter, u32 parent, u32 child)
{
	if (!test_bit(parent, filter->family)) {
		clear_bit(child, filter->family);
		smp_mb__after_atomic();	/* pairs with the one in mark() */
		if (!test_bit(parent, filter->family))
			return;
	}
	set_bit(child, filter->family);
}

/* In the parent, before the child runs */
ETW_PROBE(sched_process_fork,
	  TP_PROTO(struct task_struct *parent, struct task_struct *child),
	  TP_ARGS(parent, child))
{
	const struct etw_listeners *listeners;
	u32 i;

	if (!thread_group_leader(child) || (child->flags & PF_KTHREAD))
		return;
	listeners = etw_listeners_of(source);
	for (i = 0; listeners && i < listeners->count; i++)
		inherit(listeners->listener[i].filter, etw_process_id(parent), child->tgid);
}

static void mark(struct etw_filter *filter, u32 process_id)
{
	set_bit(process_id, filter->family);
	smp_mb__after_atomic();	/* pairs with the one in inherit() */
}

/* Under rcu_read_lock; a chain of parents that changes meanwhile has an end. */
static bool descends(const struct etw_filter *filter, struct task_struct *task)
{
	for (; task->pid; task = rcu_dereference(task->real_parent)->group_leader)
		if (test_bit(etw_process_id(task), filter->family))
			return true;
	return false;
}

/* Who is there already; forks are followed since before. */
static void find_descendants(struct etw_filter *filter)
{
	struct task_struct *process;

	rcu_read_lock();
	for_each_process(process)
		if (!(process->flags & PF_KTHREAD) && descends(filter, process))
			mark(filter, process->tgid);
	rcu_read_unlock();
}

static bool follows_forks(const struct etw_filter *filter)
{
	return filter && (filter->tests & ETW_FILTER_TESTS_FAMILY);
}

static struct etw_hook_point family_points[] = {
	{ .probe = &probe_sched_process_fork },
};

/* No event: it keeps the families of other sources' listeners. */
struct etw_source etw_source_family = {
	.name = "family",
	.points = family_points,
	.nr_points = ARRAY_SIZE(family_points),
	.wants = follows_forks,
	.attached = find_descendants,
};
