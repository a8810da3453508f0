// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Thread priorities: boost 0530, base priority 0531, I/O priority 0534. */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include <linux/sched/rt.h>
#include <trace/events/sched.h>
#include "record/nt_thread.h"
#include "source/function_probe.h"
#include "source/probe.h"
#include "source/process_values.h"
#include "source/source.h"
#include "source/write.h"

ETW_SOURCE_DECLARE(priority);

/*
 * sched_pi_setprio is called with a runqueue's lock held and interrupts off, so its probe
 * must not wake a task. The probed functions may sleep, but rarely do.
 */

#define CALLS_AT_ONCE	32

static void write_event(const struct etw_source *source, u16 hook_id,
			const struct task_struct *task, u32 old, u32 new)
{
	const struct wmi_set_priority priority = {
		.thread_id = task->pid,
		.old_priority = old,
		.new_priority = new,
	};
	struct etw_event event = {
		.hook_id = hook_id,
		.version = WMI_SET_PRIORITY_VERSION,
		.wanted = ETW_WANTED_ANY,
		.process_id = etw_process_id(task),
		.payload = { .data = &priority, .size = sizeof(priority) },
	};

	preempt_disable_notrace();
	etw_write_all(etw_listeners_of(source), &event);
	preempt_enable_notrace();
}

static u32 priority_by(const struct task_struct *task, int prio)
{
	return etw_nt_priority(prio, task->policy, !task->pid);
}

/*
 * Called before the change. With @pi_task, the first waiter, the thread gets that
 * priority if it is higher than the thread's own; without it, its own again.
 */
ETW_PROBE(sched_pi_setprio,
	  TP_PROTO(struct task_struct *task, struct task_struct *pi_task),
	  TP_ARGS(task, pi_task))
{
	int prio = task->normal_prio;

	if (pi_task)
		prio = min(prio, pi_task->prio);
	write_event(source, PERFINFO_LOG_TYPE_SET_PRIORITY, task, priority_by(task, task->prio),
		    priority_by(task, prio));
}

static u32 base_of(const struct task_struct *task)
{
	return priority_by(task, task->normal_prio);
}

/**
 * struct base - a thread's priority before a call
 * @task: the thread; the caller holds it
 * @policy: its policy
 * @normal_prio: kernel priority by its policy
 * @static_prio: kernel priority by its nice value
 * @nt: priority in Windows' scale
 */
struct base {
	const struct task_struct *task;
	unsigned int policy;
	int normal_prio;
	int static_prio;
	u8 nt;
};

/* set_user_nice(task, ...), __sched_setscheduler(task, ...) */
static int enter_set_base(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const struct task_struct *task;
	struct base *base = (struct base *)call->data;

	task = (const struct task_struct *)regs_get_kernel_argument(regs, 0);
	*base = (struct base){
		.task = task,
		.policy = task->policy,
		.normal_prio = task->normal_prio,
		.static_prio = task->static_prio,
		.nt = base_of(task),
	};
	return 0;
}

/* No event if the call failed or changed nothing. */
static int return_set_base(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const struct base *base = (const struct base *)call->data;
	const struct task_struct *task = base->task;

	if (task->policy != base->policy || task->normal_prio != base->normal_prio ||
	    task->static_prio != base->static_prio)
		write_event(&etw_source_priority, PERFINFO_LOG_TYPE_SET_BASE_PRIORITY, task,
			    base->nt, base_of(task));
	return 0;
}

/**
 * struct io - a thread's I/O priority before a call, and the requested one
 * @task: the thread; the caller holds it
 * @old: current priority in Windows' scale
 * @new: requested priority in Windows' scale
 */
struct io {
	const struct task_struct *task;
	u8 old;
	u8 new;
};

/*
 * set_task_ioprio(task, ioprio). The return handler does not read the I/O context, because
 * the thread may end and free it at any moment. If the thread is exiting, the call may
 * succeed without effect, so exiting threads get no event.
 */
static int enter_set_io(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const struct task_struct *task;
	struct io *io = (struct io *)call->data;

	task = (const struct task_struct *)regs_get_kernel_argument(regs, 0);
	*io = (struct io){
		.task = task,
		.old = etw_io_priority_of_other(task),
		.new = etw_nt_io_priority(regs_get_kernel_argument(regs, 1)),
	};
	return io->old == io->new || etw_task_flags(task) & PF_EXITING;
}

static int return_set_io(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const struct io *io = (const struct io *)call->data;

	if (!(int)regs_return_value(regs))
		write_event(&etw_source_priority, PERFINFO_LOG_TYPE_SET_IO_PRIORITY, io->task,
			    io->old, io->new);
	return 0;
}

#define SETS(symbol_, what, ...) { \
	.symbol = (symbol_), \
	.kretprobe = { \
		.entry_handler = enter_set_##what, \
		.handler = return_set_##what, \
		.data_size = sizeof(struct what), \
		.maxactive = CALLS_AT_ONCE, \
	}, \
	.returns = true, \
	__VA_ARGS__ \
}

/* The compiler may remove arguments of the last function; its symbol then has a suffix. */
static struct etw_function_probe functions[] = {
	SETS("set_user_nice", base),
	SETS("set_task_ioprio", io, .optional = true),
	SETS("__sched_setscheduler", base, .one_of = true),
	SETS("__sched_setscheduler.constprop.0", base, .one_of = true),
	SETS("__sched_setscheduler.isra.0", base, .one_of = true),
};

ETW_SOURCE(ETW_ORDER_ANY, priority) = {
	.name = "priority",
	.groups = ETW_GROUPS(PERF_PRIORITY),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_SET_PRIORITY, PERFINFO_LOG_TYPE_SET_BASE_PRIORITY,
			   PERFINFO_LOG_TYPE_SET_IO_PRIORITY),
	.functions = functions,
	.nr_functions = ARRAY_SIZE(functions),
	.points = ETW_POINTS({ .probe = &probe_sched_pi_setprio }),
};
