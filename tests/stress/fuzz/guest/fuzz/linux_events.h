/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Entries of LINUX_EVENTS: valid ones, and what must come of any bytes. */
#ifndef ETW_TEST_FUZZ_LINUX_EVENTS_H
#define ETW_TEST_FUZZ_LINUX_EVENTS_H

#include "etw_linux_events.h"
#include "etw_trace_headers.h"
#include "verdict.h"

#define MAX_LINUX_EVENTS	512
/* No event of tracefs has such an id */
#define NO_LINUX_EVENT		0xFFFF0000U

/**
 * struct linux_event - an entry that is looked at
 * @x: the extension
 * @at: of the entry, in the block
 * @head: its fixed part
 */
struct linux_event {
	struct extension *x;
	__u32 at;
	struct etw_ext_linux_event head;
};

/* The dword with byte @at of the entry is wrong */
static inline int wrong_entry(const struct linux_event *e, __u32 at, int err, __u32 reason)
{
	return wrong(e->x, err, e->at + (at & ~3U), reason, e->x->number[LINUX_EVENTS]);
}

static inline int model_condition(const struct linux_event *e, __u32 at)
{
	struct etw_linux_event_test test;

	memcpy(&test, e->x->block + e->at + at, sizeof(test));
	if (test.test > ETW_TEST_BITS || test.is_signed > 1)
		return wrong_entry(e, at, EINVAL, ETW_REASON_RANGE);
	if (!test.size || test.size > 8 || test.size & (test.size - 1))
		return wrong_entry(e, at + 4, EINVAL, ETW_REASON_SIZE);
	if (test.offset + test.size > e->head.record_size)
		return wrong_entry(e, at, EINVAL, ETW_REASON_RANGE);
	return test.reserved && wrong_entry(e, at + 4, EINVAL, ETW_REASON_RESERVED);
}

/* @least: bytes of the smallest record so far */
static inline int model_field(const struct linux_event *e, __u32 at, __u32 *least)
{
	struct etw_linux_event_field field;
	int text, location, rest;

	memcpy(&field, e->x->block + e->at + at, sizeof(field));
	text = field.copy == ETW_FIELD_LOC_STRING || field.copy == ETW_FIELD_REL_LOC_STRING;
	location = text || field.copy == ETW_FIELD_LOC_ARRAY ||
		   field.copy == ETW_FIELD_REL_LOC_ARRAY;
	rest = field.copy == ETW_FIELD_REST;
	if (field.copy > ETW_FIELD_REST)
		return wrong_entry(e, at, EINVAL, ETW_REASON_RANGE);
	if (text != !field.size ||
	    (field.copy == ETW_FIELD_ADDRESS && field.size != 4 && field.size != 8))
		return wrong_entry(e, at + 4, EINVAL, ETW_REASON_SIZE);
	if (field.offset + (rest ? 0U : location ? 4U : field.size) > e->head.record_size)
		return wrong_entry(e, at, EINVAL, ETW_REASON_RANGE);
	if (field.reserved)
		return wrong_entry(e, at + 4, EINVAL, ETW_REASON_RESERVED);
	*least += text || field.copy == ETW_FIELD_STRING ? 1 : location || rest ? 2 : field.size;
	return 0;
}

/* Traits or schema */
static inline int model_blob(const struct linux_event *e, __u32 at, __u16 size, __u32 size_at)
{
	if (size < 2)
		return wrong_entry(e, size_at, EINVAL, ETW_REASON_SIZE);
	return memcmp(e->x->block + e->at + at, &size, sizeof(size)) &&
	       wrong_entry(e, at, EINVAL, ETW_REASON_SIZE);
}

static inline __u32 extended_item_size(__u32 size)
{
	return sizeof(struct etw_extended_item) + ((size + 7) & ~7U);
}

