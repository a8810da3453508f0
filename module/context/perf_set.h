/* SPDX-License-Identifier: GPL-2.0 */
/* The same perf events, pinned, on every CPU that runs: counters and samplers. */
#ifndef ETW_PERF_SET_H
#define ETW_PERF_SET_H

#include <linux/cpumask.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/workqueue.h>
#include "etw_abi.h"

/* As many as a record can carry values */
#define ETW_PERF_SET_MAX	ETW_MAX_PMC_COUNTERS

/**
 * struct etw_perf_cpu - the events of one CPU
 * @dead: list of those that wait for their release
 * @cpu: whose
 * @given_up: perf has, of at least one: what they have counted is to be kept still
 * @event: pinned, of that CPU
 * @event.perf: it
 * @event.carried: what those before it had counted on this CPU
 * @event.method: enum etw_counter_method
 * @event.mask: width of what the register holds, with ETW_METHOD_DIRECT; 0 while the PMU
 *	is asked
 * @event.reading: it is: whoever interrupts that finds it half done
 * @event.idx: the register's number; perf may give the event another
 *
 * Nothing but @event.idx, @event.mask and @event.reading changes once a CPU can see it:
 * that CPU alone changes them.
 */
struct etw_perf_cpu {
	struct llist_node dead;
	int cpu;
	bool given_up;
	struct etw_perf_event {
		struct perf_event *perf;
		u64 carried;
		u64 mask;
		long idx;	/* with the mask by one instruction */
		u32 method;
		bool reading;
	} event[ETW_PERF_SET_MAX];
};

/**
 * struct etw_perf_set - the same events on every CPU
 * @nr: how many
 * @attr: what they count; the period of samplers changes
 * @handler: of overflows, or NULL; it gets @context as
 *	event->overflow_handler_context
 * @context: see @handler
 * @cpus: by CPU: its events, NULL while it has none. Read on that CPU with
 *	preemption off, or under @lock
 * @carried: by CPU and event: counted by events that are gone
 * @up: CPUs that run
 * @made: every CPU had its events once: the worker may make more
 * @node: our instance of the hotplug state
 * @lock: events come and go
 * @dead: events that went with their CPU
 * @work: gives CPUs that came their events, and releases dead ones
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
	struct mutex lock;	/* events come and go */
	struct llist_head dead;
	struct work_struct work;
};

/**
 * struct etw_perf_error - why a set can't be had
 * @index: of the event
 * @processor: the CPU that lacks it
 * @reason: ETW_REASON_*
 */
struct etw_perf_error {
	u32 index;
	u32 processor;
	u32 reason;
};

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
