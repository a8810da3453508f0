// SPDX-License-Identifier: GPL-2.0
/* Children of filtered processes join the filter at fork; declared in source/source.h. */
#include <linux/sched/signal.h>
#include <trace/events/sched.h>
#include "filter.h"
#include "record/thread_ids.h"
#include "source/probe.h"

/*
 * A process that is forked belongs where its parent does. The number may have
 * been another process's, so the bit is cleared, too; nothing happens when a
 * process ends. Should the scan below reach the parent between our two looks,
 * the second one sees it; had it reached the child before we cleared the bit,
 * it had reached the parent before that.
 */
static void inherit(struct etw_filter *filter, u32 parent, u32 child)
{
	if (!test_bit(parent, filter->family->members)) {
		clear_bit(child, filter->family->members);
		smp_mb__after_atomic();	/* pairs with the one in mark() */
		if (!test_bit(parent, filter->family->members))
			return;
	}
	set_bit(child, filter->family->members);
}

/* In the parent, before the child runs */
ETW_PROBE(sched_process_fork,
	  TP_PROTO(struct task_struct *parent, struct task_struct *child),
	  TP_ARGS(parent, child))
{
	const struct etw_listeners *listeners;
	u32 i;

	if (!thread_group_leader(child) || etw_is_kthread(child))
		return;
	listeners = etw_listeners_of(source);
	for (i = 0; listeners && i < listeners->count; i++)
		inherit(listeners->listener[i].filter, etw_process_id(parent), child->tgid);
}

static void mark(struct etw_filter *filter, u32 process_id)
{
	set_bit(process_id, filter->family->members);
	smp_mb__after_atomic();	/* pairs with the one in inherit() */
}

/* Under rcu_read_lock; a chain of parents that changes meanwhile has an end. */
static bool descends(const struct etw_filter *filter, struct task_struct *task)
{
	for (; task->pid; task = rcu_dereference(task->real_parent)->group_leader)
		if (test_bit(etw_process_id(task), filter->family->members))
			return true;
	return false;
}

/*
 * Who is there already; forks are followed since before. Once: whom members adopt later
 * (a namespace's init whoever is left alone there) does not descend from them.
 */
static void find_descendants(struct etw_filter *filter)
{
	struct task_struct *process;

	if (filter->family->complete)
		return;
	filter->family->complete = true;
	rcu_read_lock();
	for_each_process(process)
		if (!etw_is_kthread(process) && descends(filter, process))
			mark(filter, process->tgid);
	rcu_read_unlock();
}

static bool follows_forks(const struct etw_filter *filter)
{
	return filter && (filter->tests & ETW_FILTER_TESTS_FAMILY);
}

/* No event: it keeps the families of other sources' listeners. */
struct etw_source etw_source_family = {
	.name = "family",
	.points = ETW_POINTS({ .probe = &probe_sched_process_fork }),
	.filter_match = follows_forks,
	.attached = find_descendants,
};
