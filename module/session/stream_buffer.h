/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A stream's current buffer: for streams only. */
#ifndef ETW_STREAM_BUFFER_H
#define ETW_STREAM_BUFFER_H

#include <linux/mutex.h>
#include "session.h"

/**
 * struct etw_stream - an open session node
 * @session: the session
 * @lock: serializes reads from this open file
 * @header: the header buffer; freed when it was read
 * @data: buffer being read, NULL between buffers
 * @pos: bytes of it already read
 * @ring: ring that @held belongs to; NULL: header or trailer
 * @held: the current buffer
 * @flagged_lost: of @ring, before @held was flagged
 * @flagged_overwritten: of @ring, before @held was flagged
 * @sequence: of the last buffer of this stream; the header has 0
 * @clock: keeps the time stamps of buffers from decreasing
 *
 * Everything is under @lock. Buffers are taken from the session and released under its
 * read_lock, too, but are copied without it: the destination may be memory that never
 * becomes available (userfaultfd, FUSE), and STOP or the close of a tied control file must
 * not wait for that. No other task uses the current buffer (ETW_SLOT_READING, or
 * session->trailer_held).
 */
struct etw_stream {
	struct etw_session *session;
	struct mutex lock;		/* position, buffer in hand */
	void *header;
	u8 *data;
	u32 pos;
	struct etw_ring *ring;
	struct etw_reader_buffer held;
	u64 flagged_lost;
	u64 flagged_overwritten;
	u64 sequence;
	struct etw_clamp clock;
};

static inline bool etw_stream_is_stopped(struct etw_session *session)
{
	/* pairs with the release in stop.c: rings and trailer are final */
	return smp_load_acquire(&session->state) == ETW_SESSION_STOPPED;
}

int etw_stream_next(struct etw_stream *stream);
void etw_stream_finish(struct etw_stream *stream);
void etw_stream_put_back(struct etw_stream *stream);

#endif /* ETW_STREAM_BUFFER_H */
