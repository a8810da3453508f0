/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Sessions in a few words, for programs that start and stop many of them. */
#ifndef ETW_TEST_SESSIONS_H
#define ETW_TEST_SESSIONS_H

#include <stddef.h>
#include <stdlib.h>
#include "etw_hooks.h"
#include "calls.h"
#include "result.h"

#define CONTROL		"/dev/etw/control"
#define NAME_UNITS	32
#define ITEM_DWORDS	32

/**
 * struct wish - what a session shall be
 * @name: ASCII, less than NAME_UNITS
 * @kb: buffer size
 * @buffers: of all CPUs together
 * @minimum: of them, those that are there from the start; 0: all
 * @flags: EnableFlags; a kernel session unless 0
 * @items: instead of them, an extension's array
 * @dwords: of it, up to ITEM_DWORDS; 0: none
 * @flush_timer: seconds
 * @mode: EVENT_TRACE_*, besides real time
 * @start: ETW_START_*
 */
struct wish {
	const char *name;
	__u32 kb;
	__u32 buffers;
	__u32 minimum;
	__u32 flags;
	const __u32 *items;
	__u32 dwords;
	__u32 flush_timer;
	__u32 mode;
	__u32 start;
};

struct session_block {
	struct wmi_logger_information info;
	__u16 name[NAME_UNITS];
	__u32 items[ITEM_DWORDS];
};

static inline int open_control(void)
{
	int fd = open(CONTROL, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die(CONTROL);
	return fd;
}

static inline void fill_block(struct session_block *block, const struct wish *wish)
{
	size_t i;

	*block = (struct session_block){
		.info = {
			.wnode = { .buffer_size = sizeof(*block), .client_context = ETW_CLOCK_QPC,
				   .flags = WNODE_FLAG_TRACED_GUID },
			.buffer_size = wish->kb,
			.minimum_buffers = wish->minimum,
			.maximum_buffers = wish->buffers,
			.flush_timer = wish->flush_timer,
			.log_file_mode = EVENT_TRACE_REAL_TIME_MODE | wish->mode,
			.enable_flags = wish->flags,
			.logger_name.buffer = offsetof(struct session_block, name),
		},
	};
	if (wish->flags)
		block->info.log_file_mode |= EVENT_TRACE_SYSTEM_LOGGER_MODE;
	for (i = 0; wish->name[i] && i < NAME_UNITS - 1; i++)
		block->name[i] = wish->name[i];
	block->info.logger_name.length = 2 * i;
	if (!wish->dwords)
		return;
	block->info.enable_flags = 0x80FF0000 | offsetof(struct session_block, items);
	memcpy(block->items, wish->items, 4 * wish->dwords);
}

/* @answer: out: what the module says. Return: errno, 0 for success. */
static inline int ask_for_session(int fd, const struct wish *wish, struct etw_control *answer)
{
	struct session_block block;

	*answer = (struct etw_control){
		.size = sizeof(*answer), .flags = wish->start, .information_size = sizeof(block),
		.information = (unsigned long)&block,
	};
	fill_block(&block, wish);
	return ioctl(fd, ETW_IOC_START, answer) ? errno : 0;
}

/* Return: errno, 0 for success. */
static inline int start_session(int fd, const struct wish *wish, __u32 *id)
{
	struct etw_control answer;
	int err = ask_for_session(fd, wish, &answer);

	*id = err ? 0 : answer.logger_id;
	return err;
}

/* @answer: out: what the module says. Return: errno, 0 for success. */
static inline int ask_for_update(int fd, __u32 id, const struct wish *wish,
				 struct etw_control *answer)
{
	struct session_block block;

	*answer = (struct etw_control){
		.size = sizeof(*answer), .logger_id = id, .information_size = sizeof(block),
		.information = (unsigned long)&block,
	};
	fill_block(&block, wish);
	return ioctl(fd, ETW_IOC_UPDATE, answer) ? errno : 0;
}

/* Return: errno, 0 for success. */
static inline int update_session(int fd, __u32 id, const struct wish *wish)
{
	struct etw_control answer;

	return ask_for_update(fd, id, wish, &answer);
}

#endif /* ETW_TEST_SESSIONS_H */
