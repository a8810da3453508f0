// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A stream into files: one, one of limited size, a circular one, one after another. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* libetw is compiled with it */
#endif
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "etw_abi.h"
#include "fileio.h"
#include "first_buffer.h"
#include "messages.h"
#include "reader.h"
#include "ring_file.h"
#include "writer_append.h"
#include "writer_file.h"
#include "writer_lost.h"

static int append(struct writer *writer, const uint8_t *bytes, size_t count)
{
	int err = file_write(writer->fd, bytes, count);

	if (err)
		return writer_give_up(writer, -err);
	writer->written += count;
	return 0;
}

/* Return: 0, also where the file system can't reserve room, or an errno */
static int reserve_room(const struct writer *writer, uint64_t at, uint64_t bytes)
{
	struct rlimit limit;

	/* fallocate() does not look at the limit where it leaves the size of the file alone */
	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
	    at + bytes > limit.rlim_cur)
		return EFBIG;
	if (fallocate(writer->fd, FALLOC_FL_KEEP_SIZE, at, bytes) &&
	    (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
		return errno;
	return 0;
}

int writer_reserve(struct writer *writer)
{
	uint64_t end = writer->written + 2 * (uint64_t)writer->size;
	uint64_t at = writer->reserved > writer->written ? writer->reserved : writer->written;
	int err;

	if (writer->error)
		return -1;
	if (!writer->regular || end <= at)
		return 0;
	err = reserve_room(writer, at, end - at);
	if (err) {
		writer_give_up(writer, err);
		return -1;
	}
	writer->reserved = end;
	return 0;
}

/* What is not in the file, but in no number of the session; and what the file said before */
static void add_to_totals(const struct writer *writer, struct final_header *final)
{
	uint64_t lost = final->events_lost + writer->unwritten.events;

	if (writer->appends) {
		lost += writer->before.events_lost;
		final->buffers_lost += writer->before.buffers_lost;
	}
	final->events_lost = lost > UINT32_MAX ? UINT32_MAX : lost;
	final->buffers_lost += writer->dropped + writer->unwritten.buffers;
}

static int close_file(struct writer *writer)
{
	struct final_header final = { .buffers_written = writer->in_file };
	int err = 0;

	if (writer->totals)
		writer->totals(writer->context, &final);
	add_to_totals(writer, &final);
	if (writer->slots) {
		err = ring_order(writer->fd, writer->size, &writer->in_file);
		final.buffers_written = writer->in_file;
	}
	final.last_buffer = (writer->in_file - 1) * writer->size;
	if (!err && !final.end_time)
		err = final_header_end_of(writer->fd, final.last_buffer, &final.end_time);
	if (!err)
		err = final_header_write(writer->fd, &final);
	if (close(writer->fd) && !err)
		err = -errno;
	writer->fd = -1;
	writer->buffers += writer->in_file;
	writer->bytes += writer->in_file * writer->size;
	return err ? failed("%s: closing it: %s", writer->name, strerror(-err)) : 0;
}

/*
 * The header buffer is the stream's, and so says where its clocks began. The file before is
 * closed only when the next one exists; otherwise no file would report what is lost.
 */
static int begin_next_file(struct writer *writer)
{
	struct writer next = *writer;

	next.name = NULL;
	next.fd = -1;
	if (writer_open_file(&next) || writer_begin(&next) ||
	    append(&next, writer->header, writer->size)) {
		writer->error = next.error ? next.error : EIO;
		writer_abandon(&next);
		free(next.name);
		return -1;
	}
	if (close_file(writer))
		next.error = EIO;
	next.buffers = writer->buffers;
	next.bytes = writer->bytes;
	free(writer->name);
	free(writer->kept);
	*writer = next;
	writer->in_file = 1;
	writer->sequence = 0;
	if (writer->error)
		return -1;
	if (writer->next_file)
		writer->next_file(writer->context);
	return 0;
}

/* Closing puts buffers in order by way of a place behind all others: ring_order(). */
static int reserve_spare(struct writer *writer)
{
	int err = reserve_room(writer, (writer->slots + 1) * writer->size, writer->size);

	return err ? writer_give_up(writer, err) : 0;
}

static int first_buffer(struct writer *writer)
{
	writer->header = malloc(writer->size);
	if (!writer->header)
		return writer_give_up(writer, ENOMEM);
	memcpy(writer->header, writer->pending, writer->size);
	if (writer->limit && writer->limit / writer->size < 2) {
		writer->error = EFBIG;
		return failed("%s: its size has no room for two buffers of %u KB", writer->name,
			      writer->size / 1024);
	}
	if (writer->mode & EVENT_TRACE_FILE_MODE_CIRCULAR)
		writer->slots = writer->limit / writer->size - 1;
	if (append(writer, writer->pending, writer->size))
		return -1;
	writer->in_file = 1;
	return writer->slots ? reserve_spare(writer) : 0;
}

static void put_in_ring(struct writer *writer)
{
	int err = ring_put(writer->fd, writer->size, writer->slots, writer->pending);

	if (err) {
		writer_give_up(writer, -err);
		return;
	}
	writer->written += writer->size;
	if (writer->in_file <= writer->slots)
		writer->in_file++;
}

/*
 * There is always room for the last buffer of a stream, because it contains the losses.
 * Only the last buffer has the flush marker.
 */
static bool has_room(const struct writer *writer)
{
	uint64_t most = writer->limit / writer->size;
	uint16_t flags = get16(writer->pending + offsetof(struct wmi_buffer_header, buffer_flag));

	if (most > 2 && !(flags & ETW_BUFFER_FLAG_FLUSH_MARKER))
		most--;
	return writer->in_file < most;
}

/* Sequence numbers are dense even if buffers were dropped; the last buffer's flag reports it. */
static void flag_dropped(struct writer *writer)
{
	uint8_t *at = writer->pending + offsetof(struct wmi_buffer_header, buffer_flag);
	uint16_t flags = get16(at) | ETW_BUFFER_FLAG_BUFFER_LOST;

	if (writer->dropped)
		memcpy(at, &flags, sizeof(flags));
}

static void write_buffer(struct writer *writer)
{
	if (writer->appends)
		append_convert(writer);
	if (writer->error)
		return;
	if (!writer->in_file) {
		first_buffer(writer);
		return;
	}
	if (!writer->slots && writer->limit && !has_room(writer)) {
		if (!(writer->mode & EVENT_TRACE_FILE_MODE_NEWFILE)) {
			writer->full = true;
			writer->dropped++;
			return;
		}
		if (begin_next_file(writer))
			return;
	}
	flag_dropped(writer);
	writer->sequence++;
	memcpy(writer->pending + offsetof(struct wmi_buffer_header, sequence_number),
	       &writer->sequence, sizeof(writer->sequence));
	if (writer->slots)
		put_in_ring(writer);
	else if (!append(writer, writer->pending, writer->size))
		writer->in_file++;
	/* the number is the next one's, or that of the loss record */
	writer->sequence -= !!writer->error;
}

/* A whole buffer is in writer->pending. */
static void put_buffer(struct writer *writer)
{
	if (!writer->error)
		write_buffer(writer);
	if (writer->error)
		unwritten_count(&writer->unwritten, writer->pending, writer->size);
}

#define HEAD	sizeof(struct wmi_buffer_header)

/* All buffers of a stream have one size, and it begins with that. */
static uint32_t size_of(const uint8_t *bytes)
{
	uint32_t size = get32(bytes);

	return size > HEAD && size <= LARGEST_BUFFER ? size : 0;
}

static int learn_size(struct writer *writer)
{
	uint32_t size = size_of(writer->pending);
	uint8_t *pending = size ? realloc(writer->pending, size) : NULL;

	if (!pending)
		return writer_give_up(writer, size ? ENOMEM : EBADMSG);
	writer->pending = pending;
	writer->size = size;
	return 0;
}

static void assemble(struct writer *writer, const uint8_t *bytes, size_t count)
{
	uint32_t whole, part;

	if (!writer->pending)
		writer->pending = calloc(1, writer->size ? writer->size : HEAD);
	if (!writer->pending) {
		writer_give_up(writer, ENOMEM);
		return;
	}
	while (count) {
		whole = writer->size ? writer->size : HEAD;
		part = count < whole - writer->filled ? count : whole - writer->filled;
		memcpy(writer->pending + writer->filled, bytes, part);
		writer->filled += part;
		bytes += part;
		count -= part;
		if (writer->filled < whole)
			continue;
		if (!writer->size) {
			if (learn_size(writer))
				return;
			continue;
		}
		put_buffer(writer);
		writer->filled = 0;
	}
}

/*
 * Of a piece that could not be written: the buffers that the file has are not lost. One that
 * began in an earlier piece is in the file up to there.
 */
static void count_rest(struct writer *writer, const uint8_t *bytes, size_t count)
{
	uint64_t have = writer->written, begin;
	struct stat stat;

	if (writer->regular && !fstat(writer->fd, &stat))
		have = stat.st_size;
	begin = have - have % writer->size;
	if (begin >= writer->written) {
		bytes += begin - writer->written;
		count -= begin - writer->written;
	} else {
		writer->filled = writer->written - begin;
		writer->pending = calloc(1, writer->size);
		if (writer->pending && writer->regular)
			file_read_at(writer->fd, writer->pending, writer->filled, begin);
	}
	assemble(writer, bytes, count);
}

/* Whole buffers need no copy. */
static void pass_on(struct writer *writer, const uint8_t *bytes, size_t count)
{
	/* a reader gets whole buffers, so the first bytes have the header */
	if (!writer->written && count > HEAD)
		writer->size = size_of(bytes);
	if (append(writer, bytes, count) && writer->size)
		count_rest(writer, bytes, count);
}

void writer_put(struct writer *writer, const uint8_t *bytes, size_t count)
{
	bool counts = writer->error || !writer_has_file(writer);

	if (counts ? writer->size : writer->limit || writer->renumber)
		assemble(writer, bytes, count);
	else if (!counts)
		pass_on(writer, bytes, count);
}

/* The size of the buffers and of a file that was written without looking into it */
static void measure(struct writer *writer)
{
	struct wmi_buffer_header header;
	struct stat stat;

	if (!file_read_at(writer->fd, &header, sizeof(header), 0) && header.buffer_size > HEAD &&
	    !fstat(writer->fd, &stat)) {
		writer->size = header.buffer_size;
		writer->in_file = stat.st_size / writer->size;
	}
}

static void forget(struct writer *writer)
{
	if (writer->fd >= 0 && close(writer->fd) && !writer->error)
		writer_give_up(writer, errno);
	writer->fd = -1;
	free(writer->header);
	free(writer->pending);
	free(writer->kept);
	writer->header = NULL;
	writer->pending = NULL;
	writer->kept = NULL;
	unwritten_free(&writer->unwritten);
}

/* After an error, a header buffer alone is none. A file after the first reports the losses. */
static bool has_events(const struct writer *writer)
{
	return writer->buffers || writer->in_file > !!writer->error;
}

static int give_up_file(struct writer *writer)
{
	bool restored = writer_abandon(writer);

	return failed("%s: no event was written: the new file is removed%s", writer->name,
		      restored ? ", and the previous file has its name again" : "");
}

static int end_file(struct writer *writer)
{
	if (!writer->limit)
		measure(writer);
	if (writer->keep_old && writer->created && !has_events(writer))
		return give_up_file(writer);
	if (!writer->in_file)
		return failed("%s: nothing was recorded", writer->name);
	if (writer->error)
		writer_report_unwritten(writer);
	if (!writer->slots && ftruncate(writer->fd, writer->in_file * writer->size))
		return writer_give_up(writer, errno);
	return close_file(writer);
}

int writer_finish(struct writer *writer)
{
	int err = 0;

	/* a pipe: an unclosed stream is all that it can get */
	if (!writer->regular) {
		writer->bytes = writer->written;
		writer->buffers = writer->size ? writer->written / writer->size : 0;
	}
	if (writer_has_file(writer) && writer->regular)
		err = end_file(writer);
	if (writer->unwritten.events)
		warn("lost %" PRIu64 " events: %s: %s", writer->unwritten.events, writer->name,
		     strerror(writer->error));
	forget(writer);
	return err || writer->error ? -1 : 0;
}
