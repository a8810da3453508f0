// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Buffers of rings, up to the session's maximum: added, returned, taken away. */
#include <errno.h>
#include <linux/mm.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "private.h"

/*
 * The flush thread adds buffers to rings that are short of them, and returns each buffer that it
 * wrote to the file. A writer that finds no free buffer adds one itself, because a burst may be
 * over before the flush thread runs.
 *
 * etw_ring_give() and etw_ring_take_away() allow one caller at a time for each ring. Therefore
 * flush thread and writer take the stream's @giving around them, with all signals blocked: no
 * handler can interrupt the holder, so no context waits for one that it interrupted, and neither
 * siglongjmp() nor the end of a thread leaves it taken. Events that find a free buffer do not
 * look at @giving.
 */

/* The kernel's call: glibc's leaves out signals of its own, such as that of pthread_cancel() */
static u64 set_signals(u64 mask)
{
	u64 before = 0;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &before, sizeof(mask));
	return before;
}

static u64 giving_begin(struct private_stream *stream)
{
	u64 signals = set_signals(~0ULL);
	u32 none = PRIVATE_NONE;

	while (!__atomic_compare_exchange_n(&stream->giving, &none, PRIVATE_TAKEN, false,
					    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		private_request_wait(&stream->giving);
		none = PRIVATE_NONE;
	}
	return signals;
}

static void giving_end(struct private_stream *stream, u64 signals)
{
	smp_store_release(&stream->giving, PRIVATE_NONE);
	set_signals(signals);
}

/* A hint: head moves meanwhile */
static u32 free_of(const struct etw_ring *ring)
{
	s64 n = READ_ONCE(ring->fill) - READ_ONCE(ring->head) - 1;

	return n > 0 ? n : 0;
}

/* As module/session/pool.c: with fewer free buffers the ring is short of them */
static u32 low_mark(const struct etw_ring *ring)
{
	return max(2U, READ_ONCE(ring->buffers) / 4);
}

/*
 * The size is the ring's: in a child of fork(), the session is zeroed: the maximum is 0 there, or
 * the size is still that of the ring of which the child has a copy.
 */
static void *new_buffer(struct private_session *session, const struct etw_ring *ring)
{
	u32 size = sizeof(struct wmi_buffer_header) + ETW_RECORD_ALIGN * ring->capacity;
	void *buffer = NULL;

	if (__atomic_add_fetch(&session->buffers, 1, __ATOMIC_RELAXED) <=
	    READ_ONCE(session->maximum_buffers))
		buffer = etw_buffer_alloc(size, -1);
	if (!buffer)
		__atomic_sub_fetch(&session->buffers, 1, __ATOMIC_RELAXED);
	return buffer;
}

static void drop_buffer(struct private_session *session, void *buffer)
{
	kvfree(buffer);
	__atomic_sub_fetch(&session->buffers, 1, __ATOMIC_RELAXED);
}

/* Return: whether the ring got another buffer */
static bool add_buffer(struct private_session *session, struct private_stream *stream,
		       struct etw_ring *ring)
{
	void *buffer = new_buffer(session, ring);
	u64 signals;
	bool given;

	if (!buffer)
		return false;
	signals = giving_begin(stream);
	given = etw_ring_give(ring, buffer);
	giving_end(stream, signals);
	if (!given)
		drop_buffer(session, buffer);
	return given;
}

/**
 * private_extend() - a writer that finds no free buffer adds one
 * @stream: the thread's
 * @ring: its ring
 *
 * free_of() would not do: while a buffer is taken away it counts that one, which no writer can open.
 *
 * Context: inside an event, signal handlers included. Return: whether there is a free buffer.
 */
bool private_extend(struct private_stream *stream, struct etw_ring *ring)
{
	struct private_memory *memory = private_memory();
	int saved = errno;
	bool more = false;

	if (memory && !ring->overwrite)
		more = etw_ring_has_space(ring) || add_buffer(&memory->session, stream, ring);
	errno = saved;
	return more;
}

/* Under memory->lock */
void private_grow(struct private_memory *memory)
{
	u32 i, n = smp_load_acquire(&memory->nr_streams);
	struct private_stream *stream;
	struct etw_ring *ring;

	if (memory->session.overwrite)
		return;
	for (i = 0; i < n; i++) {
		stream = &memory->stream[i];
		ring = smp_load_acquire(&stream->ring);
		if (!ring || free_of(ring) >= low_mark(ring))
			continue;
		while (free_of(ring) < 2 * low_mark(ring) &&
		       add_buffer(&memory->session, stream, ring))
			;
	}
}

static void shrink(struct private_session *session, struct private_stream *stream,
		   struct etw_ring *ring)
{
	u32 keep = max(session->first_buffers, 2 * low_mark(ring)), spare = free_of(ring);
	u32 surplus = spare > keep ? (spare - keep + 1) / 2 : 0;
	void *buffer;
	u64 signals;

	for (; surplus; surplus--) {
		signals = giving_begin(stream);
		buffer = etw_ring_take_away(ring);
		giving_end(stream, signals);
		if (!buffer)
			return;
		drop_buffer(session, buffer);
	}
}

/*
 * Buffers that a burst needed are other threads' to have: a ring that has many free ones loses a
 * part of them at each look. Under memory->lock
 */
void private_shrink(struct private_memory *memory)
{
	u32 i, n = smp_load_acquire(&memory->nr_streams);
	struct etw_ring *ring;

	if (memory->session.overwrite)
		return;
	for (i = 0; i < n; i++) {
		ring = smp_load_acquire(&memory->stream[i].ring);
		if (ring)
			shrink(&memory->session, &memory->stream[i], ring);
	}
}

/* A buffer was written to the file: its ring gets it back. Under memory->lock */
void private_release(struct private_stream *stream, struct etw_ring *ring,
		     const struct etw_reader_buffer *held)
{
	u64 signals = giving_begin(stream);

	etw_ring_release(ring, held);
	giving_end(stream, signals);
}
