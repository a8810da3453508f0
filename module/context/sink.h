/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The session sink: the part of a session that sources and records use. */
#ifndef ETW_SINK_H
#define ETW_SINK_H

#include <linux/align.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include "etw_format.h"
#include "ring/ring.h"

struct etw_event_context;

/**
 * struct etw_sink - destination of a session's events
 * @rings: one per possible CPU
 * @context: event context, or NULL
 * @clocks: sources of its ticks and those of clock 1
 * @key: secret for opaque keys
 * @buffer_size: bytes of a buffer
 * @id: logger id
 * @addresses: kernel addresses are shown: decided at START by the starter's
 *	CAP_SYSLOG and kptr_restrict; otherwise they are zero
 *
 * Part of struct etw_session, and the only part that is known outside of session/.
 * It is complete from before the session listens until the last write to it.
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
 * etw_sink_payload_limit() - bytes of payload that always fit into a buffer
 * @sink: session sink
 *
 * With any trace header. Strings are cut to fit, so that the record is not lost.
 */
static inline u32 etw_sink_payload_limit(const struct etw_sink *sink)
{
	u32 space = min_t(u32, sink->buffer_size - sizeof(struct wmi_buffer_header),
			  ETW_MAX_RECORD);

	return round_down(space, ETW_RECORD_ALIGN) - sizeof(struct system_trace_header);
}

#endif /* ETW_SINK_H */
