// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Streams: how threads come to theirs, go in and out, and give them back. */
#include <errno.h>
#include <linux/mm.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "private.h"

/* glibc keeps what belongs to so many keys without malloc() */
#define SAFE_KEYS	32

static pthread_key_t ending_key;
static bool have_key;

static void thread_ends(void *stream)
{
	private_stream_return(stream);
}

__attribute__((constructor)) static void make_key(void)
{
	have_key = !pthread_key_create(&ending_key, thread_ends) && ending_key < SAFE_KEYS;
}

static bool is_of(const struct private_memory *memory, const struct private_stream *stream)
{
	return stream >= memory->stream && stream < memory->stream + PRIVATE_STREAMS;
}

static bool change_owner(struct private_stream *stream, u32 from, u32 to)
{
	return __atomic_compare_exchange_n(&stream->owner, &from, to, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

/*
 * A stream with our thread id that we know nothing of: a context that we came
 * over has just claimed it, or a thread that had the id before died without a
 * word. The latter may have been inside an event, the former not yet.
 */
static struct private_stream *find_own(struct private_memory *memory, u32 tid)
{
	u32 i, n = smp_load_acquire(&memory->nr_streams);

	for (i = 0; i < n; i++) {
		if (smp_load_acquire(&memory->stream[i].owner) != tid)
			continue;
		if (!smp_load_acquire(&memory->stream[i].busy))
			return &memory->stream[i];
		change_owner(&memory->stream[i], tid, PRIVATE_CONDEMNED);
	}
	return NULL;
}

static struct private_stream *claim(struct private_memory *memory, u32 tid, u32 end, bool equipped)
{
	struct private_stream *stream;

	for (stream = memory->stream; stream < memory->stream + end; stream++)
		if (!READ_ONCE(stream->owner) && (!equipped || READ_ONCE(stream->ring)) &&
		    change_owner(stream, 0, tid))
			return stream;
	return NULL;
}

/* Rather one that has a ring already */
static struct private_stream *claim_free(struct private_memory *memory, u32 tid)
{
	u32 n = smp_load_acquire(&memory->nr_streams);
	struct private_stream *stream = claim(memory, tid, n, true);

	if (!stream)
		stream = claim(memory, tid, PRIVATE_STREAMS, false);
	while (stream && n < stream->index &&
	       !__atomic_compare_exchange_n(&memory->nr_streams, &n, stream->index, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		;
	return stream;
}

/*
 * Streams of threads that are gone without their destructors: by the system
 * call, or since the key came too late. Context: any.
 * Return: how many are free now.
 */
u32 private_streams_reclaim(struct private_memory *memory)
{
	u32 i, owner, freed = 0, n = smp_load_acquire(&memory->nr_streams);
	struct private_stream *stream;

	for (i = 0; i < n; i++) {
		stream = &memory->stream[i];
		owner = smp_load_acquire(&stream->owner);
		if (!owner || owner == PRIVATE_CONDEMNED ||
		    !syscall(SYS_tgkill, memory->pid, owner & ~PRIVATE_LEAVING, 0) ||
		    errno != ESRCH || !change_owner(stream, owner, PRIVATE_CONDEMNED))
			continue;
		if (smp_load_acquire(&stream->busy))
			continue;
		smp_store_release(&stream->owner, 0);
		freed++;
	}
	return freed;
}

/*
 * Handlers that come in between find a stream of ours, or none; whichever
 * context is first to set private_self, the others go by that.
 *
 * Context: any thread, any signal handler. Return: NULL when all are taken.
 */
struct private_stream *private_stream_take(struct private_memory *memory)
{
	struct private_stream *old = private_self, *stream, *none;
	u32 tid = gettid();

	stream = find_own(memory, tid);
	if (!stream)
		stream = claim_free(memory, tid);
	if (!stream) {
		/* the flush thread may do so, too, and leave nothing to us */
		private_streams_reclaim(memory);
		stream = claim_free(memory, tid);
	}
	if (!stream)
		return NULL;
	stream->tid = tid;
	stream->pid = memory->pid;
	none = old;
	if (!__atomic_compare_exchange_n(&private_self, &none, stream, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED) && none != stream) {
		smp_store_release(&stream->owner, 0);
		return none;
	}
	WRITE_ONCE(stream->cpu_until, 0);
	WRITE_ONCE(stream->staged, 0);
	if (have_key)
		pthread_setspecific(ending_key, stream);
	return stream;
}

/**
 * struct shape - what a ring takes from the session
 * @nr_buffers: to begin with
 * @buffer_size: bytes
 * @overwrite: nothing else is kept
 * @ticks: where they come from
 * @base: of the system clock
 */
struct shape {
	u32 nr_buffers;
	u32 buffer_size;
	bool overwrite;
	enum etw_ticks ticks;
	u64 base;
};

/*
 * Where a handler forks, the child goes on here and finds zeros from then on: a
 * ring made of the session's values and zeros would be none. The process is read
 * last, so that while there is one, nothing that was read before is such a zero.
 */
static bool take_shape(const struct private_memory *memory, struct shape *shape)
{
	const struct private_session *session = &memory->session;

	shape->nr_buffers = session->first_buffers;
	shape->buffer_size = session->buffer_size;
	shape->overwrite = session->overwrite;
	shape->ticks = session->ticks;
	shape->base = private_clock_base(&session->start);
	barrier();
	return !!READ_ONCE(memory->pid);
}

static struct etw_ring *make_ring(struct private_memory *memory, const struct shape *shape,
				  u32 index)
{
	struct etw_ring *ring = kvcalloc(1, sizeof(*ring), GFP_KERNEL);
	u32 n = shape->nr_buffers;

	if (!ring)
		return NULL;
	etw_ring_idle(ring);
	ring->ticks = shape->ticks;
	ring->overwrite = shape->overwrite;
	ring->cpu = index;
	ring->wake = &memory->wake;
	ring->clock.base = shape->base;
	if (!etw_ring_init(ring, shape->overwrite ? n : PRIVATE_SLOTS, n, shape->buffer_size, -1,
			   false))
		return ring;
	kvfree(ring);
	return NULL;
}

/* A ring of this session's for a stream that has none. Context: inside an event. */
static struct etw_ring *equip(struct private_memory *memory, struct private_stream *stream)
{
	struct private_session *session = &memory->session;
	struct etw_ring *ring, *none = NULL;
	struct shape shape;
	u32 n;

	if (!take_shape(memory, &shape))
		return NULL;
	n = shape.nr_buffers;
	if (__atomic_add_fetch(&session->buffers, n, __ATOMIC_RELAXED) > session->maximum_buffers)
		goto none_left;
	ring = make_ring(memory, &shape, stream->index);
	if (!ring)
		goto none_left;
	/* a handler may have been faster; the flush thread sees all of it, or nothing */
	if (__atomic_compare_exchange_n(&stream->ring, &none, ring, false, __ATOMIC_RELEASE,
					__ATOMIC_RELAXED))
		return ring;
	etw_ring_destroy(ring);
	kvfree(ring);
none_left:
	__atomic_sub_fetch(&session->buffers, n, __ATOMIC_RELAXED);
	return READ_ONCE(stream->ring);
}

static bool any_left(const struct private_memory *memory)
{
	u32 i, n = smp_load_acquire(&memory->nr_streams);

	for (i = 0; i < n; i++)
		if (!READ_ONCE(memory->stream[i].owner) && READ_ONCE(memory->stream[i].ring))
			return true;
	return false;
}

/*
 * There is no memory for another ring, but perhaps a thread that ended left its ring. It does
 * not matter whether this thread or the flush thread found its end. Handlers may come, as
 * in private_stream_return(). Return: whether to try again
 */
static bool change_for_other(struct private_memory *memory, struct private_stream *stream)
{
	u32 tid = gettid();

	private_streams_reclaim(memory);
	if (!any_left(memory) || READ_ONCE(stream->busy) ||
	    !change_owner(stream, tid, tid | PRIVATE_LEAVING))
		return false;
	private_self = NULL;
	barrier();
	smp_store_release(&stream->owner, READ_ONCE(stream->busy) ? PRIVATE_CONDEMNED : 0);
	return true;
}

static void count_loss(struct private_session *session)
{
	u64 none = 0, now = private_tick(session);

	__atomic_add_fetch(&session->lost[ETW_LOSS_NO_BUFFER], 1, __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(&session->lost_first, &none, now, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
	WRITE_ONCE(session->lost_last, now);
}

/* No stream, or none with a ring: nothing holds the session but being counted as a visitor. */
static ULONG lost_outside(struct private_memory *memory, TRACEHANDLE handle)
{
	ULONG error = ERROR_INVALID_HANDLE;

	__atomic_add_fetch(&memory->visitors, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&memory->handle, __ATOMIC_SEQ_CST) == handle) {
		count_loss(&memory->session);
		error = ERROR_NOT_ENOUGH_MEMORY;
	}
	__atomic_sub_fetch(&memory->visitors, 1, __ATOMIC_SEQ_CST);
	return error;
}

enum admission { ADMITTED, AGAIN, WAIT, NO_RING };

/* busy is raised. What the letters A to D in private.h say, from the writer's side. */
static enum admission admit(struct private_memory *memory, struct private_writing *writing,
			    TRACEHANDLE handle)
{
	struct private_stream *stream = writing->stream;
	u32 asked = PRIVATE_ASKED;

	if (smp_load_acquire(&stream->handle) != (handle ^ memory->fenced))
		return AGAIN;
	writing->ring = READ_ONCE(stream->ring);
	switch (smp_load_acquire(&stream->request)) {
	case PRIVATE_TAKEN:
		return WAIT;
	case PRIVATE_ASKED:
		/* only streams with a ring get requests */
		if (!__atomic_compare_exchange_n(&stream->request, &asked, PRIVATE_HONOURED, false,
						 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return AGAIN;
		private_seal_ring(stream, writing->ring);
		smp_store_release(&stream->request, PRIVATE_NONE);
		break;
	}
	if (!writing->ring)
		writing->ring = equip(memory, stream);
	return writing->ring ? ADMITTED : NO_RING;
}

static enum admission try_enter(struct private_memory *memory, struct private_writing *writing,
				TRACEHANDLE handle)
{
	struct private_stream *stream = writing->stream;
	enum admission admission;

	WRITE_ONCE(stream->busy, stream->busy + 1);
	if (memory->fenced)
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	barrier();
	admission = admit(memory, writing, handle);
	if (admission != ADMITTED)
		private_leave(stream);
	return admission;
}

static ULONG enter(TRACEHANDLE handle, struct private_writing *writing)
{
	struct private_stream *stream;
	struct private_memory *memory;

	for (;;) {
		memory = private_memory();
		if (!memory)
			return ERROR_INVALID_HANDLE;
		if (smp_load_acquire(&memory->handle) != handle)
			return handle && READ_ONCE(memory->full_handle) == handle ?
				       ERROR_LOG_FILE_FULL : ERROR_INVALID_HANDLE;
		stream = private_self;
		if (!stream || !is_of(memory, stream)) {
			/*
			 * A child of vfork() runs in its parent's memory: a stream of its would be
			 * found dead, and be another thread's while the parent's has it
			 */
			if (getpid() != (pid_t)memory->pid)
				return ERROR_INVALID_HANDLE;
			stream = private_stream_take(memory);
		}
		if (!stream)
			return lost_outside(memory, handle);
		writing->stream = stream;
		switch (try_enter(memory, writing, handle)) {
		case ADMITTED:
			return ERROR_SUCCESS;
		case NO_RING:
			if (!change_for_other(memory, stream))
				return lost_outside(memory, handle);
			break;
		case WAIT:
			private_request_wait(&stream->request);
			break;
		case AGAIN:
			break;
		}
	}
}

ULONG private_enter_slow(TRACEHANDLE handle, struct private_writing *writing)
{
	int saved = errno;
	ULONG error = enter(private_key(handle), writing);

	errno = saved;
	return error;
}

/* The thread's last context: its buffer is sealed unless a flush is doing so. */
static void seal_own(struct private_memory *memory, struct private_stream *stream)
{
	u64 handle = READ_ONCE(stream->handle) ^ memory->fenced;
	struct private_writing writing = { .stream = stream };
	enum admission admission;

	while (handle != memory->fenced && READ_ONCE(stream->ring)) {
		admission = try_enter(memory, &writing, handle);
		if (admission == ADMITTED) {
			private_seal_ring(stream, writing.ring);
			private_leave(stream);
		}
		if (admission != WAIT)
			return;
		private_request_wait(&stream->request);
	}
}

/*
 * A thread ends. Handlers still come, and have the stream until private_self is
 * NULL; after that they take another, which has its own destructor.
 */
void private_stream_return(struct private_stream *stream)
{
	struct private_memory *memory = private_memory();
	u32 tid = gettid();

	if (!memory || !is_of(memory, stream) || !change_owner(stream, tid, tid | PRIVATE_LEAVING))
		return;
	if (private_self == stream)
		private_self = NULL;
	barrier();
	seal_own(memory, stream);
	/* pthread_exit() out of a handler that came over an event */
	smp_store_release(&stream->owner, READ_ONCE(stream->busy) ? PRIVATE_CONDEMNED : 0);
}
