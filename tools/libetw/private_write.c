// SPDX-License-Identifier: GPL-2.0
/* TraceEvent, TraceEventInstance and TraceMessage to the private logger. */
#include <linux/mm.h>
#include <string.h>
#include "private.h"
#include "../../module/record/event_input.h"
#include "../../module/record/message.h"
/* The encoder itself, so that it can be inlined */
#include "../../module/record/event.c"

/* Larger data doesn't come over the stack: a handler's may have 2 KB in all */
#define SMALL		208
#define STAGING		0x10000U

/**
 * struct staged - the caller's data in memory of ours
 * @data: where
 * @stream: whose staging it is, or NULL
 * @pages: pages of its own, or NULL
 * @small: if it fits
 */
struct staged {
	u8 *data;
	struct private_stream *stream;
	void *pages;
	u8 small[SMALL];
};

/*
 * Nothing can fail after a place is reserved, so all is copied before; and it is
 * checked in the copy. A handler that comes over somebody who uses the thread's
 * staging gets pages of its own.
 */
static bool stage_large(struct staged *staged, u32 size)
{
	struct private_stream *stream = private_self;

	staged->stream = NULL;
	staged->pages = NULL;
	if (!stream || READ_ONCE(stream->staged)) {
		staged->pages = kvmalloc_node(size, GFP_KERNEL, -1);
		staged->data = staged->pages;
		return !!staged->data;
	}
	WRITE_ONCE(stream->staged, 1);
	barrier();
	if (!stream->staging)
		stream->staging = kvmalloc_node(STAGING, GFP_KERNEL, -1);
	staged->stream = stream;
	staged->data = stream->staging;
	if (!staged->data)
		WRITE_ONCE(stream->staged, 0);
	return !!staged->data;
}

/* @size: at most 0xFFFF. Return: whether there is room */
static __always_inline bool stage(struct staged *staged, u32 size)
{
	if (unlikely(size > SMALL))
		return stage_large(staged, size);
	staged->data = staged->small;
	return true;
}

static __always_inline void unstage(struct staged *staged, u32 size)
{
	if (likely(size <= SMALL))
		return;
	if (staged->stream)
		WRITE_ONCE(staged->stream->staged, 0);
	kvfree(staged->pages);
}

/* Inside an event, which ends here. It is counted as lost, by cause. */
static __attribute__((noinline, cold)) ULONG no_place(struct private_stream *stream,
							const struct etw_ring *ring, u32 size)
{
	bool large = etw_units(size) > ring->capacity;

	private_leave(stream);
	return large ? ERROR_MORE_DATA : ERROR_NOT_ENOUGH_MEMORY;
}

/* The thread's CPU time, not older than a millisecond */
static __always_inline void fill_writer(struct private_stream *stream, u64 tick,
					struct etw_writer *writer)
{
	u64 time;

	if (unlikely((s64)(tick - READ_ONCE(stream->cpu_until)) >= 0))
		private_cpu_time(stream, tick);
	time = READ_ONCE(stream->cpu_time);
	*writer = (struct etw_writer){
		.thread_id = stream->tid, .process_id = stream->pid,
		.kernel_time = (u32)time, .user_time = (u32)(time >> 32),
		.bits = 8 * sizeof(void *),
	};
}

/*
 * A place for a record of @size: then end_record() is due. What private_enter() fills
 * in, it may fill in out of line; the copy is nobody's but the caller's.
 * Return: whether there is one; if not, why is in @error
 */
static __always_inline bool begin_record(TRACEHANDLE handle, u32 size,
					 struct private_writing *writing, struct etw_place *at,
					 ULONG *error)
{
	struct private_writing entered;

	*error = size > ETW_MAX_RECORD ? ERROR_MORE_DATA : private_enter(handle, &entered);
	if (*error)
		return false;
	*writing = entered;
	if (etw_reserve(writing->ring, size, at, ETW_RESERVE_COUNT))
		return true;
	*error = no_place(writing->stream, writing->ring, size);
	return false;
}

static __always_inline void end_record(const struct private_writing *writing,
				       struct etw_place *at, u32 size)
{
	etw_commit(writing->ring, at, size);
	private_leave(writing->stream);
}

static __always_inline ULONG write_parts(TRACEHANDLE handle, const struct etw_event_parts *parts)
{
	u32 size = etw_event_record_size(parts);
	struct private_writing writing;
	struct etw_writer writer;
	struct etw_place at;
	ULONG error;

	if (!begin_record(handle, size, &writing, &at, &error))
		return error;
	fill_writer(writing.stream, at.tick, &writer);
	etw_encode_event(at.data, parts, &writer, at.tick);
	end_record(&writing, &at, size);
	return ERROR_SUCCESS;
}

