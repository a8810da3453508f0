/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The private logger: what its files share, and the rules of access. */
#ifndef LIBETW_PRIVATE_H
#define LIBETW_PRIVATE_H

#include <pthread.h>
#include <signal.h>
#include "record/event.h"
#include "ring/reserve.h"
#include "libetl/writer.h"
#include "libetw.h"

/*
 * A thread takes a stream at its first event and has it until it ends. The
 * stream has a ring, the module's own: for that the thread is the CPU, and
 * its signal handlers are the interrupts. Streams stay from session to
 * session, rings are of one session.
 *
 * Some words of a ring may be changed by their owner only (W, C, head, counters:
 * module/ring/words.h). The owner is the thread, but the flush thread must seal buffers of
 * threads that write seldom, and it can't interrupt them. Three words of the stream decide
 * which of the two may change the ring:
 *
 *   busy     how many contexts of the thread are inside an event, which begins
 *            before the caller's memory is looked at: the thread and the
 *            handlers that came over it. Only the thread changes it, by plain
 *            stores: a handler leaves it as it found it.
 *   handle   of the session that the stream may write to; 0: none.
 *   request  NONE; ASKED: the flush thread wants the open buffer sealed;
 *            TAKEN: it is doing so itself; HONOURED: the thread is doing so.
 *
 * A writer raises busy, then looks at handle and request. The flush thread
 * changes request (or handle), has every thread of the process pass a full
 * barrier (membarrier()), then looks at busy. So of two that are at it at one
 * time at least one sees the other, and the writer needs no barrier:
 *
 *  A. busy is 0 after the barrier: a writer that raises it from now on sees ASKED,
 *     and goes on only when it exchanged that for HONOURED. The flush thread
 *     seals only when it exchanged it for TAKEN. Only one of them can.
 *  B. busy is not 0: a writer is inside, and perhaps saw NONE. The flush
 *     thread doesn't touch the ring; it looks again later. By then the thread
 *     has left (A), or it came to its next event, or to one of a handler, and
 *     honoured the request.
 *  C. A writer that sees TAKEN lowers busy again and waits for the few
 *     instructions of a seal; it is not waited for meanwhile. This is the only
 *     wait, and it is for another thread, never for a context that it
 *     interrupted. HONOURED is set by contexts of the thread itself, and a handler
 *     that interrupts one goes on, as nested writers of a ring do. TAKEN is set by
 *     the flush thread, and by FLUSH and STOP with signals blocked.
 *  D. When a session stops, handle becomes 0. STOP waits for writers that are inside
 *     (some seconds; not for ever), and no writer enters any more. Then the rings
 *     have no writers, and the stopper does with them what it likes.
 *
 * A fourth word, giving, is for the ring's buffers: private_pool.c.
 *
 * After fork() the child finds all this zeroed (MADV_WIPEONFORK): no session.
 * The rings are copies: a handler that forked may let the event that it came
 * over finish, in memory that is not read.
 */

#define PRIVATE_STREAMS		1024U
/* Buffers that a ring can have */
#define PRIVATE_SLOTS		512U
/* In a stream's handle: private_enter() is to take the slow way */
#define PRIVATE_FENCED		(1ULL << 63)
/* Not a thread: the one that had it died inside an event */
#define PRIVATE_CONDEMNED	(~0U)
/* The owner is about to give it up */
#define PRIVATE_LEAVING		0x80000000U
/* The logger id in headers of buffers; the only one of the process */
#define PRIVATE_LOGGER_ID	1

enum private_request {
	PRIVATE_NONE,
	PRIVATE_ASKED,
	PRIVATE_TAKEN,
	PRIVATE_HONOURED,
};

/**
 * struct private_stream - what a thread needs to write an event: two cache lines
 * @busy: see above; the owner's
 * @request: see above
 * @handle: see above
 * @ring: of this session, or NULL; installed by the owner, taken by the stopper
 * @cpu_time: the thread's CPU time in ticks of clock 1
 * @cpu_until: session clock: when that is too old; 0: there is none yet
 * @staging: 64 KB for large events, or NULL; the owner's
 * @tid: the owner, as its events say it
 * @pid: its process
 * @staged: a context of the owner has @staging
 * @index: stands where the processor's number stands; 0 is the logger's own
 * @owner: thread id; 0: free; or as above
 * @sealed: ordinal of the buffer that was sealed last on request
 * @giving: TAKEN: a thread gives the ring buffers, or takes some away; else NONE
 */
struct private_stream {
	u32 busy;
	u32 request;
	u64 handle;
	struct etw_ring *ring;
	u64 cpu_time;
	u64 cpu_until;
	u8 *staging;
	u32 tid;
	u32 pid;
	u32 staged;
	u32 index;
	u32 owner ____cacheline_aligned;
	u64 sealed;
	u32 giving;
} ____cacheline_aligned;

