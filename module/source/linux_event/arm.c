// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Perf events of a Linux event, one for each CPU; declared in entry.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/err.h>
#include <linux/printk.h>
#include "entry.h"

/*
 * perf is the only exported way to any trace event by its id: it checks the caller's right,
 * holds the module of the event, and passes the record that tracefs describes.
 */

/**
 * etw_linux_entry_arm() - create the perf event of a CPU
 * @entry: an entry
 * @cpu: a CPU without one
 *
 * Context: process, under events->lock; sleeps; takes cpus_read_lock.
 * Return: 0, also if the CPU is no longer up; an errno of perf.
 */
int etw_linux_entry_arm(struct etw_linux_entry *entry, int cpu)
{
	/*
	 * With the period in the sample, an event that counts a weight, as sched_stat_runtime does
	 * by its nanoseconds, overflows once. Otherwise it would overflow once for each of them.
	 */
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_TRACEPOINT,
		.config = entry->head->id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_PERIOD,
		.pinned = 1,
	};
	struct perf_event *perf;

	lockdep_assert_held(&entry->events->lock);
	perf = perf_event_create_kernel_counter(&attr, cpu, NULL, etw_linux_event_overflow, entry);
	if (IS_ERR(perf))
		return cpumask_test_cpu(cpu, entry->events->up) ? PTR_ERR(perf) : 0;
	entry->perf[cpu] = perf;
	return 0;
}

/**
 * etw_linux_entry_disarm() - release the perf event of a CPU, if there is one
 * @entry: an entry
 * @cpu: a possible CPU
 *
 * A call of its handler may still run: the entry must exist until a grace period has passed.
 *
 * Context: process, under events->lock; sleeps; takes cpus_read_lock.
 */
void etw_linux_entry_disarm(struct etw_linux_entry *entry, int cpu)
{
	lockdep_assert_held(&entry->events->lock);
	if (entry->perf[cpu])
		perf_event_release_kernel(entry->perf[cpu]);
	entry->perf[cpu] = NULL;
}

/**
 * etw_linux_entry_reconcile() - give perf events to the CPUs that are up, and to no other
 * @entry: an entry
 *
 * perf gives up the events of a CPU that goes offline.
 *
 * Context: as etw_linux_entry_arm().
 */
void etw_linux_entry_reconcile(struct etw_linux_entry *entry)
{
	int cpu, err;

	for_each_possible_cpu(cpu) {
		bool up = cpumask_test_cpu(cpu, entry->events->up);
		const struct perf_event *perf = entry->perf[cpu];

		if (perf && (!up || READ_ONCE(perf->state) < PERF_EVENT_STATE_INACTIVE))
			etw_linux_entry_disarm(entry, cpu);
		if (!up || entry->perf[cpu])
			continue;
		err = etw_linux_entry_arm(entry, cpu);
		if (err)
			pr_warn_ratelimited("CPU %d: Linux event %u: error %d: its events are missing\n",
					    cpu, entry->head->id, err);
	}
}
