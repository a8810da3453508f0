// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Parser of ETW_EXT_VND_LINUX_EVENTS: any bytes give entries, or an error with its position. */
#include <linux/errno.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include "etw_trace_headers.h"
#include "items_cursor.h"
#include "linux_events.h"
#include "refuse.h"

/* Of the fixed part of an entry, or of one of its tests or fields */
#define OF(type, member)	offsetof(struct type, member)
#define OF_HEAD(member)		OF(etw_ext_linux_event, member)

/**
 * struct entry - the entry that is being read
 * @c: its item
 * @at: bytes from the item's start
 * @head: copy of the fixed part
 */
struct entry {
	struct etw_item_cursor *c;
	__u32 at;
	struct etw_ext_linux_event head;
};

static __u32 aligned(__u32 size, __u32 to)
{
	return (size + to - 1) / to * to;
}

/* Refuse the dword that contains byte @at of the entry */
static int refuse(const struct entry *entry, __u32 at, __u32 reason, int err)
{
	return etw_refuse_here(entry->c, (entry->at + at) / 4, reason, err);
}

static void read_entry(const struct entry *entry, __u32 at, void *to, __u32 size)
{
	memcpy(to, entry->c->item + entry->at + at, size);
}

/* Whether @size bytes at @offset are in the kernel's record */
static int is_inside(const struct entry *entry, __u32 offset, __u32 size)
{
	return offset + size <= entry->head.record_size;
}

static int check_test(const struct entry *entry, __u32 at)
{
	struct etw_linux_event_test test;

	read_entry(entry, at, &test, sizeof(test));
	if (test.test >= ETW_TESTS || test.is_signed > 1)
		return refuse(entry, at, ETW_REASON_RANGE, -EINVAL);
	if (test.size != 1 && test.size != 2 && test.size != 4 && test.size != 8)
		return refuse(entry, at + OF(etw_linux_event_test, size), ETW_REASON_SIZE,
			      -EINVAL);
	if (!is_inside(entry, test.offset, test.size))
		return refuse(entry, at + OF(etw_linux_event_test, offset), ETW_REASON_RANGE,
			      -EINVAL);
	if (test.reserved)
		return refuse(entry, at + OF(etw_linux_event_test, reserved),
			      ETW_REASON_RESERVED, -EINVAL);
	return 0;
}

static int is_size_good(const struct etw_linux_event_field *field)
{
	switch (field->copy) {
	case ETW_FIELD_ADDRESS:
		return field->size == 4 || field->size == 8;
	case ETW_FIELD_LOC_STRING:
	case ETW_FIELD_REL_LOC_STRING:
		return !field->size;
	default:
		return field->size != 0;
	}
}

/* Bytes of the kernel's record that each event has for the field */
static __u32 fixed_bytes(const struct etw_linux_event_field *field)
{
	if (field->copy == ETW_FIELD_REST)
		return 0;
	return field->copy >= ETW_FIELD_LOC_STRING ? 4 : field->size;
}

static int check_field(const struct entry *entry, __u32 at)
{
	struct etw_linux_event_field field;

	read_entry(entry, at, &field, sizeof(field));
	if (field.copy >= ETW_FIELD_COPIES)
		return refuse(entry, at, ETW_REASON_RANGE, -EINVAL);
	if (!is_size_good(&field))
		return refuse(entry, at + OF(etw_linux_event_field, size), ETW_REASON_SIZE,
			      -EINVAL);
	if (!is_inside(entry, field.offset, fixed_bytes(&field)))
		return refuse(entry, at + OF(etw_linux_event_field, offset), ETW_REASON_RANGE,
			      -EINVAL);
	if (field.reserved)
		return refuse(entry, at + OF(etw_linux_event_field, reserved),
			      ETW_REASON_RESERVED, -EINVAL);
	return 0;
}

/* Traits or schema: begins with its own size */
static int check_blob(const struct entry *entry, __u32 at, __u32 size, __u32 size_at)
{
	__u16 own;

	if (size < sizeof(own))
		return refuse(entry, size_at, ETW_REASON_SIZE, -EINVAL);
	read_entry(entry, at, &own, sizeof(own));
	return own == size ? 0 : refuse(entry, at, ETW_REASON_SIZE, -EINVAL);
}

static int check_padding(const struct entry *entry)
{
	__u32 at;
	__u8 byte;

	for (at = etw_linux_event_end(&entry->head); at < entry->head.size; at++) {
		read_entry(entry, at, &byte, sizeof(byte));
		if (byte)
			return refuse(entry, at, ETW_REASON_RESERVED, -EINVAL);
	}
	return 0;
}

static int check_parts(const struct entry *entry)
{
	const struct etw_ext_linux_event *head = &entry->head;
	__u32 i, at = sizeof(*head);
	int err = 0;

	for (i = 0; i < head->nr_tests && !err; i++, at += sizeof(struct etw_linux_event_test))
		err = check_test(entry, at);
	for (i = 0; i < head->nr_fields && !err; i++, at += sizeof(struct etw_linux_event_field))
		err = check_field(entry, at);
	if (!err)
		err = check_blob(entry, at, head->traits_size, OF_HEAD(traits_size));
	if (!err)
		err = check_blob(entry, at + head->traits_size, head->schema_size,
				 OF_HEAD(schema_size));
	return err ? err : check_padding(entry);
}

