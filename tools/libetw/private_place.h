/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Before an event of the private logger is encoded: memory for its data, and a place for it. */
#ifndef LIBETW_PRIVATE_PLACE_H
#define LIBETW_PRIVATE_PLACE_H

#include <linux/mm.h>
#include "private.h"

/* Larger data doesn't come over the stack: a handler's may have 2 KB in all */
#define PRIVATE_SMALL	208

/**
 * struct private_staged - the caller's data in memory of ours
 * @data: where
 * @stream: the stream with this staging memory, or NULL
 * @pages: pages of its own, or NULL
 * @small: if it fits
 */
struct private_staged {
	u8 *data;
	struct private_stream *stream;
	void *pages;
	u8 small[PRIVATE_SMALL] __attribute__((aligned(8)));
};

bool private_stage_large(struct private_staged *staged, u32 size);
/* Return: 0: try again; a Win32 code: there is no place, and the event is counted as lost */
__attribute__((cold)) ULONG private_more_room(struct private_writing writing, u32 size);

/* @size: at most 0xFFFF. Return: whether there is room */
static __always_inline bool private_stage(struct private_staged *staged, u32 size)
{
	if (unlikely(size > PRIVATE_SMALL))
		return private_stage_large(staged, size);
	staged->data = staged->small;
	return true;
}

static __always_inline void private_unstage(struct private_staged *staged, u32 size)
{
	if (likely(size <= PRIVATE_SMALL))
		return;
	if (staged->stream)
		WRITE_ONCE(staged->stream->staged, 0);
	kvfree(staged->pages);
}

/* The thread's CPU time, not older than a millisecond */
static __always_inline void private_fill_writer(struct private_stream *stream, u64 tick,
						struct etw_writer *writer)
{
	u64 time;

	if (unlikely((s64)(tick - READ_ONCE(stream->cpu_until)) >= 0))
		private_cpu_time(stream, tick);
	time = READ_ONCE(stream->cpu_time);
	*writer = (struct etw_writer){
		.thread_id = stream->tid, .process_id = stream->pid,
		.kernel_time = (u32)time, .user_time = (u32)(time >> 32),
		.bits = 8 * sizeof(void *),
	};
}

/*
 * Begins an event, before the caller's memory is accessed; private_leave() ends it. The
 * session's fault handlers are installed while a writer is inside; without a session, no address
 * is accessed. private_enter() may fill in its result out of line, so a copy of it lets the
 * caller's structure stay in registers. Return: a Win32 code
 */
static __always_inline ULONG private_begin(TRACEHANDLE handle, struct private_writing *writing)
{
	struct private_writing entered;
	ULONG error = private_enter(handle, &entered);

	if (likely(!error))
		*writing = entered;
	return error;
}

/*
 * A place for a record of @size: then etw_commit() is due.
 * Return: whether there is one; if not, why is in @error
 */
static __always_inline bool private_reserve(struct private_writing writing, u32 size,
					    struct etw_reservation *at, ULONG *error)
{
	*error = ERROR_MORE_DATA;
	if (unlikely(size > ETW_MAX_RECORD))
		return false;
	while (unlikely(!etw_reserve(writing.ring, size, at, ETW_RESERVE_TRY))) {
		*error = private_more_room(writing, size);
		if (*error)
			return false;
	}
	return true;
}

#endif /* LIBETW_PRIVATE_PLACE_H */
