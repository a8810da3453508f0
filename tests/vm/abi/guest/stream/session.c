// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Tests of a session's stream: sessions, and what fills them. */
#define _GNU_SOURCE
#include <sys/ioctl.h>
#include <sys/wait.h>
#include "etw_hooks.h"
#include "tests/lib/guest/statistics.h"
#include "stream.h"

struct block {
	struct wmi_logger_information info;
	__u16 name[8];
};

__u32 start_on(int fd, __u32 kb, __u32 buffers, __u32 flags, __u32 mode)
{
	static const struct etw_guid guid = ETW_SYSTEM_TRACE_CONTROL_GUID;
	struct block block = {
		.info = {
			.wnode = { .buffer_size = sizeof(block), .guid = guid,
				   .client_context = ETW_CLOCK_QPC,
				   .flags = WNODE_FLAG_TRACED_GUID },
			.buffer_size = kb,
			.maximum_buffers = buffers,
			.log_file_mode = EVENT_TRACE_REAL_TIME_MODE | mode,
			.enable_flags = EVENT_TRACE_FLAG_CSWITCH,
			.logger_name = { .length = 12,
					 .buffer = offsetof(struct block, name) },
		},
		.name = { 's', 't', 'r', 'e', 'a', 'm' },
	};
	struct etw_control c = {
		.size = sizeof(c), .flags = flags, .information_size = sizeof(block),
		.information = (unsigned long)&block,
	};

	if (ioctl(fd, ETW_IOC_START, &c))
		die("START");
	return c.logger_id;
}

__u32 start(__u32 kb, __u32 buffers)
{
	return start_on(control, kb, buffers, ETW_START_NO_RUNDOWN, 0);
}

int stop(__u32 id, __u32 flags)
{
	return on_session(control, ETW_IOC_STOP, id, flags);
}

int flush(__u32 id)
{
	return on_session(control, ETW_IOC_FLUSH, id, 0);
}

__u64 loggers(void)
{
	return list_sessions(control);
}

struct etw_statistics statistics(__u32 id)
{
	return statistics_of(control, id);
}

void switches(int n)
{
	int a[2], b[2], i;
	char x = 0;
	pid_t pid;

	if (pipe(a) || pipe(b))
		die("pipe");
	pid = fork();
	if (!pid) {
		for (i = 0; i < n; i++)
			if (read(a[0], &x, 1) != 1 || write(b[1], &x, 1) != 1)
				_exit(1);
		_exit(0);
	}
	for (i = 0; i < n; i++)
		if (write(a[1], &x, 1) != 1 || read(b[0], &x, 1) != 1)
			die("switches");
	waitpid(pid, NULL, 0);
	close(a[0]);
	close(a[1]);
	close(b[0]);
	close(b[1]);
}
