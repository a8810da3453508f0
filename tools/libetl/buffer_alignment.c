// SPDX-License-Identifier: GPL-2.0
/* Where the buffers of a file can stand, whatever is damaged. */
#include "buffer_alignment.h"

#define COMPRESSED_MODE	0x04000000u

/* Whether a buffer's header may stand at @at, when that of the one before is lost */
static bool may_be_buffer(const struct buffer_alignment *grid, uint64_t at, uint32_t size)
{
	const struct wmi_buffer_header *header;
	struct etl_buffer buffer;

	if (grid->look(grid->source, at, &buffer) != ETL_BUFFER_OK)
		return false;
	header = &buffer.header;
	if (header->offset < sizeof(*header) || header->offset > size || header->state > 7 ||
	    header->buffer_type || header->buffer_flag > 0x7F)
		return false;
	if (!buffer.compressed)
		return header->buffer_size == size;
	at += header->buffer_size;
	return at == grid->end || grid->look(grid->source, at, &buffer) == ETL_BUFFER_OK;
}

/*
 * All buffers of a file without compression have one size. The first buffer and the header
 * event contain it. If they differ, the size that leads to another buffer is used.
 */
uint64_t alignment_begin(struct buffer_alignment *grid, const struct etl_logfile *log,
			 uint32_t first)
{
	grid->most = log->buffer_size;
	grid->compressed = log->log_file_mode & COMPRESSED_MODE;
	grid->size = 0;
	if (grid->compressed)
		return first;
	grid->size = first;
	if (first == grid->most || may_be_buffer(grid, first, first))
		return first;
	grid->size = grid->most;
	if (may_be_buffer(grid, grid->most, grid->most))
		return grid->most;
	grid->size = 0;
	return first;
}

/*
 * One wrong size must not hide the buffers behind it: too small a one leads into its own
 * records, too large a one past others.
 */
bool alignment_fits(struct buffer_alignment *grid, const struct etl_buffer *buffer)
{
	if (buffer->compressed)
		grid->compressed = true;
	if (grid->compressed)
		grid->size = 0;
	return !grid->size || buffer->header.buffer_size == grid->size;
}

/* Those that are compressed can begin anywhere. */
uint64_t alignment_find(const struct buffer_alignment *grid, uint64_t at)
{
	uint32_t size = grid->size ? grid->size : grid->most;
	uint32_t step = grid->compressed ? 1 : size;

	if (size <= sizeof(struct wmi_buffer_header))
		return grid->end;
	while (grid->end - at > step) {
		at += step;
		if (may_be_buffer(grid, at, size))
			return at;
	}
	return grid->end;
}
