// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The module's sessions: asked, stopped, found by name, read. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "libetl/descriptor.h"
#include "libetl/text.h"
#include "session.h"

int kernel_query(uint32_t id, struct block *block)
{
	struct etw_control control = {
		.size = sizeof(control), .logger_id = id,
		.information = (uintptr_t)block->bytes, .information_size = sizeof(block->bytes),
	};
	int err;

	memset(block, 0, sizeof(*block));
	err = etw_control_ioctl(ETW_IOC_QUERY, &control);
	if (err)
		return err;
	block->size = block->info.wnode.buffer_size;
	if (block->size < sizeof(block->info) || block->size > sizeof(block->bytes))
		block->size = sizeof(block->bytes);
	return 0;
}

int kernel_stop(uint32_t id, bool discard)
{
	struct etw_control control = {
		.size = sizeof(control), .logger_id = id,
		.flags = discard ? ETW_STOP_DISCARD : 0,
	};

	return etw_control_ioctl(ETW_IOC_STOP, &control);
}

int kernel_flush(uint32_t id)
{
	struct etw_control control = { .size = sizeof(control), .logger_id = id };

	return etw_control_ioctl(ETW_IOC_FLUSH, &control);
}

int kernel_list(uint64_t *loggers)
{
	struct etw_list list = { .size = sizeof(list) };
	int err = etw_control_ioctl(ETW_IOC_LIST, &list);

	*loggers = list.loggers;
	return err;
}

int kernel_find(const char *name)
{
	char text[SESSION_NAME_TEXT];
	struct block *block;
	uint64_t loggers;
	int id, found = -ENOENT, err = kernel_list(&loggers);

	if (err)
		return err;
	block = malloc(sizeof(*block));
	if (!block)
		return -ENOMEM;
	for (id = 1; id <= ETW_MAX_LOGGERS; id++) {
		if (!(loggers >> (id - 1) & 1) || kernel_query(id, block))
			continue;
		block_text(block, &block->info.logger_name, text, sizeof(text));
		if (!text_is_same_name(text, name))
			continue;
		found = id;
		break;
	}
	free(block);
	return found;
}

/* devtmpfs or udev make it. */
int kernel_open_stream(uint32_t id)
{
	char node[64];
	int fd, tries;

	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	for (tries = 0; tries < 200; tries++) {
		fd = open(node, O_RDONLY | O_CLOEXEC);
		if (fd >= 0)
			return descriptor_raise(fd);
		if (errno != ENOENT && errno != EACCES)
			break;
		usleep(10000);
	}
	return -errno;
}
