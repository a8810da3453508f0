// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Encoder of our own provider's records, and its ring variant. */
#include <linux/sched.h>
#include "linux_event.h"
#include "thread_ids.h"

/**
 * etw_encode_linux() - a record of our own provider: EVENT_HEADER and payload
 * @to: space for the record, padded to 8
 * @event_id: ETW_LINUX_EVENT_*
 * @thread_id: the writing thread
 * @process_id: its process
 * @tick: session clock
 * @payload: what follows
 *
 * (format.rst 3.9; why not a hook of our own: 3.12)
 * Return: the record's Size.
 */
u32 etw_encode_linux(void *to, u16 event_id, u32 thread_id, u32 process_id, u64 tick,
		     const struct etw_payload *payload)
{
	static const struct etw_guid provider = ETW_LINUX_PROVIDER_GUID;
	struct etw_event_header *header = to;

	memset(header, 0, sizeof(*header));
	header->size = sizeof(*header) + etw_payload_size(payload);
	header->header_type = TRACE_HEADER_TYPE_EVENT_HEADER64 | TRACE_HEADER_FLAGS << 8;
	header->thread_id = thread_id;
	header->process_id = process_id;
	header->time_stamp = tick;
	header->provider_id = provider;
	header->id = event_id;
	etw_put_payload(to, sizeof(*header), payload);
	return header->size;
}

/**
 * etw_record_linux() - write a record of our own provider
 * @ring: this CPU's
 * @event_id: ETW_LINUX_EVENT_*
 * @payload: payload
 * @mode: whether a failure is a loss
 *
 * Context: any; preemption off. Return: 0; -EMSGSIZE; -ENOBUFS when there was no space,
 * counted as a loss unless @mode is ETW_RESERVE_TRY.
 */
int etw_record_linux(struct etw_ring *ring, u16 event_id, const struct etw_payload *payload,
		     enum etw_reserve_mode mode)
{
	struct etw_reservation at;
	u32 size;
	int err = etw_reserve_record(ring, sizeof(struct etw_event_header), payload, &at, &size,
				     mode, NULL);

	if (err)
		return err;
	etw_encode_linux(at.data, event_id, current->pid, etw_process_id(current), at.tick,
			 payload);
	etw_commit(ring, &at, size);
	return 0;
}
