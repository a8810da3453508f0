// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The recorder's own process in filters, until its id is reused. */
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <trace/events/sched.h>
#include "compat.h"
#include "filter.h"
#include "source/probe.h"

static void forget(struct etw_filter *filter)
{
	WRITE_ONCE(filter->self, ETW_FILTER_NO_SELF);
}

/* When all threads have exited: the process id may be reused once the process is reaped. */
ETW_PROBE(sched_process_exit, TP_PROTO(ETW_PROCESS_EXIT_ARGS), ETW_PROCESS_EXIT_NAMES)
{
	const struct etw_listeners *listeners = etw_listeners_of(source);
	u32 i;

	if (atomic_read(&task->signal->live))
		return;
	for (i = 0; listeners && i < listeners->count; i++)
		if (listeners->listener[i].filter->self == task->tgid)
			forget(listeners->listener[i].filter);
}

/* The process may have ended before the exit probe found this listener. */
static void look_for_self(struct etw_filter *filter)
{
	struct task_struct *self;

	/* set listeners, then read signal->live; an exit decrements it, then reads listeners */
	smp_mb();
	rcu_read_lock();
	self = pid_task(filter->self_pid, PIDTYPE_TGID);
	if (!self || !atomic_read(&self->signal->live))
		forget(filter);
	rcu_read_unlock();
}

static bool leaves_out_self(const struct etw_filter *filter)
{
	return filter && (filter->tests & ETW_FILTER_TESTS_SELF);
}

/* A source without events: maintains the filters of other sources' listeners. */
ETW_SOURCE(ETW_ORDER_FILTER, self) = {
	.name = "self",
	.points = ETW_POINTS({ .probe = &probe_sched_process_exit }),
	.filter_match = leaves_out_self,
	.attached = look_for_self,
};