/*
 * NO_HEADER: somebody's record, to be written as it is. What it says is not
 * looked at, but that it is one record of that size: else no reader would find
 * the next one.
 */
static u32 size_of_record(const u8 *record, u32 bytes)
{
	u16 word[4];

	if (bytes < sizeof(word))
		return 0;
	memcpy(word, record, sizeof(word));
	if (word[1] >> 8 == TRACE_MESSAGE_FLAGS)
		return word[0];
	if (word[1] >> 8 != TRACE_HEADER_FLAGS)
		return 0;
	switch (word[1] & 0xFF) {
	case TRACE_HEADER_TYPE_SYSTEM32:
	case TRACE_HEADER_TYPE_SYSTEM64:
	case TRACE_HEADER_TYPE_COMPACT32:
	case TRACE_HEADER_TYPE_COMPACT64:
	case TRACE_HEADER_TYPE_PERFINFO32:
	case TRACE_HEADER_TYPE_PERFINFO64:
		return word[2];
	}
	return word[0];
}

static ULONG write_record(TRACEHANDLE handle, const u8 *record, u32 size)
{
	struct private_writing writing;
	struct etw_place at;
	ULONG error;

	if (size_of_record(record, size) != size)
		return ERROR_INVALID_PARAMETER;
	if (!begin_record(handle, size, &writing, &at, &error))
		return error;
	memset(at.data + (size & ~7U), 0, -size & 7 ? 8 : 0);
	memcpy(at.data, record, size);
	end_record(&writing, &at, size);
	return ERROR_SUCCESS;
}

