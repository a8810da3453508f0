// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of other modules (IoWMIWriteEvent, WmiTraceMessage); declared in etw_kernel.h. */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/string.h>
#include "etw_kernel.h"
#include "record/event.h"
#include "record/event_input.h"
#include "record/message.h"
#include "ring/reserve.h"
#include "writable.h"

/*
 * A writer may have interrupted any code, even another writer in these functions. So it
 * must not allocate, lock, or access user memory. All sizes are taken from copies on
 * the stack before the record is reserved. Data are then copied directly from the caller's
 * memory into the record.
 */

/**
 * struct event - an event being written
 * @header: a copy that contains the GUID
 * @parts: what is written, except the data
 * @field: addresses and sizes of the data
 * @fields: entries of @field
 */
struct event {
	struct event_trace_header header;
	struct etw_event_parts parts;
	struct mof_field field[ETW_MAX_MOF_FIELDS];
	u32 fields;
};

static int find_data(struct event *event, const void *from, const struct etw_event_shape *shape)
{
	const u8 *behind = (const u8 *)from + shape->header;
	u64 size = 0;
	u32 i;

	if (!shape->wnode && (event->header.flags & WNODE_FLAG_USE_MOF_PTR)) {
		event->fields = shape->mof_fields;
		memcpy(event->field, behind, event->fields * sizeof(event->field[0]));
	} else {
		event->fields = 1;
		event->field[0].data_ptr = (unsigned long)behind;
		event->field[0].length = shape->given - shape->header;
	}
	for (i = 0; i < event->fields; i++)
		size += event->field[i].length;
	if (size > ETW_MAX_RECORD)
		return -EMSGSIZE;
	event->parts.size = size;
	return etw_event_record_size(&event->parts) > ETW_MAX_RECORD ? -EMSGSIZE : 0;
}

static int prepare_event(struct event *event, u64 *handle, const void *from)
{
	static const struct etw_event_rules rules = { .version = ETW_RULES_5_0 };
	struct etw_event_shape shape;
	int err;

	event->header = *(const struct event_trace_header *)from;
	*handle = event->header.thread_id | (u64)event->header.process_id << 32;
	err = etw_event_check(&event->header, *handle, &rules, &shape);
	if (err)
		return err;
	if (!shape.wnode && (event->header.flags & WNODE_FLAG_USE_GUID_PTR))
		event->header.guid = *(const struct etw_guid *)(unsigned long)
				     event->header.guid_ptr;
	if (shape.wnode)
		event->header.process_id = 0;	/* the record has the id, not the generation */
	event->parts = (struct etw_event_parts){
		.header = &event->header, .wnode = shape.wnode,
		.stamped = !!(event->header.flags & WNODE_FLAG_USE_TIMESTAMP),
	};
	return find_data(event, from, &shape);
}

static void put_event(void *to, const struct event *event, u64 tick)
{
	u8 *at = (u8 *)to + sizeof(event->header);
	struct etw_writer writer;
	u32 i;

	etw_writer_current(&writer);
	etw_encode_event(to, &event->parts, &writer, tick);
	for (i = 0; i < event->fields; i++) {
		memcpy(at, (const void *)(unsigned long)event->field[i].data_ptr,
		       event->field[i].length);
		at += event->field[i].length;
	}
}

/**
 * etw_trace_event() - write an event to a session
 * @wnode_or_event: address of a struct event_trace_header, or of a struct
 *	wnode_header, and what follows it, 8-aligned; neither is changed
 *
 * Flags specify the type: WNODE_FLAG_TRACED_GUID means EVENT_TRACE_HEADER,
 * WNODE_FLAG_LOG_WNODE means WNODE_HEADER and takes precedence. At offset 0x08
 * both contain the session handle, as in struct etw_provider's logger_id, or a logger id.
 * WNODE_FLAG_USE_GUID_PTR and WNODE_FLAG_USE_MOF_PTR are supported, with addresses
 * of kernel memory. WNODE_FLAG_USE_TIMESTAMP and WNODE_FLAG_LOG_WNODE are refused
 * unless the session allows them.
 *
 * Thread, process and their times are the current task's, also in an interrupt.
 * The kernel may write to every session, regardless of the rights of programs.
 *
 * Context: any, NMI included; takes no lock and never sleeps.
 *
 * Return: 0; -EINVAL without an event, or for a size below the header's;
 * -EBADRQC for neither flag; -EBADF if the handle names no running session
 * that accepts programs' events; -E2BIG for a MOF array of more than 0x100 bytes;
 * -EMSGSIZE for more than 64 KB, or, counted as lost, more than a buffer; -EACCES
 * if the session accepts no time stamps or no WNODE_HEADERs; -ENOBUFS if there is
 * no buffer, counted as lost.
 */
int etw_trace_event(const void *wnode_or_event)
{
	const struct etw_writable *writable;
	struct etw_ring *ring;
	struct etw_reservation at;
	struct event event;
	u32 size, needs;
	u64 handle;
	int err;

	if (!wnode_or_event)
		return -EINVAL;
	err = prepare_event(&event, &handle, wnode_or_event);
	if (err)
		return err;
	size = etw_event_record_size(&event.parts);
	needs = (event.parts.stamped ? ETW_PROVIDER_TIMESTAMPS : 0) |
		(event.parts.wnode ? ETW_PROVIDER_WNODES : 0);
	writable = etw_writable_enter(handle, NULL, size, needs, &err);
	if (!writable)
		return err;
	ring = this_cpu_ptr(writable->rings);
	if (etw_reserve(ring, size, &at, ETW_RESERVE_COUNT)) {
		put_event(at.data, &event, at.tick);
		etw_commit(ring, &at, size);
	} else {
		err = -ENOBUFS;
	}
	etw_writable_leave();
	return err;
}
EXPORT_SYMBOL_GPL(etw_trace_event);

