// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Encoder of MESSAGE_TRACE_HEADER records. Pure; shared with libetw and tests. */
#include <linux/string.h>
#include "message.h"

#define TIMESTAMP_FLAGS	(TRACE_MESSAGE_TIMESTAMP | TRACE_MESSAGE_PERFORMANCE_TIMESTAMP)

/* Header and items; a component id replaces the GUID. */
static __u32 items_size(__u32 flags)
{
	__u32 size = sizeof(struct message_trace_header);

	if (flags & TRACE_MESSAGE_SEQUENCE)
		size += sizeof(__u32);
	if (flags & TRACE_MESSAGE_COMPONENT_ID)
		size += sizeof(__u32);
	else if (flags & TRACE_MESSAGE_GUID)
		size += sizeof(struct etw_guid);
	if (flags & TIMESTAMP_FLAGS)
		size += sizeof(__u64);
	if (flags & TRACE_MESSAGE_SYSTEMINFO)
		size += 2 * sizeof(__u32);
	return size;
}

/* Items are packed, so a time stamp may be unaligned. Constant sizes avoid calls. */
static __always_inline __u8 *put(__u8 *to, const void *item, __u32 size)
{
	memcpy(to, item, size);
	return to + size;
}

/**
 * etw_message_record_size() - bytes of a message's record, without padding
 * @parts: the message; @size may be anything
 *
 * Return: Size; U32_MAX when it doesn't fit into 32 bits.
 */
__u32 etw_message_record_size(const struct etw_message_parts *parts)
{
	__u32 items = items_size(parts->message_flags);

	return parts->size > ~0U - items ? ~0U : items + parts->size;
}

/**
 * etw_encode_message_items() - write header and items: all but the arguments
 * @to: space for the record, padded to 8
 * @parts: the message; @data is not used
 * @writer: the writing thread
 * @sequence: the message's number in the session; 0 if it numbers no messages
 * @tick: session clock
 *
 * Also zeroes the padding; the caller writes the arguments. With
 * PERFORMANCE_TIMESTAMP alone the stamp item is present, but 0.
 * (format.rst 4.1, 4.2)
 *
 * Return: where the arguments begin.
 */
void *etw_encode_message_items(void *to, const struct etw_message_parts *parts,
			       const struct etw_writer *writer, __u32 sequence, __u64 tick)
{
	const __u32 flags = parts->message_flags & TRACE_MESSAGE_CALLER_FLAGS;
	const struct message_trace_header header = {
		.size = etw_message_record_size(parts),
		.version = TRACE_MESSAGE_FLAGS,
		.message_number = parts->message_number,
		.option_flags = flags | (writer->bits == 32 ? TRACE_MESSAGE_POINTER32 :
							      TRACE_MESSAGE_POINTER64),
	};
	const __u64 stamp = flags & TRACE_MESSAGE_TIMESTAMP ? tick : 0;
	__u8 *at = put(to, &header, sizeof(header));

	if (flags & TRACE_MESSAGE_SEQUENCE)
		at = put(at, &sequence, sizeof(sequence));
	if (flags & TRACE_MESSAGE_COMPONENT_ID)
		at = put(at, &parts->guid.data1, sizeof(parts->guid.data1));
	else if (flags & TRACE_MESSAGE_GUID)
		at = put(at, &parts->guid, sizeof(parts->guid));
	if (flags & TIMESTAMP_FLAGS)
		at = put(at, &stamp, sizeof(stamp));
	if (flags & TRACE_MESSAGE_SYSTEMINFO) {
		at = put(at, &writer->thread_id, sizeof(writer->thread_id));
		at = put(at, &writer->process_id, sizeof(writer->process_id));
	}
	if (header.size % ETW_RECORD_ALIGN)
		memset(at + parts->size, 0, -header.size & (ETW_RECORD_ALIGN - 1));
	return at;
}

/**
 * etw_encode_message() - write a whole message
 * @to: space for the record, padded to 8
 * @parts: the message, its arguments in one piece
 * @writer: see etw_encode_message_items()
 * @sequence: see etw_encode_message_items()
 * @tick: session clock
 *
 * Return: the record's Size.
 */
__u32 etw_encode_message(void *to, const struct etw_message_parts *parts,
			 const struct etw_writer *writer, __u32 sequence, __u64 tick)
{
	__u8 *at = etw_encode_message_items(to, parts, writer, sequence, tick);

	if (parts->size)
		memcpy(at, parts->data, parts->size);
	return at - (__u8 *)to + parts->size;
}
