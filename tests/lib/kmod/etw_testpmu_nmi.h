/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* For etw_testpmu: the interrupt of a sample, which is an NMI on x86 if that is wanted. */
#ifndef ETW_TESTPMU_NMI_H
#define ETW_TESTPMU_NMI_H

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>

static bool nmi;
module_param(nmi, bool, 0644);
MODULE_PARM_DESC(nmi, "samples come in NMIs");

/* The sampler in the NMI that is on its way, or NULL */
static DEFINE_PER_CPU(struct perf_event *, due);

static int nmi_handler(unsigned int cmd, struct pt_regs *regs)
{
	struct perf_event *event = this_cpu_read(due);

	if (!event)
		return NMI_DONE;
	take_sample(event);
	this_cpu_write(due, NULL);
	return NMI_HANDLED;
}

static int begin_nmis(void)
{
	return register_nmi_handler(NMI_LOCAL, nmi_handler, 0, KBUILD_MODNAME);
}

static void end_nmis(void)
{
	unregister_nmi_handler(NMI_LOCAL, KBUILD_MODNAME);
}

/* Interrupts are off. The NMI is waited for: it comes here, and nowhere else. */
static void interrupt(struct perf_event *event)
{
	if (!READ_ONCE(nmi) || in_nmi()) {
		take_sample(event);
		return;
	}
	this_cpu_write(due, event);
	apic->send_IPI(smp_processor_id(), NMI_VECTOR);
	while (this_cpu_read(due))
		cpu_relax();
}
#else
static int begin_nmis(void)
{
	return 0;
}

static void end_nmis(void)
{
}

static void interrupt(struct perf_event *event)
{
	take_sample(event);
}
#endif

#endif /* ETW_TESTPMU_NMI_H */
