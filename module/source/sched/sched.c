// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Scheduler events: context swap 0x0524 and ready thread 0x0532. */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/hardirq.h>
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <trace/events/power.h>
#include <trace/events/sched.h>
#include "compat.h"
#include "record/nt_thread.h"
#include "source/probe.h"
#include "source/source.h"
#include "source/write.h"

/*
 * All of this runs in tracepoint probes. In sched_switch, and often in the others, the
 * scheduler's locks are held and interrupts are off. So nothing here may wake a task.
 */

/* WMI_CONTEXTSWAP as three u64. Linux has no value for the wait times, so they are 0. */
static_assert(sizeof(struct wmi_contextswap) == 24);

static __always_inline struct etw_small_event context_swap(u64 thread_ids, u64 state)
{
	return (struct etw_small_event){
		.hook_id = PERFINFO_LOG_TYPE_CONTEXTSWAP,
		.version = WMI_CONTEXTSWAP_VERSION,
		.size = sizeof(struct wmi_contextswap),
		.word0 = thread_ids,
		.word1 = state,
	};
}

static_assert(ETW_TASK_INTERRUPTIBLE == TASK_INTERRUPTIBLE);
static_assert(ETW_TASK_UNINTERRUPTIBLE == TASK_UNINTERRUPTIBLE);
static_assert(ETW_TASK_SUSPENDED == (__TASK_STOPPED | __TASK_TRACED | TASK_PARKED | TASK_FROZEN));
static_assert(ETW_TASK_DEAD == TASK_DEAD);
static_assert(ETW_TASK_NOLOAD == TASK_NOLOAD);
static_assert(ETW_TASK_RTLOCK_WAIT == TASK_RTLOCK_WAIT);
static_assert(ETW_SCHED_IDLE == SCHED_IDLE);

/*
 * The last idle state of each CPU: the number of a driver's state, or 1 without a driver.
 * Already shifted behind a priority, so that a switch from idle needs no extra instruction.
 */
static DEFINE_PER_CPU(u32, idle_state);

/* CPU number, shifted into the last byte of a switch's payload; 0 for CPUs above 255 */
static DEFINE_PER_CPU(u64, ideal_processor);

/* Interrupts are off; the idle thread runs. The exit from a state carries no number. */
ETW_PROBE(cpu_idle, TP_PROTO(unsigned int state, unsigned int cpu), TP_ARGS(state, cpu))
{
	if (state != PWR_EVENT_EXIT)
		this_cpu_write(idle_state, min(state, 0xFFU) << 8);
}

/*
 * Priority of the new thread, then of the old one, then the idle state if the old one is
 * idle. A rarely taken branch costs less than a conditional move; OPTIMIZER_HIDE_VAR()
 * keeps it a branch.
 */
static __always_inline u32 priorities(const struct task_struct *prev,
				      const struct task_struct *next)
{
	u32 new = etw_nt_priority(next->prio, SCHED_NORMAL, false);
	u32 old = etw_nt_priority(prev->prio, SCHED_NORMAL, false);

	if (unlikely(next->policy == SCHED_IDLE)) {
		new = etw_nt_priority(next->prio, SCHED_IDLE, false);
		OPTIMIZER_HIDE_VAR(new);
	}
	if (unlikely(prev->policy == SCHED_IDLE)) {
		old = etw_nt_priority(prev->prio, SCHED_IDLE, false);
		OPTIMIZER_HIDE_VAR(old);
	}
	if (!next->pid) {
		new = etw_nt_priority(next->prio, SCHED_NORMAL, true);
		OPTIMIZER_HIDE_VAR(new);
	}
	if (!prev->pid) {
		old = etw_nt_priority(prev->prio, SCHED_NORMAL, true) |
		      this_cpu_read(idle_state);
		OPTIMIZER_HIDE_VAR(old);
	}
	return new | old << 8;
}

/*
 * Bytes 0x0C to 0x0E of WMI_CONTEXTSWAP. Most waiting threads are user threads in an
 * interruptible wait. The other inputs are read late, so that they need no register earlier.
 */