/* @space: bytes to the end of the item */
static int check_head(struct entry *entry, __u32 space)
{
	struct etw_ext_linux_event *head = &entry->head;

	if (space < sizeof(*head))
		return refuse(entry, 0, ETW_REASON_LENGTH, -EINVAL);
	read_entry(entry, 0, head, sizeof(*head));
	if (head->size < sizeof(*head) || head->size > space)
		return refuse(entry, 0, ETW_REASON_LENGTH, -EINVAL);
	if (head->flags & ~ETW_LINUX_EVENT_FLAGS)
		return refuse(entry, OF_HEAD(flags), ETW_REASON_BITS, -EINVAL);
	if (head->nr_fields > ETW_MAX_LINUX_EVENT_FIELDS)
		return refuse(entry, OF_HEAD(nr_fields), ETW_REASON_COUNT, -E2BIG);
	if (head->nr_tests > ETW_MAX_LINUX_EVENT_TESTS)
		return refuse(entry, OF_HEAD(nr_tests), ETW_REASON_COUNT, -E2BIG);
	/* the entry ends with the dword in which the schema ends */
	if (head->size != aligned(etw_linux_event_end(head), 4))
		return refuse(entry, 0, ETW_REASON_LENGTH, -EINVAL);
	return 0;
}

static int check_entry_id(const struct entry *entry)
{
	struct etw_ext_linux_event other;
	__u32 at;

	for (at = 4; at < entry->at; at += other.size) {
		memcpy(&other, entry->c->item + at, sizeof(other));
		if (other.id == entry->head.id)
			return refuse(entry, OF_HEAD(id), ETW_REASON_DUPLICATE, -EEXIST);
	}
	return 0;
}

static int check_entry(struct entry *entry, __u32 space)
{
	int err = check_head(entry, space);

	if (!err)
		err = check_entry_id(entry);
	if (!err)
		err = check_parts(entry);
	if (!err && etw_linux_event_record_size(entry->c->item + entry->at) > ETW_MAX_RECORD)
		err = refuse(entry, 0, ETW_REASON_SIZE, -EINVAL);
	return err;
}

/**
 * etw_linux_events_take() - parse the item
 * @c: the item
 *
 * The parsed items refer to the entries in the block.
 *
 * Return: 0; an errno of etw_items_parse().
 */
int etw_linux_events_take(struct etw_item_cursor *c)
{
	struct entry entry = { .c = c, .at = 4 };
	__u32 end = 4 + 4 * c->dwords;
	struct etw_items *items = c->items;
	int err;

	for (; entry.at < end; entry.at += entry.head.size) {
		if (items->nr_linux_events == ETW_MAX_LINUX_EVENTS)
			return refuse(&entry, 0, ETW_REASON_COUNT, -E2BIG);
		err = check_entry(&entry, end - entry.at);
		if (err)
			return err;
		items->nr_linux_events++;
		items->nr_linux_stacks += entry.head.flags & ETW_LINUX_EVENT_STACK;
	}
	items->linux_events = c->item + 4;
	items->linux_events_size = end - 4;
	return 0;
}

static __u32 item_size(__u32 size)
{
	return sizeof(struct etw_extended_item) + aligned(size, ETW_RECORD_ALIGN);
}

/* The fewest bytes that a step writes */
static __u32 least_bytes(const struct etw_linux_event_field *field)
{
	switch (field->copy) {
	case ETW_FIELD_BYTES:
	case ETW_FIELD_ADDRESS:
		return field->size;
	case ETW_FIELD_LOC_ARRAY:
	case ETW_FIELD_REL_LOC_ARRAY:
	case ETW_FIELD_REST:
		return sizeof(__u16);
	default:
		return 1;	/* the NUL */
	}
}

/**
 * etw_linux_event_record_size() - bytes of an entry's smallest record
 * @entry: a checked entry, any alignment
 *
 * Strings and dynamic arrays are empty in it.
 */
__u32 etw_linux_event_record_size(const void *entry)
{
	struct etw_linux_event_field field;
	struct etw_ext_linux_event head;
	__u32 size, i;

	memcpy(&head, entry, sizeof(head));
	size = sizeof(struct etw_event_header) + item_size(head.traits_size) +
	       item_size(head.schema_size);
	for (i = 0; i < head.nr_fields; i++) {
		memcpy(&field, (const __u8 *)entry + etw_linux_event_fields_at(&head) +
		       i * sizeof(field), sizeof(field));
		size += least_bytes(&field);
	}
	return size;
}

/**
 * etw_linux_events_check_buffer() - whether a record of each entry fits into a buffer
 * @items: parsed; refer to the entries
 * @buffer_size: bytes of a buffer
 * @error: out, with an error: the entry
 *
 * Return: 0; -EINVAL.
 */
int etw_linux_events_check_buffer(const struct etw_items *items, __u32 buffer_size,
				  struct etw_config_error *error)
{
	__u32 space = buffer_size - sizeof(struct wmi_buffer_header), at;
	const __u8 *entries = items->linux_events;
	struct etw_ext_linux_event head;

	for (at = 0; at < items->linux_events_size; at += head.size) {
		memcpy(&head, entries + at, sizeof(head));
		if (etw_linux_event_record_size(entries + at) > space)
			return etw_refuse_dword(error, items, ETW_ITEM_LINUX_EVENTS, 1 + at / 4,
						ETW_REASON_SIZE, -EINVAL);
	}
	return 0;
}
