// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Buffers in the clear, compressed or not. */
#include <stdlib.h>
#include "decompress.h"
#include "buffer_decompress.h"

/* No session has larger buffers: what says so is damaged. */
#define MAX_BUFFER	(16u << 20)

/*
 * The header stands in the clear, and its Offset is the end of the records before
 * they were compressed.
 */
uint32_t decompressed_size(const struct etl_buffer *buffer)
{
	uint32_t end = buffer->header.offset;

	if (!buffer->compressed)
		return 0;
	return end < sizeof(buffer->header) ? sizeof(buffer->header) :
	       end > MAX_BUFFER ? MAX_BUFFER : end;
}

/**
 * struct method - a kind of compression
 * @number: Windows' one
 * @decompress: its function
 * @rest: most bytes that may be left when all was written: a code that says so
 */
static const struct method {
	enum compression number;
	size_t (*decompress)(struct packed *from, uint8_t *to, size_t room);
	size_t rest;
} methods[] = {
	{ COMPRESSION_XPRESS, xpress_decompress, 0 },
	{ COMPRESSION_LZNT1, lznt1_decompress, 0 },
	{ COMPRESSION_XPRESS_HUFFMAN, xpress_huffman_decompress, 8 },
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define METHODS	COUNT(methods)

static size_t method_of(uint32_t number)
{
	size_t i;

	for (i = 0; i < METHODS; i++)
		if (methods[i].number == number)
			return i;
	return 0;
}

/* Return: whether @buffer decompresses to exactly the size in its header */
static bool fits(struct decompressed *result, const struct etl_buffer *buffer, size_t method)
{
	uint32_t head = sizeof(buffer->header), size = result->buffer.header.buffer_size;
	struct packed from = {
		.at = buffer->bytes + head,
		.end = buffer->bytes + buffer->header.buffer_size,
	};

	result->buffer.end = head + methods[method].decompress(&from, result->bytes + head,
							       size - head);
	result->left = packed_left(&from);
	result->damaged = result->buffer.end < size || result->left > methods[method].rest;
	return !result->damaged;
}

/*
 * No field contains the method for certain. The number in the file's first buffer is a hint:
 * all known files use XPRESS and contain a 3 there, which may have another meaning. So if the
 * result of the first method does not fit, the other methods are tried.
 */
static void decompress(struct decompressed *result, const struct etl_buffer *buffer)
{
	size_t first = method_of(result->method), i;

	if (fits(result, buffer, first))
		return;
	for (i = 0; i < METHODS; i++) {
		if (i != first && fits(result, buffer, i)) {
			result->method = methods[i].number;
			return;
		}
	}
	fits(result, buffer, first);
}

const struct etl_buffer *buffer_decompress(struct decompressed *result,
					   const struct etl_buffer *buffer)
{
	uint32_t size = decompressed_size(buffer), head = sizeof(buffer->header);
	uint8_t *more;

	result->damaged = false;
	if (!size)
		return buffer;
	if (size > result->room) {
		more = realloc(result->bytes, size);
		if (!more)
			return NULL;
		result->bytes = more;
		result->room = size;
	}
	memcpy(result->bytes, buffer->bytes, head);
	result->buffer = *buffer;
	result->buffer.bytes = result->bytes;
	result->buffer.header.buffer_size = size;
	decompress(result, buffer);
	if (result->buffer.end < buffer->header.offset)
		result->damaged = true;
	return &result->buffer;
}

void decompressed_free(struct decompressed *result)
{
	free(result->bytes);
	result->bytes = NULL;
	result->room = 0;
}
