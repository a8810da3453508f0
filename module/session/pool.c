// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Adds, moves and frees buffers between MinimumBuffers and MaximumBuffers. */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/topology.h>
#include <linux/workqueue.h>
#include "ring/slot.h"
#include "budget.h"
#include "pool.h"
#include "session.h"

/*
 * A session that doesn't overwrite starts with its minimum of buffers. A CPU that
 * runs short gets more, up to the maximum of all CPUs together. After that it gets
 * buffers that other CPUs don't use. Releasing (by the reader), adding and removing
 * buffers happens under session->pool_lock, without affecting writers.
 */

/* Adds buffers, and wakes readers on PREEMPT_RT; urgent, because events fill the buffers. */
struct workqueue_struct *etw_urgent_wq;

/* Free buffers that a CPU keeps if another CPU is short of buffers: a quarter. */
static u32 own_share(const struct etw_ring *ring)
{
	return max(2U, READ_ONCE(ring->buffers) / 4);
}

/*
 * With fewer free buffers a CPU is short of them. The worker that adds buffers competes with
 * the threads that write events, so it is queued while half of the buffers are still free.
 */
static u32 low_mark(const struct etw_ring *ring)
{
	return max(2U, READ_ONCE(ring->buffers) / 2);
}

/* A CPU that is short of buffers gets new ones until two thirds are free. */
static u32 filled_mark(const struct etw_ring *ring)
{
	return max(4U, READ_ONCE(ring->buffers) * 2 / 3);
}

/* With more free buffers (three quarters) a CPU has more than it needs. */
static u32 high_mark(const struct etw_ring *ring)
{
	return max(4U, READ_ONCE(ring->buffers) * 3 / 4);
}

/* Only a hint, because writers move head */
static u32 free_of(const struct etw_ring *ring)
{
	s64 n = READ_ONCE(ring->fill) - READ_ONCE(ring->head) - 1;

	return clamp_t(s64, n, 0, U32_MAX);
}

/**
 * etw_pool_is_low() - whether a CPU runs short of buffers
 * @ring: its ring
 *
 * Context: any.
 */
bool etw_pool_is_low(const struct etw_ring *ring)
{
	return !ring->overwrite && slots_of(ring) &&
	       free_of(ring) < low_mark(ring);
}

static void count_buffers(struct etw_session *session, u32 buffers)
{
	lockdep_assert_held(&session->pool_lock);
	session->buffers = buffers;
	WRITE_ONCE(session->most_buffers, max(session->most_buffers, buffers));
}

/* The caller has looked whether there is memory. */
static void *allocate_buffer(struct etw_session *session, int node)
{
	void *buffer;

	lockdep_assert_held(&session->pool_lock);
	buffer = etw_buffer_alloc(session->sink.buffer_size, node);
	if (buffer)
		count_buffers(session, session->buffers + 1);
	return buffer;
}

/* Beyond the maximum, if need be */
static void *new_buffer(struct etw_session *session, int node)
{
	if (!etw_budget_is_left(session->sink.buffer_size))
		return NULL;
	return allocate_buffer(session, node);
}

/*
 * The ring with most free buffers, and with more than @most. Every ring keeps two buffers. If
 * @poor, which is short of them, is not NULL, the ring must not be short of buffers itself.
 */
static struct etw_ring *find_rich(struct etw_session *session, const struct etw_ring *poor,
				  u32 most)
{
	struct etw_ring *ring, *rich = NULL;
	u32 spare;
	int cpu;

	for_each_possible_cpu(cpu) {
		ring = per_cpu_ptr(session->sink.rings, cpu);
		if (ring == poor || !slots_of(ring))
			continue;
		spare = free_of(ring);
		if (spare <= most || (poor && spare <= own_share(ring)) || ring->buffers <= 2)
			continue;
		most = spare;
		rich = ring;
	}
	return rich;
}

/* Takes a buffer from the CPU with most free buffers, if it has more than @poor. */
static void *steal_buffer(struct etw_session *session, const struct etw_ring *poor)
{
	struct etw_ring *rich = find_rich(session, poor, free_of(poor) + 1);

	return rich ? etw_ring_take_away(rich) : NULL;
}

/* A new buffer if the maximum allows one; else one of another CPU, up to a lower mark. */
static void *find_buffer(struct etw_session *session, struct etw_ring *ring)
{
	void *buffer = NULL;

	if (session->buffers < session->maximum_buffers && free_of(ring) < filled_mark(ring))
		buffer = new_buffer(session, cpu_to_node(ring->cpu));
	if (!buffer && free_of(ring) < 2 * own_share(ring))
		buffer = steal_buffer(session, ring);
	return buffer;
}

static void satisfy(struct etw_session *session, struct etw_ring *ring)
{
	void *buffer;

	while (ring->buffers < ring->nr_slots) {
		buffer = find_buffer(session, ring);
		if (!buffer)
			return;
		if (!etw_ring_give(ring, buffer)) {
			kvfree(buffer);
			session->buffers--;
			return;
		}
	}
}

/* Return: whether a buffer was free. */
static bool drop_buffer(struct etw_session *session, struct etw_ring *ring)
{
	void *buffer;

	lockdep_assert_held(&session->pool_lock);
	buffer = etw_ring_take_away(ring);
	if (!buffer)
		return false;
	kvfree(buffer);
	session->buffers--;
	session->surplus -= !!session->surplus;
	return true;
}

/* Free buffers above a lowered maximum, as far as they are empty. */
static void drop_surplus(struct etw_session *session)
{
	struct etw_ring *rich;

	lockdep_assert_held(&session->pool_lock);
	while (session->surplus) {
		rich = find_rich(session, NULL, 0);
		/* a writer may have used the buffer: retry when the next one is released */
		if (!rich || !drop_buffer(session, rich))
			return;
		cond_resched();
	}
}

