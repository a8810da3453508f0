// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TraceEvent, TraceEventInstance and TraceMessage to the private logger. */
#include <errno.h>
#include <string.h>
#include "instance.h"
#include "private_place.h"
#include "record/event_input.h"
#include "record/message.h"
#include "libetl/reader.h"
/* The encoder itself, so that it can be inlined */
#include "record/event.c"

static __always_inline ULONG write_parts(struct private_writing writing,
					 const struct etw_event_parts *parts)
{
	u32 size = etw_event_record_size(parts);
	struct etw_writer writer;
	struct etw_reservation at;
	ULONG error;

	if (!private_reserve(writing, size, &at, &error))
		return error;
	private_fill_writer(writing.stream, at.tick, &writer);
	etw_encode_event(at.data, parts, &writer, at.tick);
	etw_commit(writing.ring, &at, size);
	return ERROR_SUCCESS;
}

/*
 * NO_HEADER: a complete record, to be written as it is. Only its type and size are checked,
 * because otherwise no reader would find the next record.
 */
static bool is_one_record(const u8 *bytes, u32 size)
{
	const struct etl_buffer buffer = { .bytes = bytes, .end = size };
	struct etl_record record;

	return etl_record_at(&buffer, 0, &record) == ETL_RECORD_OK && record.size == size;
}

static ULONG write_record(struct private_writing writing, const u8 *record, u32 size)
{
	struct etw_reservation at;
	ULONG error;

	if (!is_one_record(record, size))
		return ERROR_INVALID_PARAMETER;
	if (!private_reserve(writing, size, &at, &error))
		return error;
	memset(at.data + (size & ~7U), 0, -size & 7 ? 8 : 0);
	memcpy(at.data, record, size);
	etw_commit(writing.ring, &at, size);
	return ERROR_SUCCESS;
}

/* An EVENT_TRACE goes on behind its header: format.rst 5.5 */
static ULONG write_whole(struct private_writing writing, const EVENT_TRACE_HEADER *given)
{
	struct private_staged staged;
	EVENT_TRACE trace;
	ULONG error;

	if (private_copy(&trace, given, sizeof(trace)))
		return ERROR_NOACCESS;
	if (trace.MofLength > ETW_MAX_RECORD)
		return ERROR_MORE_DATA;
	if (!private_stage(&staged, trace.MofLength))
		return ERROR_NOT_ENOUGH_MEMORY;
	if (private_copy(staged.data, (void *)(uintptr_t)trace.MofData, trace.MofLength))
		error = ERROR_NOACCESS;
	else
		error = write_record(writing, staged.data, trace.MofLength);
	private_unstage(&staged, trace.MofLength);
	return error;
}

static ULONG gather(u8 *to, const struct mof_field *field, u32 n)
{
	for (; n; n--, field++) {
		if (private_copy(to, (void *)(uintptr_t)field->data_ptr, field->length))
			return ERROR_NOACCESS;
		to += field->length;
	}
	return ERROR_SUCCESS;
}

/* The array is copied once, and what it says now counts. */
static ULONG write_fields(struct private_writing writing, struct etw_event_parts *parts,
			  const void *array, u32 n)
{
	struct mof_field field[ETW_MAX_MOF_FIELDS];
	struct private_staged staged;
	u64 size = 0;
	ULONG error;
	u32 i;

	if (private_copy(field, array, n * sizeof(*field)))
		return ERROR_NOACCESS;
	for (i = 0; i < n; i++)
		size += field[i].length;
	if (size > ETW_MAX_RECORD)
		return ERROR_MORE_DATA;
	if (!private_stage(&staged, size))
		return ERROR_NOT_ENOUGH_MEMORY;
	error = gather(staged.data, field, n);
	parts->data = staged.data;
	parts->size = size;
	if (!error)
		error = write_parts(writing, parts);
	private_unstage(&staged, size);
	return error;
}

