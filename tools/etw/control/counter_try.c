// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Whether this machine counts an event: perf is asked for it. */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "counter.h"

static int open_event(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	int err = errno;

	if (fd < 0)
		return -err;
	close(fd);
	return 0;
}

/*
 * Tries to count on a CPU, as sessions do. A user without that right can count the own process,
 * at worst in user mode only; the answer is the same.
 */
enum counter_answer counter_try(const struct counter *counter)
{
	struct perf_event_attr attr = {
		.type = counter->type, .size = sizeof(attr), .config = counter->config,
		.config1 = counter->config1, .config2 = counter->config2, .disabled = 1,
		.exclude_user = !!(counter->flags & ETW_COUNTER_EXCLUDE_USER),
		.exclude_kernel = !!(counter->flags & ETW_COUNTER_EXCLUDE_KERNEL),
		.exclude_hv = !!(counter->flags & ETW_COUNTER_EXCLUDE_HV),
		.exclude_idle = !!(counter->flags & ETW_COUNTER_EXCLUDE_IDLE),
	};
	int err = open_event(&attr, -1, 0);

	if (err == -EACCES || err == -EPERM) {
		attr.exclude_kernel = 1;
		attr.exclude_hv = 1;
		err = open_event(&attr, 0, -1);
	}
	if (err == -EACCES || err == -EPERM)
		return COUNTER_UNKNOWN;
	return err ? COUNTER_NO : COUNTER_YES;
}
