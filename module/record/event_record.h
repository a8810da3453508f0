/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* EVENT_HEADER records of programs' providers, and which sessions want them: pure. */
#ifndef ETW_EVENT_RECORD_H
#define ETW_EVENT_RECORD_H

#include "etw_abi.h"
#include "etw_provider.h"
#include "event.h"

/**
 * struct etw_event_mask - the events of a provider that a session wants
 * @match_any: any of these keywords; never 0
 * @match_all: all of these keywords
 * @level: up to this level; never 0
 * @keyword_0: also events without keywords
 */
struct etw_event_mask {
	__u64 match_any;
	__u64 match_all;
	__u8 level;
	__u8 keyword_0;
};

/* As ENABLE gave it; 0 stands for all levels and all keywords there. */
struct etw_event_mask etw_event_mask_of(const struct etw_enable *enable);

/**
 * etw_event_mask_has() - whether a session wants an event
 * @mask: of the session
 * @level: of the event; 0: no session leaves it out
 * @keyword: of the event
 */
static inline int etw_event_mask_has(const struct etw_event_mask *mask, __u8 level, __u64 keyword)
{
	if (level > mask->level)
		return 0;
	if (!keyword)
		return mask->keyword_0;
	return (keyword & mask->match_any) && !(mask->match_all & ~keyword);
}

/* Adds a session to @state, which begins with zeros. @sequence and @captures stay. */
void etw_event_state_add(struct etw_event_state *state, const struct etw_event_mask *mask);

/**
 * struct etw_event_body - what follows the EVENT_HEADER: items, then data
 * @size: bytes by type: ETW_DATA_USER, ETW_DATA_SCHEMA, ETW_DATA_TRAITS
 * @related: there is a related activity
 * @related_at: offset of its GUID
 * @at: offsets by type
 * @bytes: all of it
 */
struct etw_event_body {
	__u32 size[3];
	int related;
	__u32 related_at;
	__u32 at[3];
	__u32 bytes;
};

/* Fills in the offsets and @bytes. Return: 0 or -EOVERFLOW */
int etw_event_body_layout(struct etw_event_body *body);
/* Writes the headers of the items, and zeros behind their data. */
void etw_event_body_put_items(void *to, const struct etw_event_body *body);

/**
 * struct etw_event_record - a checked event, all of it in our memory
 * @provider: GUID
 * @activity: GUID; zeros: none
 * @descriptor: as given
 * @flags: ETW_EVENT_HEADER_*
 * @body: what follows the header
 * @size: bytes of @body
 */
struct etw_event_record {
	struct etw_guid provider;
	struct etw_guid activity;
	struct etw_event_descriptor descriptor;
	__u16 flags;
	const void *body;
	__u32 size;
};

/**
 * struct etw_event_items - what a session adds to an event, in items before the others
 * @wanted: ETW_ENABLE_ITEMS
 * @uid: real uid of the process, for ETW_ENABLE_SID
 * @process_key: for ETW_ENABLE_PROCESS_KEY
 * @container: ETW_CONTAINER_ID bytes, for ETW_ENABLE_CONTAINER_ID; if NULL, there is no item
 * @frame: for ETW_ENABLE_STACK
 * @nr_frames: entries of @frame; if 0, there is no item
 * @bits: of the program: 32 or 64
 */
struct etw_event_items {
	__u32 wanted;
	__u32 uid;
	__u64 process_key;
	const char *container;
	const unsigned long *frame;
	__u32 nr_frames;
	__u32 bits;
};

/* Bytes of all items, with their headers: a multiple of 8 */
__u32 etw_event_items_size(const struct etw_event_items *items);

/*
 * Writes the fields of a header that the writer and the system know; the others are the event's:
 * time stamp, provider, descriptor and activity. Zeros into the last word of the record, before
 * data overwrite what is not padding. @size: of the whole record
 */
static inline void etw_put_event_header(struct etw_event_header *header, __u32 size, __u16 flags,
					const struct etw_writer *writer)
{
	const __u16 type = writer->bits == 32 ? TRACE_HEADER_TYPE_EVENT_HEADER32 :
						TRACE_HEADER_TYPE_EVENT_HEADER64;

	if (size % ETW_RECORD_ALIGN)
		*(__u64 *)((__u8 *)header + (size & ~(ETW_RECORD_ALIGN - 1))) = 0;
	header->size = size;
	header->header_type = type | TRACE_HEADER_FLAGS << 8;
	header->flags = flags;
	header->event_property = 0;
	header->thread_id = writer->thread_id;
	header->process_id = writer->process_id;
	header->kernel_time = writer->kernel_time;
	header->user_time = writer->user_time;
}

static inline void etw_put_event_descriptor(struct etw_event_header *header,
					    const struct etw_event_descriptor *descriptor)
{
	header->id = descriptor->id;
	header->version = descriptor->version;
	header->channel = descriptor->channel;
	header->level = descriptor->level;
	header->opcode = descriptor->opcode;
	header->task = descriptor->task;
	header->keyword = descriptor->keyword;
}

/*
 * Writes only the header, for a body of @record->size bytes, and zeros into the last word of the
 * record. @record->body is not used. Can't fail. Return: where the body goes.
 */
void *etw_encode_event_header(void *to, const struct etw_event_record *record,
			      const struct etw_writer *writer, __u64 tick);

/*
 * Writes the record at @to, zeros up to the next multiple of 8 included. @items may be NULL.
 * Can't fail. Return: its Size.
 */
__u32 etw_encode_event_record(void *to, const struct etw_event_record *record,
			      const struct etw_event_items *items,
			      const struct etw_writer *writer, __u64 tick);

#endif /* ETW_EVENT_RECORD_H */
