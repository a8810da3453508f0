/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The same perf events, pinned, on every online CPU: counters and samplers. */
#ifndef ETW_PERF_SET_H
#define ETW_PERF_SET_H

#include <linux/cpumask.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/workqueue.h>
#include "etw_abi.h"

/* Number of counters that a record can carry */
#define ETW_PERF_SET_MAX	ETW_MAX_PMC_COUNTERS

/**
 * struct etw_perf_cpu - the events of one CPU
 * @dead: entry in the list of events to be released
 * @cpu: the CPU
 * @given_up: perf has given up at least one event: the counts are not carried on yet
 * @event: pinned, of that CPU
 * @event.perf: perf event
 * @event.carried: counts of previous events on this CPU
 * @event.method: enum etw_counter_method
 * @event.mask: mask of the register's width, for ETW_METHOD_DIRECT; 0 while the PMU's
 *	function reads the event
 * @event.reading: the PMU's function reads the event: an interruption may see it half done
 * @event.idx: the register's number; perf may move the event to another register
 *
 * Once a CPU can see it, only @event.idx, @event.mask and @event.reading change, and only
 * that CPU changes them.
 */
struct etw_perf_cpu {
	struct llist_node dead;
	int cpu;
	bool given_up;
	struct etw_perf_event {
		struct perf_event *perf;
		u64 carried;
		u64 mask;
		long idx;	/* behind mask, to load both by one instruction */
		u32 method;
		bool reading;
	} event[ETW_PERF_SET_MAX];
};

/**
 * struct etw_perf_set - the same events on every CPU
 * @nr: number of events
 * @attr: attributes; the period of samplers may change
 * @handler: overflow handler, or NULL; it gets @context as
 *	event->overflow_handler_context
 * @context: see @handler
 * @cpus: events by CPU; NULL while a CPU has none. Read on that CPU with
 *	preemption off, or under @lock
 * @carried: by CPU and event: counts of released events
 * @up: online CPUs
 * @made: every CPU had its events once: the worker may create more
 * @node: this set's instance of the hotplug state
 * @lock: held while events are created and released
 * @dead: hidden events to be released
 * @work: creates the events of new CPUs, and releases dead events
 */
struct etw_perf_set {
	u32 nr;
	struct perf_event_attr attr[ETW_PERF_SET_MAX];
	perf_overflow_handler_t handler;
	void *context;
	struct etw_perf_cpu __rcu * __percpu *cpus;
	u64 (*carried)[ETW_PERF_SET_MAX];
	cpumask_var_t up;
	bool made;
	struct hlist_node node;
	struct mutex lock;	/* creation and release of events */
	struct llist_head dead;
	struct work_struct work;
};

/**
 * struct etw_perf_error - why a set can't be created
 * @index: index of the event
 * @processor: the CPU that lacks it
 * @reason: ETW_REASON_*
 */
struct etw_perf_error {
	u32 index;
	u32 processor;
	u32 reason;
};

int etw_perf_check_type(u32 type);
int etw_perf_sets_init(void);
void etw_perf_sets_exit(void);
struct etw_perf_set *etw_perf_set_create(const struct perf_event_attr *attrs, u32 nr,
					 perf_overflow_handler_t handler, void *context,
					 struct etw_perf_error *error);
void etw_perf_set_destroy(struct etw_perf_set *set);
int etw_perf_set_period(struct etw_perf_set *set, u32 index, u64 period);
u32 etw_perf_set_method(struct etw_perf_set *set, u32 index, u32 processor);

/* This CPU's events or NULL. Context: any; preemption off. */
static __always_inline const struct etw_perf_cpu *etw_perf_set_here(const struct etw_perf_set *set)
{
	return rcu_dereference_sched(*this_cpu_ptr(set->cpus));
}

#endif /* ETW_PERF_SET_H */