static __always_inline u64 wait_state(bool preempt, const struct task_struct *prev,
				      unsigned int prev_state)
{
	bool queued = etw_still_queued(prev);

	if (likely(prev_state == TASK_INTERRUPTIBLE && !etw_is_kthread(prev) &&
		   !preempt && !queued))
		return etw_wait_state(TASK_INTERRUPTIBLE, false, false, false, false, false,
				      false);
	/* in_iowait shares a word with bits that a preempted task may be changing: a racy read */
	return etw_wait_state(prev_state, preempt, !prev->pid, queued, data_race(!!prev->in_iowait),
			      etw_is_kthread(prev), etw_task_flags(prev) & PF_WQ_WORKER);
}

/* Bytes 0x00..0x07 of WMI_CONTEXTSWAP */
static __always_inline u64 swap_threads(const struct task_struct *prev,
					const struct task_struct *next)
{
	return (u32)next->pid | (u64)prev->pid << 32;
}

/*
 * Bytes 0x08..0x0F of WMI_CONTEXTSWAP. The ideal processor is the CPU that the old thread
 * ran on, which is this one; 0 for CPUs above 255.
 */
static __always_inline u64 state_word(bool preempt, const struct task_struct *prev,
				      const struct task_struct *next, unsigned int prev_state)
{
	u64 word = wait_state(preempt, prev, prev_state) << 32;

	word |= priorities(prev, next);
	/* decided at compile time: CPU numbers fit into a byte, or use the per-CPU value */
	if (BITS_PER_BYTE * sizeof(struct cpumask) <= 0x100)
		return word | (u64)task_cpu(prev) << 56;
	return word | this_cpu_read(ideal_processor);
}

/* Takes a switch if either thread passes; otherwise a recorded thread would never end its run */
static noinline bool filter_takes_swap(const struct etw_filter *filter,
				       const struct task_struct *next)
{
	/* the outgoing thread is still current, so the fast path need not pass it */
	return etw_filter_takes_hook(filter, PERFINFO_LOG_TYPE_CONTEXTSWAP) &&
	       (etw_filter_takes_process(filter, etw_process_id(current)) ||
		etw_filter_takes_process(filter, etw_process_id(next)));
}

static noinline bool filter_takes_task(const struct etw_filter *filter,
				       const struct task_struct *task)
{
	return etw_filter_takes_process(filter, etw_process_id(task));
}

static __always_inline bool wants(const struct etw_filter *filter, const struct task_struct *task)
{
	return likely(!filter) || filter_takes_task(filter, task);
}

/*
 * Most sessions have no counters of switches. Return: false if the swap must be written alone,
 * and the stack behind it.
 */
static __always_inline bool write_swap_at_once(const struct etw_listener *listener,
					       const struct task_struct *next, u64 thread_ids,
					       u64 state, struct etw_moment *moment)
{
	const struct etw_event_context *context = listener->context;

	return !etw_has_context(context, PERFINFO_LOG_TYPE_CONTEXTSWAP) &&
	       etw_stack_swap_at_once(this_cpu_ptr(listener->rings), context, thread_ids,
				      state, &moment->counter, next);
}

static noinline void write_swap_and_stack(const struct etw_listener *listener,
					  const struct task_struct *next, u64 thread_ids,
					  u64 state, struct etw_moment *moment)
{
	const struct etw_small_event swap = context_swap(thread_ids, state);
	const struct etw_event_context *context = listener->context;
	u64 tick;

	if (etw_write_with_counters(listener, &swap, &tick, moment) &&
	    wants(listener->filter, next))
		etw_stack_swap_in(this_cpu_ptr(listener->rings), context, tick, next);
}

/* Records a switch if either thread passes the filter, but never the other thread's stack */
static noinline void write_walked_swap(const struct etw_listener *listener,
				       const struct task_struct *next, u64 thread_ids, u64 state,
				       struct etw_moment *moment)
{
	const struct etw_filter *filter = listener->filter;

	/* returns into this module, because the caller's @moment forbids a tail call */
	if (wants(filter, current))
		etw_stack_swap_out(listener->context, __builtin_frame_address(0));
	if (filter && !filter_takes_swap(filter, next))
		return;
	if (!wants(filter, next) ||
	    unlikely(!write_swap_at_once(listener, next, thread_ids, state, moment)))
		write_swap_and_stack(listener, next, thread_ids, state, moment);
}

