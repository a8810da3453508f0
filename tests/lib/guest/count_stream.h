/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Read a stopped session to its end and count what is in it. */
#ifndef ETW_TEST_COUNT_STREAM_H
#define ETW_TEST_COUNT_STREAM_H

#include "sessions.h"

#define LARGEST_BUFFER	(64U << 10)

/**
 * struct counted - a stream
 * @records: all but those of the header buffer
 * @marks: RundownComplete
 * @config: system configuration records
 * @broken: a buffer or record that cannot be
 */
struct counted {
	__u64 records;
	__u32 marks;
	__u32 config;
	int broken;
};

/* Return: bytes of a record with its padding, 0 for nonsense. */
static inline __u32 record_size(const __u8 *at, __u16 *hook_id)
{
	struct perfinfo_trace_header header;

	memcpy(&header, at, sizeof(header));
	*hook_id = header.hook_id;
	switch (header.header_type) {
	case TRACE_HEADER_TYPE_PERFINFO64:
	case TRACE_HEADER_TYPE_SYSTEM64:
		return (header.size + 7U) & ~7U;
	case TRACE_HEADER_TYPE_EVENT_HEADER64:	/* its size comes first */
		*hook_id = 0;
		return (header.version + 7U) & ~7U;
	}
	return 0;
}

static inline void count_buffer(const __u8 *buffer, __u32 size, struct counted *counted)
{
	struct wmi_buffer_header header;
	__u32 at, step;
	__u16 hook_id;

	memcpy(&header, buffer, sizeof(header));
	if (header.buffer_size != size || header.offset > size) {
		counted->broken = 1;
		return;
	}
	if (header.buffer_type == ETW_BUFFER_TYPE_HEADER)
		return;
	for (at = sizeof(header); at < header.offset; at += step) {
		step = record_size(buffer + at, &hook_id);
		if (step < 16 || at + step > header.offset) {
			counted->broken = 1;
			return;
		}
		counted->records++;
		counted->marks += hook_id == WMI_LOG_TYPE_RUNDOWN_COMPLETE;
		counted->config += hook_id >> 8 == 0x0B;
	}
}

/* A snapshot, which says nothing of itself but what is in it. Return: problems. */
static inline int read_snapshot(int fd, __u32 size, struct counted *counted)
{
	static __u8 buffer[LARGEST_BUFFER];
	ssize_t n;

	memset(counted, 0, sizeof(*counted));
	while ((n = read(fd, buffer, size)) == (ssize_t)size)
		count_buffer(buffer, size, counted);
	if (n || counted->broken || !counted->records)
		printf("# a snapshot: read() %zd, %llu records%s\n", n,
		       (unsigned long long)counted->records, counted->broken ? ", broken" : "");
	return n || counted->broken || !counted->records;
}

/*
 * The law: what was read is what is in the stream, and nothing else is
 * unaccounted for. The session is gone when its reader leaves.
 *
 * Return: 0, or 1 after it printed what is wrong.
 */
static inline int read_to_end(int control, __u32 id, __u32 size, struct counted *counted)
{
	static __u8 buffer[LARGEST_BUFFER];
	struct etw_statistics s;
	int fd = open_node(id, 0), good;
	ssize_t n;

	memset(counted, 0, sizeof(*counted));
	if (fd < 0) {
		printf("# the node of session %u: %s\n", id, strerror(errno));
		return 1;
	}
	while ((n = read(fd, buffer, size)) == (ssize_t)size)
		count_buffer(buffer, size, counted);
	good = !n && !counted->broken && !session_statistics(control, id, &s) &&
	       s.read == counted->records && !s.buffered && !s.overwritten && !s.discarded;
	if (!good)
		printf("# session %u: read() %zd, %llu records%s, statistics say %llu read, %llu buffered\n",
		       id, n, (unsigned long long)counted->records,
		       counted->broken ? ", broken" : "", (unsigned long long)s.read,
		       (unsigned long long)s.buffered);
	close(fd);
	return !good;
}

#endif /* ETW_TEST_COUNT_STREAM_H */