/* An EVENT_TRACE goes on behind its header: format.rst 5.5 */
static ULONG write_whole(TRACEHANDLE handle, const EVENT_TRACE_HEADER *given)
{
	struct staged staged;
	EVENT_TRACE trace;
	ULONG error;

	if (private_copy(&trace, given, sizeof(trace)))
		return ERROR_NOACCESS;
	if (trace.MofLength > ETW_MAX_RECORD)
		return ERROR_MORE_DATA;
	if (!stage(&staged, trace.MofLength))
		return ERROR_NOT_ENOUGH_MEMORY;
	if (private_copy(staged.data, (void *)(uintptr_t)trace.MofData, trace.MofLength))
		error = ERROR_NOACCESS;
	else
		error = write_record(handle, staged.data, trace.MofLength);
	unstage(&staged, trace.MofLength);
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
static ULONG write_fields(TRACEHANDLE handle, struct etw_event_parts *parts, const void *array,
			  u32 n)
{
	struct mof_field field[ETW_MAX_MOF_FIELDS];
	struct staged staged;
	u64 size = 0;
	ULONG error;
	u32 i;

	if (private_copy(field, array, n * sizeof(*field)))
		return ERROR_NOACCESS;
	for (i = 0; i < n; i++)
		size += field[i].length;
	if (size > ETW_MAX_RECORD)
		return ERROR_MORE_DATA;
	if (!stage(&staged, size))
		return ERROR_NOT_ENOUGH_MEMORY;
	error = gather(staged.data, field, n);
	parts->data = staged.data;
	parts->size = size;
	if (!error)
		error = write_parts(handle, parts);
	unstage(&staged, size);
	return error;
}

static ULONG write_data(TRACEHANDLE handle, struct etw_event_parts *parts, const void *data,
			u32 size)
{
	struct staged staged;
	ULONG error;

	if (unlikely(!stage(&staged, size)))
		return ERROR_NOT_ENOUGH_MEMORY;
	parts->data = staged.data;
	parts->size = size;
	if (unlikely(private_copy(staged.data, data, size)))
		error = ERROR_NOACCESS;
	else
		error = write_parts(handle, parts);
	unstage(&staged, size);
	return error;
}

/* @header is a copy. */
static ULONG write_checked(TRACEHANDLE handle, struct event_trace_header *header,
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
		return write_fields(handle, &parts, data, shape->mof_fields);
	return write_data(handle, &parts, data, shape->given - shape->header);
}

static const struct etw_event_rules rules = { .version = ETW_RULES_5_1, .private_logger = 1 };

/* Most events have nothing that etw_event_check() would have to look at. */
static __always_inline int check(const struct event_trace_header *header, TRACEHANDLE handle,
				 struct etw_event_shape *shape)
{
	const u32 plain = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_TIMESTAMP;

	if (unlikely(header->flags & ~plain || header->size < sizeof(*header)))
		return etw_event_check(header, handle, &rules, shape);
	*shape = (struct etw_event_shape){ .header = sizeof(*header), .given = header->size };
	return 0;
}

/*
 * Of the edits that Windows makes to the caller's header one is left when the
 * function returns, the handle at offset 8. (format.rst 5.4)
 */
ULONG private_trace_event(TRACEHANDLE handle, EVENT_TRACE_HEADER *event)
{
	struct event_trace_header header;
	struct etw_event_shape shape;
	int err;

	if (!event)
		return ERROR_INVALID_PARAMETER;
	if (unlikely(private_copy_header(&header, event)))
		return ERROR_NOACCESS;
	err = check(&header, handle, &shape);
	if (unlikely(err))
		return etw_error(err);
	if (unlikely(private_copy((u8 *)event + 8, &handle, sizeof(handle))))
		return ERROR_NOACCESS;
	if (unlikely(header.flags & WNODE_FLAG_NO_HEADER))
		return write_whole(handle, event);
	return write_checked(handle, &header, &shape, 0, event + 1);
}

ULONG private_trace_instance(TRACEHANDLE handle,
			     const struct event_instance_guid_header *header, const void *data,
			     uint32_t size)
{
	struct etw_event_rules instance = rules;
	struct event_instance_guid_header copy = *header;
	struct etw_event_shape shape;
	int err;

	if (size > ETW_MAX_RECORD - sizeof(copy))
		return ERROR_MORE_DATA;
	if (copy.event.flags & WNODE_FLAG_NO_HEADER)
		return ERROR_INVALID_PARAMETER;
	instance.instance = 1;
	copy.event.size = sizeof(copy) + size;
	err = etw_event_check(&copy.event, handle, &instance, &shape);
	if (err)
		return etw_error(err);
	return write_checked(handle, &copy.event, &shape, 1, data);
}

/* Of all sessions of the process that count so */
static u32 global_sequence;

static u32 next_sequence(u32 flags)
{
	struct private_world *world = private_world();
	u32 *count = NULL;

	/* NULL: a child of fork() that goes on where its parent was */
	if (!world || !(flags & TRACE_MESSAGE_SEQUENCE))
		return 0;
	if (world->session.mode & EVENT_TRACE_USE_GLOBAL_SEQUENCE)
		count = &global_sequence;
	else if (world->session.mode & EVENT_TRACE_USE_LOCAL_SEQUENCE)
		count = &world->session.sequence;
	if (!count)
		return 0;
	return __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}

static ULONG write_message(TRACEHANDLE handle, const struct etw_message_parts *parts)
{
	u32 size = etw_message_record_size(parts);
	struct private_writing writing;
	struct etw_writer writer;
	struct etw_place at;
	ULONG error;

	if (!begin_record(handle, size, &writing, &at, &error))
		return error;
	writer = (struct etw_writer){
		.thread_id = writing.stream->tid, .process_id = writing.stream->pid,
		.bits = 8 * sizeof(void *),
	};
	etw_encode_message(at.data, parts, &writer, next_sequence(parts->message_flags), at.tick);
	end_record(&writing, &at, size);
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

ULONG private_trace_message(TRACEHANDLE handle, ULONG flags, const void *guid, USHORT number,
			    const struct etw_message_argument *arguments, uint32_t nr_arguments)
{
	struct etw_message_parts parts = { .message_flags = flags, .message_number = number };
	struct staged staged;
	u64 size = 0;
	ULONG error;
	u32 i;

	if (flags & ~TRACE_MESSAGE_CALLER_FLAGS || nr_arguments > ETW_MAX_MESSAGE_ARGUMENTS)
		return ERROR_INVALID_PARAMETER;
	if (copy_guid(&parts.guid, flags, guid))
		return ERROR_NOACCESS;
	for (i = 0; i < nr_arguments && size <= ETW_MAX_RECORD; i++)
		size = arguments[i].length > ETW_MAX_RECORD ? ~0U : size + arguments[i].length;
	if (size > ETW_MAX_RECORD)
		return ERROR_MORE_DATA;
	if (!stage(&staged, size))
		return ERROR_NOT_ENOUGH_MEMORY;
	error = gather_arguments(staged.data, arguments, nr_arguments);
	parts.data = staged.data;
	parts.size = size;
	if (!error)
		error = write_message(handle, &parts);
	unstage(&staged, size);
	return error;
}