static __always_inline void write_extended_swap(const struct etw_listeners *listeners,
						const struct task_struct *next, u64 thread_ids,
						u64 state, struct etw_moment *moment)
{
	const struct etw_small_event swap = context_swap(thread_ids, state);
	const struct etw_listener *listener = listeners->bare_end;
	u64 tick;
	u32 i;

	for (i = 0; i < listeners->nr_extended; i++, listener++) {
		const struct etw_event_context *context = listener->context;

		if (context &&
		    unlikely(etw_walks_stack(context, PERFINFO_LOG_TYPE_CONTEXTSWAP))) {
			write_walked_swap(listener, next, thread_ids, state, moment);
			continue;
		}
		if (listener->filter && !filter_takes_swap(listener->filter, next))
			continue;
		if (context)
			etw_write_with_counters(listener, &swap, &tick, moment);
		else
			etw_write_bare(listener, &swap, moment);
	}
}

/*
 * Finish an event for the remaining rings, from the first that needs more than reserve,
 * write and commit. The probe's only calls, and its last: it saves no registers for them.
 */
static noinline void finish_swap(struct etw_ring __percpu **left, struct etw_slot *full,
				 u64 thread_ids, u64 state, u64 read)
{
	const struct etw_small_event swap = context_swap(thread_ids, state);
	struct etw_moment moment = { .counter = read };

	etw_write_slow(left, full, &swap, &moment);
}

/* For the plain listeners of a source that also has extended ones */
static noinline void write_bare_swap(struct etw_ring __percpu **rings, u64 thread_ids, u64 state,
				     struct etw_moment *moment)
{
	const struct etw_small_event swap = context_swap(thread_ids, state);

	etw_write_slow(rings, NULL, &swap, moment);
}

/*
 * For sources with extended listeners, or with none any more. A separate function, so that
 * the probe keeps no registers for it. Plain listeners beside extended ones get a further
 * call.
 */
static noinline void swap_for_extended(const struct etw_source *source, bool preempt,
				       const struct task_struct *prev,
				       const struct task_struct *next, unsigned int prev_state)
{
	const struct etw_listeners *listeners = etw_listeners_of(source);
	u64 state = state_word(preempt, prev, next, prev_state);
	u64 thread_ids = swap_threads(prev, next);
	struct etw_moment moment = etw_moment_of_event();

	if (!listeners)
		return;
	if (*listeners->rings)
		write_bare_swap(listeners->rings, thread_ids, state, &moment);
	write_extended_swap(listeners, next, thread_ids, state, &moment);
}

static __always_inline void swap_for_bare(struct etw_ring __percpu **rings, u64 thread_ids,
					  u64 state)
{
	const struct etw_small_event swap = context_swap(thread_ids, state);
	struct etw_slot *full;
	u64 read;

	if (unlikely(!etw_write_fast(rings, &swap, &rings, &full, &read)))
		finish_swap(rings, full, thread_ids, state, read);
}

ETW_PROBE(sched_switch,
	  TP_PROTO(bool preempt, struct task_struct *prev, struct task_struct *next,
		   unsigned int prev_state),
	  TP_ARGS(preempt, prev, next, prev_state))
{
	struct etw_ring __percpu **rings = etw_rings_of(source);

	if (likely(rings))
		swap_for_bare(rings, swap_threads(prev, next),
			      state_word(preempt, prev, next, prev_state));
	else
		swap_for_extended(source, preempt, prev, next, prev_state);
}

static_assert(sizeof(struct wmi_ready_thread) == 8);

/* Whether this is an interrupt or a softirq: one test if one word holds both counts */
static __always_inline bool in_dpc(void)
{
#ifdef CONFIG_PREEMPT_RT
	return in_hardirq() || in_serving_softirq();
#else
	return preempt_count() & (HARDIRQ_MASK | SOFTIRQ_OFFSET);
#endif
}

static __always_inline u64 ready_word(const struct task_struct *task, u32 adjust_reason)
{
	u64 ready = (u32)task->pid | (u64)adjust_reason << 32;

	if (unlikely(in_dpc())) {
		ready |= 1ULL << 48;	/* Flag 1: readied from a DPC */
		OPTIMIZER_HIDE_VAR(ready);
	}
	return ready;
}

static __always_inline struct etw_small_event ready_event(u64 ready)
{
	return (struct etw_small_event){
		.hook_id = PERFINFO_LOG_TYPE_READYTHREAD,
		.version = WMI_READY_THREAD_VERSION,
		.size = sizeof(struct wmi_ready_thread),
		.word0 = ready,
	};
}

