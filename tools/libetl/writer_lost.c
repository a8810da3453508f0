// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A file that could not take all of its stream: the loss records at its end. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "etw_abi.h"
#include "fileio.h"
#include "reader.h"
#include "ring_file.h"
#include "writer_append.h"
#include "writer_lost.h"

#define SEQUENCE	offsetof(struct wmi_buffer_header, sequence_number)

static uint64_t last_place(const struct writer *writer)
{
	if (writer->slots && writer->sequence)
		return ((writer->sequence - 1) % writer->slots + 1) * writer->size;
	return (writer->in_file - 1) * writer->size;
}

/* @buffer: as the last one in the file. Return: 0 or -errno */
static int put_last(struct writer *writer, uint8_t *buffer, uint64_t sequence, uint64_t at)
{
	memcpy(buffer + SEQUENCE, &sequence, sizeof(sequence));
	if (writer->slots)
		return ring_put(writer->fd, writer->size, writer->slots, buffer);
	return file_write_at(writer->fd, buffer, writer->size, at);
}

static int put_behind(struct writer *writer, uint8_t *buffer)
{
	uint64_t sequence = get64(buffer + SEQUENCE) + 1;
	int err;

	unwritten_report(&writer->unwritten, buffer, writer->size);
	append_mark(writer, buffer);
	err = put_last(writer, buffer, sequence, writer->in_file * writer->size);
	if (err)
		return err;
	writer->sequence = sequence;
	/* a circular file that is full has one old buffer less */
	if (!writer->slots || writer->in_file <= writer->slots)
		writer->in_file++;
	return 0;
}

static void replace_last(struct writer *writer, uint8_t *buffer, uint64_t at)
{
	uint64_t sequence = get64(buffer + SEQUENCE);

	unwritten_count(&writer->unwritten, buffer, writer->size);
	unwritten_report(&writer->unwritten, buffer, writer->size);
	append_mark(writer, buffer);
	put_last(writer, buffer, sequence, at);
}

void writer_report_unwritten(struct writer *writer)
{
	uint8_t *buffer = writer->unwritten.events ? malloc(writer->size) : NULL;
	uint64_t end = writer->in_file * writer->size, at = last_place(writer);
	/* the header buffer stays, and what an earlier session has written */
	uint64_t oldest = writer->appends ? writer->before.buffers_written : 1;

	/* room of a buffer that was written in part is room for this one */
	if (!buffer || file_read_at(writer->fd, buffer, writer->size, at) ||
	    ftruncate(writer->fd, end))
		goto out;
	if (!put_behind(writer, buffer) || writer->in_file <= oldest || ftruncate(writer->fd, end) ||
	    file_read_at(writer->fd, buffer, writer->size, at))
		goto out;
	replace_last(writer, buffer, at);
out:
	free(buffer);
}
