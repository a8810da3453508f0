/* SPDX-License-Identifier: GPL-2.0 */
/* The buffer that a stream has in hand: for streams only. */
#ifndef ETW_STREAM_BUFFER_H
#define ETW_STREAM_BUFFER_H

#include <linux/mutex.h>
#include "session.h"

/**
 * struct etw_stream - one open of a session node
 * @session: whose
 * @lock: of who reads from this open, one at a time
 * @header: the header buffer; freed when it was read
 * @data: buffer being read, NULL between buffers
 * @pos: bytes of it already read
 * @ring: ring that @held belongs to; NULL: header or trailer
 * @held: the buffer in hand
 * @flagged_lost: of @ring, before @held was flagged
 * @flagged_overwritten: likewise
 * @sequence: of the last buffer of this stream; the header has 0
 * @clock: the stamps of buffers never go back
 *
 * Everything under @lock, and what is taken from the session and given back under its
 * read_lock, too. The bytes in hand are copied without that one: where they go may
 * be memory that never comes (userfaultfd, FUSE), and STOP or the end of a tied file
 * must not wait for it. A buffer in hand is nobody else's (ETW_SLOT_READING, or
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
	/* pairs with the release in etw_session_stop(): rings are settled */
	return smp_load_acquire(&session->state) == ETW_SESSION_STOPPED;
}

int etw_stream_next(struct etw_stream *stream);
void etw_stream_finish(struct etw_stream *stream);
void etw_stream_put_back(struct etw_stream *stream);

#endif /* ETW_STREAM_BUFFER_H */
