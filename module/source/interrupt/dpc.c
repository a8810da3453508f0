// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Deferred work: softirqs 0x0F44, tasklets 0x0F44, timers 0x0F45. */
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <linux/timer.h>
#include <trace/events/irq.h>
#include <trace/events/timer.h>
#include "compat.h"
#include "interval.h"
#include "source/kernel_address.h"
#include "source/probe.h"
#include "source/source.h"

/*
 * Probes run in softirq context with preemption off. On PREEMPT_RT, a thread that stays on
 * its CPU runs softirqs. So each kind has one interval per CPU, and a probe turns preemption
 * off for its record. If PREEMPT_RT has no lock around softirqs (Linux 6.18 on, without
 * PREEMPT_RT_NEEDS_BH_LOCK), one such thread may preempt another, so each has its own
 * interval; tasklets and timers are still serialized there.
 *
 * The softirqs of timers and tasklets get no record of their own, because the records of
 * their timers and tasklets would count the time twice.
 */
#define SOFTIRQS_AT_ONCE	(IS_ENABLED(CONFIG_PREEMPT_RT) ? 8 : 1)

struct dpc_cpu {
	struct etw_interval_of softirq[SOFTIRQS_AT_ONCE];
	struct etw_interval tasklet, timer;
};

static DEFINE_PER_CPU(struct dpc_cpu, dpc_cpu);

/* Softirqs that found no free interval, since load */
static DEFINE_PER_CPU(u64, softirqs_missed);

/* Softirq functions; some kernels use other names, or names that cannot be looked up */
static struct {
	const char *symbol[2];
	unsigned long address;
} softirqs[NR_SOFTIRQS] = {
	[NET_TX_SOFTIRQ] = { { "net_tx_action" } },
	[NET_RX_SOFTIRQ] = { { "net_rx_action" } },
	[BLOCK_SOFTIRQ] = { { "blk_done_softirq" } },
	[IRQ_POLL_SOFTIRQ] = { { "irq_poll_softirq" } },
	[SCHED_SOFTIRQ] = { { "run_rebalance_domains", "sched_balance_softirq" } },
	[HRTIMER_SOFTIRQ] = { { "hrtimer_run_softirq" } },
	[RCU_SOFTIRQ] = { { "rcu_core_si" } },
};

static bool is_recorded_by_parts(unsigned int vec_nr)
{
	return vec_nr == TIMER_SOFTIRQ || vec_nr == TASKLET_SOFTIRQ || vec_nr == HI_SOFTIRQ;
}

static __always_inline void begin(const struct etw_source *source, struct etw_interval *interval,
				  unsigned long routine, unsigned long key)
{
	const struct etw_listeners *listeners = etw_listeners_of(source);

	if (likely(listeners))
		etw_interval_begin(interval, listeners, routine, key);
}

static __always_inline void end(const struct etw_source *source, struct etw_interval *interval,
				unsigned long key, u16 hook_id)
{
	const struct etw_interval_kind kind = {
		.hook_id = hook_id,
		.version = PERFINFO_DPC_VERSION,
		.size = sizeof(struct perfinfo_dpc),
	};
	const struct etw_listeners *listeners = etw_listeners_of(source);

	if (likely(listeners && interval->begun && interval->key == key))
		etw_interval_write(listeners, interval, &kind);
	interval->begun = false;
}

static __always_inline struct etw_interval *softirq_interval(bool begins)
{
	struct etw_interval_of *places = this_cpu_ptr(dpc_cpu.softirq);

	return SOFTIRQS_AT_ONCE == 1 ? &places->interval :
		etw_interval_of(places, SOFTIRQS_AT_ONCE, current, begins);
}

ETW_PROBE(softirq_entry, TP_PROTO(unsigned int vec_nr), TP_ARGS(vec_nr))
{
	struct etw_interval *interval;

	if (is_recorded_by_parts(vec_nr))
		return;
	interval = softirq_interval(true);
	if (SOFTIRQS_AT_ONCE > 1 && !interval)
		this_cpu_inc(softirqs_missed);
	else
		begin(source, interval, softirqs[vec_nr].address, vec_nr);
}

ETW_PROBE(softirq_exit, TP_PROTO(unsigned int vec_nr), TP_ARGS(vec_nr))
{
	struct etw_interval *interval;

	if (is_recorded_by_parts(vec_nr))
		return;
	interval = softirq_interval(false);
	if (SOFTIRQS_AT_ONCE == 1 || interval)
		end(source, interval, vec_nr, PERFINFO_LOG_TYPE_DPC);
}

ETW_PROBE(tasklet_entry,
	  TP_PROTO(struct tasklet_struct *tasklet, void *func),
	  TP_ARGS(tasklet, func))
{
	begin(source, this_cpu_ptr(&dpc_cpu.tasklet), (unsigned long)func, (unsigned long)tasklet);
}

ETW_PROBE(tasklet_exit,
	  TP_PROTO(struct tasklet_struct *tasklet, void *func),
	  TP_ARGS(tasklet, func))
{
	end(source, this_cpu_ptr(&dpc_cpu.tasklet), (unsigned long)tasklet, PERFINFO_LOG_TYPE_DPC);
}

ETW_PROBE(timer_expire_entry,
	  TP_PROTO(struct timer_list *timer, unsigned long baseclk),
	  TP_ARGS(timer, baseclk))
{
	begin(source, this_cpu_ptr(&dpc_cpu.timer), (unsigned long)timer->function,
	      (unsigned long)timer);
}

/* The timer may be freed by now, so only its address is used */
ETW_PROBE(timer_expire_exit, TP_PROTO(struct timer_list *timer), TP_ARGS(timer))
{
	end(source, this_cpu_ptr(&dpc_cpu.timer), (unsigned long)timer, PERFINFO_LOG_TYPE_TIMERDPC);
}

/* Intervals left open by an earlier session do not count for the next one. */
static int prepare(struct etw_source *source)
{
	u32 i, n;
	int cpu;

	for (i = 0; i < NR_SOFTIRQS; i++)
		for (n = 0; n < 2 && !softirqs[i].address && softirqs[i].symbol[n]; n++)
			softirqs[i].address = etw_kernel_address(softirqs[i].symbol[n]);
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&dpc_cpu, cpu), 0, sizeof(dpc_cpu));
	return 0;
}

static u64 missed(const struct etw_source *source)
{
	return etw_intervals_missed(&softirqs_missed);
}

ETW_SOURCE(ETW_ORDER_ANY, dpc) = {
	.name = "DPC",
	.groups = ETW_GROUPS(PERF_DPC),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_DPC, PERFINFO_LOG_TYPE_TIMERDPC),
	.points = ETW_POINTS({ .probe = &probe_softirq_entry },
			     { .probe = &probe_softirq_exit },
			     { .probe = &probe_tasklet_entry },
			     { .probe = &probe_tasklet_exit },
			     { .probe = &probe_timer_expire_entry },
			     { .probe = &probe_timer_expire_exit }),
	.prepare = prepare,
	.missed = missed,
};
