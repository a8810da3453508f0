// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Writes from every context of every CPU at once, into all sessions that listen. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kcsan-checks.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/smpboot.h>
#include "compat.h"
#include "filter/filter.h"
#include "record/perfinfo.h"
#include "session/session.h"
#include "source/source.h"
#include "etw_torture.h"

static bool run;
static unsigned int burst = 64;
module_param(burst, uint, 0644);
MODULE_PARM_DESC(burst, "records that the thread of a CPU writes between pauses");
static unsigned int pause_us;
module_param(pause_us, uint, 0644);
MODULE_PARM_DESC(pause_us, "microseconds of such a pause, 0: just let others run");
static unsigned int timer_us = 200;
module_param(timer_us, uint, 0644);
MODULE_PARM_DESC(timer_us, "longest time between timer interrupts, microseconds");
static unsigned int sizes = 256;
module_param(sizes, uint, 0644);
MODULE_PARM_DESC(sizes, "longest pattern, bytes, up to 8192; each 64th record may have it");
static bool nmi = true;
module_param(nmi, bool, 0644);
MODULE_PARM_DESC(nmi, "send NMIs, where that is possible");
static unsigned long most;
module_param(most, ulong, 0644);
MODULE_PARM_DESC(most, "bytes of records after which a CPU writes no more, 0: no end");
static unsigned int seed = 1;
module_param(seed, uint, 0444);

static u8 table[TORTURE_TABLE];

/**
 * struct counts - what one context of one CPU did to one session
 * @start: the session's StartTime, so that a later one is not mixed up with it
 * @attempted: records tried
 * @written: of them, those that found a place
 */
struct counts {
	u64 start;
	u64 attempted;
	u64 written;
};

/**
 * struct worker - a CPU
 * @counts: each context touches its own only
 * @sequence: of the next record
 * @nested: records written over another writer
 * @bytes: of the records so far
 * @random: state of each context's own generator
 * @depth: writers in progress
 * @timer: hardirq
 * @tasklet: softirq
 */
struct worker {
	struct counts counts[TORTURE_CONTEXTS][ETW_MAX_LOGGERS];
	u64 sequence[TORTURE_CONTEXTS];
	u64 nested[TORTURE_CONTEXTS];
	u64 bytes[TORTURE_CONTEXTS];
	u32 random[TORTURE_CONTEXTS];
	u8 depth;
	struct hrtimer timer;
	struct tasklet_struct tasklet;
};

static struct worker __percpu *workers;
static DEFINE_PER_CPU(struct task_struct *, torture_thread);
static struct dentry *debugfs;

static struct etw_source source = {
	.name = "torture",
	.groups = ETW_GROUPS(EVENT_TRACE_FLAG_TEST),
	.hooks = ETW_HOOKS(TORTURE_HOOK + TORTURE_TASK, TORTURE_HOOK + TORTURE_SOFTIRQ,
			   TORTURE_HOOK + TORTURE_HARDIRQ, TORTURE_HOOK + TORTURE_NMI),
	.owner = THIS_MODULE,
};

static ktime_t us(u32 n)
{
	return ns_to_ktime(n * (u64)NSEC_PER_USEC);
}

static u32 chance(struct worker *worker, enum torture_context context)
{
	u32 x = worker->random[context];

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	worker->random[context] = x;
	return x;
}

static u32 any_length(struct worker *worker, enum torture_context context)
{
	u32 r = chance(worker, context), most = min(READ_ONCE(sizes), TORTURE_MAX_LENGTH);

	if (r % 64 && most > 96)
		most = 96;
	return (r >> 8) % (most + 1);
}

static void count(struct worker *worker, enum torture_context context,
		  const struct etw_listener *listener, bool written)
{
	struct counts *counts = &worker->counts[context][listener->sink->id - 1];
	/* sources don't see a session, but counting for user space has to name it */
	u64 start = container_of(listener->sink, struct etw_session, sink)->start.filetime;

	/* marked: stats are shown while others are written */
	if (counts->start != start) {
		WRITE_ONCE(counts->start, start);
		WRITE_ONCE(counts->attempted, 0);
		WRITE_ONCE(counts->written, 0);
	}
	WRITE_ONCE(counts->attempted, counts->attempted + 1);
	WRITE_ONCE(counts->written, counts->written + written);
}

/* An interrupt may add a record: a few more than @most is all that does. */
static u64 bytes_of(const struct worker *worker)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < TORTURE_CONTEXTS; i++)
		sum += READ_ONCE(worker->bytes[i]);
	return sum;
}

static bool is_enough(const struct worker *worker)
{
	unsigned long limit = READ_ONCE(most);

	return limit && bytes_of(worker) >= limit;
}

