// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Cycles per millisecond of a busy CPU: the sampled profile's period; declared in samplers.h. */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/workqueue.h>
#include "context/perf_read.h"
#include "samplers.h"

#define ROUNDS		10
#define ROUND_US	500

/*
 * perf can keep a frequency by itself. But it expects cycles in idle time too, and shortens
 * the period: a mostly idle CPU would be sampled more often while it is busy, although
 * consumers give each sample the same weight. So the period is fixed. Modules have no
 * interface for the frequency of every CPU, so it is measured, after time to rise.
 */
static u64 measure_round(const struct etw_perf_event *event)
{
	u64 begin, end, before, after;
	bool good;

	preempt_disable();
	begin = ktime_get_ns();
	/* when a CPU goes offline, its workers may move to another CPU */
	good = event->perf->cpu == smp_processor_id();
	good = good && etw_perf_value_slow(event, &before);
	udelay(ROUND_US);
	good = good && etw_perf_value_slow(event, &after);
	end = ktime_get_ns();
	preempt_enable();
	return good && end > begin ? div64_u64((after - before) * NSEC_PER_MSEC, end - begin) : 0;
}

static long measure(void *data)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.pinned = 1,
	};
	struct etw_perf_event event = { .method = ETW_METHOD_PMU };
	u64 most = 0;
	u32 i;

	event.perf = perf_event_create_kernel_counter(&attr, raw_smp_processor_id(), NULL, NULL,
						      NULL);
	if (IS_ERR(event.perf))
		return PTR_ERR(event.perf);
	for (i = 0; i < ROUNDS; i++) {
		most = max(most, measure_round(&event));
		cond_resched();
	}
	perf_event_release_kernel(event.perf);
	return min_t(u64, most, U32_MAX / 2);
}

/**
 * etw_profile_measure_cycles() - measure the cycles per millisecond of a busy CPU
 *
 * Context: process; takes some ms. A worker measures on one CPU.
 * Return: cycles per millisecond; 0 if cycles are not counted.
 */
u32 etw_profile_measure_cycles(void)
{
	long cycles = work_on_cpu(raw_smp_processor_id(), measure, NULL);

	return cycles > 0 ? cycles : 0;
}
