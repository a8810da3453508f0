// SPDX-License-Identifier: GPL-2.0
/* Children of filtered processes join the filter at fork. */
#include <linux/sched/signal.h>
#include <trace/events/sched.h>
#include "filter.h"
#include "record/thread_ids.h"
#include "source/probe.h"

/*
 * A forked process is a member if its parent is. Process ids are reused and a bit stays
 * set when its process ends, so this also clears the child's bit. The scan below may mark
 * the parent between the two tests; then the second test sees it. If the scan marked the
 * child before its bit is cleared here, it had marked the parent before that.
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

/* Under rcu_read_lock; the chain of parents ends even if it changes meanwhile. */
static bool descends(const struct etw_filter *filter, struct task_struct *task)
{
	for (; task->pid; task = rcu_dereference(task->real_parent)->group_leader)
		if (test_bit(etw_process_id(task), filter->family->members))
			return true;
	return false;
}

/*
 * Add existing descendants; the fork probe runs already. Only once, because a member may
 * later adopt processes (as a pid namespace's init does), which are no descendants.
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

/* A source without events: maintains the families in filters of other sources' listeners. */
ETW_SOURCE(ETW_ORDER_FILTER, family) = {
	.name = "family",
	.points = ETW_POINTS({ .probe = &probe_sched_process_fork }),
	.filter_match = follows_forks,
	.attached = find_descendants,
};