/* One record for each session that listens; preemption is off. */
static void write_record(enum torture_context context)
{
	const struct etw_listeners *listeners = etw_listeners_of(&source);
	struct worker *worker = this_cpu_ptr(workers);
	struct torture_head head = { .magic = TORTURE_MAGIC, .context = context };
	struct etw_payload payload = { .data = &head, .size = sizeof(head) };
	u32 i;
	int err;

	if (!listeners || !READ_ONCE(run) || is_enough(worker))
		return;
	head.cpu = smp_processor_id();
	head.depth = READ_ONCE(worker->depth);
	head.sequence = worker->sequence[context]++;
	head.length = any_length(worker, context);
	head.check = torture_check(&head);
	payload.more = table + torture_offset(&head);
	payload.more_size = head.length;
	WRITE_ONCE(worker->nested[context], worker->nested[context] + !!head.depth);
	WRITE_ONCE(worker->bytes[context],
		   worker->bytes[context] + sizeof(struct perfinfo_trace_header) + sizeof(head) +
		   head.length);

	/* an interrupt has put it back when we go on */
	WRITE_ONCE(worker->depth, head.depth + 1);
	for (i = 0; i < listeners->count; i++) {
		if (!etw_filter_takes_hook(listeners->listener[i].filter, TORTURE_HOOK + context))
			continue;
		err = etw_record_perfinfo(this_cpu_ptr(listeners->listener[i].rings),
					  TORTURE_HOOK + context, TORTURE_VERSION, &payload,
					  ETW_RESERVE_COUNT);
		count(worker, context, &listeners->listener[i], !err);
	}
	WRITE_ONCE(worker->depth, head.depth);
}

#include "etw_torture_nmi.h"

/* As in module/ring/clock.c: KCSAN would report what the kernel means to do. */
static u64 fast_ns(void)
{
	u64 now;

	kcsan_disable_current();
	now = ktime_get_mono_fast_ns();
	kcsan_enable_current();
	return now;
}

static enum hrtimer_restart timer_fires(struct hrtimer *timer)
{
	struct worker *worker = this_cpu_ptr(workers);
	u32 r = chance(worker, TORTURE_HARDIRQ), n = r % 4;
	u64 begun = fast_ns();
	ktime_t pause;

	if (!READ_ONCE(run))
		return HRTIMER_NORESTART;
	while (n--)
		write_record(TORTURE_HARDIRQ);
	if (r & 0x30)
		tasklet_hi_schedule(&worker->tasklet);
	if (!(r & 0xC0))
		send_nmi((r >> 8) % nr_cpu_ids);
	pause = us(20 + (r >> 16) % (READ_ONCE(timer_us) + 1));
	/* an emulated CPU that gets little of a real one must do more than this */
	pause = max_t(ktime_t, pause, 4 * (fast_ns() - begun));
	hrtimer_forward_now(timer, pause);
	return HRTIMER_RESTART;
}

static void softirq_runs(struct tasklet_struct *tasklet)
{
	u32 n = 1 + chance(this_cpu_ptr(workers), TORTURE_SOFTIRQ) % 4;

	while (n--)
		write_record(TORTURE_SOFTIRQ);
}

/*
 * The tasklet is left alone: on PREEMPT_RT it may wait for the CPU's ksoftirqd,
 * which is parked by now. When the CPU is dead another one runs it.
 */
static void park_thread(unsigned int cpu)
{
	nmi_cpu_end(cpu);
	hrtimer_cancel(&per_cpu_ptr(workers, cpu)->timer);
}

static void thread_cleanup(unsigned int cpu, bool online)
{
	park_thread(cpu);
	tasklet_kill(&per_cpu_ptr(workers, cpu)->tasklet);
}

static int thread_should_run(unsigned int cpu)
{
	return READ_ONCE(run);
}

/*
 * Parking the thread wakes it. usleep_range() would sleep on, and on
 * PREEMPT_RT its timer may wait for a thread that is parked already. A wakeup
 * that came before we said that we sleep is seen by the look at the flag.
 */
static void doze(u32 n)
{
	ktime_t time = us(n);

	set_current_state(TASK_INTERRUPTIBLE);
	if (kthread_should_park() || kthread_should_stop())
		__set_current_state(TASK_RUNNING);
	else
		schedule_hrtimeout(&time, HRTIMER_MODE_REL);
}

static void thread_runs(unsigned int cpu)
{
	struct worker *worker = per_cpu_ptr(workers, cpu);
	u32 i;

	if (!rcu_access_pointer(source.listeners)) {
		doze(4000);
		return;
	}
	if (!hrtimer_active(&worker->timer))
		hrtimer_start(&worker->timer, us(50), HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < READ_ONCE(burst); i++) {
		preempt_disable();
		write_record(TORTURE_TASK);
		if (chance(worker, TORTURE_TASK) % 256 == 0)
			send_nmi((cpu + 1) % nr_cpu_ids);
		preempt_enable();
	}
	if (READ_ONCE(pause_us))
		doze(READ_ONCE(pause_us));
	else if (chance(worker, TORTURE_TASK) % 16 == 0)
		doze(4000);
}

