// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Marks: text that a session's controller puts between its events. */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "context/event_context.h"
#include "mark.h"
#include "provider/writable.h"
#include "record/event.h"
#include "ring/reserve.h"
#include "session/session.h"

/* PerfInfo, the class of group 0F, and Mark in it; version 0 (kernel-events.rst 5.15) */
static const struct event_trace_header mark = {
	.type = PERFINFO_LOG_TYPE_MARK & 0xFF,
	.guid = ETW_PERF_INFO_GUID,
};

/**
 * etw_mark_log() - write a mark
 * @session: running; the caller holds session->lock
 * @text: 8-bit string
 * @size: bytes of it, with its terminator
 *
 * Neither group masks nor filters apply to marks, because the caller requests them
 * explicitly. The caller's stack follows if the session records stacks of marks.
 * Context: process.
 * Return: 0; -EINVAL: no kernel session, or no string; -EMSGSIZE: larger than a
 * buffer; -ENOBUFS: no buffer was free. The last two are counted as lost.
 */
int etw_mark_log(struct etw_session *session, const char *text, u32 size)
{
	const struct etw_event_parts parts = { .header = &mark, .data = text, .size = size };
	u32 bytes = etw_event_record_size(&parts);
	const struct etw_event_context *context = session->sink.context;
	struct etw_writer writer;
	struct etw_ring *ring;
	struct etw_reservation at;
	int err = 0;

	lockdep_assert_held(&session->lock);
	if (!session->settings.kernel || memchr(text, 0, size) != text + size - 1)
		return -EINVAL;
	etw_writer_current(&writer);
	preempt_disable();
	ring = this_cpu_ptr(session->sink.rings);
	if (etw_reserve(ring, bytes, &at, ETW_RESERVE_COUNT)) {
		etw_encode_event(at.data, &parts, &writer, at.tick);
		etw_commit(ring, &at, bytes);
		if (context && etw_walks_stack(context, PERFINFO_LOG_TYPE_MARK))
			etw_stack_write(ring, context, at.tick, NULL);
	} else {
		err = bytes > session->sink.buffer_size - sizeof(struct wmi_buffer_header) ?
		      -EMSGSIZE : -ENOBUFS;
	}
	preempt_enable();
	return err;
}
