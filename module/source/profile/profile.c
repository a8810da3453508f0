// SPDX-License-Identifier: GPL-2.0
/* Samples: profile 0x0F2E, overflows 0x0F2F; declared in source.h and samplers.h. */
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

/* perf's own mark of an event that is silent until the next tick */
#define PERF_MAX_INTERRUPTS	U64_MAX

/*
 * Did the sampler's interrupt come in another one? An NMI counts as an interrupt,
 * too, so what it came in is one more than it and those below it. The timer and
 * counters without NMI come as interrupts, which see no other one; software
 * events come wherever they happen.
 */
static bool in_interrupt_of_others(struct pt_regs *regs)
{
	u32 own = (preempt_count() & NMI_MASK) >> NMI_SHIFT;

#ifdef CONFIG_ARM64
	/* a pseudo-NMI over interrupts that are on is an interrupt first, then an NMI */
	if (interrupts_enabled(regs))
		return false;
#endif
	return hardirq_count() >> HARDIRQ_SHIFT > (own ? own : 1);
}

/* Of the kernel only where the session's starter may know */
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

/* A session that listens, to this process */
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
 * etw_profile_sample() - a sampler overflowed
 * @event: of this CPU; its context is the sampler
 * @data: unused
 * @regs: where; with PEBS what the processor wrote down
 *
 * Context: NMI, interrupt, or for software events wherever they happen;
 * preemption off. It may come in the middle of any of our probes.
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

struct etw_source etw_source_profile = {
	.name = "sampled profile",
	.groups = ETW_GROUPS(PERF_PROFILE),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_SAMPLED_PROFILE),
};

struct etw_source etw_source_pmc_profile = {
	.name = "counter overflow",
	.groups = ETW_GROUPS(PERF_PMC_PROFILE),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_PMC_INTERRUPT),
};
