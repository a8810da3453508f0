// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Entries of the item, and what the records of a session must contain. */
#define _GNU_SOURCE
#include <string.h>
#include "linux_events.h"
#include "etw_trace_headers.h"

struct etw_guid event_guid(const struct event *event)
{
	return (struct etw_guid){ event->id, 0x1234, 0x5678, { 1, 2, 3, 4, 5, 6, 7, 8 } };
}

/* A size, zeros, a name. Return: bytes */
static __u32 put_blob(__u8 *to, const char *name, __u32 zeros)
{
	__u16 size = 2 + zeros + strlen(name) + 1;

	memset(to, 0, size);
	memcpy(to, &size, sizeof(size));
	strcpy((char *)to + 2 + zeros, name);
	return size;
}

/* Return: bytes */
__u32 entry_make(const struct event *event, void *to)
{
	struct etw_ext_linux_event *head = to;
	__u8 *at = (__u8 *)(head + 1);

	*head = (struct etw_ext_linux_event){
		.id = event->id, .provider = event_guid(event), .keyword_low = 0x10,
		.keyword_high = 0x80000000, .level = 4, .flags = event->flags,
		.record_size = event->record_size, .nr_fields = event->nr,
		.nr_tests = event->nr_tests,
	};
	memcpy(at, event->tests, event->nr_tests * sizeof(event->tests[0]));
	at += event->nr_tests * sizeof(event->tests[0]);
	memcpy(at, event->field, event->nr * sizeof(event->field[0]));
	at += event->nr * sizeof(event->field[0]);
	head->traits_size = put_blob(at, event->system, 0);
	at += head->traits_size;
	head->schema_size = put_blob(at, event->name, 1);
	at += head->schema_size;
	while ((at - (__u8 *)to) % 4)
		*at++ = 0;
	head->size = at - (__u8 *)to;
	return head->size;
}

void request_add_events(struct request *r, const struct event *events, __u32 nr)
{
	static __u8 bytes[4 * REQUEST_DWORDS];
	__u32 used = 0, i;

	for (i = 0; i < nr; i++)
		used += entry_make(&events[i], bytes + used);
	request_add(r, ETW_EXT_VND_LINUX_EVENTS, bytes, used / 4);
}

static __u8 *put_string(__u8 *to, const __u8 *from, __u32 size)
{
	while (size && *from) {
		*to++ = *from++;
		size--;
	}
	*to++ = 0;
	return to;
}

/* Return: bytes of the data that a record of ftrace must become */
__u32 expect_data(const struct event *event, const struct raw *raw, __u8 *to)
{
	__u8 *begin = to;
	__u32 i, location;
	__u16 count;

	for (i = 0; i < event->nr; i++) {
		const struct etw_linux_event_field *f = &event->field[i];
		const __u8 *from = raw->data + f->offset;

		memcpy(&location, from, sizeof(location));
		switch (f->copy) {
		case ETW_FIELD_STRING:
			to = put_string(to, from, f->size);
			break;
		case ETW_FIELD_LOC_STRING:
			to = put_string(to, raw->data + (location & 0xFFFF), location >> 16);
			break;
		case ETW_FIELD_REL_LOC_STRING:
			to = put_string(to, from + 4 + (location & 0xFFFF), location >> 16);
			break;
		case ETW_FIELD_LOC_ARRAY:
			count = location >> 16;
			memcpy(to, &count, 2);
			memcpy(to + 2, raw->data + (location & 0xFFFF), count);
			to += 2 + count;
			break;
		default:
			memcpy(to, from, f->size);
			to += f->size;
		}
	}
	return to - begin;
}

/* Takes the record apart. Return: whether it is of a TraceLogging event */
static int take_apart(const __u8 *record, __u32 size, struct found *found)
{
	struct etw_extended_item item;
	__u32 at = sizeof(*found->header);

	found->header = (const void *)record;
	if (found->header->channel != 11 ||
	    !(found->header->flags & ETW_EVENT_HEADER_EXTENDED_INFO))
		return 0;
	do {
		memcpy(&item, record + at, sizeof(item));
		if (item.type == ETW_EXTENDED_TRAITS) {
			found->traits = record + at + sizeof(item);
			found->traits_size = item.size;
		} else {
			found->schema_size = item.size;
		}
		at += item.step;
	} while (item.linkage && at < size);
	found->data = record + at;
	found->size = size - at;
	return 1;
}

static __u32 record_size(const __u8 *record)
{
	if (record[2] == TRACE_HEADER_TYPE_SYSTEM64 || record[2] == TRACE_HEADER_TYPE_PERFINFO64)
		return record[4] | record[5] << 8;
	return record[0] | record[1] << 8;
}

static void find_in_buffer(const __u8 *buffer, struct records *records)
{
	struct wmi_buffer_header header;
	__u32 at = sizeof(header), size;

	memcpy(&header, buffer, sizeof(header));
	for (; at < header.offset; at += (size + 7) & ~7U) {
		const __u8 *record = buffer + at;
		struct found *found = &records->found[records->nr];

		size = record_size(record);
		if (record[2] != TRACE_HEADER_TYPE_EVENT_HEADER64 ||
		    records->nr == MAX_RECORDS)
			continue;
		*found = (struct found){ .cpu = header.processor_index };
		records->nr += take_apart(record, size, found);
	}
}

struct records stop_and_find(int control, __u32 id)
{
	struct records records = { .found = calloc(MAX_RECORDS, sizeof(struct found)) };
	struct wmi_buffer_header header;
	size_t room = 0, at;
	int fd = open_node(id, 0);

	if (fd < 0 || on_session(control, ETW_IOC_STOP, id, 0))
		die("STOP");
	records.used = read_stream(fd, &records.stream, &room);
	close(fd);
	for (at = 0; at < records.used; at += header.buffer_size) {
		memcpy(&header, records.stream + at, sizeof(header));
		find_in_buffer(records.stream + at, &records);
	}
	return records;
}

/* The frames in this buffer that belong to an event; NULL: none */
static const __u8 *stack_in(const __u8 *buffer, const struct found *of, __u32 *frames)
{
	struct wmi_buffer_header header;
	struct perfinfo_stack head;
	__u32 at = sizeof(header);

	memcpy(&header, buffer, sizeof(header));
	for (; at < header.offset; at += (record_size(buffer + at) + 7) & ~7U) {
		const __u8 *record = buffer + at;

		memcpy(&head, record + 16, sizeof(head));
		if (record[2] != TRACE_HEADER_TYPE_PERFINFO64 ||
		    (record[6] | record[7] << 8) != PERFINFO_LOG_TYPE_STACKWALK ||
		    head.event_time_stamp != (__u64)of->header->time_stamp ||
		    head.thread_id != of->header->thread_id)
			continue;
		*frames = (record_size(record) - 16 - sizeof(head)) / 8;
		return record + 16 + sizeof(head);
	}
	return NULL;
}

/* The first stack record of an event: its frames, or NULL */
const __u8 *find_stack(const struct records *records, const struct found *of, __u32 *frames)
{
	struct wmi_buffer_header header;
	const __u8 *stack = NULL;
	size_t at;

	for (at = 0; at < records->used && !stack; at += header.buffer_size) {
		memcpy(&header, records->stream + at, sizeof(header));
		if (header.processor_index == of->cpu)
			stack = stack_in(records->stream + at, of, frames);
	}
	return stack;
}

int is_of(const struct found *found, const struct event *event)
{
	struct etw_guid guid = event_guid(event);

	return !memcmp(&found->header->provider_id, &guid, sizeof(guid));
}
