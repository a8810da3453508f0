// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A PMU with counters that follow laws that a test can check value by value. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/sched.h>

#define MAX_SLOTS	64

/* config: a law in the low byte, its step in the 32 bits above */
#define LAW_SWITCHES	1	/* step x switches of this CPU */
#define LAW_READS	2	/* step more at each pmu->read, not when perf stops it */
#define LAW_CLOCK	3	/* step x nanoseconds of sched_clock() */
#define LAW_NARROW	4	/* as LAW_SWITCHES, in 16 bits */

static unsigned int slots = 7;
module_param(slots, uint, 0644);
MODULE_PARM_DESC(slots, "counters of a CPU, up to 64");
static int short_cpu = -1;
module_param(short_cpu, int, 0644);
MODULE_PARM_DESC(short_cpu, "a CPU that has only short_slots of them");
static unsigned int short_slots;
module_param(short_slots, uint, 0644);
MODULE_PARM_DESC(short_slots, "counters of short_cpu");
static bool shared;
module_param(shared, bool, 0644);
MODULE_PARM_DESC(shared, "CPU 0 counts for all, as the PMU of a package does");
static bool disturb;
module_param(disturb, bool, 0644);
MODULE_PARM_DESC(disturb, "a CPU that goes switches threads as soon as a counter was read for it");

static bool silent;
module_param(silent, bool, 0644);
MODULE_PARM_DESC(silent, "events that are made have no interrupt to sample by");

static unsigned int nest;
module_param(nest, uint, 0644);
MODULE_PARM_DESC(nest, "in so many readings a sample comes in the middle of one (0: in none)");
static bool own;
module_param(own, bool, 0444);
MODULE_PARM_DESC(own, "as a CPU's own PMU, may be read in NMIs");
static unsigned int refused_period;
module_param(refused_period, uint, 0644);
MODULE_PARM_DESC(refused_period, "a period that running samplers can't have");
static unsigned int behind;
module_param(behind, uint, 0644);
MODULE_PARM_DESC(behind, "a period of CPU 1 changes so many switches of CPU 0 later than CPU 0's");

/**
 * struct test_cpu - a CPU's hardware
 * @switches: of this CPU; only its own probe adds
 * @used: slots in use; changes on this CPU, interrupts off
 * @reads: what each slot counted with LAW_READS
 * @sampled: the event that samples, or NULL; changes on this CPU, interrupts off
 * @left: events until its next sample
 * @readings: since the last sample in one; likewise
 * @nmis: samples that were taken in NMIs
 */
struct test_cpu {
	u64 switches;
	DECLARE_BITMAP(used, MAX_SLOTS);
	local64_t reads[MAX_SLOTS];
	struct perf_event *sampled;
	u64 left;
	unsigned int readings;
	unsigned int nmis;
};

static DEFINE_PER_CPU(struct test_cpu, cpus);
static atomic_t live = ATOMIC_INIT(0);
static struct tracepoint *sched_switch;
static struct pmu test_pmu;

static u8 law_of(const struct perf_event *event)
{
	return event->hw.config & 0xFF;
}

static u64 step_of(const struct perf_event *event)
{
	return event->hw.config >> 8 & 0xFFFFFFFF;
}

/* What the register holds */
static u64 register_now(const struct perf_event *event)
{
	struct test_cpu *cpu = this_cpu_ptr(&cpus);

	switch (law_of(event)) {
	case LAW_SWITCHES:
		return READ_ONCE(cpu->switches) * step_of(event);
	case LAW_READS:
		return local64_read(&cpu->reads[event->hw.idx]);
	case LAW_CLOCK:
		return sched_clock() * step_of(event);
	default:
		return READ_ONCE(cpu->switches) * step_of(event) & 0xFFFF;
	}
}

/* Where samples say that they were taken: with a record of the processor, or without */
static noinline void at_precise(void)
{
	barrier();
}

static noinline void at_skid(void)
{
	barrier();
}

/* What a PMU's interrupt does, with what a processor would have recorded */
static void take_sample(struct perf_event *event)
{
	void (*where)(void) = event->attr.precise_ip == 2 ? at_precise : at_skid;
	struct perf_sample_data data;
	struct pt_regs regs = { };

	where();
	perf_fetch_caller_regs(&regs);
	instruction_pointer_set(&regs, (unsigned long)where);
	perf_sample_data_init(&data, 0, event->hw.sample_period);
	if (in_nmi())
		this_cpu_inc(cpus.nmis);
	event->overflow_handler(event, &data, &regs);
}

#include "etw_testpmu_nmi.h"

