// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Encoder of records with PERFINFO_TRACE_HEADER, and its ring variant. */
#include <linux/export.h>
#include "perfinfo.h"

/**
 * etw_encode_perfinfo() - PERFINFO_TRACE_HEADER, inline items, payload
 * @to: space for the record, padded to 8
 * @type: TRACE_HEADER_TYPE_PERFINFO64, or _PERFINFO32 in tests
 * @hook_id: hook id
 * @version: low byte: of the payload; high byte: TRACE_HEADER_PEBS_INDEX_FLAG
 *	and the number of counters
 * @tick: session clock
 * @items: the PEBS index first, then the counters, according to @version
 * @payload: payload
 *
 * (format.rst 3.4; order of items: 3.6)
 * Return: the record's Size.
 */
u32 etw_encode_perfinfo(void *to, u32 type, u16 hook_id, u16 version, u64 tick,
			const u64 *items, const struct etw_payload *payload)
{
	struct perfinfo_trace_header *header = to;
	u32 n = (version & TRACE_HEADER_PMC_COUNTERS_MASK) >> TRACE_HEADER_PMC_COUNTERS_SHIFT;
	u32 length = sizeof(*header);

	if (version & TRACE_HEADER_PEBS_INDEX_FLAG)
		n++;
	length += n * sizeof(u64);
	header->version = version;
	header->header_type = type;
	header->flags = TRACE_HEADER_FLAGS;
	header->size = length + etw_payload_size(payload);
	header->hook_id = hook_id;
	header->system_time = tick;
	if (n)
		memcpy(header + 1, items, n * sizeof(u64));
	etw_put_payload(to, length, payload);
	return header->size;
}

/**
 * etw_record_perfinfo_at() - write a PERFINFO record of an event of several sessions
 * @ring: this CPU's
 * @hook_id: hook id
 * @version: of the payload
 * @payload: payload
 * @mode: whether a failure is a loss
 * @moment: NULL, or the event's reading of the clocks
 *
 * Context: any; preemption off. Return: 0; -EMSGSIZE; -ENOBUFS when there was no space,
 * counted as a loss unless @mode is ETW_RESERVE_TRY.
 */
int etw_record_perfinfo_at(struct etw_ring *ring, u16 hook_id, u8 version,
			   const struct etw_payload *payload, enum etw_reserve_mode mode,
			   struct etw_moment *moment)
{
	struct etw_reservation at;
	u64 *to;
	u32 size;
	int err = etw_reserve_record(ring, sizeof(struct perfinfo_trace_header), payload, &at,
				     &size, mode, moment);

	if (err)
		return err;
	to = at.data;
	to[0] = etw_perfinfo_word(hook_id, version, size);
	to[1] = at.tick;
	etw_put_payload(at.data, sizeof(struct perfinfo_trace_header), payload);
	etw_commit(ring, &at, size);
	return 0;
}

/**
 * etw_record_perfinfo() - write a PERFINFO record
 * @ring: this CPU's
 * @hook_id: hook id
 * @version: of the payload
 * @payload: payload
 * @mode: whether a failure is a loss
 *
 * Context and return: as etw_record_perfinfo_at().
 */
int etw_record_perfinfo(struct etw_ring *ring, u16 hook_id, u8 version,
			const struct etw_payload *payload, enum etw_reserve_mode mode)
{
	return etw_record_perfinfo_at(ring, hook_id, version, payload, mode, NULL);
}
EXPORT_SYMBOL_GPL(etw_record_perfinfo);