static ULONG write_data(struct private_writing writing, struct etw_event_parts *parts,
			const void *data, u32 size)
{
	struct private_staged staged;
	ULONG error;

	if (unlikely(!private_stage(&staged, size)))
		return ERROR_NOT_ENOUGH_MEMORY;
	parts->data = staged.data;
	parts->size = size;
	if (unlikely(private_copy(staged.data, data, size)))
		error = ERROR_NOACCESS;
	else
		error = write_parts(writing, parts);
	private_unstage(&staged, size);
	return error;
}

/* @header is a copy. */
static ULONG write_checked(struct private_writing writing, struct event_trace_header *header,
			   const struct etw_event_shape *shape, int instance, const void *data)
{
	struct etw_event_parts parts = {
		.header = header, .instance = instance,
		.stamped = !!(header->flags & WNODE_FLAG_USE_TIMESTAMP),
	};
	struct etw_guid guid;

	if (header->flags & WNODE_FLAG_USE_GUID_PTR) {
		if (private_copy(&guid, (void *)(uintptr_t)header->guid_ptr, sizeof(guid)))
			return ERROR_NOACCESS;
		header->guid = guid;
	}
	if (header->flags & WNODE_FLAG_USE_MOF_PTR)
		return write_fields(writing, &parts, data, shape->mof_fields);
	return write_data(writing, &parts, data, shape->given - shape->header);
}

static const struct etw_event_rules rules = { .version = ETW_RULES_5_1, .private_logger = 1 };

/* Most events have nothing that etw_event_check() would have to look at. */
static __always_inline int check(const struct event_trace_header *header, TRACEHANDLE handle,
				 struct etw_event_shape *shape)
{
	const u32 plain = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_TIMESTAMP;

	if (unlikely(header->flags & ~plain || header->size < sizeof(*header)))
		return etw_event_check(header, handle, &rules, shape);
	*shape = (struct etw_event_shape){
		.header = sizeof(*header), .valid = 1, .given = header->size,
	};
	return 0;
}

/*
 * Of the edits that Windows makes to the caller's header one is left when the
 * function returns, the handle at offset 8. (format.rst 5.4)
 */
static __always_inline ULONG trace_event(struct private_writing writing, TRACEHANDLE handle,
					 EVENT_TRACE_HEADER *event)
{
	struct event_trace_header header;
	struct etw_event_shape shape;
	int err;

	if (unlikely(private_copy_header(&header, event)))
		return ERROR_NOACCESS;
	err = check(&header, handle, &shape);
	if (likely(shape.valid) &&
	    unlikely(private_copy((u8 *)event + 8, &handle, sizeof(handle))))
		return ERROR_NOACCESS;
	if (unlikely(err))
		return etw_error(err);
	if (unlikely(header.flags & WNODE_FLAG_NO_HEADER))
		return write_whole(writing, event);
	return write_checked(writing, &header, &shape, 0, event + 1);
}

ULONG private_trace_event(TRACEHANDLE handle, EVENT_TRACE_HEADER *event)
{
	struct private_writing writing;
	ULONG error;

	if (!event)
		return ERROR_INVALID_PARAMETER;
	error = private_begin(handle, &writing);
	if (unlikely(error))
		return error;
	error = trace_event(writing, handle, event);
	private_leave(writing.stream);
	return error;
}

static int copy_pieces(const struct etw_piece *piece, unsigned int count)
{
	for (; count; count--, piece++)
		if (private_copy(piece->to, piece->from, piece->size))
			return -EFAULT;
	return 0;
}

static ULONG trace_instance(struct private_writing writing, const struct instance_call *call)
{
	struct etw_event_rules instance = rules;
	struct instance_event event;
	struct event_trace_header *header = &event.header.event;
	struct etw_event_shape shape;
	int err = instance_take(&event, call);

	if (err)
		return etw_error(err);
	if (event.size > ETW_MAX_RECORD - sizeof(event.header))
		return ERROR_MORE_DATA;
	if (header->flags & WNODE_FLAG_NO_HEADER)
		return ERROR_INVALID_PARAMETER;
	instance.instance = 1;
	header->size = sizeof(event.header) + event.size;
	err = etw_event_check(header, call->handle, &instance, &shape);
	if (shape.valid && instance_leave_handle(call))
		err = -EFAULT;
	if (err)
		return etw_error(err);
	return write_checked(writing, header, &shape, 1, event.data);
}

