// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The beginning of a file: its header buffer, and whether the module recorded the file. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "fileio.h"
#include "first_buffer.h"
#include "reader.h"

/* Buffers behind the header buffer that are searched for an event of the module */
#define FIRST_BUFFERS	256

int first_buffer_read(int fd, uint8_t **bytes, uint32_t *size)
{
	struct wmi_buffer_header header;
	int err = file_read_at(fd, &header, sizeof(header), 0);

	if (err)
		return err;
	if (header.buffer_size <= sizeof(header) || header.buffer_size > LARGEST_BUFFER)
		return -EBADMSG;
	*bytes = malloc(header.buffer_size);
	if (!*bytes)
		return -ENOMEM;
	err = file_read_at(fd, *bytes, header.buffer_size, 0);
	if (err) {
		free(*bytes);
		return err;
	}
	*size = header.buffer_size;
	return 0;
}

int first_buffer_logfile(int fd, struct etl_logfile *log)
{
	uint32_t size;
	uint8_t *bytes;
	int err = first_buffer_read(fd, &bytes, &size);

	if (err)
		return err;
	if (etl_logfile_of(bytes, size, log))
		err = -EBADMSG;
	free(bytes);
	return err;
}

static bool has_our_event(const uint8_t *bytes, uint32_t size)
{
	uint32_t at = ETL_FIRST_RECORD;
	struct etl_record record;
	struct etl_buffer buffer;

	if (etl_buffer_at(bytes, size, 0, &buffer) != ETL_BUFFER_OK)
		return false;
	for (; etl_record_at(&buffer, at, &record) == ETL_RECORD_OK; at = etl_next_record(&record))
		if (etl_is_ours(&record))
			return true;
	return false;
}

static bool buffer_is_ours(int fd, uint8_t *bytes, uint32_t size, uint64_t number)
{
	return !file_read_at(fd, bytes, size, number * size) && has_our_event(bytes, size);
}

/*
 * An anchor is in one of the first buffers, and one in the last; the header buffer has none. The
 * buffers between them are not read, because the file may be another program's, of any size.
 */
static bool has_our_buffer(int fd, uint8_t *bytes, uint32_t size)
{
	struct stat stat;
	uint64_t buffers, i;

	if (fstat(fd, &stat))
		return false;
	buffers = (uint64_t)stat.st_size / size;
	for (i = 1; i < buffers && i <= FIRST_BUFFERS; i++)
		if (buffer_is_ours(fd, bytes, size, i))
			return true;
	return i < buffers && buffer_is_ours(fd, bytes, size, buffers - 1);
}

bool first_buffer_is_ours(int fd)
{
	struct etl_logfile log;
	uint8_t *bytes;
	uint32_t size;
	bool ours;

	if (first_buffer_read(fd, &bytes, &size))
		return false;
	ours = !etl_logfile_of(bytes, size, &log) && log.provider_version == ETW_OS_BUILD &&
	       has_our_buffer(fd, bytes, size);
	free(bytes);
	return ours;
}
