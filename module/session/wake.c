// SPDX-License-Identifier: GPL-2.0
/* Who is woken when a buffer became full, and by what; declared in wake.h. */
#include <linux/cpumask.h>
#include <linux/kconfig.h>
#include "pool.h"
#include "session.h"
#include "wake.h"

/*
 * On PREEMPT_RT the locks of a wait queue sleep, and what irq_work does not do in the
 * interrupt is left to a thread of its CPU: that one is parked before its CPU has made its
 * last events, and runs behind every real-time task of it. So it is the interrupt there,
 * too, and a worker of any CPU does the rest.
 */
static void wake_in_interrupt(struct irq_work *work)
{
	struct etw_wake *wake = container_of(work, struct etw_wake, work);
	struct etw_session *session = wake->session;

	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		queue_work(etw_urgent_wq, &session->wake_work);
		return;
	}
	wake_up_interruptible(&session->wait);
	if (etw_pool_is_low(wake->ring))
		etw_pool_kick(session);
}

static void wake_in_worker(struct work_struct *work)
{
	struct etw_session *session = container_of(work, struct etw_session, wake_work);
	int cpu;

	wake_up_interruptible(&session->wait);
	for_each_possible_cpu(cpu) {
		if (!etw_pool_is_low(per_cpu_ptr(session->sink.rings, cpu)))
			continue;
		etw_pool_kick(session);
		return;
	}
}

/**
 * etw_wake_init() - a wakeup for each ring
 * @session: being made; has its rings
 *
 * Context: process; sleeps. Return: 0 or -ENOMEM.
 */
int etw_wake_init(struct etw_session *session)
{
	int cpu;

	session->wakes = alloc_percpu(struct etw_wake);
	if (!session->wakes)
		return -ENOMEM;
	INIT_WORK(&session->wake_work, wake_in_worker);
	for_each_possible_cpu(cpu) {
		struct etw_wake *wake = per_cpu_ptr(session->wakes, cpu);

		wake->work = IS_ENABLED(CONFIG_PREEMPT_RT) ?
			     IRQ_WORK_INIT_HARD(wake_in_interrupt) :
			     IRQ_WORK_INIT(wake_in_interrupt);
		wake->session = session;
		wake->ring = per_cpu_ptr(session->sink.rings, cpu);
		wake->ring->wake = &wake->work;
	}
	return 0;
}

/**
 * etw_wake_sync() - until no wakeup is under way
 * @session: no event queues another one
 *
 * Context: process; sleeps.
 */
void etw_wake_sync(struct etw_session *session)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(session->wakes, cpu)->work);
	cancel_work_sync(&session->wake_work);
}

/**
 * etw_wake_free() - without them
 * @session: nobody queues any more; it may have none
 *
 * Context: process; sleeps.
 */
void etw_wake_free(struct etw_session *session)
{
	if (!session->wakes)
		return;
	etw_wake_sync(session);
	free_percpu(session->wakes);
}