/* Adds up the pairs before the first NULL; callers must not omit the NULL. */
static int sum_arguments(va_list arguments, u32 *size)
{
	size_t length, sum = 0;
	u32 i;

	for (i = 0; va_arg(arguments, const void *); i++) {
		length = va_arg(arguments, size_t);
		if (i == ETW_MAX_MESSAGE_ARGUMENTS)
			return -EINVAL;
		if (length > ETW_MAX_RECORD)
			return -EMSGSIZE;
		sum += length;
	}
	*size = sum;
	return 0;
}

static void put_arguments(u8 *to, va_list arguments)
{
	const void *from;
	size_t length;

	while ((from = va_arg(arguments, const void *))) {
		length = va_arg(arguments, size_t);
		memcpy(to, from, length);
		to += length;
	}
}

static int prepare_message(struct etw_message_parts *parts, const struct etw_guid *guid,
			   va_list arguments)
{
	int err;

	if (parts->message_flags & ~TRACE_MESSAGE_CALLER_FLAGS)
		return -EINVAL;
	if (parts->message_flags & (TRACE_MESSAGE_GUID | TRACE_MESSAGE_COMPONENT_ID)) {
		if (!guid)
			return -EINVAL;
		/* a component id has only 32 bits */
		if (parts->message_flags & TRACE_MESSAGE_COMPONENT_ID)
			parts->guid.data1 = guid->data1;
		else
			parts->guid = *guid;
	}
	err = sum_arguments(arguments, &parts->size);
	if (err)
		return err;
	return etw_message_record_size(parts) > ETW_MAX_RECORD ? -EMSGSIZE : 0;
}

/**
 * etw_trace_message_va() - write a message to a session
 * @session_handle: as in struct etw_provider's logger_id
 * @message_flags: TRACE_MESSAGE_*, of TRACE_MESSAGE_CALLER_FLAGS
 * @message_guid: GUID, or, with TRACE_MESSAGE_COMPONENT_ID, address of 32 bits;
 *	ignored without either flag
 * @message_number: its number
 * @arguments: pairs of an address and a size_t; a NULL address ends them.
 *	A pair of size 0 adds nothing
 *
 * Context: any, NMI included; takes no lock and never sleeps.
 *
 * Return: 0; -EINVAL for other flags, a missing GUID, or more than
 * ETW_MAX_MESSAGE_ARGUMENTS pairs; -EBADF if the handle names no running
 * session that accepts programs' events; -EMSGSIZE for more than 64 KB, or, counted
 * as lost, more than a buffer; -ENOBUFS if there is no buffer, counted as lost.
 */
int etw_trace_message_va(u64 session_handle, u32 message_flags,
			 const struct etw_guid *message_guid, u16 message_number,
			 va_list arguments)
{
	struct etw_message_parts parts = {
		.message_flags = message_flags, .message_number = message_number,
	};
	const struct etw_writable *writable;
	struct etw_writer writer;
	struct etw_ring *ring;
	struct etw_reservation at;
	u32 size, sequence = 0;
	va_list list;
	int err;

	va_copy(list, arguments);
	err = prepare_message(&parts, message_guid, list);
	va_end(list);
	if (err)
		return err;
	size = etw_message_record_size(&parts);
	writable = etw_writable_enter(session_handle, NULL, size, 0, &err);
	if (!writable)
		return err;
	ring = this_cpu_ptr(writable->rings);
	if (etw_reserve(ring, size, &at, ETW_RESERVE_COUNT)) {
		if (message_flags & TRACE_MESSAGE_SEQUENCE)
			sequence = etw_writable_sequence(writable);
		etw_writer_current(&writer);
		put_arguments(etw_encode_message_items(at.data, &parts, &writer, sequence, at.tick),
			      arguments);
		etw_commit(ring, &at, size);
	} else {
		err = -ENOBUFS;
	}
	etw_writable_leave();
	return err;
}
EXPORT_SYMBOL_GPL(etw_trace_message_va);

/**
 * etw_trace_message() - write a message to a session
 * @session_handle: see etw_trace_message_va()
 * @message_flags: see etw_trace_message_va()
 * @message_guid: see etw_trace_message_va()
 * @message_number: see etw_trace_message_va()
 *
 * Pairs of an address and a size_t follow, then NULL. Integer constants need a cast
 * to size_t.
 *
 * Context: any. Return: as etw_trace_message_va().
 */
int etw_trace_message(u64 session_handle, u32 message_flags, const struct etw_guid *message_guid,
		      u16 message_number, ...)
{
	va_list arguments;
	int err;

	va_start(arguments, message_number);
	err = etw_trace_message_va(session_handle, message_flags, message_guid, message_number,
				   arguments);
	va_end(arguments);
	return err;
}
EXPORT_SYMBOL_GPL(etw_trace_message);