ULONG private_trace_instance(const struct instance_call *given)
{
	struct instance_call call = *given;
	struct private_writing writing;
	ULONG error = private_begin(call.handle, &writing);

	if (error)
		return error;
	call.copy = copy_pieces;
	error = trace_instance(writing, &call);
	private_leave(writing.stream);
	return error;
}

/* Of all sessions of the process that count so */
static u32 global_sequence;

static u32 next_sequence(u32 flags)
{
	struct private_memory *memory = private_memory();
	u32 *count = NULL;

	/* NULL: a child of fork() that goes on where its parent was */
	if (!memory || !(flags & TRACE_MESSAGE_SEQUENCE))
		return 0;
	if (memory->session.mode & EVENT_TRACE_USE_GLOBAL_SEQUENCE)
		count = &global_sequence;
	else if (memory->session.mode & EVENT_TRACE_USE_LOCAL_SEQUENCE)
		count = &memory->session.sequence;
	if (!count)
		return 0;
	return __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}

static ULONG write_message(struct private_writing writing, const struct etw_message_parts *parts)
{
	u32 size = etw_message_record_size(parts);
	struct etw_writer writer;
	struct etw_reservation at;
	ULONG error;

	if (!private_reserve(writing, size, &at, &error))
		return error;
	writer = (struct etw_writer){
		.thread_id = writing.stream->tid, .process_id = writing.stream->pid,
		.bits = 8 * sizeof(void *),
	};
	etw_encode_message(at.data, parts, &writer, next_sequence(parts->message_flags), at.tick);
	etw_commit(writing.ring, &at, size);
	return ERROR_SUCCESS;
}

static ULONG gather_arguments(u8 *to, const struct etw_message_argument *argument, u32 n)
{
	for (; n; n--, argument++) {
		if (private_copy(to, (void *)(uintptr_t)argument->data, argument->length))
			return ERROR_NOACCESS;
		to += argument->length;
	}
	return ERROR_SUCCESS;
}

/* A component id is in the same place as a GUID, and shorter. */
static int copy_guid(struct etw_guid *to, u32 flags, const void *guid)
{
	memset(to, 0, sizeof(*to));
	if (flags & TRACE_MESSAGE_COMPONENT_ID)
		return private_copy(to, guid, sizeof(u32));
	return flags & TRACE_MESSAGE_GUID ? private_copy(to, guid, sizeof(*to)) : 0;
}

static ULONG trace_message(struct private_writing writing, struct etw_message_parts *parts,
			   const void *guid, const struct etw_message_argument *arguments,
			   u32 nr_arguments)
{
	struct private_staged staged;
	u64 size = 0;
	ULONG error;
	u32 i;

	if (copy_guid(&parts->guid, parts->message_flags, guid))
		return ERROR_NOACCESS;
	for (i = 0; i < nr_arguments && size <= ETW_MAX_RECORD; i++)
		size = arguments[i].length > ETW_MAX_RECORD ? ~0U : size + arguments[i].length;
	if (size > ETW_MAX_RECORD)
		return ERROR_MORE_DATA;
	if (!private_stage(&staged, size))
		return ERROR_NOT_ENOUGH_MEMORY;
	error = gather_arguments(staged.data, arguments, nr_arguments);
	parts->data = staged.data;
	parts->size = size;
	if (!error)
		error = write_message(writing, parts);
	private_unstage(&staged, size);
	return error;
}

ULONG private_trace_message(TRACEHANDLE handle, ULONG flags, const void *guid, USHORT number,
			    const struct etw_message_argument *arguments, uint32_t nr_arguments)
{
	struct etw_message_parts parts = { .message_flags = flags, .message_number = number };
	struct private_writing writing;
	ULONG error;

	if (flags & ~TRACE_MESSAGE_CALLER_FLAGS || nr_arguments > ETW_MAX_MESSAGE_ARGUMENTS)
		return ERROR_INVALID_PARAMETER;
	error = private_begin(handle, &writing);
	if (error)
		return error;
	error = trace_message(writing, &parts, guid, arguments, nr_arguments);
	private_leave(writing.stream);
	return error;
}
