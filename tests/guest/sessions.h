/* SPDX-License-Identifier: GPL-2.0 */
/* Sessions in a few words, for programs that start and stop many of them. */
#ifndef ETW_TEST_SESSIONS_H
#define ETW_TEST_SESSIONS_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "etw_abi.h"
#include "etw_hooks.h"
#include "machine_memory.h"
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


static inline void die(const char *what)
{
	printf("not ok - %s: %s\n", what, strerror(errno));
	fflush(stdout);
	_exit(1);
}

static inline const char *error_name(int err)
{
	return err ? strerrorname_np(err) : "success";
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

/* Return: errno, 0 for success. */
static inline int start_session(int fd, const struct wish *wish, __u32 *id)
{
	struct session_block block;
	struct etw_control c = {
		.size = sizeof(c), .flags = wish->start, .information_size = sizeof(block),
		.information = (unsigned long)&block,
	};
	int err;

	fill_block(&block, wish);
	err = ioctl(fd, ETW_IOC_START, &c) ? errno : 0;
	*id = err ? 0 : c.logger_id;
	return err;
}

/* Return: errno, 0 for success. */
static inline int update_session(int fd, __u32 id, const struct wish *wish)
{
	struct session_block block;
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information_size = sizeof(block),
		.information = (unsigned long)&block,
	};

	fill_block(&block, wish);
	return ioctl(fd, ETW_IOC_UPDATE, &c) ? errno : 0;
}

/* Return: a descriptor, or a negative errno. */
static inline int snapshot_session(int fd, __u32 id)
{
	struct etw_control c = { .size = sizeof(c), .logger_id = id };
	int copy = ioctl(fd, ETW_IOC_SNAPSHOT, &c);

	return copy < 0 ? -errno : copy;
}

/* STOP, FLUSH and the like. Return: errno, 0 for success. */
static inline int on_session(int fd, unsigned long cmd, __u32 id, __u32 flags)
{
	struct etw_control c = { .size = sizeof(c), .logger_id = id, .flags = flags };

	return ioctl(fd, cmd, &c) ? errno : 0;
}

static inline int discard_session(int fd, __u32 id)
{
	return on_session(fd, ETW_IOC_STOP, id, ETW_STOP_DISCARD);
}

static inline __u64 list_sessions(int fd)
{
	struct etw_list list = { .size = sizeof(list) };

	return ioctl(fd, ETW_IOC_LIST, &list) ? ~0ULL : list.loggers;
}

static inline int session_statistics(int fd, __u32 id, struct etw_statistics *s)
{
	*s = (struct etw_statistics){
		.size = sizeof(*s), .logger_id = id, .processor = ETW_ALL_PROCESSORS,
	};
	return ioctl(fd, ETW_IOC_STATISTICS, s) ? errno : 0;
}

static inline __u64 all_lost(const struct etw_statistics *s)
{
	__u64 lost = 0;
	int i;

	for (i = 0; i < 8; i++)
		lost += s->lost[i];
	return lost;
}

static inline int open_node(__u32 id, int flags)
{
	char node[32];

	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	return open(node, O_RDONLY | O_CLOEXEC | flags);
}

#endif /* ETW_TEST_SESSIONS_H */
