// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Appends a session to a file: EVENT_TRACE_FILE_MODE_APPEND. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "buffer_writer.h"
#include "fileio.h"
#include "first_buffer.h"
#include "losses.h"
#include "messages.h"
#include "writer_append.h"
#include "writer_file.h"

/* Files of these modes are not sequential, or a session of the module did not write them. */
#define OTHER_FILES	(EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE |	\
			 EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_PRIVATE_LOGGER_MODE |		\
			 EVENT_TRACE_RELOG_MODE)

static uint64_t last_buffer(const struct etl_logfile *log)
{
	return (log->buffers_written - 1ull) * log->buffer_size;
}

/* Return: NULL, or why nothing can be appended */
static const char *refuse(const struct writer *writer, const struct wmi_buffer_header *first,
			  uint64_t size)
{
	const struct etl_logfile *log = &writer->before;

	if (log->log_file_mode & OTHER_FILES)
		return "it is no sequential file of a session";
	if (!log->end_time || !log->buffers_written || first->buffer_size != log->buffer_size ||
	    size != last_buffer(log) + log->buffer_size)
		return "it was not closed";
	if (!first_buffer_is_ours(writer->fd))
		return "the etw module did not record it";
	return NULL;
}

static int refused(struct writer *writer, const char *why)
{
	writer->error = EBADMSG;
	return failed("%s: nothing can be appended: %s", writer->name, why);
}

static int read_before(struct writer *writer, uint64_t size)
{
	struct wmi_buffer_header first, last;
	const char *why;
	int err = first_buffer_logfile(writer->fd, &writer->before);

	if (!err)
		err = file_read_at(writer->fd, &first, sizeof(first), 0);
	/* -EIO: the file ends before */
	if (err == -EBADMSG || err == -EIO)
		return refused(writer, "it is no trace");
	if (err)
		return writer_give_up(writer, -err);
	why = refuse(writer, &first, size);
	if (why)
		return refused(writer, why);
	err = file_read_at(writer->fd, &last, sizeof(last), last_buffer(&writer->before));
	if (err)
		return writer_give_up(writer, -err);
	writer->appends = true;
	writer->renumber = true;
	writer->logger = first.logger_id;
	writer->size = first.buffer_size;
	writer->sequence = last.sequence_number;
	return 0;
}

int append_open(struct writer *writer)
{
	struct stat stat;

	if (!(writer->mode & EVENT_TRACE_FILE_MODE_APPEND) || !writer->regular)
		return 0;
	if (fstat(writer->fd, &stat))
		return writer_give_up(writer, errno);
	return stat.st_size && read_before(writer, stat.st_size) ? -1 : 0;
}

/*
 * Only with the system clock, a time stamp means the same time of day in both sessions. Other
 * clocks may begin again in between.
 */
int writer_check_append(struct writer *writer, uint32_t size, uint32_t processors, uint32_t clock)
{
	const struct etl_logfile *log = &writer->before;

	if (!writer->appends || (clock == ETW_CLOCK_SYSTEM && log->clock_type == clock &&
				 log->buffer_size == size &&
				 log->number_of_processors == processors))
		return 0;
	writer->error = EINVAL;
	failed("%s: nothing can be appended: buffers of %u bytes, clock %u, %u processors, but the "
	       "session has %u, %u, %u (only clock 2, the system time)", writer->name,
	       log->buffer_size, log->clock_type, log->number_of_processors, size, clock,
	       processors);
	return -1;
}

/* Room for a buffer and the loss record: the session before keeps its last buffer. */
static int reserve_end(struct writer *writer)
{
	writer->in_file = writer->before.buffers_written;
	writer->written = writer->in_file * writer->size;
	if (writer->limit && writer->limit / writer->size < writer->in_file + 2) {
		writer->error = EFBIG;
		return failed("%s: its size has no room for more buffers", writer->name);
	}
	return writer_reserve(writer);
}

int append_begin(struct writer *writer)
{
	const struct etl_logfile *before = &writer->before;
	int err;

	if (reserve_end(writer))
		return -1;
	writer->appended = true;
	err = final_header_reopen(writer->fd, last_buffer(before),
				  before->log_file_mode | EVENT_TRACE_FILE_MODE_APPEND);
	if (!err && lseek(writer->fd, writer->written, SEEK_SET) < 0)
		err = -errno;
	if (!err)
		return 0;
	append_undo(writer);
	writer_give_up(writer, -err);
	return -1;
}

void append_undo(struct writer *writer)
{
	const struct etl_logfile *before = &writer->before;
	const struct final_header final = {
		.end_time = before->end_time, .buffers_written = before->buffers_written,
		.events_lost = before->events_lost, .buffers_lost = before->buffers_lost,
		.last_buffer = last_buffer(before),
	};

	if (!writer->appended)
		return;
	writer->appended = false;
	if (ftruncate(writer->fd, final.last_buffer + before->buffer_size) ||
	    file_write_at(writer->fd, &before->log_file_mode, sizeof(before->log_file_mode),
			  ETW_FILE_LOG_FILE_MODE) ||
	    final_header_write(writer->fd, &final))
		warn("%s: it is unclosed now; 'etw close' closes it", writer->name);
}

void append_mark(const struct writer *writer, uint8_t *buffer)
{
	uint32_t at = ETL_FIRST_RECORD;
	struct etl_record record;
	struct etl_buffer view;

	if (!writer->appends)
		return;
	memcpy(buffer + offsetof(struct wmi_buffer_header, logger_id), &writer->logger,
	       sizeof(writer->logger));
	if (etl_buffer_at(buffer, writer->size, 0, &view) != ETL_BUFFER_OK)
		return;
	for (; etl_record_at(&view, at, &record) == ETL_RECORD_OK; at = etl_next_record(&record))
		loss_mark(&record, buffer + at, &writer->session);
}

/*
 * The header buffer of the stream becomes an ordinary one. It stays in the file because of its
 * masks: readers learn from them that context switches are recorded again.
 */
static void convert_header(struct writer *writer, struct wmi_buffer_header *header)
{
	struct etl_logfile log;

	/* another file, if the stream goes on in one, begins with a copy */
	writer->header = malloc(writer->size);
	if (!writer->header || etl_logfile_of(writer->pending, writer->size, &log)) {
		writer_give_up(writer, writer->header ? EBADMSG : ENOMEM);
		return;
	}
	memcpy(writer->header, writer->pending, writer->size);
	writer->session = loss_session_id(&log, header->logger_id);
	header->buffer_type = ETW_BUFFER_TYPE_GENERIC;
	header->buffer_flag &= ~ETW_BUFFER_FLAG_FLUSH_MARKER;
	header->time_stamp = log.t0;
}

void append_convert(struct writer *writer)
{
	struct wmi_buffer_header header;

	memcpy(&header, writer->pending, sizeof(header));
	if (header.buffer_type == ETW_BUFFER_TYPE_HEADER)
		convert_header(writer, &header);
	memcpy(writer->pending, &header, sizeof(header));
	append_mark(writer, writer->pending);
}
