/* SPDX-License-Identifier: GPL-2.0 */
/* Small sessions for tests of who waits for whom: the ioctls, each 0 or an errno. */
#ifndef ETW_TEST_SESSION_CALLS_H
#define ETW_TEST_SESSION_CALLS_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "etw_abi.h"
#include "result.h"

struct calls_block {
	struct wmi_logger_information info;
	__u16 name[32];
};

static int control = -1;

static inline void die(const char *what)
{
	printf("not ok - %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline int open_control(void)
{
	int fd = open("/dev/etw/control", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("/dev/etw/control");
	return fd;
}

static inline struct calls_block block_of(const char *name, __u32 kb, __u32 buffers, __u32 flags)
{
	struct calls_block block = {
		.info = {
			.wnode.buffer_size = sizeof(block),
			.wnode.flags = WNODE_FLAG_TRACED_GUID,
			.buffer_size = kb,
			.maximum_buffers = buffers,
			.log_file_mode = EVENT_TRACE_REAL_TIME_MODE |
				(flags ? EVENT_TRACE_SYSTEM_LOGGER_MODE : 0),
			.enable_flags = flags,
			.logger_name.buffer = offsetof(struct calls_block, name),
			.logger_name.length = 2 * strlen(name),
		},
	};
	int i;

	for (i = 0; i < 31 && name[i]; i++)
		block.name[i] = name[i];
	return block;
}

static inline int start_session(int fd, struct calls_block block, __u32 start_flags, __u32 *id)
{
	struct etw_control c = {
		.size = sizeof(c), .flags = start_flags, .information_size = sizeof(block),
		.information = (unsigned long)&block,
	};
	int err = ioctl(fd, ETW_IOC_START, &c) ? errno : 0;

	*id = c.logger_id;
	return err;
}

static inline int simple(unsigned long request, __u32 id, __u32 flags)
{
	struct etw_control c = { .size = sizeof(c), .logger_id = id, .flags = flags };

	return ioctl(control, request, &c) ? errno : 0;
}

static inline int query(__u32 id, struct calls_block *block)
{
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information_size = sizeof(*block),
		.information = (unsigned long)block,
	};

	return ioctl(control, ETW_IOC_QUERY, &c) ? errno : 0;
}

static inline int statistics_of(__u32 id, struct etw_statistics *s)
{
	*s = (struct etw_statistics){
		.size = sizeof(*s), .logger_id = id, .processor = ETW_ALL_PROCESSORS,
	};
	return ioctl(control, ETW_IOC_STATISTICS, s) ? errno : 0;
}

static inline __u64 loggers(void)
{
	struct etw_list list = { .size = sizeof(list) };

	if (ioctl(control, ETW_IOC_LIST, &list))
		die("LIST");
	return list.loggers;
}

static inline int open_stream(__u32 id, int flags)
{
	char node[32];

	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	return open(node, O_RDONLY | O_CLOEXEC | flags);
}

#endif /* ETW_TEST_SESSION_CALLS_H */
