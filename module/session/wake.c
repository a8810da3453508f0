// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Wakes the reader and the pool when a buffer is full; declared in wake.h. */
#include <linux/cpumask.h>
#include <linux/kconfig.h>
#include "pool.h"
#include "session.h"
#include "wake.h"

/**
 * etw_wake_in_interrupt() - wake the reader and the pool
 * @work: @work of the ring's struct etw_wake
 *
 * On PREEMPT_RT, wait queue locks sleep, and irq_work outside the interrupt runs in a
 * thread of its CPU. That thread is parked before its CPU writes its last events, and every
 * real-time task delays it. So there, too, the irq_work runs in the interrupt, and queues
 * a worker of any CPU for the rest.
 */
void etw_wake_in_interrupt(struct irq_work *work)
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

/**
 * etw_wake_in_worker() - on PREEMPT_RT: wake the reader, and the pool if a CPU is short of buffers
 * @work: @wake_work of the session
 */
void etw_wake_in_worker(struct work_struct *work)
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
 * etw_wake_sync() - wait until no wakeup is pending
 * @session: has no writer that could queue another one
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
 * etw_wake_free() - free the wakeups, if there are any
 * @session: has no writer that could queue one
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
