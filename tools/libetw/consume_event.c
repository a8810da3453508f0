// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EVENT_RECORD and EVENT_TRACE, made from records with any header. */
#include <string.h>
#include "libetl/guids.h"
#include "consume.h"
#include "etw_format.h"

/* What consumers get where the record does not say */
#define NO_ID			0xFFFFFFFFu
/* MESSAGE: its option flag, and the byte of the marker that identifies it */
#define MESSAGE_SEQUENCE	0x0001
#define MESSAGE_MARKER		0x90
#define TRACE_MARKER		0xC0

static_assert(sizeof(EVENT_HEADER) == 0x50, "EVENT_HEADER");
static_assert(sizeof(EVENT_HEADER_EXTENDED_DATA_ITEM) == 0x10, "extended item");
static_assert(sizeof(EVENT_RECORD) == 0x70, "EVENT_RECORD");
static_assert(sizeof(EVENT_TRACE_HEADER) == 0x30, "EVENT_TRACE_HEADER");
static_assert(sizeof(EVENT_TRACE) == 0x58, "EVENT_TRACE");

static bool is_hook(const struct etl_record *record)
{
	return record->header == ETL_SYSTEM || record->header == ETL_COMPACT ||
	       record->header == ETL_PERFINFO;
}

/* An EVENT_HEADER; of ERROR no more is known than that it looks like one */
static bool is_event(const struct etl_record *record)
{
	return record->header == ETL_EVENT || record->header == ETL_ERROR;
}

static bool has_cpu_times(const struct etl_record *record)
{
	return record->header == ETL_SYSTEM || record->header == ETL_FULL ||
	       record->header == ETL_INSTANCE || is_event(record);
}

static void put_class(const struct etl_record *record, GUID *guid)
{
	const struct etw_guid *from = &record->guid;

	static_assert(sizeof(*guid) == sizeof(*from), "GUID");
	if (is_hook(record))
		from = guid_of_hook(record->hook_id);
	if (from)
		memcpy(guid, from, sizeof(*guid));
	else
		memset(guid, 0, sizeof(*guid));
}

static uint8_t opcode_of(const struct etl_record *record)
{
	return is_hook(record) ? record->hook_id & 0xFF : record->opcode;
}

static void put_context(const struct etl_buffer *buffer, ETW_BUFFER_CONTEXT *context)
{
	context->ProcessorIndex = buffer->header.processor_index;
	if (buffer->header.buffer_flag & ETW_BUFFER_FLAG_PROC_INDEX)
		context->ProcessorIndex = buffer->processor;
	context->LoggerId = buffer->header.logger_id;
}

/* What is in the record stays; what the consumer's side says is said anew. */
static USHORT flags_of(const struct consume_cursor *cursor)
{
	const struct etl_record *record = &cursor->record;
	USHORT flags = 0;

	if (is_event(record))
		flags = record->flags & (EVENT_HEADER_FLAG_STRING_ONLY |
					 EVENT_HEADER_FLAG_NO_CPUTIME |
					 EVENT_HEADER_FLAG_DECODE_GUID);
	else if (record->header == ETL_MESSAGE)
		flags = EVENT_HEADER_FLAG_TRACE_MESSAGE;
	else
		flags = EVENT_HEADER_FLAG_CLASSIC_HEADER;
	if (!has_cpu_times(record))
		flags |= EVENT_HEADER_FLAG_NO_CPUTIME;
	if (cursor->consumer->log.log_file_mode & CONSUME_PRIVATE_MODES)
		flags |= EVENT_HEADER_FLAG_PRIVATE_SESSION;
	if (cursor->buffer->header.buffer_flag & ETW_BUFFER_FLAG_PROC_INDEX)
		flags |= EVENT_HEADER_FLAG_PROCESSOR_INDEX;
	return flags | (record->pointer_size == 4 ? EVENT_HEADER_FLAG_32_BIT_HEADER :
						    EVENT_HEADER_FLAG_64_BIT_HEADER);
}

static void put_item(struct consume_event *event, USHORT type, const void *data, size_t size)
{
	EVENT_RECORD *record = &event->record;
	EVENT_HEADER_EXTENDED_DATA_ITEM *item = &event->items[record->ExtendedDataCount];

	if (record->ExtendedDataCount == CONSUME_MAX_ITEMS)
		return;
	if (record->ExtendedDataCount++)
		item[-1].Linkage = 1;
	*item = (EVENT_HEADER_EXTENDED_DATA_ITEM){
		.ExtType = type, .DataSize = size, .DataPtr = (uintptr_t)data,
	};
}

/* The inline items of kernel events, and what else has no place in EVENT_HEADER */
static void put_inline_items(const struct etl_record *record, struct consume_event *event)
{
	if (record->header == ETL_INSTANCE ||
	    (record->header == ETL_MESSAGE && (record->flags & MESSAGE_SEQUENCE))) {
		event->instance.InstanceId = record->header == ETL_INSTANCE ?
					     record->instance : record->sequence;
		event->instance.ParentInstanceId = record->parent_instance;
		memcpy(&event->instance.ParentGuid, &record->activity, sizeof(GUID));
		put_item(event, EVENT_HEADER_EXT_TYPE_INSTANCE_INFO, &event->instance,
			 sizeof(event->instance));
	}
	if (record->has_pebs) {
		event->pebs.PebsIndex = record->pebs;
		put_item(event, EVENT_HEADER_EXT_TYPE_PEBS_INDEX, &event->pebs,
			 sizeof(event->pebs));
	}
	if (record->nr_counters) {
		memcpy(event->counters, record->counters, 8 * record->nr_counters);
		put_item(event, EVENT_HEADER_EXT_TYPE_PMC_COUNTERS, event->counters,
			 8 * record->nr_counters);
	}
}

