// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Flush on request and by timer. */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include "compat.h"
#include "flush.h"
#include "pool.h"
#include "report.h"
#include "rundown.h"
#include "session.h"

struct seal_request {
	struct etw_ring *ring;
	u64 ordinal;
	bool sealed;
};

struct last_request {
	struct seal_request seal;
	u64 tick;
	int err;
};

/* Runs on the ring's CPU in an interrupt, which may interrupt a writer. */
static void seal_here(void *data)
{
	struct seal_request *request = data;

	request->sealed = etw_ring_seal(request->ring, &request->ordinal);
}

/**
 * etw_flush_wait() - wait until the writers of sealed buffers have committed
 * @ring: a ring
 * @ordinal: the last of these buffers
 *
 * The sealing interrupt may have interrupted a writer that has yet to commit. The writer
 * has preemption off, so it commits soon, and the last commit publishes the buffer.
 *
 * Context: process; sleeps. Return: 0, or -EINTR if the caller was killed.
 */
int etw_flush_wait(struct etw_ring *ring, u64 ordinal)
{
	while (!etw_ring_settled(ring, ordinal)) {
		if (fatal_signal_pending(current))
			return -EINTR;
		usleep_range(50, 200);
	}
	return 0;
}

static int wait_settled(const struct seal_request *request)
{
	return request->sealed ? etw_flush_wait(request->ring, request->ordinal) : 0;
}

static int flush_cpu(struct etw_session *session, int cpu)
{
	struct seal_request request = { .ring = per_cpu_ptr(session->sink.rings, cpu) };

	cpus_read_lock();
	if (cpu_online(cpu) && etw_ring_dirty(request.ring))
		smp_call_function_single(cpu, seal_here, &request, 1);
	cpus_read_unlock();
	return wait_settled(&request);
}

/**
 * etw_session_flush() - make everything written so far available to the reader
 * @session: running
 *
 * On return every event that was committed before the call is in a complete
 * buffer. CPUs with an empty buffer are not interrupted; the buffer of an offline
 * CPU was sealed when it went offline.
 *
 * Context: process; sleeps; takes cpus_read_lock.
 * Return: 0, or -EINTR if the caller was killed.
 */
int etw_session_flush(struct etw_session *session)
{
	int cpu, result, err = 0;

	for_each_possible_cpu(cpu) {
		result = flush_cpu(session, cpu);
		err = err ?: result;
	}
	return err;
}

/* Runs on the last CPU, as seal_here() does. */
static void write_flushed_and_seal(void *data)
{
	struct last_request *request = data;

	request->err = etw_flushed_write(request->seal.ring, request->tick);
	seal_here(&request->seal);
}

/*
 * The flush record is in the last buffer of the CPU that is flushed last: when a reader
 * has it and finds no more data, it has all earlier events. If that CPU goes offline
 * meanwhile, its buffer is sealed but has no flush record; the next period writes one.
 */
static void flush_and_write(struct etw_session *session)
{
	int cpu, last = raw_smp_processor_id();
	struct last_request request = {
		.seal.ring = per_cpu_ptr(session->sink.rings, last),
		.tick = etw_session_tick(session),
		.err = -ENXIO,
	};

	for_each_possible_cpu(cpu)
		if (cpu != last)
			flush_cpu(session, cpu);
	cpus_read_lock();
	smp_call_function_single(last, write_flushed_and_seal, &request, 1);
	cpus_read_unlock();
	wait_settled(&request.seal);
	if (!request.err)
		etw_internal_count(session);
}

/* Write a changed interval that found no free space, if there is some now; STOP waits for it. */
static void request_intervals(struct etw_session *session)
{
	bool space;

	if (!READ_ONCE(session->interval_pending))
		return;
	preempt_disable();
	space = etw_ring_has_space(this_cpu_ptr(session->sink.rings));
	preempt_enable();
	if (space)
		etw_rundown_request(session, ETW_RUNDOWN_PROFILE);
}

/**
 * etw_flush_work() - the periodic flush; START queues it
 * @work: @flush_work of the session
 */
void etw_flush_work(struct work_struct *work)
{
	struct etw_session *session = container_of(to_delayed_work(work), struct etw_session,
						   flush_work);
	u32 flush_ms;

	etw_anchor_write(session, ETW_ANCHOR_PERIOD);
	etw_losses_write(session);
	request_intervals(session);
	/* sealing buffers before they are full would shorten the history */
	if (!session->overwrite)
		flush_and_write(session);
	etw_pool_age(session);
	flush_ms = READ_ONCE(session->settings.flush_ms);	/* UPDATE may disable the timer */
	if (flush_ms && !READ_ONCE(session->stopping))
		queue_delayed_work(etw_unbound_wq, &session->flush_work,
				   msecs_to_jiffies(flush_ms));
}
