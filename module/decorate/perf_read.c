// SPDX-License-Identifier: GPL-2.0
/* How a perf event is read: its register, its PMU's function, or memory. */
#include <linux/hardirq.h>
#include <linux/irqflags.h>
#include <linux/moduleparam.h>
#include <linux/smp.h>
#include "perf_read.h"

static bool direct_counters = true;
module_param(direct_counters, bool, 0644);
MODULE_PARM_DESC(direct_counters, "read running counters of sessions that start directly where that is possible");

/**
 * struct direct_check - does the register say what the PMU says?
 * @perf: an event of the CPU that runs this
 * @mask: out: of the register; 0: it can't be read, or says something else
 */
struct direct_check {
	struct perf_event *perf;
	u64 mask;
};

static void check_direct(void *data)
{
	struct direct_check *check = data;
	struct perf_event *perf = check->perf;
	u64 mask = etw_perf_direct_mask(perf), first, between, last;

	check->mask = 0;
	if (!mask || READ_ONCE(perf->state) != PERF_EVENT_STATE_ACTIVE)
		return;
	first = etw_perf_direct(perf, mask);
	perf->pmu->read(perf);
	between = local64_read(&perf->count);
	last = etw_perf_direct(perf, mask);
	if (first <= between && between <= last)
		check->mask = mask;
}

/**
 * etw_perf_choose_method() - how an event is to be read
 * @event: new, on a CPU that runs; nobody reads it yet
 * @cpu: that CPU
 *
 * Context: process; sleeps.
 */
void etw_perf_choose_method(struct etw_perf_event *event, int cpu)
{
	struct direct_check check = { .perf = event->perf };
	const struct perf_event_attr *attr = &event->perf->attr;

	if (attr->sample_period) {
		event->method = ETW_METHOD_NONE;
		return;
	}
	if (attr->type == PERF_TYPE_SOFTWARE || attr->type == PERF_TYPE_TRACEPOINT) {
		event->method = attr->type == PERF_TYPE_SOFTWARE &&
				(attr->config == PERF_COUNT_SW_CPU_CLOCK ||
				 attr->config == PERF_COUNT_SW_TASK_CLOCK) ?
				ETW_METHOD_PMU : ETW_METHOD_MEMORY;
		return;
	}
	if (direct_counters)
		smp_call_function_single(cpu, check_direct, &check, true);
	event->mask = check.mask;
	event->method = check.mask ? ETW_METHOD_DIRECT : ETW_METHOD_PMU;
}

/*
 * The CPU's own PMU and the kernel's clocks may be read in an NMI; what others do
 * is theirs to know, and perf reads them with interrupts off.
 */
static bool read_pmu(struct perf_event *perf)
{
	unsigned long flags;

	if (in_nmi() && perf->pmu->task_ctx_nr == perf_invalid_context)
		return false;
	local_irq_save(flags);
	perf->pmu->read(perf);
	local_irq_restore(flags);
	return true;
}

/**
 * etw_perf_value_slow() - etw_perf_value() of what has no register to read
 * @event: of this CPU
 * @value: out
 *
 * Context and return: as etw_perf_value().
 */
bool etw_perf_value_slow(const struct etw_perf_event *event, u64 *value)
{
	struct perf_event *perf = event->perf;
	int state = READ_ONCE(perf->state);
	bool good = state >= PERF_EVENT_STATE_INACTIVE;

	if (event->method == ETW_METHOD_PMU && state == PERF_EVENT_STATE_ACTIVE)
		good = read_pmu(perf);
	*value = event->carried + local64_read(&perf->count);
	return good;
}
