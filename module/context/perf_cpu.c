// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Perf events of one CPU: created all or none, each with its own counter, and released. */
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include "perf_cpu.h"
#include "perf_read.h"

/**
 * etw_perf_cpu_destroy() - release a CPU's events
 * @cpu: events that readers can no longer find
 *
 * Context: process; sleeps; takes cpus_read_lock.
 */
void etw_perf_cpu_destroy(struct etw_perf_cpu *cpu)
{
	u32 i;

	for (i = 0; i < ETW_PERF_SET_MAX; i++)
		if (cpu->event[i].perf)
			perf_event_release_kernel(cpu->event[i].perf);
	kfree(cpu);
}

static int refuse(struct etw_perf_error *error, u32 index, int cpu, u32 reason, int err)
{
	*error = (struct etw_perf_error){ .index = index, .processor = cpu, .reason = reason };
	return err;
}

/*
 * Whether perf has the event if it only counts, in all modes.
 * Return: 0 or perf's error.
 */
static int counts_plainly(const struct perf_event_attr *attr, int cpu)
{
	struct perf_event_attr plain = {
		.size = sizeof(plain),
		.type = attr->type,
		.config = attr->config,
		.config1 = attr->config1,
		.config2 = attr->config2,
		.disabled = 1,
	};
	struct perf_event *perf = perf_event_create_kernel_counter(&plain, cpu, NULL, NULL, NULL);

	if (IS_ERR(perf))
		return PTR_ERR(perf);
	perf_event_release_kernel(perf);
	return 0;
}

static int why_not(struct etw_perf_error *error, const struct perf_event_attr *attr, u32 index,
		   int cpu, int err)
{
	switch (err) {
	case -ENOMEM:
		return refuse(error, index, cpu, ETW_REASON_NO_MEMORY, err);
	case -EPERM:
	case -EACCES:
		return refuse(error, index, cpu, ETW_REASON_NONE, err);
	case -EBUSY:
	case -EAGAIN:
	case -ENOSPC:
		return refuse(error, index, cpu, ETW_REASON_BUSY, -EBUSY);
	}
	err = counts_plainly(attr, cpu);
	if (err == -ENOMEM)
		return refuse(error, index, cpu, ETW_REASON_NO_MEMORY, err);
	return refuse(error, index, cpu, err ? ETW_REASON_NO_EVENT : ETW_REASON_MANNER,
		      -EOPNOTSUPP);
}

/*
 * For the kernel's own events, perf does not check whether the PMU has an interrupt for
 * sampling: the event would exist, but never sample.
 */
static bool is_silent(const struct perf_event *perf)
{
	return perf->attr.sample_period && perf->pmu->capabilities & PERF_PMU_CAP_NO_INTERRUPT;
}

/* A pinned event that finds no counter exists nevertheless, in error state. */
static int check_events(struct etw_perf_set *set, struct etw_perf_cpu *new,
			struct etw_perf_error *error)
{
	u32 i;

	for (i = 0; i < set->nr; i++) {
		struct perf_event *perf = new->event[i].perf;

		if (perf->cpu != new->cpu)
			return refuse(error, i, new->cpu, ETW_REASON_SHARED, -EOPNOTSUPP);
		if (is_silent(perf))
			return refuse(error, i, new->cpu, ETW_REASON_MANNER, -EOPNOTSUPP);
		if (READ_ONCE(perf->state) < PERF_EVENT_STATE_INACTIVE)
			return refuse(error, i, new->cpu, ETW_REASON_BUSY, -EBUSY);
	}
	return 0;
}

static int make_events(struct etw_perf_set *set, struct etw_perf_cpu *new,
		       struct etw_perf_error *error)
{
	u32 i;
	int err;

	for (i = 0; i < set->nr; i++) {
		struct etw_perf_event *event = &new->event[i];
		struct perf_event *perf;

		perf = perf_event_create_kernel_counter(&set->attr[i], new->cpu, NULL,
							set->handler, set->context);
		if (IS_ERR(perf))
			return why_not(error, &set->attr[i], i, new->cpu, PTR_ERR(perf));
		event->perf = perf;
		event->carried = set->carried[new->cpu][i];
	}
	/* check all events, not only the last ones */
	err = check_events(set, new, error);
	for (i = 0; i < set->nr && !err; i++)
		etw_perf_choose_method(&new->event[i], new->cpu);
	return err;
}

/**
 * etw_perf_cpu_create() - create a CPU's events
 * @set: attributes, and counts of previous events
 * @cpu: a CPU
 * @error: out, on error: event, CPU and reason
 *
 * Context: process; sleeps; takes cpus_read_lock; under set->lock.
 * Return: the events; ERR_PTR: -ENOMEM, -EOPNOTSUPP, -EBUSY or other errors of perf.
 */
struct etw_perf_cpu *etw_perf_cpu_create(struct etw_perf_set *set, int cpu,
					 struct etw_perf_error *error)
{
	struct etw_perf_cpu *new;
	int err;

	lockdep_assert_held(&set->lock);
	new = kzalloc_node(sizeof(*new), GFP_KERNEL, cpu_to_node(cpu));
	if (!new)
		return ERR_PTR(refuse(error, 0, cpu, ETW_REASON_NO_MEMORY, -ENOMEM));
	new->cpu = cpu;
	err = make_events(set, new, error);
	if (!err)
		return new;
	etw_perf_cpu_destroy(new);
	return ERR_PTR(err);
}

/**
 * etw_perf_cpu_given_up() - whether perf has given up one of a CPU's events
 * @set: set of the events
 * @cpu: the events
 *
 * perf gives up events when their CPU goes offline, or when they find no counter again.
 */
bool etw_perf_cpu_given_up(const struct etw_perf_set *set, const struct etw_perf_cpu *cpu)
{
	u32 i;

	for (i = 0; i < set->nr; i++)
		if (READ_ONCE(cpu->event[i].perf->state) < PERF_EVENT_STATE_INACTIVE)
			return true;
	return false;
}
