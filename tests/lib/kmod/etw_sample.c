// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A module that makes events: what etw.ko exports, used from every context. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include "etw_kernel.h"
#include "compat.h"
#include "etw_abi.h"
#include "etw_sample.h"
#include "etw_sample_check.h"

#define SAMPLE_OPTIONS	(TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_TIMESTAMP | \
			 TRACE_MESSAGE_SYSTEMINFO)

static unsigned int timer_us = 150;
module_param(timer_us, uint, 0644);
MODULE_PARM_DESC(timer_us, "time between timer interrupts while it writes");

/**
 * struct worker - a CPU
 * @sequence: of each context: the next one's number, and so how many were tried
 * @written: of them, those that found a place
 * @timer: hardirq
 * @tasklet: softirq
 *
 * A context is interrupted by others, never by itself: each touches its own only.
 */
struct worker {
	u64 sequence[SAMPLE_CONTEXTS];
	u64 written[SAMPLE_CONTEXTS];
	struct hrtimer timer;
	struct tasklet_struct tasklet;
};

static DEFINE_PER_CPU(struct worker, workers);
static const struct etw_guid sample_guid = SAMPLE_GUID;
static struct etw_provider provider = { .guid = SAMPLE_GUID };

#include "etw_sample_events.h"

static bool running;

/* An event as a program would make it: header and data in one piece. */
struct sample_event {
	struct event_trace_header header;
	struct sample_data data;
	u8 pattern[SAMPLE_MAX_PATTERN];
};

static int write_event(struct sample_event *event, u64 handle)
{
	struct event_trace_header *header = &event->header;
	struct {
		struct event_trace_header header;
		struct mof_field field[2];
	} mof;

	header->size = sizeof(*header) + sizeof(event->data) + event->data.length;
	header->type = event->data.form;
	header->level = provider.level;
	header->thread_id = handle;
	header->process_id = handle >> 32;
	header->flags = WNODE_FLAG_TRACED_GUID;
	header->guid = sample_guid;
	if (event->data.form == SAMPLE_GUID_PTR) {
		header->flags |= WNODE_FLAG_USE_GUID_PTR;
		header->guid_ptr = (unsigned long)&sample_guid;
	}
	if (event->data.form != SAMPLE_MOF_PTR)
		return etw_trace_event(event);

	mof.header = *header;
	mof.header.size = sizeof(mof);
	mof.header.flags |= WNODE_FLAG_USE_MOF_PTR;
	mof.field[0].data_ptr = (unsigned long)&event->data;
	mof.field[0].length = sizeof(event->data);
	mof.field[1].data_ptr = (unsigned long)event->pattern;
	mof.field[1].length = event->data.length;
	return etw_trace_event(&mof);
}

/* As a function would that is called like printf() */
static int log_component(u64 handle, u16 number, ...)
{
	static const struct etw_guid component = { .data1 = SAMPLE_COMPONENT };
	va_list arguments;
	int err;

	va_start(arguments, number);
	err = etw_trace_message_va(handle, SAMPLE_OPTIONS | TRACE_MESSAGE_COMPONENT_ID,
				   &component, number, arguments);
	va_end(arguments);
	return err;
}

static int write_message(const struct sample_event *event, u64 handle)
{
	if (event->data.form == SAMPLE_MESSAGE)
		return etw_trace_message(handle, SAMPLE_OPTIONS | TRACE_MESSAGE_GUID, &sample_guid,
					 event->data.form, &event->data, sizeof(event->data),
					 event->pattern, (size_t)event->data.length, NULL);
	return log_component(handle, event->data.form, &event->data, sizeof(event->data),
			     event->pattern, (size_t)0,
			     event->pattern, (size_t)event->data.length, NULL);
}

/* Preemption is off. */
static void write_record(enum sample_context context)
{
	struct worker *worker = this_cpu_ptr(&workers);
	struct sample_event event;
	u64 sequence;
	u32 i;
	int err;

	/* one load when no session listens */
	if (!etw_provider_enabled(&provider))
		return;
	sequence = worker->sequence[context]++;
	event.data = (struct sample_data){
		.magic = SAMPLE_MAGIC, .cpu = smp_processor_id(), .context = context,
		.form = sequence % SAMPLE_FORMS, .sequence = sequence,
		.length = sequence % (SAMPLE_MAX_PATTERN + 1),
		.thread_id = current->pid,
		.process_id = current->pid && (current->flags & PF_KTHREAD) ? 4 : current->tgid,
	};
	for (i = 0; i < event.data.length; i++)
		event.pattern[i] = sequence + i;
	if (event.data.form == SAMPLE_MODERN)
		err = write_modern(&provider, &event.data, event.pattern);
	else if (event.data.form < SAMPLE_MESSAGE)
		err = write_event(&event, READ_ONCE(provider.logger_id));
	else
		err = write_message(&event, READ_ONCE(provider.logger_id));
	worker->written[context] += !err;
}

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>