/* As an NMI would, or in one: between the two stores of an update */
static void nest_sample(const struct perf_event *event)
{
	struct test_cpu *cpu = this_cpu_ptr(&cpus);

	if (!READ_ONCE(nest) || !cpu->sampled || cpu->sampled == event ||
	    ++cpu->readings < READ_ONCE(nest))
		return;
	cpu->readings = 0;
	interrupt(cpu->sampled);
}

/* A reader that interrupts has added its part: again then, with what is there now. */
static void update(struct perf_event *event, bool reading)
{
	s64 before, now;

	do {
		before = local64_read(&event->hw.prev_count);
		now = register_now(event);
	} while (local64_cmpxchg(&event->hw.prev_count, before, now) != before);
	now -= before;
	if (law_of(event) == LAW_NARROW)
		now &= 0xFFFF;
	if (reading)
		nest_sample(event);
	local64_add(now, &event->count);
}

/*
 * With the interrupt that comes when the reader lets it, the CPU's hotplug thread is
 * preempted, if the kernel preempts (preempt=full).
 */
static void do_nothing(struct work_struct *work)
{
}

static DEFINE_PER_CPU(struct irq_work, preempter);
static DEFINE_PER_CPU(struct work_struct, another_thread);

static void preempt(struct irq_work *work)
{
	queue_work_on(smp_processor_id(), system_highpri_wq, this_cpu_ptr(&another_thread));
	set_tsk_need_resched(current);
	set_preempt_need_resched();
}

static void test_read(struct perf_event *event)
{
	if (READ_ONCE(disturb) && !in_hardirq() && !strncmp(current->comm, "cpuhp/", 6))
		irq_work_queue(this_cpu_ptr(&preempter));
	if (event->hw.state & PERF_HES_STOPPED)
		return;
	if (law_of(event) == LAW_READS)
		local64_add(step_of(event), &this_cpu_ptr(&cpus)->reads[event->hw.idx]);
	update(event, true);
}

static void test_start(struct perf_event *event, int flags)
{
	struct test_cpu *cpu = this_cpu_ptr(&cpus);

	if (is_sampling_event(event)) {
		cpu->left = event->hw.sample_period;
		cpu->sampled = event;
	}
	local64_set(&event->hw.prev_count, register_now(event));
	event->hw.state = 0;
}

static void test_stop(struct perf_event *event, int flags)
{
	if (event->hw.state & PERF_HES_STOPPED)
		return;
	if (is_sampling_event(event))
		this_cpu_ptr(&cpus)->sampled = NULL;
	if (flags & PERF_EF_UPDATE)
		update(event, false);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int test_add(struct perf_event *event, int flags)
{
	struct test_cpu *cpu = this_cpu_ptr(&cpus);
	unsigned int limit = smp_processor_id() == READ_ONCE(short_cpu) ?
			     READ_ONCE(short_slots) : READ_ONCE(slots);
	unsigned int slot = find_first_zero_bit(cpu->used, MAX_SLOTS);

	if (slot >= min_t(unsigned int, limit, MAX_SLOTS))
		return -EAGAIN;
	__set_bit(slot, cpu->used);
	event->hw.idx = slot;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		test_start(event, 0);
	return 0;
}

static void test_del(struct perf_event *event, int flags)
{
	test_stop(event, PERF_EF_UPDATE);
	__clear_bit(event->hw.idx, this_cpu_ptr(&cpus)->used);
}

static void test_destroy(struct perf_event *event)
{
	atomic_dec(&live);
}

static int test_event_init(struct perf_event *event)
{
	u8 law = event->attr.config & 0xFF;

	if (event->attr.type != test_pmu.type)
		return -ENOENT;
	if (event->cpu < 0 || event->attach_state & PERF_ATTACH_TASK)
		return -EINVAL;
	if (is_sampling_event(event) && (law != LAW_SWITCHES || event->attr.precise_ip > 2))
		return -EOPNOTSUPP;
	if (law < LAW_SWITCHES || law > LAW_NARROW || event->attr.config >> 40)
		return -EINVAL;
	event->hw.config = event->attr.config;
	if (READ_ONCE(shared))
		event->cpu = 0;
	test_pmu.capabilities = PERF_PMU_CAP_NO_EXCLUDE |
				(READ_ONCE(silent) ? PERF_PMU_CAP_NO_INTERRUPT : 0);
	atomic_inc(&live);
	event->destroy = test_destroy;
	return 0;
}

/* perf changes the period next */
static int test_check_period(struct perf_event *event, u64 period)
{
	const u64 *switches = per_cpu_ptr(&cpus.switches, 0);
	u64 first = READ_ONCE(*switches);

	while (event->cpu == 1 && READ_ONCE(*switches) - first < READ_ONCE(behind))
		msleep(20);
	return period == READ_ONCE(refused_period) ? -EINVAL : 0;
}

PMU_FORMAT_ATTR(config, "config:0-63");
PMU_FORMAT_ATTR(law, "config:0-7");
PMU_FORMAT_ATTR(step, "config:8-39");

static struct attribute *format_attrs[] = {
	&format_attr_config.attr,
	&format_attr_law.attr,
	&format_attr_step.attr,
	NULL
};

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attrs,
};

