// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Encoder of records with SYSTEM_TRACE_HEADER, and its ring variant. */
#include "system.h"

/**
 * etw_encode_system() - SYSTEM_TRACE_HEADER and payload
 * @to: space for the record, padded to 8
 * @hook_id: hook id
 * @version: of the payload
 * @ids: thread, process and their times
 * @tick: session clock
 * @payload: payload
 *
 * (format.rst 3.3) Return: the record's Size.
 */
u32 etw_encode_system(void *to, u16 hook_id, u8 version, const struct etw_system_ids *ids,
		      u64 tick, const struct etw_payload *payload)
{
	struct system_trace_header *header = to;

	header->version = version;
	header->header_type = TRACE_HEADER_TYPE_SYSTEM64;
	header->flags = TRACE_HEADER_FLAGS;
	header->size = sizeof(*header) + etw_payload_size(payload);
	header->hook_id = hook_id;
	header->thread_id = ids->thread_id;
	header->process_id = ids->process_id;
	header->system_time = tick;
	header->kernel_time = ids->kernel_time;
	header->user_time = ids->user_time;
	etw_put_payload(to, sizeof(*header), payload);
	return header->size;
}

/**
 * etw_record_system() - write a SYSTEM record
 * @ring: this CPU's
 * @hook_id: hook id
 * @version: of the payload
 * @ids: thread, process and their times
 * @payload: payload
 * @mode: whether a failure is a loss
 * @moment: NULL, or the event's reading of the clocks
 *
 * Context: any; preemption off. Return: 0; -EMSGSIZE; -ENOBUFS when there was no space,
 * counted as a loss unless @mode is ETW_RESERVE_TRY.
 */
int etw_record_system(struct etw_ring *ring, u16 hook_id, u8 version,
		      const struct etw_system_ids *ids, const struct etw_payload *payload,
		      enum etw_reserve_mode mode, struct etw_moment *moment)
{
	struct etw_reservation at;
	u32 size;
	int err = etw_reserve_record(ring, sizeof(struct system_trace_header), payload, &at, &size,
				     mode, moment);

	if (err)
		return err;
	etw_encode_system(at.data, hook_id, version, ids, at.tick, payload);
	etw_commit(ring, &at, size);
	return 0;
}
