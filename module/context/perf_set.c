// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Pinned perf events are created and removed with a CPU; their counts are carried on. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "compat.h"
#include "perf_cpu.h"
#include "perf_read.h"
#include "perf_set.h"

static enum cpuhp_state perf_set_state;

/*
 * Creating and releasing a perf event can take cpus_read_lock (software events have
 * a static key), which a hotplug callback must not take. So callbacks only mark a CPU
 * as up, or hide its events; a worker does the rest.
 */

/*
 * The next events of the CPU start with the counts of the old ones. Some old events may
 * count until they are released: this final count must not be less than any value read.
 */
static void keep_counts(struct etw_perf_set *set, const struct etw_perf_cpu *old)
{
	u64 enabled, running;
	u32 i;

	for (i = 0; i < set->nr; i++)
		set->carried[old->cpu][i] = old->event[i].carried +
					    perf_event_read_value(old->event[i].perf, &enabled,
								  &running);
}

/* New readers don't find hidden events; a grace period ends the readers that have. */
static void release_dead(struct etw_perf_set *set)
{
	struct llist_node *list = llist_del_all(&set->dead);
	struct etw_perf_cpu *cpu, *next;

	if (!list)
		return;
	synchronize_rcu();
	llist_for_each_entry_safe(cpu, next, list, dead) {
		if (cpu->given_up)
			keep_counts(set, cpu);
		etw_perf_cpu_destroy(cpu);
	}
}

/* Return: 0, also if the CPU is no longer up; else an errno, with @error */
static int give_events(struct etw_perf_set *set, int cpu, struct etw_perf_error *error)
{
	struct etw_perf_cpu *new = etw_perf_cpu_create(set, cpu, error);

	if (IS_ERR(new))
		return cpumask_test_cpu(cpu, set->up) ? PTR_ERR(new) : 0;
	rcu_assign_pointer(*per_cpu_ptr(set->cpus, cpu), new);
	return 0;
}

static struct etw_perf_cpu *events_of(struct etw_perf_set *set, int cpu)
{
	return rcu_dereference_protected(*per_cpu_ptr(set->cpus, cpu),
					 lockdep_is_held(&set->lock));
}

/* Hide a CPU's events. The worker and the callback of a CPU that goes down may race for it. */
static bool hide_events(struct etw_perf_set *set, struct etw_perf_cpu *old)
{
	struct etw_perf_cpu __rcu **at = per_cpu_ptr(set->cpus, old->cpu);

	return cmpxchg((struct etw_perf_cpu __force **)at, old, NULL) == old;
}

/* Release them before new events are created, which may need their counters. */
static void release_given_up(struct etw_perf_set *set)
{
	int cpu;

	for_each_cpu(cpu, set->up) {
		struct etw_perf_cpu *old = events_of(set, cpu);

		if (!old || !etw_perf_cpu_given_up(set, old) || !hide_events(set, old))
			continue;
		old->given_up = true;
		llist_add(&old->dead, &set->dead);
	}
	release_dead(set);
}

static void reconcile(struct work_struct *work)
{
	struct etw_perf_set *set = container_of(work, struct etw_perf_set, work);
	struct etw_perf_error error;
	int cpu, err;

	mutex_lock(&set->lock);
	release_given_up(set);
	for_each_cpu(cpu, set->up) {
		err = set->made && !events_of(set, cpu) ? give_events(set, cpu, &error) : 0;
		if (err)
			pr_warn_ratelimited("CPU %d: perf event %u: error %d: its records lack counters\n",
					    cpu, error.index, err);
	}
	mutex_unlock(&set->lock);
}

static int cpu_came(unsigned int cpu, struct hlist_node *node)
{
	struct etw_perf_set *set = hlist_entry(node, struct etw_perf_set, node);

	cpumask_set_cpu(cpu, set->up);
	queue_work(etw_unbound_wq, &set->work);
	return 0;
}

/*
 * Runs on the CPU that goes down, or, for every CPU, when the set is destroyed. No reader
 * is active here, because readers run with preemption off. Interrupts are off so that no
 * reader comes before the events are hidden: it would see more than the carried counts. The
 * events are hidden last: once they are, new events may be created from the carried counts.
 */