/**
 * struct private_session - the process's session; changed under memory->lock
 * @name: UTF-8
 * @file: UTF-8, absolute
 * @mode: LogFileMode
 * @buffer_size: bytes
 * @first_buffers: that a ring begins with
 * @maximum_buffers: of all rings
 * @maximum_file_size: as given
 * @flush_ms: period; 0: none
 * @enable_flags: as given
 * @guid: session GUID
 * @overwrite: EVENT_TRACE_BUFFERING_MODE
 * @clock_type: ETW_CLOCK_*
 * @ticks: where the ticks come from
 * @cpu_period: in ticks of the session clock: CPU times are no older
 * @start: all clocks when it started
 * @start_tick: session clock, read together with them
 * @tid: the thread that started it
 * @sequence: of messages, with EVENT_TRACE_USE_LOCAL_SEQUENCE
 * @buffers: that there are; changed by threads as well
 * @lost: events for which there was no ring, by cause; by threads as well
 * @lost_first: session clock
 * @lost_last: session clock
 * @reported: of @lost, in the file
 * @writer: the file
 * @processors: number of processors in its header
 * @delivered: buffers, without the header's
 * @delivered_events: events in them, our own included
 * @events_lost: events in them
 * @stamp: of the last buffer: they never go back
 * @next: stream to look at first
 * @internal: buffer for records of our own
 * @internal_used: bytes of records in it
 * @internal_losses: @internal holds loss records
 * @last_wall: where the wall clock stood against the monotonic one
 */
struct private_session {
	char name[3 * ETW_MAX_LOGGER_NAME + 1];
	char file[1024];
	u32 mode;
	u32 buffer_size;
	u32 first_buffers;
	u32 maximum_buffers;
	u32 maximum_file_size;
	u32 flush_ms;
	u32 enable_flags;
	struct etw_guid guid;
	bool overwrite;
	u32 clock_type;
	enum etw_ticks ticks;
	u64 cpu_period;
	struct etw_reading start;
	u64 start_tick;
	u32 tid;
	u32 sequence;
	u32 buffers;
	u64 lost[ETW_LOSS_CAUSES];
	u64 lost_first;
	u64 lost_last;
	u64 reported[ETW_LOSS_CAUSES];
	struct writer writer;
	u32 processors;
	u64 delivered;
	u64 delivered_events;
	u64 events_lost;
	u64 stamp;
	u32 next;
	u8 *internal;
	u32 internal_used;
	bool internal_losses;
	s64 last_wall;
};

/**
 * struct private_memory - all there is, in memory that a child finds zeroed
 * @handle: of the running session; 0: none. Set last, cleared first
 * @full_handle: of a session with a full file
 * @fenced: no membarrier(): writers need a barrier of their own; then
 *	PRIVATE_FENCED, else 0
 * @pid: the process; 0: this is a child, and nothing here is valid
 * @nr_streams: how many were ever taken
 * @visitors: threads that count a loss without having a stream
 * @lock: control, and the flush thread while it works
 * @waiting: threads that want the lock
 * @wake: of the flush thread
 * @thread: the flush thread
 * @ending: it shall end
 * @running: there is one
 * @stopping: a session is being stopped, without @lock
 * @session: valid while @handle or @full_handle isn't 0
 * @stream: by index
 */
struct private_memory {
	u64 handle;
	u64 full_handle;
	u64 fenced;
	u32 pid;
	u32 nr_streams;
	u32 visitors;
	struct private_session session;
	pthread_mutex_t lock;
	u32 waiting;
	struct irq_work wake ____cacheline_aligned;
	pthread_t thread;
	bool ending;
	bool running;
	bool stopping;
	struct private_stream stream[PRIVATE_STREAMS];
};

/* private_memory.c */
struct private_memory *private_memory(void);
struct private_memory *private_new_memory(void);
/* The stream of this thread, or NULL; may be of a memory that is gone */
extern __thread struct private_stream *private_self
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/**
 * struct private_writing - an event that is being written
 * @stream: the thread's
 * @ring: its ring; looked up once, since a handler may fork(), and the child
 *	then goes on here without a stream (see above)
 */
struct private_writing {
	struct private_stream *stream;
	struct etw_ring *ring;
};

/* private_stream.c */
/*
 * Begin and end of an event. After private_enter() the session can't stop, and no
 * other thread changes the ring, until private_leave().
 * Context: any thread, any signal handler. Return: a Win32 code.
 */