static inline int model_parts(const struct linux_event *e, __u32 *least)
{
	const struct etw_ext_linux_event *head = &e->head;
	__u32 at = sizeof(*head), i;

	*least = sizeof(struct etw_event_header) + extended_item_size(head->traits_size) +
		 extended_item_size(head->schema_size);
	for (i = 0; i < head->nr_tests; i++, at += sizeof(struct etw_linux_event_test))
		if (model_condition(e, at))
			return 1;
	for (i = 0; i < head->nr_fields; i++, at += sizeof(struct etw_linux_event_field))
		if (model_field(e, at, least))
			return 1;
	if (model_blob(e, at, head->traits_size, offsetof(struct etw_ext_linux_event, traits_size)))
		return 1;
	at += head->traits_size;
	if (model_blob(e, at, head->schema_size, offsetof(struct etw_ext_linux_event, schema_size)))
		return 1;
	for (at += head->schema_size; at < head->size; at++)
		if (e->x->block[e->at + at])
			return wrong_entry(e, at, EINVAL, ETW_REASON_RESERVED);
	return 0;
}

static inline int model_head(struct linux_event *e, __u32 end)
{
	struct etw_ext_linux_event *head = &e->head;
	__u32 size;

	if (end - e->at < sizeof(*head))
		return wrong_entry(e, 0, EINVAL, ETW_REASON_LENGTH);
	memcpy(head, e->x->block + e->at, sizeof(*head));
	if (head->size < sizeof(*head) || head->size > end - e->at)
		return wrong_entry(e, 0, EINVAL, ETW_REASON_LENGTH);
	if (head->flags & ~1)
		return wrong_entry(e, offsetof(struct etw_ext_linux_event, flags), EINVAL,
				   ETW_REASON_BITS);
	if (head->nr_fields > 128)
		return wrong_entry(e, offsetof(struct etw_ext_linux_event, nr_fields), E2BIG,
				   ETW_REASON_COUNT);
	if (head->nr_tests > 8)
		return wrong_entry(e, offsetof(struct etw_ext_linux_event, nr_tests), E2BIG,
				   ETW_REASON_COUNT);
	size = sizeof(*head) + 16 * head->nr_tests + 8 * head->nr_fields + head->traits_size +
	       head->schema_size;
	return head->size != ((size + 3) & ~3U) && wrong_entry(e, 0, EINVAL, ETW_REASON_LENGTH);
}

static inline int model_id(const struct linux_event *e)
{
	__u32 at, id;

	for (at = e->x->at[LINUX_EVENTS] + 4; at < e->at; at += dword_at(e->x->block, at)) {
		id = dword_at(e->x->block, at + 4);
		if (id == e->head.id)
			return wrong_entry(e, 4, EEXIST, ETW_REASON_DUPLICATE);
	}
	return 0;
}

/* Where the item's entries end, in the block */
static inline __u32 linux_events_end(const struct extension *x)
{
	return x->at[LINUX_EVENTS] + 4 + 4 * x->dwords[LINUX_EVENTS];
}

static inline int model_linux_events(struct extension *x)
{
	struct linux_event e = { .x = x, .at = x->at[LINUX_EVENTS] + 4 };
	__u32 n = 0, least;

	for (; e.at < linux_events_end(x); e.at += e.head.size) {
		if (n++ == MAX_LINUX_EVENTS)
			return wrong_entry(&e, 0, E2BIG, ETW_REASON_COUNT);
		if (model_head(&e, linux_events_end(x)) || model_id(&e) || model_parts(&e, &least))
			return 1;
		if (least > ETW_MAX_RECORD)
			return wrong_entry(&e, 0, EINVAL, ETW_REASON_SIZE);
	}
	return 0;
}

