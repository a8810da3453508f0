// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Interrupts, softirqs and system calls of an imported trace. */
#include "import.h"

/* Fields of an exit; other events have one */
enum { IRQ_NUMBER, IRQ_RETURN };

#define MOST_CALLS	((ETW_SYSCALL_IMAGE_COMPAT - ETW_SYSCALL_IMAGE) / 16)

static void irq_entry(struct importing *importing, uint32_t vector)
{
	struct import_cpu *cpu = &importing->cpus[importing->cpu];

	if (cpu->irqs == IMPORT_NESTED_IRQS)
		return;
	cpu->irq_vector[cpu->irqs] = vector;
	cpu->irq_begin[cpu->irqs++] = importing->now;
}

/* Without its entry, a handler has no duration: only the event that describes itself stays. */
static int irq_exit(struct importing *importing, uint32_t vector, bool handled)
{
	struct import_cpu *cpu = &importing->cpus[importing->cpu];
	struct perfinfo_interrupt irq = { .return_value = handled, .vector = vector };
	uint32_t entry = cpu->irqs;

	while (entry && cpu->irq_vector[entry - 1] != vector)
		entry--;
	/* an exit without its entry, which is lost, ends no other handler */
	if (!entry)
		return 0;
	/* the exits of those above are lost */
	cpu->irqs = entry - 1;
	irq.initial_time = cpu->irq_begin[cpu->irqs];
	importing->counts.interrupts++;
	import_perfinfo(importing, PERFINFO_LOG_TYPE_INTERRUPT, PERFINFO_INTERRUPT_VERSION);
	import_bytes(importing, &irq, sizeof(irq));
	return import_write(importing);
}

static int softirq(struct importing *importing, uint32_t vector, bool entry)
{
	struct import_cpu *cpu = &importing->cpus[importing->cpu];
	struct perfinfo_dpc dpc = { };

	if (vector >= IMPORT_SOFTIRQS)
		return 0;
	dpc.initial_time = cpu->softirq_begin[vector];
	cpu->softirq_begin[vector] = entry ? importing->now : 0;
	if (entry || !dpc.initial_time)
		return 0;
	importing->counts.dpcs++;
	import_perfinfo(importing, PERFINFO_LOG_TYPE_DPC, PERFINFO_DPC_VERSION);
	import_bytes(importing, &dpc, sizeof(dpc));
	return import_write(importing);
}

static int call_entry(struct importing *importing, uint64_t number)
{
	if (number >= MOST_CALLS)
		return 0;
	importing->counts.calls++;
	import_perfinfo(importing, PERFINFO_LOG_TYPE_SYSCALL_ENTER, PERFINFO_SYSCALL_VERSION);
	import_u64(importing, ETW_SYSCALL_IMAGE + 16 * number);
	return import_write(importing);
}

/* An NTSTATUS: 0, or the negative errno */
static int call_exit(struct importing *importing, int64_t result)
{
	import_perfinfo(importing, PERFINFO_LOG_TYPE_SYSCALL_EXIT, PERFINFO_SYSCALL_VERSION);
	import_u32(importing, result < 0 && result >= -4095 ? (uint32_t)result : 0);
	return import_write(importing);
}

int import_interrupt(struct importing *importing, const struct perf_record *record,
		     const struct import_kind *kind)
{
	int64_t first = kind->field[0] ? import_number(record, kind->field[0]) : kind->call;

	switch (kind->action) {
	case IMPORT_IRQ_ENTRY:
		irq_entry(importing, first);
		return 0;
	case IMPORT_IRQ_EXIT:
		return irq_exit(importing, first, import_number(record, kind->field[IRQ_RETURN]));
	case IMPORT_SOFTIRQ_ENTRY:
	case IMPORT_SOFTIRQ_EXIT:
		return softirq(importing, first, kind->action == IMPORT_SOFTIRQ_ENTRY);
	case IMPORT_CALL_ENTRY:
		return call_entry(importing, first);
	default:
		return call_exit(importing, first);
	}
}
