/* SPDX-License-Identifier: GPL-2.0 */
/* A session as sources and records see it: where to, and in what shape. */
#ifndef ETW_SINK_H
#define ETW_SINK_H

#include <linux/align.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include "etw_format.h"
#include "ring/ring.h"

struct etw_event_context;

/**
 * struct etw_sink - where a session's events go
 * @rings: one per possible CPU
 * @context: what its records carry besides their payload, or NULL
 * @clocks: where its ticks, and those of clock 1, come from
 * @key: for opaque keys
 * @buffer_size: bytes
 * @id: its logger id
 * @addresses: kernel addresses are shown: fixed at START by the starter's
 *	CAP_SYSLOG and kptr_restrict; without the right they are zero
 *
 * Part of struct etw_session, and all of a session that is known outside of session/.
 * It is complete before the session listens, and stays so until nothing writes to it.
 */
struct etw_sink {
	struct etw_ring __percpu *rings;
	struct etw_event_context *context;
	struct etw_clocks clocks;
	u64 key[2];
	u32 buffer_size;
	u32 id;
	bool addresses;
};

/**
 * etw_sink_room() - bytes of payload that surely fit into a buffer
 * @sink: a sink
 *
 * Whatever the trace header. Strings are cut to that, instead of losing the record.
 */
static inline u32 etw_sink_room(const struct etw_sink *sink)
{
	u32 room = min_t(u32, sink->buffer_size - sizeof(struct wmi_buffer_header),
			 ETW_MAX_RECORD);

	return round_down(room, ETW_RECORD_ALIGN) - sizeof(struct system_trace_header);
}

#endif /* ETW_SINK_H */
