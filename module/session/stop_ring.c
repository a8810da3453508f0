// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The separate ring for an overwriting session's stop rundown. */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include "context/event_context.h"
#include "context/stack_keys.h"
#include "budget.h"
#include "rundown.h"
#include "session.h"
#include "stop_ring.h"
#include "wake.h"

/*
 * Limits of a rundown with its stack keys; FEW_BUFFERS are enough for descriptions of counters
 * and samplers
 */
#define RUNDOWN_BYTES		(64 << 20)
#define RUNDOWN_BUFFERS		8192U
#define FEW_BUFFERS		4

/*
 * A session that overwrites must keep its newest events, so its stop rundown goes
 * into a separate ring. In the stream, the buffers of that ring belong to the first CPU.
 * The ring is filled when the session has no other writer. So its records are later than
 * all records of that CPU, and readers get it after all other rings.
 */

/**
 * etw_stop_ring_create() - create a ring without buffers
 * @session: overwrites; being started
 *
 * Context: process; sleeps. Return: 0 or -ENOMEM.
 */
int etw_stop_ring_create(struct etw_session *session)
{
	struct etw_ring *ring = kzalloc(sizeof(*ring), GFP_KERNEL);

	if (!ring)
		return -ENOMEM;
	ring->cpu = cpumask_first(cpu_possible_mask);
	ring->ticks = session->sink.clocks.ticks;
	ring->clock.base = etw_clock_system_base(&session->start);
	ring->wake = &per_cpu_ptr(session->wakes, ring->cpu)->work;
	etw_ring_idle(ring);
	session->stop_ring = ring;
	return 0;
}

/**
 * etw_stop_ring_free() - free the ring, if there is one
 * @session: has no writer and no reader
 */
void etw_stop_ring_free(struct etw_session *session)
{
	if (!session->stop_ring)
		return;
	etw_ring_destroy(session->stop_ring);
	kfree(session->stop_ring);
	session->stop_ring = NULL;
}

/* A rundown of stack keys fills at least half of each buffer. */
static u32 buffers_of_keys(struct etw_session *session)
{
	struct etw_event_context *context = session->sink.context;
	u64 bytes = context ? etw_stack_keys_bytes(&context->stacks) : 0;

	return DIV_ROUND_UP_ULL(bytes, session->sink.buffer_size / 2);
}

/**
 * etw_rundown_buffers() - slots for a rundown into a separate ring
 * @session: the session
 *
 * Context: process; sleeps.
 */
u32 etw_rundown_buffers(struct etw_session *session)
{
	u32 most, buffers = clamp_t(u32, RUNDOWN_BYTES / session->sink.buffer_size, FEW_BUFFERS,
			      RUNDOWN_BUFFERS);

	if (!session->settings.kernel || !session->rundown)
		buffers = FEW_BUFFERS;
	most = max_t(u32, RUNDOWN_BYTES / session->sink.buffer_size, FEW_BUFFERS);
	return min(buffers + buffers_of_keys(session), most);
}

/* Clocks are clamped per CPU: the ring must not start before any of them. */
static u64 last_stamp(struct etw_session *session)
{
	u64 last = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		last = max(last, per_cpu_ptr(session->sink.rings, cpu)->clock.last);
	return last;
}

/**
 * etw_stop_ring_fill() - write the stop rundown and the stacks of stack keys
 * @session: overwrites; has no other writer, its sources are muted
 *
 * If memory is short, records are lost and counted.
 *
 * Context: process, under session->lock; sleeps.
 */
void etw_stop_ring_fill(struct etw_session *session)
{
	u32 buffers = etw_rundown_buffers(session);
	struct etw_ring *ring = session->stop_ring;
	u64 ordinal;

	lockdep_assert_held(&session->lock);
	ring->clock.last = last_stamp(session);
	/* an error leaves the ring idle: its records are lost and counted */
	if (etw_budget_add(session, (u64)buffers * sizeof(struct etw_slot)))
		(void)etw_ring_init(ring, buffers, 0, session->sink.buffer_size,
				    cpu_to_node(ring->cpu), false);
	etw_rundown_into(session, ring, session->sink.context);
	etw_ring_seal(ring, &ordinal);
}