static int cpu_goes(unsigned int cpu, struct hlist_node *node)
{
	struct etw_perf_set *set = hlist_entry(node, struct etw_perf_set, node);
	struct etw_perf_cpu *old;
	unsigned long flags;
	u32 i;

	cpumask_clear_cpu(cpu, set->up);
	local_irq_save(flags);
	rcu_read_lock();
	old = rcu_dereference(*per_cpu_ptr(set->cpus, cpu));
	for (i = 0; old && i < set->nr; i++)
		etw_perf_value(&old->event[i], &set->carried[cpu][i]);
	if (old && hide_events(set, old))
		llist_add(&old->dead, &set->dead);
	rcu_read_unlock();
	local_irq_restore(flags);
	queue_work(etw_unbound_wq, &set->work);
	return 0;
}

static void free_set(struct etw_perf_set *set)
{
	free_cpumask_var(set->up);
	kvfree(set->carried);
	free_percpu(set->cpus);
	kfree(set);
}

static struct etw_perf_set *alloc_set(void)
{
	struct etw_perf_set *set = kzalloc(sizeof(*set), GFP_KERNEL);

	if (!set)
		return NULL;
	set->cpus = alloc_percpu(struct etw_perf_cpu __rcu *);
	set->carried = kvcalloc(nr_cpu_ids, sizeof(*set->carried), GFP_KERNEL);
	if (!zalloc_cpumask_var(&set->up, GFP_KERNEL) || !set->cpus || !set->carried) {
		free_set(set);
		return NULL;
	}
	mutex_init(&set->lock);
	init_llist_head(&set->dead);
	INIT_WORK(&set->work, reconcile);
	return set;
}

/* Return: 0; an errno, with @error */
static int check_types(const struct perf_event_attr *attrs, u32 nr, struct etw_perf_error *error)
{
	u32 i, reason;
	int err;

	for (i = 0; i < nr; i++) {
		err = etw_perf_check_type(attrs[i].type);
		if (!err)
			continue;
		reason = err == -EOPNOTSUPP ? ETW_REASON_UNSUPPORTED : ETW_REASON_NO_MEMORY;
		*error = (struct etw_perf_error){ .index = i, .reason = reason };
		return err == -EOPNOTSUPP ? err : -ENOMEM;
	}
	return 0;
}

/**
 * etw_perf_set_create() - create perf events on every online CPU, all or none
 * @attrs: attributes, per CPU, pinned; of sampling events with a period
 * @nr: number of events, 1..ETW_PERF_SET_MAX
 * @handler: overflow handler, or NULL
 * @context: context of the handler
 * @error: out, on error: event, CPU and reason
 *
 * Context: process; sleeps; takes cpus_read_lock; none of the locks of session.h but
 * session->lock.
 * Return: the set; ERR_PTR: -ENOMEM, -EOPNOTSUPP, -EBUSY, with @error.
 */
struct etw_perf_set *etw_perf_set_create(const struct perf_event_attr *attrs, u32 nr,
					 perf_overflow_handler_t handler, void *context,
					 struct etw_perf_error *error)
{
	struct etw_perf_set *set;
	int cpu, err = check_types(attrs, nr, error);

	if (err)
		return ERR_PTR(err);
	set = alloc_set();
	*error = (struct etw_perf_error){ .reason = ETW_REASON_NO_MEMORY };
	if (!set)
		return ERR_PTR(-ENOMEM);
	set->nr = nr;
	memcpy(set->attr, attrs, nr * sizeof(*attrs));
	set->handler = handler;
	set->context = context;
	err = cpuhp_state_add_instance(perf_set_state, &set->node);
	if (err) {
		/* a CPU's callback failed; those of CPUs before it may have queued the worker */
		cancel_work_sync(&set->work);
		free_set(set);
		error->reason = err == -ENOMEM ? ETW_REASON_NO_MEMORY : ETW_REASON_NONE;
		return ERR_PTR(err);
	}
	mutex_lock(&set->lock);
	for_each_cpu(cpu, set->up) {
		err = give_events(set, cpu, error);
		if (err)
			break;
	}
	set->made = !err;
	mutex_unlock(&set->lock);
	if (err) {
		etw_perf_set_destroy(set);
		return ERR_PTR(err);
	}
	/* for CPUs that came up meanwhile */
	queue_work(etw_unbound_wq, &set->work);
	return set;
}

