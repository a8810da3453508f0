// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Closes a file: the header fields that are only known at the end. */
#include <errno.h>
#include <sys/types.h>
#include <unistd.h>
#include "fileio.h"
#include "final_header.h"
#include "first_buffer.h"
#include "reader.h"

uint64_t final_header_end_time(const struct etl_logfile *log, uint64_t last_stamp)
{
	uint64_t end = last_stamp ? etl_filetime(log, last_stamp) : 0;

	return end > log->start_time ? end : log->start_time;
}

int final_header_end_of(int fd, uint64_t last_buffer, uint64_t *end_time)
{
	struct wmi_buffer_header last;
	struct etl_logfile log;
	int err = first_buffer_logfile(fd, &log);

	if (!err)
		err = file_read_at(fd, &last, sizeof(last), last_buffer);
	if (!err)
		*end_time = final_header_end_time(&log, last.time_stamp);
	return err;
}

int final_header_read(int fd, struct final_header *final)
{
	int err = file_read_at(fd, &final->end_time, 8, ETW_FILE_END_TIME);

	if (!err)
		err = file_read_at(fd, &final->buffers_written, 4, ETW_FILE_BUFFERS_WRITTEN);
	if (!err)
		err = file_read_at(fd, &final->events_lost, 4, ETW_FILE_EVENTS_LOST);
	if (!err)
		err = file_read_at(fd, &final->buffers_lost, 4, ETW_FILE_BUFFERS_LOST);
	return err;
}

static int mark_last(int fd, uint64_t at, bool last)
{
	uint64_t place = at + offsetof(struct wmi_buffer_header, buffer_flag);
	uint16_t flags;
	int err = file_read_at(fd, &flags, sizeof(flags), place);

	if (err || !!(flags & ETW_BUFFER_FLAG_FLUSH_MARKER) == last)
		return err;
	flags ^= ETW_BUFFER_FLAG_FLUSH_MARKER;
	return file_write_at(fd, &flags, sizeof(flags), place);
}

/* BuffersWritten comes last: until it is there the file counts as unclosed. */
int final_header_write(int fd, const struct final_header *final)
{
	int err = mark_last(fd, final->last_buffer, true);

	if (!err)
		err = file_write_at(fd, &final->end_time, 8, ETW_FILE_END_TIME);
	if (!err)
		err = file_write_at(fd, &final->events_lost, 4, ETW_FILE_EVENTS_LOST);
	if (!err)
		err = file_write_at(fd, &final->buffers_lost, 4, ETW_FILE_BUFFERS_LOST);
	if (!err)
		err = file_write_at(fd, &final->buffers_written, 4, ETW_FILE_BUFFERS_WRITTEN);
	if (!err && fsync(fd) && errno != EINVAL)
		err = -errno;
	return err;
}

/* BuffersWritten comes first: the file counts as unclosed as soon as it is changed. */
int final_header_reopen(int fd, uint64_t last_buffer, uint32_t mode)
{
	const uint64_t none = 0;
	int err = file_write_at(fd, &none, 4, ETW_FILE_BUFFERS_WRITTEN);

	if (!err)
		err = file_write_at(fd, &none, 8, ETW_FILE_END_TIME);
	if (!err)
		err = file_write_at(fd, &mode, 4, ETW_FILE_LOG_FILE_MODE);
	/* the header buffer has its marker in any case */
	if (!err && last_buffer)
		err = mark_last(fd, last_buffer, false);
	return err;
}
