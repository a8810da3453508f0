/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/*
 * NMIs for etw_torture: IPIs on x86, overflows of the cycle counter elsewhere, none where
 * there are no perf events.
 */
#ifndef ETW_TORTURE_NMI_H
#define ETW_TORTURE_NMI_H

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>

static int nmi_handler(unsigned int cmd, struct pt_regs *regs)
{
	write_record(TORTURE_NMI);
	return NMI_HANDLED;	/* two that were sent may come as one */
}

static int nmi_begin(void)
{
	return register_nmi_handler(NMI_LOCAL, nmi_handler, 0, "etw_torture");
}

static void nmi_end(void)
{
	unregister_nmi_handler(NMI_LOCAL, "etw_torture");
}

static void nmi_cpu_begin(unsigned int cpu)
{
}

static void nmi_cpu_end(unsigned int cpu)
{
}

/* Preemption is off, so a CPU that is online stays. */
static void send_nmi(unsigned int cpu)
{
	if (READ_ONCE(nmi) && cpu < nr_cpu_ids && cpu_online(cpu))
		apic->send_IPI(cpu, NMI_VECTOR);
}
#elif defined(CONFIG_PERF_EVENTS)
#include <linux/perf_event.h>

static unsigned int nmi_period = 2000000;
module_param(nmi_period, uint, 0444);
MODULE_PARM_DESC(nmi_period, "cycles between overflows, which are NMIs where the kernel has such");

static DEFINE_PER_CPU(struct perf_event *, overflow);

/* Without pseudo-NMIs this is an interrupt, which excludes the timer's. */
static void nmi_overflow(struct perf_event *event, struct perf_sample_data *data,
			 struct pt_regs *regs)
{
	write_record(in_nmi() ? TORTURE_NMI : TORTURE_HARDIRQ);
}

static int nmi_begin(void)
{
	return 0;
}

static void nmi_end(void)
{
}

/* In the CPU's own thread, when it begins and when the CPU comes back. */
static void nmi_cpu_begin(unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr),
		.sample_period = nmi_period,
		.pinned = 1,
	};
	struct perf_event *event;

	if (!READ_ONCE(nmi) || per_cpu(overflow, cpu))
		return;
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, nmi_overflow, NULL);
	if (IS_ERR(event))
		pr_info_once("no cycle counter: no NMIs\n");
	else
		per_cpu(overflow, cpu) = event;
}

/* In the same thread, before the CPU goes and at the end. */
static void nmi_cpu_end(unsigned int cpu)
{
	struct perf_event *event = per_cpu(overflow, cpu);

	per_cpu(overflow, cpu) = NULL;
	if (event)
		perf_event_release_kernel(event);
}

static void send_nmi(unsigned int cpu)
{
}
#else
static int nmi_begin(void)
{
	return 0;
}

static void nmi_end(void)
{
}

static void nmi_cpu_begin(unsigned int cpu)
{
}

static void nmi_cpu_end(unsigned int cpu)
{
}

static void send_nmi(unsigned int cpu)
{
}
#endif

#endif /* ETW_TORTURE_NMI_H */
