/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* MESSAGE_TRACE_HEADER records: pure encoder; shared with libetw and tests. */
#ifndef ETW_MESSAGE_H
#define ETW_MESSAGE_H

#include "etw_trace_headers.h"
#include "event.h"

/**
 * struct etw_message_parts - a checked message, all of it in our memory
 * @message_flags: TRACE_MESSAGE_*, of TRACE_MESSAGE_CALLER_FLAGS
 * @message_number: its number
 * @guid: GUID; with TRACE_MESSAGE_COMPONENT_ID its first 32 bits are the component id
 * @data: all arguments, one after another
 * @size: bytes of @data
 */
struct etw_message_parts {
	__u32 message_flags;
	__u16 message_number;
	struct etw_guid guid;
	const void *data;
	__u32 size;
};

/* Bytes of the record; more than ETW_MAX_RECORD can't be written */
__u32 etw_message_record_size(const struct etw_message_parts *parts);

/* Header and items, and zeros behind the arguments. Return: where arguments begin. */
void *etw_encode_message_items(void *to, const struct etw_message_parts *parts,
			       const struct etw_writer *writer, __u32 sequence, __u64 tick);

/*
 * Writes the record at @to, zeros up to the next multiple of 8 included. Can't
 * fail. @sequence is 0 if the session numbers no messages; with
 * PERFORMANCE_TIMESTAMP alone the stamp item is 0. Return: its Size.
 */
__u32 etw_encode_message(void *to, const struct etw_message_parts *parts,
			 const struct etw_writer *writer, __u32 sequence, __u64 tick);

#endif /* ETW_MESSAGE_H */
