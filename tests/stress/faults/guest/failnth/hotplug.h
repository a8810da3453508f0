/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A CPU that comes online while one allocation fails. */
#ifndef ETW_TEST_FAILNTH_HOTPLUG_H
#define ETW_TEST_FAILNTH_HOTPLUG_H

#include "operations.h"

#define CPU1		"/sys/devices/system/cpu/cpu1/online"

static int plug(const char *state)
{
	int fd = open(CPU1, O_WRONLY | O_CLOEXEC);
	int err = write(fd, state, 1) == 1 ? 0 : errno;

	close(fd);
	return err;
}

/* A CPU that is down when the session starts, so that it has no buffers */
static int plug_prepare(const struct operation *op)
{
	file = -1;
	if (plug("0") || session_prepare(op))
		return 1;
	file = open(CPU1, O_WRONLY | O_CLOEXEC);
	return file < 0;
}

static int plug_run(const struct operation *op)
{
	(void)op;
	return write(file, "1", 1) == 1 ? 0 : errno;
}

static int plug_finish(const struct operation *op, int err)
{
	close(file);
	if (err && plug("1"))
		return 1;
	return session_finish(op, err);
}

#endif /* ETW_TEST_FAILNTH_HOTPLUG_H */