/* Takes the event if the waking or the woken thread passes the filter */
static noinline bool filter_takes_ready(const struct etw_filter *filter,
					const struct task_struct *task)
{
	return etw_filter_takes_hook(filter, PERFINFO_LOG_TYPE_READYTHREAD) &&
	       (etw_filter_takes_process(filter, etw_process_id(task)) ||
		etw_filter_takes_process(filter, etw_process_id(current)));
}

static __always_inline void write_extended_ready(const struct etw_listeners *listeners,
						 const struct task_struct *task, u64 ready,
						 struct etw_moment *moment)
{
	const struct etw_small_event event = ready_event(ready);
	const struct etw_listener *listener = listeners->bare_end;
	u32 i;

	for (i = 0; i < listeners->nr_extended; i++, listener++)
		if (!listener->filter || filter_takes_ready(listener->filter, task))
			etw_write_extended(listener, etw_small_event_kind(&event), ready, 0, 0,
					   moment);
}

/* As finish_swap() */
static noinline void finish_ready(struct etw_ring __percpu **left, struct etw_slot *full, u64 ready,
				  u64 read)
{
	const struct etw_small_event event = ready_event(ready);
	struct etw_moment moment = { .counter = read };

	etw_write_slow(left, full, &event, &moment);
}

/* As write_bare_swap() */
static noinline void write_bare_ready(struct etw_ring __percpu **rings, u64 ready,
				      struct etw_moment *moment)
{
	const struct etw_small_event event = ready_event(ready);

	etw_write_slow(rings, NULL, &event, moment);
}

/* As swap_for_extended() */
static noinline void ready_for_extended(const struct etw_source *source,
					const struct task_struct *task, u32 adjust_reason)
{
	const struct etw_listeners *listeners = etw_listeners_of(source);
	u64 ready = ready_word(task, adjust_reason);
	struct etw_moment moment = etw_moment_of_event();

	if (!listeners)
		return;
	if (*listeners->rings)
		write_bare_ready(listeners->rings, ready, &moment);
	write_extended_ready(listeners, task, ready, &moment);
}

static __always_inline void ready_for_bare(struct etw_ring __percpu **rings, u64 ready)
{
	const struct etw_small_event event = ready_event(ready);
	struct etw_slot *full;
	u64 read;

	if (unlikely(!etw_write_fast(rings, &event, &rings, &full, &read)))
		finish_ready(rings, full, ready, read);
}

static __always_inline void ready_thread(const struct etw_source *source,
					 const struct task_struct *task, u32 adjust_reason)
{
	struct etw_ring __percpu **rings = etw_rings_of(source);

	if (likely(rings))
		ready_for_bare(rings, ready_word(task, adjust_reason));
	else
		ready_for_extended(source, task, adjust_reason);
}

/* Called in the waker, so the readying thread is this CPU's current one */
ETW_PROBE(sched_waking, TP_PROTO(struct task_struct *task), TP_ARGS(task))
{
	ready_thread(source, task, 1);
}

ETW_PROBE(sched_wakeup_new, TP_PROTO(struct task_struct *task), TP_ARGS(task))
{
	ready_thread(source, task, 0);
}

/* Idle states of an earlier session are stale: 0 until a CPU has been idle */
static int prepare(struct etw_source *source)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		per_cpu(idle_state, cpu) = 0;
		per_cpu(ideal_processor, cpu) = cpu > 0xFF ? 0 : (u64)cpu << 56;
	}
	return 0;
}

ETW_SOURCE(ETW_ORDER_ANY, sched_switch) = {
	.name = "context swap",
	.groups = ETW_GROUPS(PERF_CONTEXT_SWITCH),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_CONTEXTSWAP),
	.points = ETW_POINTS({ .probe = &probe_sched_switch },
			     { .probe = &probe_cpu_idle }),
	.prepare = prepare,
};

ETW_SOURCE(ETW_ORDER_ANY, sched_waking) = {
	.name = "ready thread",
	.groups = ETW_GROUPS(PERF_DISPATCHER),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_READYTHREAD),
	.points = ETW_POINTS({ .probe = &probe_sched_waking },
			     { .probe = &probe_sched_wakeup_new }),
};
