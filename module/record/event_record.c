// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Encoder of EVENT_HEADER records with extended items, and the check of keywords. Pure. */
#include <linux/errno.h>
#include <linux/string.h>
#include "event_record.h"
#include "process.h"

#define ROUND_UP(size)	(((size) + ETW_RECORD_ALIGN - 1) & ~(__u32)(ETW_RECORD_ALIGN - 1))

/* see event_record.h */
struct etw_event_mask etw_event_mask_of(const struct etw_enable *enable)
{
	return (struct etw_event_mask){
		.match_any = enable->match_any ? enable->match_any : ~0ULL,
		.match_all = enable->match_all,
		.level = enable->level ? enable->level : 0xFF,
		.keyword_0 = !(enable->properties & ETW_ENABLE_IGNORE_KEYWORD_0),
	};
}

/* see event_record.h */
void etw_event_state_add(struct etw_event_state *state, const struct etw_event_mask *mask)
{
	state->match_all = state->sessions ? state->match_all & mask->match_all :
					     mask->match_all;
	state->match_any |= mask->match_any;
	state->keyword_0 |= mask->keyword_0;
	if (state->level < mask->level)
		state->level = mask->level;
	state->sessions++;
}

/* Return: offset behind the item */
static __u32 place_item(__u32 at, __u32 size, __u32 *data)
{
	*data = at + sizeof(struct etw_extended_item);
	return *data + ROUND_UP(size);
}

/**
 * etw_event_body_layout() - place items and data, in the order that Windows uses
 * @body: in: sizes; out: offsets
 *
 * Return: 0; -EOVERFLOW: the record would be larger than ETW_MAX_RECORD.
 */
int etw_event_body_layout(struct etw_event_body *body)
{
	const __u32 most = ETW_MAX_RECORD - sizeof(struct etw_event_header);
	__u32 at = 0, i;

	for (i = 0; i < 3; i++)
		if (body->size[i] > most)
			return -EOVERFLOW;
	if (body->related)
		at = place_item(at, sizeof(struct etw_guid), &body->related_at);
	if (body->size[ETW_DATA_TRAITS])
		at = place_item(at, body->size[ETW_DATA_TRAITS], &body->at[ETW_DATA_TRAITS]);
	if (body->size[ETW_DATA_SCHEMA])
		at = place_item(at, body->size[ETW_DATA_SCHEMA], &body->at[ETW_DATA_SCHEMA]);
	body->at[ETW_DATA_USER] = at;
	body->bytes = at + body->size[ETW_DATA_USER];
	return body->bytes > most ? -EOVERFLOW : 0;
}

/* Return: the header, so that the last one can be marked */
static struct etw_extended_item *put_item(void *to, __u32 data, __u16 type, __u32 size)
{
	struct etw_extended_item *item = to + data - sizeof(*item);
	__u64 *last_word = to + data + (size & ~(ETW_RECORD_ALIGN - 1));

	item->step = sizeof(*item) + ROUND_UP(size);
	item->type = type;
	item->linkage = 1;
	item->size = size;
	/* one word, because a call of memset() costs more than the rest of the item */
	if (size % ETW_RECORD_ALIGN)
		*last_word &= (1ULL << size % ETW_RECORD_ALIGN * 8) - 1;
	return item;
}

/* see event_record.h */
void etw_event_body_put_items(void *to, const struct etw_event_body *body)
{
	struct etw_extended_item *last = NULL;

	if (body->related)
		last = put_item(to, body->related_at, ETW_EXTENDED_RELATED_ACTIVITY,
				sizeof(struct etw_guid));
	if (body->size[ETW_DATA_TRAITS])
		last = put_item(to, body->at[ETW_DATA_TRAITS], ETW_EXTENDED_TRAITS,
				body->size[ETW_DATA_TRAITS]);
	if (body->size[ETW_DATA_SCHEMA])
		last = put_item(to, body->at[ETW_DATA_SCHEMA], ETW_EXTENDED_SCHEMA,
				body->size[ETW_DATA_SCHEMA]);
	if (last)
		last->linkage = 0;
}

static __u32 stack_size(const struct etw_event_items *items)
{
	return sizeof(__u64) + items->nr_frames * (items->bits / 8);
}

