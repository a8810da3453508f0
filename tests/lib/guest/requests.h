/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Blocks with extensions, and streams in memory, for tests of session modes. */
#ifndef ETW_TEST_REQUESTS_H
#define ETW_TEST_REQUESTS_H

#include <time.h>
#include "sessions.h"

/* Of all items; a test with more defines it before */
#ifndef REQUEST_DWORDS
#define REQUEST_DWORDS	1024
#endif

/**
 * struct request - a block of START or UPDATE in the making
 * @info: fixed part; its EnableFlags become an item when there are others
 * @name: of the session
 * @extension: header and items, in dwords
 * @used: of them
 * @items: how many
 */
struct request {
	struct wmi_logger_information info;
	__u16 name[NAME_UNITS];
	__u32 extension[REQUEST_DWORDS];
	__u32 used;
	__u32 items;
};

static inline void request_begin(struct request *r, const struct wish *wish)
{
	struct session_block block;

	fill_block(&block, wish);
	memset(r, 0, sizeof(*r));
	r->info = block.info;
	memcpy(r->name, block.name, sizeof(block.name));
	r->info.logger_name.buffer = offsetof(struct request, name);
	r->info.log_file_mode |= EVENT_TRACE_USE_MS_FLUSH_TIMER;
	r->used = 1;
}

static inline void request_add(struct request *r, __u16 type, const void *data, __u32 dwords)
{
	struct trace_enable_flag_ext_item item = { .offset = 1 + dwords, .type = type };

	memcpy(&r->extension[r->used], &item, 4);
	memcpy(&r->extension[r->used + 1], data, 4 * dwords);
	r->used += 1 + dwords;
	r->items++;
}

static inline void request_add_dword(struct request *r, __u16 type, __u32 value)
{
	request_add(r, type, &value, 1);
}

/* Return: bytes of the block */
static inline __u32 request_end(struct request *r)
{
	struct trace_enable_flag_ext_header header;
	const struct trace_enable_flag_extension overlay = {
		.offset = offsetof(struct request, extension),
		.length = ETW_EXT_ITEMS,
		.flag = ETW_EXT_FLAG,
	};
	__u32 size = offsetof(struct request, extension);

	if (r->items) {
		request_add_dword(r, ETW_EXT_ENABLE_FLAGS, r->info.enable_flags);
		header = (struct trace_enable_flag_ext_header){ r->used, r->items };
		memcpy(r->extension, &header, 4);
		memcpy(&r->info.enable_flags, &overlay, 4);
		size += 4 * r->used;
	}
	r->info.wnode.buffer_size = size;
	return size;
}

static inline int request_send(int fd, unsigned long cmd, struct request *r,
			       struct etw_control *c)
{
	__u32 size = request_end(r);

	return send_block(fd, cmd, r, size, c);
}

/* QUERY into @block; returns its bytes */
static inline __u32 query_block(int fd, __u32 id, void *block, __u32 room)
{
	struct etw_control c = { .logger_id = id };

	memset(block, 0, room);
	if (send_block(fd, ETW_IOC_QUERY, block, room, &c))
		die("QUERY");
	return ((struct wmi_logger_information *)block)->wnode.buffer_size;
}

/* What moves by itself is not configuration. */
static inline void forget_counts(struct wmi_logger_information *info)
{
	info->number_of_buffers = 0;
	info->free_buffers = 0;
	info->events_lost = 0;
	info->buffers_written = 0;
	info->log_buffers_lost = 0;
	info->real_time_consumer_count = 0;
	info->sequence_number = 0;
}

/* Everything up to the end of the stream; returns its bytes */
static inline size_t read_stream(int fd, __u8 **data, size_t *room)
{
	size_t used = 0;
	ssize_t n;

	for (;;) {
		if (*room - used < 65536) {
			*room = 2 * *room + 262144;
			*data = realloc(*data, *room);
			if (!*data)
				die("realloc");
		}
		n = read(fd, *data + used, *room - used);
		if (n < 0)
			die("read");
		if (!n)
			return used;
		used += n;
	}
}

/* A copy of what a session has in memory, in a file */
static inline void save_snapshot(int control, __u32 id, const char *path)
{
	int fd = snapshot_session(control, id);
	FILE *file = fopen(path, "w");
	__u8 *data = NULL;
	size_t room = 0, size;

	if (fd < 0) {
		errno = -fd;
		die("SNAPSHOT");
	}
	size = read_stream(fd, &data, &room);
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		die(path);
}

static inline void sleep_ms(unsigned int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

/* 100 ns since 1601: stamps of sessions with ETW_CLOCK_SYSTEM */
static inline __u64 filetime_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * 10000000ULL + t.tv_nsec / 100 + 116444736000000000ULL;
}

#endif /* ETW_TEST_REQUESTS_H */
