/* SPDX-License-Identifier: GPL-2.0 */
/* EVENT_TRACE_HEADER records: pure encoder; shared with libetw and tests. */
#ifndef ETW_EVENT_H
#define ETW_EVENT_H

#include "etw_trace_headers.h"

/**
 * struct etw_writer - who writes a record, as the system says it
 * @thread_id: thread
 * @process_id: its process
 * @kernel_time: in units of TimerResolution
 * @user_time: likewise; with @kernel_time the 64 bits of ProcessorTime in a
 *	private logger
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
 * @header: as given, its GUID in place; an instance's is longer
 * @instance: it is a struct event_instance_guid_header
 * @wnode: it is a WNODE_HEADER: logged as it is, but for its size's marker
 *	and its time stamp
 * @stamped: keep its time stamp
 * @data: what follows; NULL: the caller writes it, behind the header
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
 * Return: Size; U32_MAX when it isn't to be said in 32 bits; more than
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
