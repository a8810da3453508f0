// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Interrupt handlers: 0x0F43, or 0x0F32 for message-signalled ones. */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/msi.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <trace/events/irq.h>
#ifdef CONFIG_X86
#include <asm/trace/irq_vectors.h>
#endif
#include "compat.h"
#include "interval.h"
#include "source/kernel_address.h"
#include "source/probe.h"
#include "source/source.h"

/*
 * Probes run in the interrupt, with interrupts off. Only an NMI interrupts a handler, and
 * arm64's pseudo-NMIs have such handlers too. But the handler of a line that demultiplexes
 * other lines calls their handlers (Intel's VMD, GPIO controllers). x86's own vectors have
 * separate probes, and never occur within another handler.
 */
struct interrupt_cpu {
	struct etw_interval_nest handlers[2];	/* [in_nmi()] */
	struct etw_interval vector;
};

static DEFINE_PER_CPU(struct interrupt_cpu, interrupt_cpu);

/* Nested handlers that found no free interval, since load */
static DEFINE_PER_CPU(u64, handlers_missed);

/* A per-CPU line (timers, PMUs) is never a message, which saves a lookup of its number */
static __always_inline bool is_message(int irq, const struct irqaction *action)
{
#ifdef CONFIG_GENERIC_MSI_IRQ
	return !(action->flags & IRQF_PERCPU) && irq_get_msi_desc(irq);
#else
	return false;
#endif
}

static __always_inline void write_event(const struct etw_listeners *listeners,
					const struct etw_interval *interval, u32 number,
					bool handled, bool message)
{
	/* ReturnValue, Vector, Reserved; then MessageNumber */
	const struct etw_interval_kind kind = {
		.hook_id = message ? PERFINFO_LOG_TYPE_INTERRUPT_MESSAGE :
				     PERFINFO_LOG_TYPE_INTERRUPT,
		.version = PERFINFO_INTERRUPT_VERSION,
		.size = message ? sizeof(struct perfinfo_interrupt) :
				  offsetof(struct perfinfo_interrupt, message_number),
		.tail = handled | (u64)(u16)number << 8 | (message ? (u64)number << 32 : 0),
	};

	etw_interval_write(listeners, interval, &kind);
}

ETW_PROBE(irq_handler_entry, TP_PROTO(int irq, struct irqaction *action), TP_ARGS(irq, action))
{
	const struct etw_listeners *listeners = etw_listeners_of(source);
	struct etw_interval *interval;

	if (unlikely(!listeners))
		return;
	interval = etw_interval_push(this_cpu_ptr(&interrupt_cpu.handlers[!!in_nmi()]));
	if (likely(interval))
		etw_interval_begin(interval, listeners, (unsigned long)action->handler,
				   (unsigned long)action);
	else
		this_cpu_inc(handlers_missed);
}

ETW_PROBE(irq_handler_exit,
	  TP_PROTO(int irq, struct irqaction *action, int ret),
	  TP_ARGS(irq, action, ret))
{
	const struct etw_interval *interval =
		etw_interval_pop(this_cpu_ptr(&interrupt_cpu.handlers[!!in_nmi()]),
				 (unsigned long)action);
	const struct etw_listeners *listeners = etw_listeners_of(source);

	if (likely(listeners && interval))
		write_event(listeners, interval, irq, ret != IRQ_NONE, is_message(irq, action));
}

#ifdef CONFIG_X86
/* Vectors of the local APIC, in the order of points */
static struct {
	const char *symbol;
	unsigned long address;
} vectors[] = {
	{ "sysvec_apic_timer_interrupt" },
	{ "sysvec_reschedule_ipi" },
	{ "sysvec_call_function" },
	{ "sysvec_call_function_single" },
	{ "sysvec_irq_work" },
};

static __always_inline void begin_vector(const struct etw_source *source, u32 which, int vector)
{
	const struct etw_listeners *listeners = etw_listeners_of(source);

	if (likely(listeners))
		etw_interval_begin(this_cpu_ptr(&interrupt_cpu.vector), listeners,
				   vectors[which].address, vector);
}

static __always_inline void end_vector(const struct etw_source *source, int vector)
{
	struct etw_interval *interval = this_cpu_ptr(&interrupt_cpu.vector);
	const struct etw_listeners *listeners = etw_listeners_of(source);

	if (likely(listeners && interval->begun && interval->key == vector))
		write_event(listeners, interval, vector, true, false);
	interval->begun = false;
}

ETW_PROBE(local_timer_entry, TP_PROTO(int vector), TP_ARGS(vector))
{
	begin_vector(source, 0, vector);
}

ETW_PROBE(reschedule_entry, TP_PROTO(int vector), TP_ARGS(vector))
{
	begin_vector(source, 1, vector);
}

ETW_PROBE(call_function_entry, TP_PROTO(int vector), TP_ARGS(vector))
{
	begin_vector(source, 2, vector);
}

ETW_PROBE(call_function_single_entry, TP_PROTO(int vector), TP_ARGS(vector))
{
	begin_vector(source, 3, vector);
}

ETW_PROBE(irq_work_entry, TP_PROTO(int vector), TP_ARGS(vector))
{
	begin_vector(source, 4, vector);
}

ETW_PROBE(local_timer_exit, TP_PROTO(int vector), TP_ARGS(vector))
{
	end_vector(source, vector);
}

ETW_PROBE(reschedule_exit, TP_PROTO(int vector), TP_ARGS(vector))
{
	end_vector(source, vector);
}

ETW_PROBE(call_function_exit, TP_PROTO(int vector), TP_ARGS(vector))
{
	end_vector(source, vector);
}

ETW_PROBE(call_function_single_exit, TP_PROTO(int vector), TP_ARGS(vector))
{
	end_vector(source, vector);
}

ETW_PROBE(irq_work_exit, TP_PROTO(int vector), TP_ARGS(vector))
{
	end_vector(source, vector);
}

static void look_up_vectors(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++)
		if (!vectors[i].address)
			vectors[i].address = etw_kernel_address(vectors[i].symbol);
}
#else
static void look_up_vectors(void)
{
}
#endif

/* Intervals left open by an earlier session do not count for the next one. */
static int prepare(struct etw_source *source)
{
	int cpu;

	look_up_vectors();
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&interrupt_cpu, cpu), 0, sizeof(interrupt_cpu));
	return 0;
}

static u64 missed(const struct etw_source *source)
{
	return etw_intervals_missed(&handlers_missed);
}

static struct etw_hook_point points[] = {
	{ .probe = &probe_irq_handler_entry },
	{ .probe = &probe_irq_handler_exit },
#ifdef CONFIG_X86
	{ .probe = &probe_local_timer_entry },
	{ .probe = &probe_local_timer_exit },
	{ .probe = &probe_reschedule_entry },
	{ .probe = &probe_reschedule_exit },
	{ .probe = &probe_call_function_entry },
	{ .probe = &probe_call_function_exit },
	{ .probe = &probe_call_function_single_entry },
	{ .probe = &probe_call_function_single_exit },
	{ .probe = &probe_irq_work_entry },
	{ .probe = &probe_irq_work_exit },
#endif
};

ETW_SOURCE(ETW_ORDER_ANY, interrupt) = {
	.name = "interrupt",
	.groups = ETW_GROUPS(PERF_INTERRUPT),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_INTERRUPT, PERFINFO_LOG_TYPE_INTERRUPT_MESSAGE),
	.points = { .of = points, .count = ARRAY_SIZE(points) },
	.prepare = prepare,
	.missed = missed,
};
