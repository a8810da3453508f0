// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* PMUs that no session may use; declared in perf_set.h. */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/device/bus.h>
#include <linux/err.h>
#include <linux/perf_event.h>
#include "perf_set.h"

/* Whether the kernel's own PMU of this name has that number. @bus: that of all PMUs */
static bool is_pmu(const struct bus_type *bus, const char *name, u32 type)
{
	struct device *device = bus_find_device_by_name((struct bus_type *)bus, NULL, name);
	const struct pmu *pmu;
	bool same;

	if (!device)
		return false;
	pmu = dev_get_drvdata(device);
	same = pmu && (u32)pmu->type == type;
	put_device(device);
	return same;
}

/**
 * etw_perf_check_type() - whether sessions may have events of a PMU
 * @type: the PMU's number
 *
 * Attributes of the kprobe and uprobe PMUs contain addresses of strings in the caller's memory.
 * perf reads them whenever it creates an event, which a kernel worker does when a CPU comes
 * online: it would read the memory of another process, with all rights.
 *
 * The bus of PMUs is not exported, but each PMU has a device on it.
 *
 * Context: process; sleeps; takes cpus_read_lock.
 * Return: 0; -EOPNOTSUPP; an errno if the PMU is unknown.
 */
int etw_perf_check_type(u32 type)
{
	struct perf_event_attr dummy = {
		.size = sizeof(dummy),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
	};
	const struct bus_type *bus;
	struct perf_event *event;
	bool refused;

	if (type < PERF_TYPE_MAX)
		return 0;
	event = perf_event_create_kernel_counter(&dummy, cpumask_first(cpu_online_mask), NULL, NULL,
						 NULL);
	if (IS_ERR(event))
		return PTR_ERR(event);
	bus = event->pmu->dev ? event->pmu->dev->bus : NULL;
	refused = !bus || is_pmu(bus, "kprobe", type) || is_pmu(bus, "uprobe", type);
	perf_event_release_kernel(event);
	return refused ? -EOPNOTSUPP : 0;
}