/* see event_record.h */
__u32 etw_event_items_size(const struct etw_event_items *items)
{
	__u32 size = 0, data;

	if (items->wanted & ETW_ENABLE_SID)
		size = place_item(size, ETW_USER_SID, &data);
	if (items->wanted & ETW_ENABLE_PROCESS_KEY)
		size = place_item(size, sizeof(items->process_key), &data);
	if ((items->wanted & ETW_ENABLE_CONTAINER_ID) && items->container)
		size = place_item(size, ETW_CONTAINER_ID, &data);
	if ((items->wanted & ETW_ENABLE_STACK) && items->nr_frames)
		size = place_item(size, stack_size(items), &data);
	return size;
}

/* MatchId, then the frames. No other event has frames of this one, so MatchId is 0. */
static struct etw_extended_item *put_stack(void *to, __u32 at, const struct etw_event_items *items)
{
	__u32 *narrow = to + at + sizeof(__u64);
	__u64 *wide = to + at + sizeof(__u64);
	__u32 i;

	memset(to + at, 0, sizeof(__u64));
	for (i = 0; i < items->nr_frames; i++)
		if (items->bits == 32)
			narrow[i] = items->frame[i];
		else
			wide[i] = items->frame[i];
	return put_item(to, at, items->bits == 32 ? ETW_EXTENDED_STACK32 : ETW_EXTENDED_STACK64,
			stack_size(items));
}

/* @more: the event has items of its own, which follow. */
static void put_event_items(void *to, const struct etw_event_items *items, int more)
{
	struct etw_extended_item *last = NULL;
	__u32 size = 0, at;

	if (items->wanted & ETW_ENABLE_SID) {
		size = place_item(size, ETW_USER_SID, &at);
		etw_put_user_sid(to + at, items->uid);
		last = put_item(to, at, ETW_EXTENDED_SID, ETW_USER_SID);
	}
	if (items->wanted & ETW_ENABLE_PROCESS_KEY) {
		size = place_item(size, sizeof(items->process_key), &at);
		memcpy(to + at, &items->process_key, sizeof(items->process_key));
		last = put_item(to, at, ETW_EXTENDED_PROCESS_KEY, sizeof(items->process_key));
	}
	if ((items->wanted & ETW_ENABLE_CONTAINER_ID) && items->container) {
		size = place_item(size, ETW_CONTAINER_ID, &at);
		memcpy(to + at, items->container, ETW_CONTAINER_ID);
		last = put_item(to, at, ETW_EXTENDED_CONTAINER_ID, ETW_CONTAINER_ID);
	}
	if ((items->wanted & ETW_ENABLE_STACK) && items->nr_frames) {
		size = place_item(size, stack_size(items), &at);
		last = put_stack(to, at, items);
	}
	if (last && !more)
		last->linkage = 0;
}

/* @size: of the whole record. Return: where the header ends. */
static void *encode_header(void *to, const struct etw_event_record *record, __u32 size,
			   const struct etw_writer *writer, __u64 tick)
{
	struct etw_event_header *header = to;

	etw_put_event_header(header, size, record->flags, writer);
	header->time_stamp = tick;
	header->provider_id = record->provider;
	etw_put_event_descriptor(header, &record->descriptor);
	header->activity_id = record->activity;
	return header + 1;
}

/**
 * etw_encode_event_header() - write an EVENT_HEADER
 * @to: space for the record, padded to 8
 * @record: the event; only the size of its body is used
 * @writer: the writing thread
 * @tick: session clock
 *
 * (format.rst 3.9) Return: where the body goes.
 */
void *etw_encode_event_header(void *to, const struct etw_event_record *record,
			      const struct etw_writer *writer, __u64 tick)
{
	return encode_header(to, record, sizeof(struct etw_event_header) + record->size, writer,
			     tick);
}

/**
 * etw_encode_event_record() - write an EVENT_HEADER with its items and data
 * @to: space for the record, padded to 8
 * @record: the event
 * @items: what the session adds, or NULL
 * @writer: the writing thread
 * @tick: session clock
 *
 * Return: the record's Size.
 */
__u32 etw_encode_event_record(void *to, const struct etw_event_record *record,
			      const struct etw_event_items *items,
			      const struct etw_writer *writer, __u64 tick)
{
	const __u32 added = items ? etw_event_items_size(items) : 0;
	const __u32 size = sizeof(struct etw_event_header) + added + record->size;
	struct etw_event_header *header = to;
	void *body = encode_header(to, record, size, writer, tick);

	if (added) {
		put_event_items(body, items, record->flags & ETW_EVENT_HEADER_EXTENDED_INFO);
		header->flags |= ETW_EVENT_HEADER_EXTENDED_INFO;
	}
	memcpy(body + added, record->body, record->size);
	return size;
}
