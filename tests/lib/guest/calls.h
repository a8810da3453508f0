/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The calls of /dev/etw/control for tests, each 0 or an errno; the files of sessions. */
#ifndef ETW_TEST_CALLS_H
#define ETW_TEST_CALLS_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include "etw_abi.h"

/**
 * send_block() - START, UPDATE or QUERY
 * @fd: control
 * @cmd: which
 * @block: what
 * @size: bytes of it
 * @c: in: @flags, @logger_id; out: as the kernel left it
 *
 * Return: errno, 0 for success.
 */
static inline int send_block(int fd, unsigned long cmd, void *block, __u32 size,
			     struct etw_control *c)
{
	c->size = sizeof(*c);
	c->information_size = size;
	c->information = (unsigned long)block;
	return ioctl(fd, cmd, c) ? errno : 0;
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

/* Return: a descriptor, or a negative errno. */
static inline int snapshot_session(int fd, __u32 id)
{
	struct etw_control c = { .size = sizeof(c), .logger_id = id };
	int copy = ioctl(fd, ETW_IOC_SNAPSHOT, &c);

	return copy < 0 ? -errno : copy;
}

/* Bits of ids; all of them when there is no answer */
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

#endif /* ETW_TEST_CALLS_H */
