// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* CPU hotplug: allocates a CPU's buffers before it runs, seals them when it is dead. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/cpuhotplug.h>
#include <linux/oom.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/topology.h>
#include <linux/wait.h>
#include "budget.h"
#include "cpus.h"
#include "pool.h"
#include "session.h"

static enum cpuhp_state hotplug_state;

/*
 * Runs on another CPU before @cpu runs. When a session starts, it is called for every
 * online CPU, and no writer can find the session yet. Buffers stay until the session
 * ends: a CPU that comes back continues in them.
 *
 * START fails if memory is short or the caller is killed. A CPU comes online even without
 * buffers: its events are lost and counted until it goes offline and comes back. If the
 * task that brings it up is killed meanwhile, the CPU still gets its buffers.
 */
static int cpu_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct etw_session *session = hlist_entry(node, struct etw_session, cpuhp_node);
	struct etw_ring *ring = per_cpu_ptr(session->sink.rings, cpu);
	bool starts = cpu_online(cpu);
	int err;

	if (ring->nr_slots)
		return 0;
	err = -ENOMEM;
	if (etw_budget_is_left((u64)session->first_buffers * session->sink.buffer_size))
		err = etw_ring_init(ring, session->nr_slots, session->first_buffers,
				    session->sink.buffer_size, cpu_to_node(cpu), starts);
	if (!err) {
		etw_pool_add_share(session);
		return 0;
	}
	if (starts)
		return err;
	pr_warn_ratelimited("session %u: no buffers for CPU %u (%d): its events are lost\n",
			    session->sink.id, cpu, err);
	return 0;
}

/*
 * @cpu is dead, its last context switch is recorded: no writer is left. Also
 * called for every CPU when a session stops and has no writer any more.
 *
 * A CPU that is going queues no wakeups (etw_slot_publish()), so they are made up for here.
 */
static int cpu_dead(unsigned int cpu, struct hlist_node *node)
{
	struct etw_session *session = hlist_entry(node, struct etw_session, cpuhp_node);
	struct etw_ring *ring = per_cpu_ptr(session->sink.rings, cpu);
	u64 ordinal;

	etw_ring_seal(ring, &ordinal);
	if (cpu_online(cpu))
		return 0;
	wake_up_interruptible(&session->wait);
	if (etw_pool_is_low(ring))
		etw_pool_kick(session);
	return 0;
}

/**
 * etw_cpus_add() - allocate the buffers of every online CPU
 * @session: being started
 *
 * Our allocations fail instead of invoking the OOM killer. If another allocation
 * invokes it meanwhile, it must choose the process that took the memory: the caller.
 *
 * Context: process; takes cpus_read_lock. Return: 0; -ENOMEM; -EINTR if the caller
 * was killed.
 */
int etw_cpus_add(struct etw_session *session)
{
	bool user = current->mm;
	int err;

	if (user)
		set_current_oom_origin();
	err = cpuhp_state_add_instance(hotplug_state, &session->cpuhp_node);
	if (user)
		clear_current_oom_origin();
	return err;
}

/**
 * etw_cpus_remove() - seal the buffers of every CPU
 * @session: has no writer any more
 *
 * Context: process; takes cpus_read_lock, under which it seals.
 */
void etw_cpus_remove(struct etw_session *session)
{
	cpuhp_state_remove_instance(hotplug_state, &session->cpuhp_node);
}

/**
 * etw_cpus_init() - allocate a dynamic hotplug state
 */
int etw_cpus_init(void)
{
	int state = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN, "etw:prepare",
					    cpu_prepare, cpu_dead);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

/**
 * etw_cpus_exit() - undo etw_cpus_init()
 */
void etw_cpus_exit(void)
{
	cpuhp_remove_multi_state(hotplug_state);
}