static void put_items(const struct etl_record *record, struct consume_event *event)
{
	struct etl_item item = { };

	while (etl_item_next(record, &item))
		put_item(event, item.type, item.data, item.size);
	put_inline_items(record, event);
	if (event->record.ExtendedDataCount) {
		event->record.ExtendedData = event->items;
		event->record.EventHeader.Flags |= EVENT_HEADER_FLAG_EXTENDED_INFO;
	}
}

static void put_descriptor(const struct etl_record *record, EVENT_DESCRIPTOR *descriptor)
{
	descriptor->Id = record->id;
	descriptor->Version = (UCHAR)record->version;	/* has no room for a classic one's upper half */
	descriptor->Channel = record->channel;
	descriptor->Level = record->level;
	descriptor->Opcode = opcode_of(record);
	descriptor->Task = record->task;
	descriptor->Keyword = record->keyword;
}

static void put_header(const struct consume_cursor *cursor, uint64_t time, EVENT_HEADER *header)
{
	const struct etl_record *record = &cursor->record;

	header->Size = record->size;
	header->HeaderType = 0;	/* EVENT_TRACE_HEADER has the record's; Windows leaves this one 0 */
	header->Flags = flags_of(cursor);
	header->EventProperty = is_event(record) ?
				get16(cursor->buffer->bytes + record->at + 6) :
				header->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER ?
				EVENT_HEADER_PROPERTY_LEGACY_EVENTLOG : 0;
	header->ThreadId = record->has_ids ? record->thread_id : NO_ID;
	header->ProcessId = record->has_ids ? record->process_id : NO_ID;
	header->TimeStamp.QuadPart = time;
	put_class(record, &header->ProviderId);
	put_descriptor(record, &header->EventDescriptor);
	header->KernelTime = record->kernel_time;
	header->UserTime = record->user_time;
	if (is_event(record))
		memcpy(&header->ActivityId, &record->activity, sizeof(GUID));
	else
		memset(&header->ActivityId, 0, sizeof(GUID));
}

void consume_event_record(const struct consume_cursor *cursor, uint64_t time,
			  struct consume_event *event)
{
	EVENT_RECORD *record = &event->record;

	put_header(cursor, time, &record->EventHeader);
	put_context(cursor->buffer, &record->BufferContext);
	record->ExtendedDataCount = 0;
	record->ExtendedData = NULL;
	put_items(&cursor->record, event);
	record->UserData = (void *)cursor->record.payload;
	record->UserDataLength = cursor->record.payload_size;
	record->UserContext = cursor->consumer->logfile.a.Context;
}

/*
 * A message keeps its own first eight bytes except the size and the undefined bits of the marker.
 * So a callback that casts the header to MESSAGE_TRACE_HEADER finds number and option flags.
 */
static void put_identity(const struct consume_cursor *cursor, EVENT_TRACE_HEADER *header)
{
	const struct etl_record *record = &cursor->record;

	if (record->header == ETL_MESSAGE) {
		header->FieldTypeFlags = MESSAGE_MARKER << 8;
		header->Version = record->id | (uint32_t)record->flags << 16;
		return;
	}
	header->HeaderType = record->type;
	header->MarkerFlags = TRACE_MARKER;
	header->Class.Type = opcode_of(record);
	header->Class.Level = record->level;
	header->Class.Version = record->version;
}

static void put_instance(const struct etl_record *record, EVENT_TRACE *event)
{
	event->InstanceId = record->header == ETL_INSTANCE ? record->instance : record->sequence;
	event->ParentInstanceId = record->parent_instance;
	if (record->header == ETL_INSTANCE)
		memcpy(&event->ParentGuid, &record->activity, sizeof(GUID));
	else
		memset(&event->ParentGuid, 0, sizeof(GUID));
}

void consume_event_trace(const struct consume_cursor *cursor, uint64_t time, EVENT_TRACE *event)
{
	const struct etl_record *record = &cursor->record;
	EVENT_TRACE_HEADER *header = &event->Header;
	uint32_t size = sizeof(*header) + record->payload_size;

	header->Size = size > ETW_MAX_RECORD ? ETW_MAX_RECORD : size;
	put_identity(cursor, header);
	header->ThreadId = record->has_ids ? record->thread_id : NO_ID;
	header->ProcessId = record->has_ids ? record->process_id : NO_ID;
	header->TimeStamp.QuadPart = time;
	put_class(record, &header->Guid);
	header->KernelTime = record->kernel_time;
	header->UserTime = record->user_time;
	put_instance(record, event);
	event->MofData = (void *)record->payload;
	event->MofLength = record->payload_size;
	put_context(cursor->buffer, &event->BufferContext);
}
