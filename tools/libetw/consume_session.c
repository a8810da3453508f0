// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Sessions by name, for callers with the right to control and with the right to read only. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libetl/text.h"
#include "consume.h"
#include "session.h"

#define SESSION_NODE	"/dev/etw/session%u"
/* How long StartTrace() may take to start a writer, in steps of 10 ms */
#define WRITER_TRIES	200
#define NAME_TEXT	(3 * ETW_MAX_LOGGER_NAME + 1)

static int open_node(unsigned int id)
{
	char node[64];
	int fd;

	snprintf(node, sizeof(node), SESSION_NODE, id);
	fd = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* A session without the right to query it. If it has a file, its writer hands on its stream */
static int open_readable(unsigned int id)
{
	int fd = open_node(id), stream;

	if (fd != -EBUSY)
		return fd;
	stream = writer_open_stream(id, NULL);
	return stream == -ECONNREFUSED ? fd : stream;
}

/* Return: -ENOENT: the stream is another session's; its header was read */
static int check_stream(int fd, const char *name)
{
	struct wmi_buffer_header header;
	struct etl_logfile log;
	char text[NAME_TEXT];
	uint8_t *bytes;
	struct descriptor what;
	int err = -descriptor_know(fd, &what);

	if (!err)
		err = consume_read(fd, &what, &header, sizeof(header));
	if (err || header.buffer_size <= sizeof(header) ||
	    header.buffer_size > CONSUME_MAX_BUFFER)
		return err ? err : -ENOENT;
	bytes = malloc(header.buffer_size);
	if (!bytes)
		return -ENOMEM;
	memcpy(bytes, &header, sizeof(header));
	err = consume_read(fd, &what, bytes + sizeof(header), header.buffer_size - sizeof(header));
	if (!err && (etl_logfile_of(bytes, header.buffer_size, &log) || !log.name))
		err = -ENOENT;
	if (!err) {
		text_from_utf16(bytes + log.name, log.name_size - 2, text, sizeof(text));
		err = text_is_same_name(text, name) ? 0 : -ENOENT;
	}
	free(bytes);
	return err;
}

/*
 * Finds a session without the right to query: the header event of every readable stream contains
 * the session name. A stream begins with the header event each time that it is opened.
 */
static int search_nodes(const char *name)
{
	unsigned int id;
	int fd, err, worst = -ENOENT;

	for (id = 1; id <= ETW_MAX_LOGGERS; id++) {
		fd = open_readable(id);
		if (fd == -EACCES || fd == -EBUSY)
			worst = fd;
		if (fd < 0)
			continue;
		err = check_stream(fd, name);
		close(fd);
		if (!err)
			return open_readable(id);
	}
	return worst;
}

/*
 * A session in real time with a file: its reader is the writer of the file, which StartTrace()
 * starts right after the session. The stream must not be taken away from that writer.
 * Return: -ECONNREFUSED: not such a session, or without its writer
 */
static int open_beside_file(uint32_t id, struct block *block)
{
	const struct wmi_logger_information *info = &block->info;
	int tries, fd;

	for (tries = 0; tries < WRITER_TRIES; tries++) {
		if (kernel_query(id, block) || !info->log_file_name.length ||
		    !(info->log_file_mode & EVENT_TRACE_REAL_TIME_MODE))
			break;
		fd = writer_open_stream(id, block);
		if (fd != -ECONNREFUSED)
			return fd;
		usleep(10000);
	}
	return -ECONNREFUSED;
}

static int open_found(uint32_t id)
{
	struct block *block = malloc(sizeof(*block));
	int fd = block ? open_beside_file(id, block) : -ENOMEM;

	free(block);
	if (fd != -ECONNREFUSED)
		return fd;
	fd = kernel_open_stream(id);
	if (fd >= 0)
		fcntl(fd, F_SETFL, O_NONBLOCK);
	/* It ended meanwhile. */
	return fd == -ENXIO ? -ENOENT : fd;
}

static int open_session(const char *name)
{
	int id = kernel_find(name);

	if (id == -ENOENT)
		return id;
	return id < 0 ? search_nodes(name) : open_found(id);
}

int consume_open_session(const char *name)
{
	int cancel = etw_cancel_disable(), fd = open_session(name);

	etw_cancel_restore(cancel);
	return fd;
}

unsigned int consume_flush_period(const char *name)
{
	int cancel = etw_cancel_disable();
	struct block *block = malloc(sizeof(*block));
	int id = block ? kernel_find(name) : -ENOMEM;
	uint32_t period = 0;

	if (id > 0 && !kernel_query(id, block)) {
		period = block->info.flush_timer;
		if (!(block->info.log_file_mode & EVENT_TRACE_USE_MS_FLUSH_TIMER))
			period = period > 3600 ? 3600000 : period * 1000;
	}
	free(block);
	etw_cancel_restore(cancel);
	return period;
}
