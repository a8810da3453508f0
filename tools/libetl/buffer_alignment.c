// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Where the buffers of a file can stand, whatever is damaged. */
#include "buffer_alignment.h"

#define COMPRESSED_MODE	0x04000000u

/* Whether a buffer's header may stand at @at, when that of the one before is lost */
static bool may_be_buffer(const struct buffer_alignment *alignment, uint64_t at, uint32_t size)
{
	const struct wmi_buffer_header *header;
	struct etl_buffer buffer;

	if (alignment->look(alignment->source, at, &buffer) != ETL_BUFFER_OK)
		return false;
	header = &buffer.header;
	if (header->offset < sizeof(*header) || header->offset > size || header->state > 7 ||
	    header->buffer_type || header->buffer_flag > 0x7F)
		return false;
	if (!buffer.compressed)
		return header->buffer_size == size;
	at += header->buffer_size;
	return at == alignment->end ||
	       alignment->look(alignment->source, at, &buffer) == ETL_BUFFER_OK;
}

/*
 * All buffers of a file without compression have one size. The first buffer and the header
 * event contain it. If they differ, the size that leads to another buffer is used.
 */
uint64_t alignment_begin(struct buffer_alignment *alignment, const struct etl_logfile *log,
			 uint32_t first)
{
	alignment->most = log->buffer_size;
	alignment->compressed = log->log_file_mode & COMPRESSED_MODE;
	alignment->size = 0;
	if (alignment->compressed)
		return first;
	alignment->size = first;
	if (first == alignment->most || may_be_buffer(alignment, first, first))
		return first;
	alignment->size = alignment->most;
	if (may_be_buffer(alignment, alignment->most, alignment->most))
		return alignment->most;
	alignment->size = 0;
	return first;
}

/*
 * One wrong size must not hide the buffers behind it: too small a one leads into its own
 * records, too large a one past others.
 */
bool alignment_fits(struct buffer_alignment *alignment, const struct etl_buffer *buffer)
{
	if (buffer->compressed)
		alignment->compressed = true;
	if (alignment->compressed)
		alignment->size = 0;
	return !alignment->size || buffer->header.buffer_size == alignment->size;
}

/* Those that are compressed can begin anywhere. */
uint64_t alignment_find(const struct buffer_alignment *alignment, uint64_t at)
{
	uint32_t size = alignment->size ? alignment->size : alignment->most;
	uint32_t step = alignment->compressed ? 1 : size;

	if (size <= sizeof(struct wmi_buffer_header))
		return alignment->end;
	while (alignment->end - at > step) {
		at += step;
		if (may_be_buffer(alignment, at, size))
			return at;
	}
	return alignment->end;
}