/**
 * etw_pool_work() - give buffers to the CPUs that are short of them, free those above the maximum
 * @work: @pool_work of the session
 *
 * Queued by the wakeup of a CPU that is short of buffers, and by a new maximum.
 */
void etw_pool_work(struct work_struct *work)
{
	struct etw_session *session = container_of(work, struct etw_session, pool_work);
	int cpu;

	mutex_lock(&session->pool_lock);
	drop_surplus(session);
	for_each_possible_cpu(cpu) {
		struct etw_ring *ring = per_cpu_ptr(session->sink.rings, cpu);

		if (etw_pool_is_low(ring))
			satisfy(session, ring);
	}
	mutex_unlock(&session->pool_lock);
}

/**
 * etw_pool_kick() - a CPU may be short of buffers: queue the worker
 * @session: a session
 *
 * Context: any but NMI.
 */
void etw_pool_kick(struct etw_session *session)
{
	if (!session->overwrite && !READ_ONCE(session->pool_closed))
		queue_work(etw_urgent_wq, &session->pool_work);
}

/**
 * etw_pool_age() - free buffers that were not needed
 * @session: called with every periodic flush; without a flush timer a session keeps
 *	all its buffers, and so does a session that overwrites
 *
 * Frees an eighth of a CPU's free buffers per period if more than three quarters of its
 * buffers are free. The session keeps its minimum of buffers.
 *
 * Context: process.
 */
void etw_pool_age(struct etw_session *session)
{
	int cpu;

	if (session->overwrite)
		return;
	mutex_lock(&session->pool_lock);
	for_each_possible_cpu(cpu) {
		struct etw_ring *ring = per_cpu_ptr(session->sink.rings, cpu);
		u32 i, excess = slots_of(ring) ? free_of(ring) : 0;

		excess = excess > high_mark(ring) ? (excess + 7) / 8 : 0;
		for (i = 0; i < excess && session->buffers > session->settings.minimum_buffers; i++)
			drop_buffer(session, ring);
	}
	mutex_unlock(&session->pool_lock);
}

static bool give_new(struct etw_session *session, struct etw_ring *ring)
{
	void *buffer = allocate_buffer(session, cpu_to_node(ring->cpu));

	if (!buffer)
		return false;
	if (etw_ring_give(ring, buffer))
		return true;
	session->buffers--;
	kvfree(buffer);
	return false;
}

/**
 * etw_pool_add() - add a buffer to the ring of a rundown now
 * @session: the ring's
 * @ring: limited by its slots and by the memory of all sessions
 *
 * Context: process; sleeps. Return: whether a buffer was added.
 */
bool etw_pool_add(struct etw_session *session, struct etw_ring *ring)
{
	u32 bytes = session->sink.buffer_size;
	bool added;

	if (!ring->nr_slots || !etw_budget_add(session, bytes))
		return false;
	mutex_lock(&session->pool_lock);
	added = give_new(session, ring);
	mutex_unlock(&session->pool_lock);
	if (!added)
		etw_budget_take_back(session, bytes);
	return added;
}

/**
 * etw_pool_release() - the reader releases a buffer
 * @session: the ring's
 * @ring: the buffer's
 * @held: the buffer; counted
 *
 * Context: process, under read_lock.
 */
void etw_pool_release(struct etw_session *session, struct etw_ring *ring,
		      const struct etw_reader_buffer *held)
{
	lockdep_assert_held(&session->read_lock);
	mutex_lock(&session->pool_lock);
	etw_ring_leave(ring, held);
	drop_surplus(session);
	mutex_unlock(&session->pool_lock);
}

/* Free buffers above the maximum now if they are empty, else after they were read. */
static void give_back(struct etw_session *session)
{
	u32 maximum = session->maximum_buffers;

	lockdep_assert_held(&session->pool_lock);
	session->surplus = session->buffers > maximum ? session->buffers - maximum : 0;
	drop_surplus(session);
}

/**
 * etw_pool_add_share() - a CPU has got its first buffers
 * @session: its other CPUs may already have reached the maximum
 *
 * Context: process.
 */
void etw_pool_add_share(struct etw_session *session)
{
	mutex_lock(&session->pool_lock);
	count_buffers(session, session->buffers + session->first_buffers);
	if (!session->overwrite)
		give_back(session);
	mutex_unlock(&session->pool_lock);
}

/**
 * etw_pool_set_maximum() - change MaximumBuffers
 * @session: doesn't overwrite
 * @maximum: at least the minimum
 *
 * Context: process.
 */
void etw_pool_set_maximum(struct etw_session *session, u32 maximum)
{
	mutex_lock(&session->pool_lock);
	session->maximum_buffers = maximum;
	give_back(session);
	mutex_unlock(&session->pool_lock);
	etw_pool_kick(session);
}

/**
 * etw_pool_workers_init() - create the workqueue
 *
 * It has a rescuer thread, because kthreadd, which starts workers, has normal priority.
 *
 * Context: process. Return: 0 or -ENOMEM.
 */
int etw_pool_workers_init(void)
{
	etw_urgent_wq = alloc_workqueue("etw_urgent", WQ_UNBOUND | WQ_HIGHPRI | WQ_MEM_RECLAIM,
					0);
	return etw_urgent_wq ? 0 : -ENOMEM;
}

/**
 * etw_pool_workers_exit() - destroy the workqueue; no session is left
 *
 * Context: process.
 */
void etw_pool_workers_exit(void)
{
	destroy_workqueue(etw_urgent_wq);
}
