// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The node of a session's stream. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "control_calls.h"
#include "libetl/messages.h"
#include "session_node.h"

/* The node comes by way of devtmpfs or udev: give it a moment. */
int session_node_open(uint32_t id)
{
	char node[64];
	int tries, fd;

	snprintf(node, sizeof(node), ETW_SESSION_NODE, id);
	for (tries = 0; tries < 200; tries++) {
		fd = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0)
			return fd;
		if (errno != ENOENT && errno != EACCES)
			break;
		usleep(10000);
	}
	failed("%s: %s", node, strerror(errno));
	return -1;
}