PMU_EVENT_ATTR_STRING(switches, event_switches, "law=0x1,step=0x1");
PMU_EVENT_ATTR_STRING(reads, event_reads, "law=0x2,step=0x1");
PMU_EVENT_ATTR_STRING(clock, event_clock, "law=0x3,step=0x1");
PMU_EVENT_ATTR_STRING(narrow, event_narrow, "law=0x4,step=0x1");

static struct attribute *event_attrs[] = {
	&event_switches.attr.attr,
	&event_reads.attr.attr,
	&event_clock.attr.attr,
	&event_narrow.attr.attr,
	NULL
};

static const struct attribute_group event_group = {
	.name = "events",
	.attrs = event_attrs,
};

static ssize_t in_use_show(struct device *dev, struct device_attribute *attr, char *page)
{
	unsigned int cpu, sum = 0;

	for_each_possible_cpu(cpu)
		sum += bitmap_weight(per_cpu_ptr(&cpus, cpu)->used, MAX_SLOTS);
	return sysfs_emit(page, "%u\n", sum);
}
static DEVICE_ATTR_RO(in_use);

static ssize_t live_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%d\n", atomic_read(&live));
}
static DEVICE_ATTR_RO(live);

static ssize_t nmis_show(struct device *dev, struct device_attribute *attr, char *page)
{
	unsigned int cpu, sum = 0;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(&cpus, cpu)->nmis);
	return sysfs_emit(page, "%u\n", sum);
}
static DEVICE_ATTR_RO(nmis);

static struct attribute *state_attrs[] = {
	&dev_attr_in_use.attr,	/* slots, of all CPUs */
	&dev_attr_live.attr,	/* perf events that exist */
	&dev_attr_nmis.attr,	/* samples that were taken in NMIs */
	NULL
};

static const struct attribute_group state_group = {
	.attrs = state_attrs,
};

static const struct attribute_group *groups[] = {
	&format_group,
	&event_group,
	&state_group,
	NULL
};

static struct pmu test_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_EXCLUDE,
	.attr_groups = groups,
	.event_init = test_event_init,
	.add = test_add,
	.del = test_del,
	.start = test_start,
	.stop = test_stop,
	.read = test_read,
	.check_period = test_check_period,
};

static void count_switch(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	struct test_cpu *cpu = this_cpu_ptr(&cpus);
	u64 step;

	WRITE_ONCE(cpu->switches, cpu->switches + 1);
	if (!cpu->sampled)
		return;
	step = step_of(cpu->sampled);
	if (cpu->left > step) {
		cpu->left -= step;
		return;
	}
	cpu->left = cpu->sampled->hw.sample_period;
	interrupt(cpu->sampled);
}

static void find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_switch"))
		sched_switch = tp;
}

static int __init testpmu_init(void)
{
	int cpu, err;

	for_each_kernel_tracepoint(find, NULL);
	if (!sched_switch)
		return -ENOENT;
	for_each_possible_cpu(cpu) {
		*per_cpu_ptr(&preempter, cpu) = IRQ_WORK_INIT_HARD(preempt);
		INIT_WORK(per_cpu_ptr(&another_thread, cpu), do_nothing);
	}
	err = begin_nmis();
	if (err)
		return err;
	/* before all others: a reader in a switch finds it counted */
	err = tracepoint_probe_register_prio(sched_switch, count_switch, NULL, INT_MAX);
	if (err)
		goto end;
	if (own)
		test_pmu.task_ctx_nr = perf_sw_context;
	err = perf_pmu_register(&test_pmu, "etw_test", -1);
	if (!err) {
		pr_info("type %u\n", test_pmu.type);
		return 0;
	}
	tracepoint_probe_unregister(sched_switch, count_switch, NULL);
	tracepoint_synchronize_unregister();
end:
	end_nmis();
	return err;
}

static void __exit testpmu_exit(void)
{
	int cpu;

	perf_pmu_unregister(&test_pmu);
	for_each_possible_cpu(cpu) {
		irq_work_sync(per_cpu_ptr(&preempter, cpu));
		cancel_work_sync(per_cpu_ptr(&another_thread, cpu));
	}
	tracepoint_probe_unregister(sched_switch, count_switch, NULL);
	tracepoint_synchronize_unregister();
	end_nmis();
}

module_init(testpmu_init);
module_exit(testpmu_exit);
MODULE_DESCRIPTION("A PMU with counters that follow known laws");
MODULE_LICENSE("GPL");
