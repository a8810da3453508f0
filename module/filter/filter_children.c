// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Children of filtered processes join the filter at fork. */
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <trace/events/sched.h>
#include "filter.h"
#include "record/thread_ids.h"
#include "source/probe.h"

/* Processes that the search for descendants visits in one RCU section */
#define AT_ONCE	512U

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

/* Under rcu_read_lock */
static void mark_child(struct etw_filter *filter, const struct task_struct *process)
{
	const struct task_struct *parent = rcu_dereference(process->real_parent);

	if (!etw_is_kthread(process) && test_bit(etw_process_id(parent), filter->family->members))
		mark(filter, process->tgid);
}

/* Under rcu_read_lock: whether @process is in the kernel's list, and so its successor is */
static bool is_listed(const struct task_struct *process)
{
	return pid_alive(process) && thread_group_leader((struct task_struct *)process);
}

/**
 * struct family_walk - a walk through all processes in the order of their creation
 * @last: process that was visited last, with a reference; init_task before the first one
 * @most: processes to visit in one RCU section
 */
struct family_walk {
	struct task_struct *last;
	u32 most;
};

/*
 * If @walk->last has ended, its successor is unknown, and the walk begins again. No mark changes
 * then. More processes in one RCU section let the walk end even if that happens each time.
 *
 * Return: whether there are more.
 */
static bool mark_some(struct etw_filter *filter, struct family_walk *walk)
{
	struct task_struct *process = walk->last;
	u32 left;

	rcu_read_lock();
	if (process != &init_task && !is_listed(process)) {
		process = &init_task;
		walk->most *= 2;
	}
	for (left = walk->most; left; left--) {
		process = next_task(process);
		if (process == &init_task)
			break;
		mark_child(filter, process);
	}
	get_task_struct(process);
	rcu_read_unlock();
	put_task_struct(walk->last);
	walk->last = process;
	return process != &init_task;
}

/*
 * Add existing descendants; the fork probe runs already. Only once, because a member may
 * later adopt processes (as a pid namespace's init does), which are no descendants.
 *
 * A parent is older than its children, so it is marked before them, and one look at each
 * process is enough. A walk from each process to its root would let any user choose the time.
 */
static void find_descendants(struct etw_filter *filter)
{
	struct family_walk walk = { .last = get_task_struct(&init_task), .most = AT_ONCE };

	if (!filter->family->complete)
		while (mark_some(filter, &walk))
			cond_resched();
	filter->family->complete = true;
	put_task_struct(walk.last);
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
