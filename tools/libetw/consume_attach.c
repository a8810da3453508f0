// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Opens a consumer's file or session, and reads the first buffer. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "consume.h"

ULONG consume_file_error(int err)
{
	switch (err < 0 ? -err : err) {
	case ENOENT:
		return ERROR_FILE_NOT_FOUND;
	case ENOTDIR:
		return ERROR_PATH_NOT_FOUND;
	case EISDIR:
		return ERROR_ACCESS_DENIED;
	case ENODATA:	/* it ends in its first buffer */
		return ERROR_FILE_CORRUPT;
	case EIO:
		return ERROR_READ_FAULT;
	case ENAMETOOLONG:
	case ELOOP:
		return ERROR_BAD_PATHNAME;
	default:
		return etw_error(err);
	}
}

/* A low number would be the program's next file's, should it close all descriptors. */
static ULONG take(struct consumer *consumer, int fd)
{
	int cancel = etw_cancel_disable();

	consumer->fd = descriptor_raise(fd);
	etw_cancel_restore(cancel);
	return etw_error(descriptor_know(consumer->fd, &consumer->what));
}

static ULONG open_file(struct consumer *consumer)
{
	int fd = open(consumer->file, O_RDONLY | O_CLOEXEC);
	struct stat stat;
	ULONG result;

	if (fd < 0)
		return consume_file_error(errno);
	result = take(consumer, fd);
	if (result)
		return result;
	if (fstat(consumer->fd, &stat))
		return consume_file_error(errno);
	if (S_ISDIR(stat.st_mode))
		return consume_file_error(EISDIR);
	consumer->is_stream = !S_ISREG(stat.st_mode);
	if (consumer->is_stream)
		fcntl(consumer->fd, F_SETFL, fcntl(consumer->fd, F_GETFL) | O_NONBLOCK);
	return ERROR_SUCCESS;
}

static ULONG open_session(struct consumer *consumer)
{
	int fd = consume_open_session(consumer->session);

	consumer->is_stream = true;
	if (fd < 0)
		return etw_error(fd);
	return take(consumer, fd);
}

/* Files are read from their beginning, whatever the descriptor's position is. */
static ULONG read_first(struct consumer *consumer)
{
	struct wmi_buffer_header header;
	int err;

	if (!consumer->is_stream)
		lseek(consumer->fd, 0, SEEK_SET);
	err = consume_read(consumer->fd, &consumer->what, &header, sizeof(header));
	if (err)
		return consume_file_error(err);
	if (header.buffer_size <= sizeof(header) || header.buffer_size > CONSUME_MAX_BUFFER)
		return ERROR_FILE_CORRUPT;
	free(consumer->first);
	consumer->first_size = header.buffer_size;
	consumer->first = malloc(header.buffer_size);
	if (!consumer->first)
		return ERROR_NOT_ENOUGH_MEMORY;
	memcpy(consumer->first, &header, sizeof(header));
	err = consume_read(consumer->fd, &consumer->what, consumer->first + sizeof(header),
			   header.buffer_size - sizeof(header));
	return err ? consume_file_error(err) : consume_header(consumer);
}

void consume_detach(struct consumer *consumer)
{
	if (consume_has_file(consumer))
		close(consumer->fd);
	consumer->fd = -1;
}

ULONG consume_attach(struct consumer *consumer)
{
	ULONG result = consumer->session ? open_session(consumer) : open_file(consumer);

	if (!result)
		result = read_first(consumer);
	if (result)
		consume_detach(consumer);
	return result;
}
