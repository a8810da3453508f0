/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Buffers in the clear, compressed or not. */
#ifndef ETW_BUFFER_DECOMPRESS_H
#define ETW_BUFFER_DECOMPRESS_H

#include "reader.h"

/**
 * struct decompressed - a place to decompress one buffer after the other
 * @method: how it is compressed, Windows' number, from the file's first buffer
 *	(etl_logfile.compression), or 0; then what fitted
 * @buffer: the last one
 * @bytes: its bytes
 * @room: bytes that @bytes has
 * @damaged: it decompressed to another size than its header contains
 * @left: compressed bytes that nothing came of
 */
struct decompressed {
	uint32_t method;
	struct etl_buffer buffer;
	uint8_t *bytes;
	uint32_t room;
	bool damaged;
	uint32_t left;
};

/* Bytes that the buffer takes when it is decompressed; 0: it is not compressed */
uint32_t decompressed_size(const struct etl_buffer *buffer);
/*
 * Return: @buffer itself when it is not compressed, else a view of what could be
 * decompressed, valid until the next call; NULL without memory
 */
const struct etl_buffer *buffer_decompress(struct decompressed *result,
					   const struct etl_buffer *buffer);
void decompressed_free(struct decompressed *result);

#endif /* ETW_BUFFER_DECOMPRESS_H */