ULONG private_enter_slow(TRACEHANDLE handle, struct private_writing *writing);
struct private_stream *private_stream_take(struct private_memory *memory);
void private_stream_return(struct private_stream *stream);
u32 private_streams_reclaim(struct private_memory *memory);

static __always_inline void private_leave(struct private_stream *stream)
{
	/* pairs with the acquire in seal(): the flush thread sees all that we did */
	smp_store_release(&stream->busy, stream->busy - 1);
}

/* A handle that a provider was given has level and flags in its other bits. */
static __always_inline u64 private_key(TRACEHANDLE handle)
{
	return handle & (ETW_HANDLE_PRIVATE | 0xFFFF);
}

static __always_inline ULONG private_enter(TRACEHANDLE handle, struct private_writing *writing)
{
	struct private_stream *mine = private_self;

	if (unlikely(!mine))
		return private_enter_slow(handle, writing);
	WRITE_ONCE(mine->busy, mine->busy + 1);
	/* the barrier between this and what follows is the flush thread's to make */
	barrier();
	writing->stream = mine;
	if (likely(READ_ONCE(mine->handle) == private_key(handle) &&
		   smp_load_acquire(&mine->request) == PRIVATE_NONE)) {
		writing->ring = READ_ONCE(mine->ring);
		if (likely(writing->ring))
			return ERROR_SUCCESS;
	}
	private_leave(mine);
	return private_enter_slow(handle, writing);
}

/* Context: the owner inside an event, or the thread that took the request */
static inline void private_seal_ring(struct private_stream *stream, struct etw_ring *ring)
{
	u64 ordinal = 0;

	etw_ring_seal(ring, &ordinal);
	WRITE_ONCE(stream->sealed, ordinal);
}

/* private_seal.c */
void private_barrier_init(struct private_memory *memory);
void private_barrier(struct private_memory *memory);
bool private_seal_all(struct private_memory *memory, u32 patience_us);
bool private_drain_writers(struct private_memory *memory, u32 patience_us);
void private_request_wait(const u32 *request);

/* private_pool.c */
bool private_extend(struct private_stream *stream, struct etw_ring *ring);
void private_grow(struct private_memory *memory);
void private_shrink(struct private_memory *memory);
void private_release(struct private_stream *stream, struct etw_ring *ring,
		     const struct etw_reader_buffer *held);

/* private_flush.c */
void private_flush_now(struct private_memory *memory, u32 patience_us);
void private_lock(struct private_memory *memory);
int private_flush_start(struct private_memory *memory);
void private_flush_end(struct private_memory *memory);

/**
 * struct private_signals - a control call's time without signals and cancellation
 * @before: mask of the thread
 * @pending: what waited for the thread already
 * @cancel: whether it could be cancelled: with the lock it must not
 */
struct private_signals {
	sigset_t before;
	sigset_t pending;
	int cancel;
};

/* private_signals.c: private_lock() and the end of it */
void private_signals_begin(struct private_memory *memory, struct private_signals *quiet);
void private_signals_end(struct private_memory *memory, const struct private_signals *quiet);

/* private_control.c */
void private_file_is_full(struct private_memory *memory);

/* private_file.c */
int private_file_begin(struct private_memory *memory);
void private_file_put(struct private_memory *memory, u8 *buffer, u32 used, u32 events, u16 index,
		      u16 flags);
u32 private_deliver(struct private_memory *memory);
ULONG private_file_end(struct private_memory *memory);
void private_file_abandon(struct private_memory *memory);
ULONG private_file_error(int err);

/* private_report.c */
u32 private_put_record(u8 *to, u16 id, u32 tid, u64 tick, const void *payload, u32 size);
struct etw_anchor private_anchor(const struct etw_reading *now, u32 reason);
void private_internal_flush(struct private_memory *memory, u16 flags);
void private_report(struct private_memory *memory, u32 reason);
u64 private_events_lost(struct private_memory *memory);

/* private_clock.c */
int private_clock_init(struct private_session *session, u32 clock_type);
u64 private_tick(const struct private_session *session);
void private_clock_read(struct etw_reading *reading);
u64 private_clock_base(const struct etw_reading *reading);
u64 private_frequency(void);
u64 private_frequency_refined(const struct etw_reading *start);
u32 private_mhz(void);
void private_cpu_time(struct private_stream *stream, u64 tick);

/* private_copy.c: memory of the caller's, which may not be there */
/* Return: 0, or not 0 when it isn't; what was copied is undefined then */
int private_copy(void *to, const void *from, size_t bytes);
int private_copy_header(struct event_trace_header *to, const void *from);
void private_faults_begin(void);
void private_faults_end(void);

#endif /* LIBETW_PRIVATE_H */
