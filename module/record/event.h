/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* EVENT_TRACE_HEADER records: pure encoder; shared with libetw and tests. */
#ifndef ETW_EVENT_H
#define ETW_EVENT_H

#include "etw_trace_headers.h"

/**
 * struct etw_writer - the thread that writes a record, as the system describes it
 * @thread_id: thread
 * @process_id: its process
 * @kernel_time: in units of TimerResolution
 * @user_time: in units of TimerResolution; in a private logger both times are the
 *	64 bits of ProcessorTime
 * @bits: 32 or 64: width of the writer's pointers
 */
struct etw_writer {
	__u32 thread_id;
	__u32 process_id;
	__u32 kernel_time;
	__u32 user_time;
	__u32 bits;
};

/**
 * struct etw_event_parts - a checked event, all of it in our memory
 * @header: as given, with its GUID; an instance's header is longer
 * @instance: @header is a struct event_instance_guid_header
 * @wnode: @header is a WNODE_HEADER: logged unchanged, except for the marker in
 *	its size and its time stamp
 * @stamped: keep the time stamp of @header
 * @data: data behind the header; if NULL, the caller writes the data
 * @size: bytes of @data
 */
struct etw_event_parts {
	const struct event_trace_header *header;
	int instance;
	int wnode;
	int stamped;
	const void *data;
	__u32 size;
};

static inline __u32 etw_event_header_size(const struct etw_event_parts *parts)
{
	return parts->instance ? sizeof(struct event_instance_guid_header) :
				 sizeof(struct event_trace_header);
}

/**
 * etw_event_record_size() - bytes of an event's record, without padding
 * @parts: the event; @size may be anything
 *
 * Return: Size; U32_MAX when it doesn't fit into 32 bits; more than
 * ETW_MAX_RECORD can't be written.
 */
static inline __u32 etw_event_record_size(const struct etw_event_parts *parts)
{
	__u32 header = etw_event_header_size(parts);

	return parts->size > ~0U - header ? ~0U : header + parts->size;
}

/*
 * Writes the record at @to, zeros up to the next multiple of 8 included. Can't
 * fail. Return: its Size.
 */
__u32 etw_encode_event(void *to, const struct etw_event_parts *parts,
		       const struct etw_writer *writer, __u64 tick);

#endif /* ETW_EVENT_H */
