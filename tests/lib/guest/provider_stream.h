/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Streams with programs' events: every buffer and record is looked at, and handed on. */
#ifndef ETW_PROVIDER_STREAM_H
#define ETW_PROVIDER_STREAM_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "etw_provider.h"

#define STREAM_CPUS	64
#define STREAM_FAILURES	20	/* that are shown */

enum record_kind { RECORD_EVENT, RECORD_INSTANCE, RECORD_MESSAGE, RECORD_WNODE, RECORD_MODERN };

/**
 * struct record - a program's record, taken apart
 * @kind: enum record_kind
 * @bits: 32 or 64; 0: a WNODE_HEADER doesn't say
 * @cpu: of its writer
 * @number: opcode, message number, or id of an EVENT_HEADER's event
 * @level: of an event
 * @keyword: of an EVENT_HEADER's event
 * @items: it has extended items, which @data begins with
 * @options: of a message
 * @size: its Size
 * @thread_id: 0 where the record has none, as below
 * @process_id: its process
 * @sequence: of a message
 * @component: its id
 * @time: its stamp
 * @guid: GUID
 * @data: what follows header and items
 * @length: bytes of it
 */
struct record {
	enum record_kind kind;
	int bits;
	unsigned int cpu;
	__u16 number;
	__u8 level;
	__u64 keyword;
	int items;
	__u16 options;
	__u32 size;
	__u32 thread_id, process_id;
	__u32 sequence, component;
	__u64 time;
	struct etw_guid guid;
	const __u8 *data;
	__u32 length;
};

/**
 * struct stream - a session's stream
 * @logger: the session
 * @stamped: it takes time stamps
 * @wnodes: it takes WNODE_HEADERs
 * @modern: provider of EVENT_HEADERs that are a program's, or NULL
 * @take: called for each record of a program
 * @user: its own
 * @name: for messages
 * @buffer_size: of its buffers
 * @sequence: buffers so far, the header not counted
 * @handed_over: stamp of the last buffer
 * @time: of the last record of a CPU
 * @ours: programs' records
 * @others: the session's own
 * @failures: what was wrong
 * @buffer: one, whole
 */
struct stream {
	__u32 logger;
	int stamped, wnodes;
	const struct etw_guid *modern;
	void (*take)(struct stream *stream, const struct record *record);
	void *user;
	const char *name;
	__u32 buffer_size;
	__u64 sequence;
	__s64 handed_over;
	__u64 time[STREAM_CPUS];
	unsigned long long ours, others;
	unsigned int failures;
	__u8 buffer[1 << 20];
};

