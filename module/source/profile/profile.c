// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Samples: profile 0x0F2E, overflows 0x0F2F; declared in samplers.h. */
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include "record/nt_thread.h"
#include "samplers.h"
#include "source/source.h"
#include "source/write.h"

ETW_SOURCE_DECLARE(profile);
ETW_SOURCE_DECLARE(pmc_profile);

/* perf's value for an event that is silenced until the next tick */
#define PERF_MAX_INTERRUPTS	U64_MAX

/*
 * Whether the sampler's interrupt interrupted another one. An NMI also counts as a hardirq,
 * so an NMI interrupted an interrupt if the hardirq count exceeds the NMI count. The timer,
 * and counters without NMI, use interrupts, which do not nest. Software events occur in any
 * context.
 */
static bool in_interrupt_of_others(struct pt_regs *regs)
{
	u32 own = (preempt_count() & NMI_MASK) >> NMI_SHIFT;

#ifdef CONFIG_ARM64
	/* a pseudo-NMI while interrupts are on is first an interrupt, then an NMI */
	if (interrupts_enabled(regs))
		return false;
#endif
	return hardirq_count() >> HARDIRQ_SHIFT > (own ? own : 1);
}

/* Kernel addresses only if the session's starter may see them */
static u64 instruction_of(const struct etw_sink *sink, struct pt_regs *regs)
{
	if (user_mode(regs) || sink->addresses)
		return instruction_pointer(regs);
	return 0;
}

static void write_sample(const struct etw_listener *listener, struct pt_regs *regs)
{
	const struct task_struct *task = current;
	const struct perfinfo_sampled_profile sample = {
		.instruction_pointer = instruction_of(listener->sink, regs),
		.thread_id = task->pid,
		.count = 1,
		.flags = etw_sample_flags(in_serving_softirq(), in_interrupt_of_others(regs),
					  etw_nt_priority(task->prio, task->policy, !task->pid)),
	};
	struct etw_event event = {
		.hook_id = PERFINFO_LOG_TYPE_SAMPLED_PROFILE,
		.version = PERFINFO_SAMPLED_PROFILE_VERSION,
		.regs = regs,
		.payload = { .data = &sample, .size = sizeof(sample) },
	};

	etw_write(listener, &event);
}

static void write_overflow(const struct etw_listener *listener, struct pt_regs *regs, u32 source)
{
	const struct perfinfo_pmc_sample sample = {
		.instruction_pointer = instruction_of(listener->sink, regs),
		.thread_id = current->pid,
		.profile_source = source,
	};
	struct etw_event event = {
		.hook_id = PERFINFO_LOG_TYPE_PMC_INTERRUPT,
		.version = PERFINFO_PMC_SAMPLE_VERSION,
		.regs = regs,
		.payload = { .data = &sample, .size = sizeof(sample) },
	};

	etw_write(listener, &event);
}

/* The session's listener, if it records the current process */
static const struct etw_listener *find_listener(const struct etw_listeners *listeners,
						const struct etw_sink *sink)
{
	u32 i;

	for (i = 0; listeners && i < listeners->count; i++) {
		const struct etw_listener *listener = &listeners->listener[i];

		if (listener->sink != sink)
			continue;
		if (listener->filter &&
		    !etw_filter_takes_process(listener->filter, etw_process_id(current)))
			break;
		return listener;
	}
	return NULL;
}

/**
 * etw_profile_sample() - write the sample of a sampler that overflowed
 * @event: event of this CPU; its context is the sampler
 * @data: unused
 * @regs: registers at the overflow; with PEBS, those that the processor recorded
 *
 * Context: NMI or interrupt, or any for software events; preemption off. It may interrupt
 * any of our probes.
 */
void etw_profile_sample(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs)
{
	struct etw_sampler *sampler = event->overflow_handler_context;
	struct etw_profile *profile = sampler->profile;
	u32 source = READ_ONCE(sampler->source);	/* an UPDATE may write it again */
	bool timer = source == ETW_PROFILE_SOURCE_TIME;
	const struct etw_listener *listener;

	if (unlikely(event->hw.interrupts == PERF_MAX_INTERRUPTS))
		atomic_inc(&profile->throttled);
	listener = find_listener(etw_listeners_of(timer ? &etw_source_profile :
							  &etw_source_pmc_profile),
				 profile->sink);
	if (!listener)
		return;
	if (timer)
		write_sample(listener, regs);
	else
		write_overflow(listener, regs, source);
}

ETW_SOURCE(ETW_ORDER_ANY, profile) = {
	.name = "sampled profile",
	.groups = ETW_GROUPS(PERF_PROFILE),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_SAMPLED_PROFILE),
};

ETW_SOURCE(ETW_ORDER_ANY, pmc_profile) = {
	.name = "counter overflow",
	.groups = ETW_GROUPS(PERF_PMC_PROFILE),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_PMC_INTERRUPT),
};
