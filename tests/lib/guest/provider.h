/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Programs' events: sessions that take them, events, and what must stand in the stream. */
#ifndef ETW_TEST_PROVIDER_H
#define ETW_TEST_PROVIDER_H

#include <sys/syscall.h>
#include "requests.h"
#include "etw_provider.h"

#define PROVIDER	"/dev/etw/provider"
#define ROOM		65536
#define MAX_DUE		4096

static int control, provider;
static __u32 session;		/* where events go */

/* {01020304-0506-0708-090A-0B0C0D0E0F10} */
static const struct etw_guid class_guid = {
	0x01020304, 0x0506, 0x0708, { 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10 },
};

/**
 * struct due - a record that must come
 * @bytes: of it; where the system writes: zero, or what it writes
 * @size: how many
 * @stamped: its time stamp is known
 */
static struct due {
	__u8 *bytes;
	__u32 size;
	int stamped;
} due[MAX_DUE];
static __u32 nr_due;

/* A session without kernel events that takes programs': @flags, @rate as item 800F */
static inline __u32 start_taker(const struct wish *wish, __u32 flags, __u32 rate)
{
	const __u32 options[] = { flags, rate };
	struct etw_control c = { 0 };
	struct request r;

	request_begin(&r, wish);
	request_add(&r, ETW_EXT_VND_PROVIDER_OPTIONS, options, 2);
	errno = request_send(control, ETW_IOC_START, &r, &c);
	if (errno)
		die("START");
	return c.logger_id;
}

/* An event's header; Size is that of header and data */
static inline struct event_trace_header event_of(__u32 size, __u32 flags)
{
	return (struct event_trace_header){
		.size = size, .type = 0x23, .level = 4, .version = 0x0102,
		.guid = class_guid, .client_context = 0xCCCCCCCC, .flags = flags,
	};
}

/* TRACE_EVENT. Return: errno, 0 for success */
static inline int trace_to(int fd, __u64 handle, void *event, __u32 flags)
{
	struct etw_trace_event request = {
		.size = sizeof(request), .flags = flags, .session_handle = handle,
		.event = (unsigned long)event,
	};

	return ioctl(fd, ETW_PROVIDER_TRACE_EVENT, &request) ? errno : 0;
}

static inline int trace(void *event)
{
	return trace_to(provider, session, event, 0);
}

/* write(). Return: errno, 0 for success */
static inline int trace_by_write(int fd, __u64 handle, void *event, __u32 size)
{
	ssize_t n;

	memcpy((__u8 *)event + 8, &handle, sizeof(handle));
	n = write(fd, event, size);
	return n < 0 ? errno : n == size ? 0 : EIO;
}

static inline void set_rules(__u32 version)
{
	struct etw_provider_rules rules = { sizeof(rules), version };

	if (ioctl(provider, ETW_PROVIDER_SET_RULES, &rules))
		die("SET_RULES");
}

/* The record that a header, as given, and data become */
static inline void expect(const void *header, __u32 header_size, const void *data, __u32 size)
{
	struct event_trace_header *h;
	struct due *d = &due[nr_due++];

	if (nr_due == MAX_DUE)
		die("too many records");
	d->size = header_size + size;
	d->bytes = malloc(d->size);
	memcpy(d->bytes, header, header_size);
	if (size)
		memcpy(d->bytes + header_size, data, size);
	h = (void *)d->bytes;
	h->size = d->size;
	h->header_type = header_size == sizeof(*h) ? TRACE_HEADER_TYPE_FULL_HEADER64 :
						      TRACE_HEADER_TYPE_INSTANCE64;
	h->marker_flags = TRACE_HEADER_FLAGS;
	h->thread_id = syscall(SYS_gettid);
	h->process_id = getpid();
	h->guid = class_guid;
	d->stamped = !!(h->flags & WNODE_FLAG_USE_TIMESTAMP);
	if (!d->stamped)
		h->time_stamp = 0;
	h->processor_time = 0;
}

/* A stream, and where we are in it */
struct stream {
	__u8 *data;
	size_t used;
	size_t buffer;
	__u32 at;
};

/* The next record of a program: full, instance, or without a marker */
static inline const __u8 *next_event(struct stream *s, __u32 *size)
{
	struct wmi_buffer_header header;

	for (; s->buffer < s->used; s->buffer += header.buffer_size, s->at = sizeof(header)) {
		memcpy(&header, s->data + s->buffer, sizeof(header));
		while (s->at < header.offset) {
			const __u8 *record = s->data + s->buffer + s->at;
			__u8 type = record[3] == TRACE_HEADER_FLAGS ? record[2] : 0;

			*size = record[0] | record[1] << 8;
			if (type == TRACE_HEADER_TYPE_SYSTEM64 || type == TRACE_HEADER_TYPE_PERFINFO64)
				*size = record[4] | record[5] << 8;
			s->at += (*size + 7) & ~7U;
			if (!type || type == TRACE_HEADER_TYPE_FULL_HEADER64 ||
			    type == TRACE_HEADER_TYPE_INSTANCE64)
				return record;
		}
	}
	return NULL;
}

/* All of a session that is stopped here; its last statistics before the reading */
static inline struct stream stop_and_read(__u32 id, struct etw_statistics *statistics)
{
	struct stream s = { .at = sizeof(struct wmi_buffer_header) };
	size_t room = 0;
	int fd = open_node(id, 0);

	if (fd < 0 || on_session(control, ETW_IOC_STOP, id, 0) ||
	    session_statistics(control, id, statistics))
		die("STOP");
	s.used = read_stream(fd, &s.data, &room);
	close(fd);
	return s;
}

static inline __u32 count_events(struct stream *s)
{
	__u32 size, n = 0;

	while (next_event(s, &size))
		n++;
	return n;
}

/* In a child of that user. Return: what @what does */
static inline int as_user(uid_t uid, gid_t group, int (*what)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (setgroups(!!group, &group) || setgid(uid) || setuid(uid))
			_exit(251);
		_exit(what());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif /* ETW_TEST_PROVIDER_H */