__attribute__((format(printf, 2, 3)))
static void stream_fail(struct stream *stream, const char *format, ...)
{
	va_list args;

	if (++stream->failures > STREAM_FAILURES)
		return;
	printf("%s: buffer %llu: ", stream->name, stream->sequence);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

static inline const __u8 *item(void *to, const __u8 *from, __u32 size)
{
	memcpy(to, from, size);
	return from + size;
}

static inline __u32 message_items(__u16 options)
{
	return !!(options & 1) * 4 + (options & 4 ? 4 : options & 2 ? 16 : 0) +
	       !!(options & 0x18) * 8 + !!(options & 0x20) * 8;
}

/* Returns 0 when it is none. */
static inline int parse_message(struct stream *stream, const __u8 *from, struct record *r)
{
	struct message_trace_header header;
	const __u8 *at = item(&header, from, sizeof(header));
	__u16 options = header.option_flags;

	r->kind = RECORD_MESSAGE;
	r->size = header.size;
	r->number = header.message_number;
	r->options = options & TRACE_MESSAGE_CALLER_FLAGS;
	r->bits = options & TRACE_MESSAGE_POINTER32 ? 32 : 64;
	if (header.reserved || options >> 8 || !(options & 0xC0) || (options & 0xC0) == 0xC0) {
		stream_fail(stream, "message with option flags %x", options);
		return 0;
	}
	if (r->size < sizeof(header) + message_items(options)) {
		stream_fail(stream, "message of %u bytes, flags %x", r->size, options);
		return 0;
	}
	if (options & TRACE_MESSAGE_SEQUENCE)
		at = item(&r->sequence, at, 4);
	if (options & TRACE_MESSAGE_COMPONENT_ID)
		at = item(&r->component, at, 4);
	else if (options & TRACE_MESSAGE_GUID)
		at = item(&r->guid, at, 16);
	if (options & 0x18)
		at = item(&r->time, at, 8);
	if (!(options & TRACE_MESSAGE_TIMESTAMP) && r->time)
		stream_fail(stream, "message with a stamp that is none");
	if (options & TRACE_MESSAGE_SYSTEMINFO) {
		at = item(&r->thread_id, at, 4);
		at = item(&r->process_id, at, 4);
	}
	r->data = at;
	return 1;
}

static inline int parse_wnode(struct stream *stream, const __u8 *from, struct record *r)
{
	struct event_trace_header header;

	item(&header, from, sizeof(header));
	item(&r->size, from, 4);
	if (!stream->wnodes || !(header.flags & WNODE_FLAG_LOG_WNODE)) {
		stream_fail(stream, "a record without a marker");
		return 0;
	}
	r->kind = RECORD_WNODE;
	r->number = header.type;
	r->guid = header.guid;
	r->data = from + sizeof(header);
	return 1;
}

static inline void parse_event(const __u8 *from, struct record *r)
{
	struct event_trace_header header;

	item(&header, from, sizeof(header));
	r->kind = (header.header_type & 1) ? RECORD_INSTANCE : RECORD_EVENT;
	r->bits = header.header_type >= TRACE_HEADER_TYPE_FULL_HEADER64 ? 64 : 32;
	if (header.header_type == TRACE_HEADER_TYPE_FULL_HEADER32)
		r->kind = RECORD_EVENT;
	r->size = header.size;
	r->number = header.type;
	r->level = header.level;
	r->thread_id = header.thread_id;
	r->process_id = header.process_id;
	r->time = header.time_stamp;
	r->guid = header.guid;
	r->data = from + (r->kind == RECORD_INSTANCE ? sizeof(struct event_instance_guid_header) :
						       sizeof(header));
}

/* Return: whether it is a program's */
static inline int parse_modern(const struct stream *stream, const __u8 *from, __u32 left,
			       struct record *r)
{
	struct etw_event_header header = { 0 };

	item(&header, from, left < sizeof(header) ? left : sizeof(header));
	r->size = header.size;
	r->time = header.time_stamp;
	if (!stream->modern || left < sizeof(header) ||
	    memcmp(&header.provider_id, stream->modern, sizeof(header.provider_id)))
		return 0;
	r->kind = RECORD_MODERN;
	r->bits = header.header_type == (TRACE_HEADER_TYPE_EVENT_HEADER64 | 0xC000) ? 64 : 32;
	r->number = header.id;
	r->level = header.level;
	r->keyword = header.keyword;
	r->items = header.flags & ETW_EVENT_HEADER_EXTENDED_INFO;
	r->thread_id = header.thread_id;
	r->process_id = header.process_id;
	r->guid = header.provider_id;
	r->data = from + sizeof(header);
	return 1;
}

/* 1: a program's; 0: the session's own; -1: nothing that makes sense */
static inline int parse_record(struct stream *stream, const __u8 *from, __u32 left,
			       struct record *r)
{
	if (from[3] == TRACE_MESSAGE_FLAGS)
		return parse_message(stream, from, r) ? 1 : -1;
	if (left >= 0x30 && !(from[3] & 0x80))
		return parse_wnode(stream, from, r) ? 1 : -1;
	if (left < 0x20 || from[3] != TRACE_HEADER_FLAGS) {
		stream_fail(stream, "marker %02x%02x", from[2], from[3]);
		return -1;
	}
	switch (from[2]) {
	case TRACE_HEADER_TYPE_FULL_HEADER32:
	case TRACE_HEADER_TYPE_FULL_HEADER64:
	case TRACE_HEADER_TYPE_INSTANCE32:
	case TRACE_HEADER_TYPE_INSTANCE64:
		parse_event(from, r);
		return 1;
	case TRACE_HEADER_TYPE_EVENT_HEADER64:
		return parse_modern(stream, from, left, r);
	case TRACE_HEADER_TYPE_SYSTEM64:
		r->size = from[4] | from[5] << 8;
		item(&r->time, from + 16, 8);
		return 0;
	}
	stream_fail(stream, "record type %02x", from[2]);
	return -1;
}

/* What follows the extended items, if there are any, which are as long as they say */
static inline const __u8 *record_data(const struct record *r)
{
	const __u8 *at = r->data;
	struct etw_extended_item header;
	int more = r->kind == RECORD_MODERN && r->items;

	while (more && at + sizeof(header) <= r->data + r->length) {
		item(&header, at, sizeof(header));
		more = header.linkage;
		if (!header.step || at + header.step > r->data + r->length)
			break;
		at += header.step;
	}
	return at;
}

static inline int has_time(const struct stream *stream, const struct record *r)
{
	if (r->kind == RECORD_MESSAGE)
		return !!(r->options & TRACE_MESSAGE_TIMESTAMP);
	return r->kind != RECORD_WNODE && !stream->stamped;
}

/* Returns the bytes that it takes, 0 when the rest can't be read. */
static inline __u32 one_record(struct stream *stream, const __u8 *from, __u32 left,
			       unsigned int cpu)
{
	struct record r = { .cpu = cpu };
	int program = left < 8 ? -1 : parse_record(stream, from, left, &r);
	__u32 total = (r.size + ETW_RECORD_ALIGN - 1) & ~(ETW_RECORD_ALIGN - 1), i;

	if (program < 0)
		return 0;
	if (total < 8 || total > left || (program && r.data - from > r.size)) {
		stream_fail(stream, "a record of %u bytes, %u left", r.size, left);
		return 0;
	}
	for (i = r.size; i < total; i++)
		if (from[i])
			stream_fail(stream, "padding is not zero");
	if (has_time(stream, &r)) {
		if (r.time < stream->time[cpu])
			stream_fail(stream, "time %llx after %llx", r.time, stream->time[cpu]);
		stream->time[cpu] = r.time;
	}
	if (!program) {
		stream->others++;
		return total;
	}
	stream->ours++;
	r.length = r.size - (r.data - from);
	stream->take(stream, &r);
	return total;
}

static inline void one_buffer(struct stream *stream)
{
	struct wmi_buffer_header header;
	__u32 at = sizeof(header), size;

	memcpy(&header, stream->buffer, sizeof(header));
	if (header.buffer_size != stream->buffer_size || header.offset <= sizeof(header) ||
	    header.offset > stream->buffer_size || header.saved_offset != header.offset ||
	    header.state != ETW_BUFFER_STATE_FLUSH || header.logger_id != stream->logger ||
	    header.sequence_number != stream->sequence || header.processor_index >= STREAM_CPUS ||
	    header.time_stamp < stream->handed_over) {
		stream_fail(stream, "a bad header");
		return;
	}
	stream->handed_over = header.time_stamp;
	/* the trailer is out of date */
	if (header.buffer_flag & ETW_BUFFER_FLAG_FLUSH_MARKER)
		memset(stream->time, 0, sizeof(stream->time));
	for (; at < header.offset; at += size) {
		size = one_record(stream, stream->buffer + at, header.offset - at,
				  header.processor_index);
		if (!size)
			return;
	}
	for (; at < stream->buffer_size; at++)
		if (stream->buffer[at] != 0xFF) {
			stream_fail(stream, "no fill at %u", at);
			return;
		}
}

/* 1, or 0 at the end of the stream */
static inline int fill(struct stream *stream, int fd, __u32 at, __u32 to)
{
	ssize_t n;

	while (at < to) {
		n = read(fd, stream->buffer + at, to - at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			stream_fail(stream, "read: %s", strerror(errno));
		if (n <= 0)
			break;
		at += n;
	}
	return at == to;
}

/**
 * read_stream() - read a stream from its header to its end
 * @stream: with all that stands above @buffer_size
 * @fd: open
 */
static inline void read_stream(struct stream *stream, int fd)
{
	struct wmi_buffer_header header;

	if (!fill(stream, fd, 0, sizeof(header)))
		return stream_fail(stream, "no header");
	memcpy(&header, stream->buffer, sizeof(header));
	stream->buffer_size = header.buffer_size;
	if (header.buffer_type != ETW_BUFFER_TYPE_HEADER || header.buffer_size < 4096 ||
	    header.buffer_size > sizeof(stream->buffer) ||
	    !fill(stream, fd, sizeof(header), header.buffer_size))
		return stream_fail(stream, "no header buffer");
	while (fill(stream, fd, 0, stream->buffer_size)) {
		stream->sequence++;
		one_buffer(stream);
	}
}

#endif /* ETW_PROVIDER_STREAM_H */
