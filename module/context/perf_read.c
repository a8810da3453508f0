// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Reading a perf event: by its register, its PMU's function, or from memory. */
#include <linux/hardirq.h>
#include <linux/irqflags.h>
#include <linux/moduleparam.h>
#include <linux/smp.h>
#include "perf_read.h"

static bool direct_counters = true;
module_param(direct_counters, bool, 0644);
MODULE_PARM_DESC(direct_counters, "read running counters of sessions that start directly where that is possible");

/**
 * struct direct_check - check that the register agrees with the PMU's function
 * @perf: an event of the CPU that runs this
 * @mask: out: mask of the register; 0: it can't be read, or disagrees
 * @idx: out: number of the register
 */
struct direct_check {
	struct perf_event *perf;
	u64 mask;
	long idx;
};

static void check_direct(void *data)
{
	struct direct_check *check = data;
	struct perf_event *perf = check->perf;
	u64 mask = etw_perf_direct_mask(perf), first, between, last;

	check->mask = 0;
	check->idx = perf->hw.idx;
	if (!mask || READ_ONCE(perf->state) != PERF_EVENT_STATE_ACTIVE)
		return;
	if (!etw_perf_direct(perf, mask, check->idx, &first))
		return;
	perf->pmu->read(perf);
	between = local64_read(&perf->count);
	if (etw_perf_direct(perf, mask, check->idx, &last) && first <= between && between <= last)
		check->mask = mask;
}

/**
 * etw_perf_choose_method() - choose how an event is read
 * @event: new, on an online CPU; not yet visible to readers
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
	event->idx = check.idx;
	event->method = check.mask ? ETW_METHOD_DIRECT : ETW_METHOD_PMU;
}

/* Whether the PMU has to read it; else its count is in memory. Stable with interrupts off. */
static bool is_counting(const struct etw_perf_event *event)
{
	const struct perf_event *perf = event->perf;

	if (READ_ONCE(perf->state) != PERF_EVENT_STATE_ACTIVE)
		return false;
	return event->method == ETW_METHOD_PMU ||
	       (event->method == ETW_METHOD_DIRECT && !READ_ONCE(perf->hw.state));
}

/*
 * If perf has moved the event to another register of the same width, read that from now on.
 * With any other register, the PMU reads the event each time. Only the event's own CPU
 * reads and writes idx.
 */
static void follow_register(const struct etw_perf_event *event)
{
	const struct perf_event *perf = event->perf;
	long idx = perf->hw.idx;

	if (event->mask && idx != event->idx && etw_perf_direct_mask(perf) == event->mask)
		WRITE_ONCE(((struct etw_perf_event *)event)->idx, idx);
}

/*
 * Interrupts are off, but NMIs are not. An NMI while the PMU updates hw.prev_count and
 * event->count may find one new and the other old. event->reading marks that, and the mask
 * of 0 prevents the direct reading. Both are restored afterwards.
 */
static void ask_pmu(const struct etw_perf_event *event)
{
	struct etw_perf_event *mine = (struct etw_perf_event *)event;	/* as follow_register() */
	u64 mask = event->mask;

	WRITE_ONCE(mine->mask, 0);
	WRITE_ONCE(mine->reading, true);
	barrier();
	event->perf->pmu->read(event->perf);
	barrier();
	WRITE_ONCE(mine->reading, false);
	WRITE_ONCE(mine->mask, mask);
}

/*
 * The CPU's own PMU and the kernel's clocks may be read in an NMI. Other PMUs may not
 * support that: perf reads them only with interrupts off.
 */
static bool is_readable(const struct etw_perf_event *event)
{
	return !READ_ONCE(event->reading) &&
	       (!in_nmi() || event->perf->pmu->task_ctx_nr != perf_invalid_context);
}

static bool update_count(const struct etw_perf_event *event)
{
	unsigned long flags;
	bool good = true;

	local_irq_save(flags);
	if (is_counting(event)) {
		good = is_readable(event);
		if (good) {
			ask_pmu(event);
			follow_register(event);
		}
	}
	local_irq_restore(flags);
	return good;
}

/**
 * etw_perf_value_slow() - etw_perf_value() if the register can't be read, or not now
 * @event: of this CPU
 * @value: out
 *
 * Context and return: as etw_perf_value().
 */
bool etw_perf_value_slow(const struct etw_perf_event *event, u64 *value)
{
	const struct perf_event *perf = event->perf;
	bool good = READ_ONCE(perf->state) >= PERF_EVENT_STATE_INACTIVE;

	if (good && event->method != ETW_METHOD_MEMORY)
		good = update_count(event);
	*value = event->carried + local64_read(&perf->count);
	return good;
}
