// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Encoder of EVENT_TRACE_HEADER records, and of WNODE_HEADER records of 5.0. Pure. */
#include <linux/string.h>
#include "event.h"

static __u8 header_type(const struct etw_event_parts *parts, __u32 bits)
{
	if (parts->instance)
		return bits == 32 ? TRACE_HEADER_TYPE_INSTANCE32 : TRACE_HEADER_TYPE_INSTANCE64;
	return bits == 32 ? TRACE_HEADER_TYPE_FULL_HEADER32 : TRACE_HEADER_TYPE_FULL_HEADER64;
}

/* A WNODE_HEADER has no marker: its first word is its size. (format.rst 3.1) */
static void put_wnode(void *to, const struct etw_event_parts *parts, __u32 size, __u64 tick)
{
	struct event_trace_header *header = to;

	*header = *parts->header;
	memcpy(header, &size, sizeof(size));
	header->time_stamp = parts->stamped ? parts->header->time_stamp : tick;
}

static void put_event(void *to, const struct etw_event_parts *parts,
		      const struct etw_writer *writer, __u32 size, __u64 tick)
{
	const struct event_trace_header *given = parts->header;
	struct event_trace_header *header = to;

	header->size = size;
	header->header_type = header_type(parts, writer->bits);
	header->marker_flags = TRACE_HEADER_FLAGS;
	header->type = given->type;
	header->level = given->level;
	header->version = given->version;
	header->thread_id = writer->thread_id;
	header->process_id = writer->process_id;
	header->time_stamp = parts->stamped ? given->time_stamp : tick;
	header->guid = given->guid;
	header->kernel_time = writer->kernel_time;
	header->user_time = writer->user_time;
	if (parts->instance)
		memcpy(header + 1, given + 1,
		       sizeof(struct event_instance_guid_header) - sizeof(*header));
}

/**
 * etw_encode_event() - write a header and data
 * @to: space for the record, padded to 8
 * @parts: the event
 * @writer: the writing thread
 * @tick: session clock
 *
 * The caller gives type, level, version, GUID and data, the system all else.
 * (format.rst 5.6) Return: the record's Size.
 */
__u32 etw_encode_event(void *to, const struct etw_event_parts *parts,
		       const struct etw_writer *writer, __u64 tick)
{
	__u32 size = etw_event_record_size(parts);

	/* zero the last word first: data overwrites what is not padding */
	if (size % ETW_RECORD_ALIGN)
		*(__u64 *)((__u8 *)to + (size & ~(ETW_RECORD_ALIGN - 1))) = 0;
	if (parts->wnode)
		put_wnode(to, parts, size, tick);
	else
		put_event(to, parts, writer, size, tick);
	if (parts->data && parts->size)
		memcpy((__u8 *)to + etw_event_header_size(parts), parts->data, parts->size);
	return size;
}