static struct smp_hotplug_thread threads = {
	.store = &torture_thread,
	.thread_should_run = thread_should_run,
	.thread_fn = thread_runs,
	.setup = nmi_cpu_begin,
	.park = park_thread,
	.unpark = nmi_cpu_begin,
	.cleanup = thread_cleanup,
	.thread_comm = "etw_torture/%u",
};

static void wake_threads(void)
{
	unsigned int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		wake_up_process(per_cpu(torture_thread, cpu));
	cpus_read_unlock();
}

/* After the return of run=0 no writer is left. */
static int set_run(const char *value, const struct kernel_param *kp)
{
	int err = param_set_bool(value, kp);

	if (err || !debugfs)
		return err;
	if (READ_ONCE(run))
		wake_threads();
	else
		synchronize_rcu();
	return 0;
}

static const struct kernel_param_ops run_ops = {
	.set = set_run,
	.get = param_get_bool,
};
module_param_cb(run, &run_ops, &run, 0644);
MODULE_PARM_DESC(run, "write while a session listens");

static void show_context(struct seq_file *file, unsigned int cpu, u32 context)
{
	static const char *const names[] = { "task", "softirq", "hardirq", "nmi" };
	struct worker *worker = per_cpu_ptr(workers, cpu);
	u32 i;

	seq_printf(file, "nested %u %s %llu\n", cpu, names[context],
		   READ_ONCE(worker->nested[context]));
	for (i = 0; i < ETW_MAX_LOGGERS; i++) {
		struct counts *counts = &worker->counts[context][i];

		if (READ_ONCE(counts->start))
			seq_printf(file, "counts %u %s %u %llu %llu %llu\n", cpu, names[context],
				   i + 1, READ_ONCE(counts->start), READ_ONCE(counts->attempted),
				   READ_ONCE(counts->written));
	}
}

static int stats_show(struct seq_file *file, void *unused)
{
	unsigned int cpu;
	u32 context;

	for_each_possible_cpu(cpu) {
		seq_printf(file, "bytes %u %llu\n", cpu, bytes_of(per_cpu_ptr(workers, cpu)));
		for (context = 0; context < TORTURE_CONTEXTS; context++)
			show_context(file, cpu, context);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

static int init_workers(void)
{
	unsigned int cpu;
	u32 i;

	workers = alloc_percpu(struct worker);
	if (!workers)
		return -ENOMEM;
	for (i = 0; i < TORTURE_TABLE; i++)
		table[i] = torture_byte(i);
	for_each_possible_cpu(cpu) {
		struct worker *worker = per_cpu_ptr(workers, cpu);

		for (i = 0; i < TORTURE_CONTEXTS; i++)
			worker->random[i] = torture_mix(seed * 1000ULL + cpu * 4 + i) | 1;
		etw_hrtimer_setup(&worker->timer, timer_fires, CLOCK_MONOTONIC,
				  HRTIMER_MODE_REL_PINNED_HARD);
		tasklet_setup(&worker->tasklet, softirq_runs);
	}
	return 0;
}

static int __init torture_init(void)
{
	int err = init_workers();

	if (err)
		return err;
	err = etw_source_register(&source);
	if (err)
		goto free;
	err = nmi_begin();
	if (err)
		goto unregister;
	err = smpboot_register_percpu_thread(&threads);
	if (err)
		goto end_nmi;
	debugfs = debugfs_create_dir("etw_torture", NULL);
	debugfs_create_file("stats", 0400, debugfs, NULL, &stats_fops);
	return 0;

end_nmi:
	nmi_end();
unregister:
	etw_source_unregister(&source);
free:
	free_percpu(workers);
	return err;
}

static void __exit torture_exit(void)
{
	WRITE_ONCE(run, false);
	debugfs_remove(debugfs);
	smpboot_unregister_percpu_thread(&threads);
	/* an NMI that was sent has come when the others' interrupts are over */
	synchronize_rcu();
	msleep(50);
	nmi_end();
	etw_source_unregister(&source);
	/* sessions that listened go on: nothing of theirs stays behind */
	WARN_ON(rcu_access_pointer(source.listeners) || rcu_access_pointer(source.rings));
	free_percpu(workers);
}

module_init(torture_init);
module_exit(torture_exit);
MODULE_DESCRIPTION("Torture test of ETW trace buffers");
MODULE_LICENSE("GPL");