/* Entries that are right in themselves, but whose records do not fit into a buffer */
static inline void model_linux_buffer(struct extension *x, __u32 buffer_size)
{
	struct linux_event e = { .x = x, .at = x->at[LINUX_EVENTS] + 4 };
	__u32 least;

	for (; x->at[LINUX_EVENTS] && !x->bad && e.at < linux_events_end(x); e.at += e.head.size) {
		memcpy(&e.head, x->block + e.at, sizeof(e.head));
		model_parts(&e, &least);
		if (least > buffer_size - sizeof(struct wmi_buffer_header))
			wrong_entry(&e, 0, EINVAL, ETW_REASON_SIZE);
	}
}

/* What the machine has of them: an event that no kernel has is refused for certain. */
static inline void model_linux_sources(struct extension *x)
{
	__u32 at = x->at[LINUX_EVENTS] + 4, number = x->number[LINUX_EVENTS];

	for (; x->at[LINUX_EVENTS] && at < linux_events_end(x); at += dword_at(x->block, at)) {
		may_refuse_item(x->v, ENOENT, at, ETW_REASON_SOURCE, number);
		may_refuse_item(x->v, ENOMEM, at, ETW_REASON_NO_MEMORY, number);
		if (!has_perf() || dword_at(x->block, at + 4) >= NO_LINUX_EVENT) {
			x->v->must++;
			return;
		}
	}
}

/* Blocks whose events no kernel has: recording some costs grace periods. */
static inline void take_linux_events(const struct extension *x, __u8 *block)
{
	__u32 at = x->at[LINUX_EVENTS] + 4, id;

	for (; x->at[LINUX_EVENTS] && at < linux_events_end(x); at += dword_at(block, at)) {
		id = dword_at(block, at + 4) | NO_LINUX_EVENT;
		memcpy(block + at + 4, &id, sizeof(id));
	}
}

/* A valid entry with some fields and conditions. Return: bytes */
static inline __u32 put_linux_event(struct worker *w, __u8 *to, __u32 id)
{
	struct etw_ext_linux_event head = {
		.id = one_in(w, 4) ? 1 + id : NO_LINUX_EVENT + id, .provider.data1 = draw(w),
		.level = below(w, 256), .flags = one_in(w, 4), .record_size = 16 + below(w, 64),
		.traits_size = 2 + below(w, 30), .schema_size = 2 + below(w, 60),
		.nr_fields = below(w, 5), .nr_tests = below(w, 3),
	};
	__u8 *at = to + sizeof(head);
	__u32 i;

	for (i = 0; i < head.nr_tests; i++, at += sizeof(struct etw_linux_event_test)) {
		struct etw_linux_event_test test = {
			.test = below(w, ETW_TESTS), .is_signed = one_in(w, 2),
			.offset = below(w, 9), .size = 1 << below(w, 4), .value_low = draw(w),
		};

		memcpy(at, &test, sizeof(test));
	}
	for (i = 0; i < head.nr_fields; i++, at += sizeof(struct etw_linux_event_field)) {
		struct etw_linux_event_field field = {
			.copy = below(w, ETW_FIELD_COPIES), .offset = below(w, 9),
			.size = one_in(w, 2) ? 4 : 8,
		};

		if (field.copy == ETW_FIELD_LOC_STRING || field.copy == ETW_FIELD_REL_LOC_STRING)
			field.size = 0;
		memcpy(at, &field, sizeof(field));
	}
	memset(at, 'a', head.traits_size + head.schema_size + 3);
	memcpy(at, &head.traits_size, 2);
	at += head.traits_size;
	memcpy(at, &head.schema_size, 2);
	at += head.schema_size;
	while ((at - to) % 4)
		*at++ = 0;
	head.size = at - to;
	memcpy(to, &head, sizeof(head));
	return head.size;
}

/* Entries, or none. Return: dwords */
static inline __u32 put_linux_events(struct worker *w, __u8 *to)
{
	__u32 n = below(w, 4), size = 0, i, id = below(w, 1024);

	for (i = 0; i < n; i++)
		size += put_linux_event(w, to + size, id + i);
	return size / 4;
}

#endif /* ETW_TEST_FUZZ_LINUX_EVENTS_H */