static int nmi_handler(unsigned int cmd, struct pt_regs *regs)
{
	write_record(SAMPLE_NMI);
	return NMI_HANDLED;
}

static int nmi_begin(void)
{
	return register_nmi_handler(NMI_LOCAL, nmi_handler, 0, "etw_sample");
}

static void nmi_end(void)
{
	unregister_nmi_handler(NMI_LOCAL, "etw_sample");
}

static void send_nmi(unsigned int cpu)
{
	if (cpu < nr_cpu_ids && cpu_online(cpu))
		apic->send_IPI(cpu, NMI_VECTOR);
}
#else
static int nmi_begin(void)
{
	return 0;
}

static void nmi_end(void)
{
}

static void send_nmi(unsigned int cpu)
{
}
#endif

static enum hrtimer_restart timer_fires(struct hrtimer *timer)
{
	struct worker *worker = this_cpu_ptr(&workers);

	if (!READ_ONCE(running))
		return HRTIMER_NORESTART;
	write_record(SAMPLE_HARDIRQ);
	if (worker->sequence[SAMPLE_HARDIRQ] % 4 == 0)
		send_nmi((smp_processor_id() + 1) % nr_cpu_ids);
	tasklet_hi_schedule(&worker->tasklet);
	hrtimer_forward_now(timer, ns_to_ktime(timer_us * (u64)NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static void softirq_runs(struct tasklet_struct *tasklet)
{
	write_record(SAMPLE_SOFTIRQ);
}

static void start_timer(void *unused)
{
	hrtimer_start(&this_cpu_ptr(&workers)->timer, ns_to_ktime(50000),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/* The writer of the parameter writes so many records itself, the others come over it. */
static int set_write(const char *value, const struct kernel_param *kp)
{
	unsigned int n, cpu;
	int err = kstrtouint(value, 0, &n);

	if (err)
		return err;
	cpus_read_lock();
	WRITE_ONCE(running, true);
	on_each_cpu(start_timer, NULL, 1);
	while (n-- && !signal_pending(current)) {
		preempt_disable();
		write_record(SAMPLE_TASK);
		preempt_enable();
		if (n % 64 == 0)
			usleep_range(500, 1000);
	}
	WRITE_ONCE(running, false);
	for_each_online_cpu(cpu) {
		hrtimer_cancel(&per_cpu(workers, cpu).timer);
		tasklet_kill(&per_cpu(workers, cpu).tasklet);
	}
	cpus_read_unlock();
	/* an NMI that was sent has come when the others' interrupts are over */
	synchronize_rcu();
	msleep(50);
	return 0;
}

static int show_counts(char *text, const struct kernel_param *kp)
{
	unsigned int cpu, i, at = 0;

	for_each_online_cpu(cpu)
		for (i = 0; i < SAMPLE_CONTEXTS; i++)
			at += scnprintf(text + at, PAGE_SIZE - at, "%u %u %llu %llu\n", cpu, i,
					per_cpu(workers, cpu).sequence[i],
					per_cpu(workers, cpu).written[i]);
	return at;
}

static const struct kernel_param_ops write_ops = { .set = set_write, .get = show_counts };
module_param_cb(write, &write_ops, NULL, 0600);
MODULE_PARM_DESC(write, "write so many records; read: CPU, context, tried, written");

/* A handle; the lines that come of it are read. */
static int set_check(const char *value, const struct kernel_param *kp)
{
	u64 handle;
	int err = kstrtou64(value, 0, &handle);

	if (!err) {
		sample_check(handle);
		check_modern(&provider);
	}
	return err;
}

static const struct kernel_param_ops check_ops = { .set = set_check, .get = sample_check_show };
module_param_cb(check, &check_ops, NULL, 0600);
MODULE_PARM_DESC(check, "a session's handle: what the functions return, case by case");

static int __init sample_init(void)
{
	unsigned int cpu;
	int err;

	for_each_possible_cpu(cpu) {
		etw_hrtimer_setup(&per_cpu(workers, cpu).timer, timer_fires, CLOCK_MONOTONIC,
				  HRTIMER_MODE_REL_PINNED_HARD);
		tasklet_setup(&per_cpu(workers, cpu).tasklet, softirq_runs);
	}
	err = nmi_begin();
	if (err)
		return err;
	err = etw_provider_add(&provider);
	if (err)
		nmi_end();
	return err;
}

static void __exit sample_exit(void)
{
	etw_provider_remove(&provider);
	nmi_end();
}

module_init(sample_init);
module_exit(sample_exit);
MODULE_DESCRIPTION("A sample of what etw.ko exports");
MODULE_LICENSE("GPL");
