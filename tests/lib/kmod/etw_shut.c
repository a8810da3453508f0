// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Two CPUs: one takes no interrupt once it has filled a buffer, the other one fills many. */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "etw_kernel.h"

#define EVENTS		32	/* more than a buffer of 4 KB has room for */
#define BUFFERS		10
#define PATIENCE	(5 * HZ)

static const struct etw_guid guid = { .data1 = 0x5407 };
static int lost = -1;

/* One run at a time: parameters are written under a lock. */
static struct {
	u32 session;
	atomic_t full;	/* the first CPU has filled a buffer, and is shut */
	atomic_t over;	/* it may go on */
} run;

static int write_one(void)
{
	static const u8 data[128];

	return etw_trace_message(run.session, TRACE_MESSAGE_GUID, &guid, 1, data, sizeof(data),
				 NULL);
}

/* On the first CPU, in a task: on top of an idle one it would look like a CPU that has time */
static void shut(struct work_struct *work)
{
	unsigned long flags;
	u32 i;

	local_irq_save(flags);
	for (i = 0; i < EVENTS; i++)
		write_one();
	atomic_set(&run.full, 1);
	while (!atomic_read(&run.over))
		cpu_relax();
	local_irq_restore(flags);
}

static DECLARE_WORK(shut_work, shut);

/* Return: whether the event was written, sooner or later. */
static bool write_at_last(void)
{
	unsigned long limit = jiffies + PATIENCE;

	while (write_one()) {
		if (time_after(jiffies, limit))
			return false;
		usleep_range(10000, 20000);
	}
	return true;
}

static void do_nothing(struct work_struct *work)
{
}

/*
 * A worker begins when there is another one for the next item; the first of a pool would wait
 * for kthreadd to make it, which may be waiting for the CPU that is shut. Workqueues of the
 * same attributes share a pool: this one and that of the module.
 */
static bool have_two_workers(void)
{
	static DECLARE_WORK(nothing_work, do_nothing);
	struct workqueue_struct *workers = alloc_workqueue("etw_shut", WQ_UNBOUND | WQ_HIGHPRI, 0);

	if (!workers)
		return false;
	queue_work(workers, &nothing_work);
	flush_work(&nothing_work);
	destroy_workqueue(workers);
	return true;
}

/* On the second CPU. Return: events that found no place. */
static long fill(void *unused)
{
	u32 left = BUFFERS * EVENTS;

	if (!have_two_workers())
		return left;
	schedule_work_on(0, &shut_work);
	while (!atomic_read(&run.full))
		usleep_range(1000, 2000);
	while (left && write_at_last())
		left--;
	atomic_set(&run.over, 1);
	flush_work(&shut_work);
	return left;
}

static int set(const char *value, const struct kernel_param *kp)
{
	int err;

	memset(&run, 0, sizeof(run));
	err = kstrtou32(value, 0, &run.session);
	if (!err)
		lost = work_on_cpu(1, fill, NULL);
	return err;
}

static const struct kernel_param_ops ops = { .set = set, .get = param_get_int };

module_param_cb(session, &ops, &lost, 0600);
MODULE_PARM_DESC(session, "written: begins; read: events that found no place");
MODULE_DESCRIPTION("A CPU without interrupts, for tests of etw");
MODULE_LICENSE("GPL");
