// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Buffers of running threads are sealed; the letters are those in private.h. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "private.h"

#define LOOK_AGAIN_US	50

static long membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

void private_barrier_init(struct private_memory *memory)
{
	if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED))
		memory->fenced = PRIVATE_FENCED;
}

/*
 * Every thread that runs passes a full barrier between the beginning and the end
 * of this; one that doesn't run passed one when it was switched out.
 */
void private_barrier(struct private_memory *memory)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!memory->fenced)
		membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

/* C: sleeps, so that the flush thread may run, whatever our priority is. */
void private_request_wait(const u32 *request)
{
	static const struct timespec short_time = { .tv_nsec = 200000 };
	int i;

	for (i = 0; i < 256; i++) {
		if (smp_load_acquire(request) != PRIVATE_TAKEN)
			return;
		barrier();
	}
	syscall(SYS_futex, request, FUTEX_WAIT_PRIVATE, PRIVATE_TAKEN, &short_time);
}

static bool change_request(struct private_stream *stream, u32 from, u32 to)
{
	return __atomic_compare_exchange_n(&stream->request, &from, to, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_ACQUIRE);
}

static struct etw_ring *ring_of(struct private_stream *stream)
{
	/* pairs with the release that installed it */
	return smp_load_acquire(&stream->ring);
}

static u32 ask(struct private_memory *memory)
{
	u32 i, asked = 0, n = smp_load_acquire(&memory->nr_streams);
	struct etw_ring *ring;

	for (i = 0; i < n; i++) {
		ring = ring_of(&memory->stream[i]);
		if (!ring || smp_load_acquire(&memory->stream[i].owner) == PRIVATE_CONDEMNED ||
		    !etw_ring_dirty(ring))
			continue;
		change_request(&memory->stream[i], PRIVATE_NONE, PRIVATE_ASKED);
		asked++;
	}
	return asked;
}

/* Return: whether nothing is left to do. A and B. */
static bool seal(struct private_stream *stream)
{
	u32 request = smp_load_acquire(&stream->request);

	if (request == PRIVATE_NONE)
		return true;
	/* the acquire pairs with the release in private_leave(): we see the state of the writer */
	if (request == PRIVATE_HONOURED || smp_load_acquire(&stream->busy))
		return false;
	if (!change_request(stream, PRIVATE_ASKED, PRIVATE_TAKEN))
		return false;
	private_seal_ring(stream, stream->ring);
	smp_store_release(&stream->request, PRIVATE_NONE);
	return true;
}

/* A context that a request came over may have a record to finish. */
static bool settled(struct private_stream *stream)
{
	struct etw_ring *ring = ring_of(stream);

	return !ring || etw_ring_settled(ring, READ_ONCE(stream->sealed));
}

static u32 unfinished(struct private_memory *memory)
{
	u32 i, left = 0, n = smp_load_acquire(&memory->nr_streams);

	for (i = 0; i < n; i++) {
		if (smp_load_acquire(&memory->stream[i].owner) == PRIVATE_CONDEMNED)
			continue;
		left += !seal(&memory->stream[i]) || !settled(&memory->stream[i]);
	}
	return left;
}

/*
 * Every event that was written before the call is in a complete buffer, but for
 * those of threads that were inside an event all the time; theirs follow. Under
 * memory->lock. Return: whether there were none such.
 */
bool private_seal_all(struct private_memory *memory, u32 patience_us)
{
	u32 waited = 0;

	if (!ask(memory))
		return true;
	private_barrier(memory);
	while (unfinished(memory)) {
		if (waited >= patience_us)
			return false;
		usleep(LOOK_AGAIN_US);
		waited += LOOK_AGAIN_US;
	}
	return true;
}

static u32 inside(struct private_memory *memory)
{
	u32 i, n = smp_load_acquire(&memory->nr_streams), busy = 0;

	for (i = 0; i < n; i++) {
		struct private_stream *stream = &memory->stream[i];

		/* we may be in a handler over an event: it won't end before us */
		if (stream == private_self || smp_load_acquire(&stream->owner) == PRIVATE_CONDEMNED)
			continue;
		busy += !!smp_load_acquire(&stream->busy);
	}
	return busy + __atomic_load_n(&memory->visitors, __ATOMIC_SEQ_CST);
}

/*
 * D: no handle is valid any more; waits for the writers inside an event. Under
 * memory->lock. Return: whether all have left.
 */
bool private_drain_writers(struct private_memory *memory, u32 patience_us)
{
	u32 waited = 0;

	private_barrier(memory);
	while (inside(memory)) {
		if (waited >= patience_us)
			return false;
		usleep(LOOK_AGAIN_US);
		waited += LOOK_AGAIN_US;
	}
	return true;
}