/**
 * etw_perf_set_destroy() - release a set and its events
 * @set: a set that is no longer read, or NULL. Its handler is not called after
 *	this
 *
 * Context: process; sleeps; takes cpus_read_lock.
 */
void etw_perf_set_destroy(struct etw_perf_set *set)
{
	int cpu;

	if (!set)
		return;
	mutex_lock(&set->lock);
	set->made = false;	/* the worker creates no more events */
	mutex_unlock(&set->lock);
	cpuhp_state_remove_instance(perf_set_state, &set->node);
	cancel_work_sync(&set->work);
	mutex_lock(&set->lock);
	/* events of CPUs that went down before their events were visible */
	for_each_possible_cpu(cpu) {
		struct etw_perf_cpu *left = events_of(set, cpu);

		if (left && hide_events(set, left))
			llist_add(&left->dead, &set->dead);
	}
	release_dead(set);
	mutex_unlock(&set->lock);
	mutex_destroy(&set->lock);
	free_set(set);
}

static int set_period_of(struct etw_perf_set *set, u32 index, u64 period)
{
	int cpu, err = 0;

	for_each_possible_cpu(cpu) {
		struct etw_perf_cpu *events = events_of(set, cpu);

		if (events && !etw_perf_cpu_given_up(set, events))
			err = perf_event_period(events->event[index].perf, period);
		if (err)
			break;
	}
	return err;
}

/**
 * etw_perf_set_period() - change how often an event samples
 * @set: a set
 * @index: of an event that samples
 * @period: sample_period, or sample_freq for an event that has that
 *
 * Context: process, one at a time; sleeps. Return: 0 or an errno; the old period stays then.
 */
int etw_perf_set_period(struct etw_perf_set *set, u32 index, u64 period)
{
	u64 old = set->attr[index].sample_period;	/* a union with sample_freq */
	int err;

	if (period == old)
		return 0;	/* keeps the count towards the next sample */
	mutex_lock(&set->lock);
	err = set_period_of(set, index, period);
	if (err)
		set_period_of(set, index, old);
	else
		set->attr[index].sample_period = period;
	mutex_unlock(&set->lock);
	/* events that perf has given up are created again, with the new period */
	queue_work(etw_unbound_wq, &set->work);
	return err;
}

/**
 * etw_perf_set_method() - method by which an event is read
 * @set: a set
 * @index: of the event
 * @processor: a CPU, or ETW_ALL_PROCESSORS
 *
 * Context: process; sleeps. Return: enum etw_counter_method.
 */
u32 etw_perf_set_method(struct etw_perf_set *set, u32 index, u32 processor)
{
	u32 method = ETW_METHOD_NONE;
	int cpu;

	mutex_lock(&set->lock);
	for_each_possible_cpu(cpu) {
		const struct etw_perf_cpu *events = events_of(set, cpu);

		if (!events || (processor != ETW_ALL_PROCESSORS && processor != cpu))
			continue;
		if (method == ETW_METHOD_NONE)
			method = events->event[index].method;
		else if (method != events->event[index].method)
			method = ETW_METHOD_MIXED;
	}
	mutex_unlock(&set->lock);
	return method;
}

/**
 * etw_perf_sets_init() - take a dynamic hotplug state
 */
int etw_perf_sets_init(void)
{
	int state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "etw:perf", cpu_came, cpu_goes);

	if (state < 0)
		return state;
	perf_set_state = state;
	return 0;
}

/**
 * etw_perf_sets_exit() - release the hotplug state
 */
void etw_perf_sets_exit(void)
{
	cpuhp_remove_multi_state(perf_set_state);
}
