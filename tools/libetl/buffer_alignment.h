/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Where the buffers of a file can stand, whatever is damaged. */
#ifndef ETW_BUFFER_ALIGNMENT_H
#define ETW_BUFFER_ALIGNMENT_H

#include "reader.h"

/**
 * struct buffer_alignment - what a buffer header is held against
 * @look: what etl_buffer_at() says of a place in the file
 * @source: its first argument
 * @end: bytes of the file
 * @most: bytes of a buffer in the clear, as the header event says
 * @size: bytes of each buffer; 0: they are, or may be, compressed
 * @compressed: some are
 */
struct buffer_alignment {
	enum etl_buffer_result (*look)(void *source, uint64_t at, struct etl_buffer *buffer);
	void *source;
	uint64_t end;
	uint32_t most;
	uint32_t size;
	bool compressed;
};

/*
 * Of @look, @source and @end, and a first buffer that says it has @first bytes, finds the rest.
 * Return: where the second buffer is to be
 */
uint64_t alignment_begin(struct buffer_alignment *alignment, const struct etl_logfile *log,
			 uint32_t first);
/* Whether the next buffer is where the header of this one, which look() took, says */
bool alignment_fits(struct buffer_alignment *alignment, const struct etl_buffer *buffer);
/* Return: where buffers go on behind @at, where none is; the end of the file when they don't */
uint64_t alignment_find(const struct buffer_alignment *alignment, uint64_t at);

#endif /* ETW_BUFFER_ALIGNMENT_H */
